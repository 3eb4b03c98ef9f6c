import { expect, it } from 'vitest';
import { firm, type OpenDesk, openDesk, seen } from '../quoting/open-desk.ts';

const closed = ({ guard }: OpenDesk) => guard.status().chains[0];
const look = (desk: OpenDesk) => seen(desk.now());

it('a chain whose two nodes disagree signs nothing from then on, says why, and opens by itself when they agree', async () => {
  const desk = await openDesk();
  expect((await firm(desk)).order).toBeDefined();
  const fault =
    'The two nodes of this chain disagree: at block 7 the maker holds 9 WETH by one, and 5 WETH by the other.';
  desk.chain.view = { ...look(desk), unconfirmed: 'disagree', fault };
  expect(await firm(desk)).toMatchObject({ status: 503, code: 'chain_unconfirmed', order: undefined });
  expect(closed(desk)).toMatchObject({ closed: 'chain_unconfirmed', why: fault });
  desk.chain.view = look(desk);
  expect(closed(desk)?.closed).toBeNull();
  expect((await firm(desk)).order).toBeDefined();
});

it('one whose second node is silent goes on until what both said last is too old, and closes then, saying why', async () => {
  const desk = await openDesk();
  const fault = 'The second node does not say what the first does. The node at 127.0.0.1:9 refuses connections.';
  desk.chain.view = { ...look(desk), unconfirmed: 'silent', fault };
  expect((await firm(desk)).order).toBeDefined();
  desk.clock.ahead += 31_000;
  expect(await firm(desk)).toMatchObject({ status: 503, code: 'chain_unconfirmed', order: undefined });
  expect(closed(desk)).toMatchObject({ closed: 'chain_unconfirmed', why: fault });
  desk.chain.view = look(desk);
  expect((await firm(desk)).order).toBeDefined();
});

it('one that never heard its second node signs nothing', async () => {
  const desk = await openDesk();
  desk.chain.view = { ...look(desk), block: null, seenAt: null, unconfirmed: 'silent', fault: 'It is silent.' };
  expect(await firm(desk)).toMatchObject({ status: 503, code: 'chain_unconfirmed', order: undefined });
});
