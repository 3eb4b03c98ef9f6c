import { expect, test } from 'vitest';
import { RepeatedRefusals } from '../../electron/desk/repeated-refusals.ts';
import { address, CHAIN, DAI, USDC } from '../book/fixture.ts';
import { firm, type OpenDesk, openDesk, quotes, request, TAKER } from '../quoting/open-desk.ts';
import { alertsOf } from './alerts-of.ts';

const ROUTER = address('7');

function watched(desk: OpenDesk, fetchedAt: number | null = null) {
  const now = desk.now;
  const refusals = new RepeatedRefusals({ journal: desk.journal, now });
  const takers = { of: () => ({ fetchedAt, fault: null, named: [], looks: new Map() }) };
  const attention = () =>
    alertsOf(desk, { takers, refusals }).map(({ level, title, detail }) => ({ level, title, detail }));
  return { refusals, attention, now };
}

/** So little DAI that it is worth less than one raw unit of USDC. */
const dust = (userAddress: string) =>
  request({ makerAsset: USDC, takerAsset: DAI, makerAmount: undefined, takerAmount: '5', userAddress });

test('a taker that the list does not have is named with how often it was refused, until it is on the list', async () => {
  const desk = await openDesk({ chain: { takers: [TAKER] } });
  const { attention, refusals } = watched(desk, 1);
  expect((await firm(desk)).code).toBeUndefined();
  expect(attention()).toEqual([]);
  for (let count = 0; count < 2; count += 1) {
    expect((await firm(desk, request({ takerAddress: ROUTER }))).code).toBe('taker_not_allowed');
  }
  await expect
    .poll(() => refusals.list(CHAIN, 'taker_not_allowed'))
    .toMatchObject([{ address: ROUTER, count: 2, pair: 'WETH/USDC' }]);
  expect(attention()).toMatchObject([
    { level: 'stop', title: 'A taker that is not on the list was refused on Practice' },
  ]);
  expect(attention()[0]?.detail).toMatch(
    new RegExp(`^${ROUTER} is not on the list in force; it was named 2 times .* for WETH/USDC\\.`),
  );
  await desk.book.addTakers(CHAIN, [ROUTER], 'service');
  expect(attention()).toEqual([]);
});

test('who asks for dust is counted by user, and a person is warned before it is a habit', async () => {
  const desk = await openDesk();
  const { attention, refusals } = watched(desk);
  const [often, once] = [address('8'), address('9')];
  for (const user of [often, once, often, often]) {
    expect(await firm(desk, dust(user))).toMatchObject({ status: 422, code: 'amount_too_small' });
  }
  await expect.poll(() => refusals.list(CHAIN, 'amount_too_small').map(({ count }) => count)).toEqual([3, 1]);
  expect(attention()).toMatchObject([{ level: 'look' }]);
  expect(attention()[0]?.detail).toMatch(new RegExp(`^${often} did so 3 times, .* 4 times by 2 users in all`));
  desk.clock.ahead += 3_600_001;
  expect(attention().filter(({ title }) => title.includes('raw unit'))).toEqual([]);
});

test('what was refused shortly before the desk started is known after it', async () => {
  const desk = await openDesk({ chain: { takers: [TAKER] } });
  await firm(desk, request({ takerAddress: ROUTER }));
  await firm(desk, { ...dust(address('8')), takerAddress: TAKER });
  await expect.poll(async () => (await quotes(desk)).length).toBe(2);
  const { refusals, now } = watched(desk);
  await refusals.readBack({ journal: desk.journal, now });
  expect(refusals.list(CHAIN, 'taker_not_allowed')).toMatchObject([{ address: ROUTER, count: 1 }]);
  expect(refusals.list(CHAIN, 'amount_too_small')).toMatchObject([{ address: address('8'), count: 1 }]);
});

test.each([0, 1, 2, 3])(
  'a refusal is counted once, whether it is heard before those of before are read back or after it: %i of three before',
  async (heard) => {
    const desk = await openDesk({ chain: { takers: [TAKER] } });
    const late: (() => void)[] = [];
    const onAppended: typeof desk.journal.onAppended = (listener) =>
      desk.journal.onAppended((events) => void late.push(() => listener(events)));
    const refusals = new RepeatedRefusals({ journal: { ...desk.journal, onAppended }, now: Date.now });
    for (let written = 1; written <= 3; written += 1) {
      await firm(desk, request({ takerAddress: ROUTER }));
      await expect.poll(() => late.length).toBe(written);
    }
    for (const hear of late.splice(0, heard)) hear();
    await refusals.readBack({ journal: desk.journal, now: Date.now });
    for (const hear of late) hear();
    expect(refusals.list(CHAIN, 'taker_not_allowed')).toMatchObject([{ address: ROUTER, count: 3 }]);
  },
);
