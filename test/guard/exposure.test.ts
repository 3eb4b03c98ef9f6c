import { describe, expect, it } from 'vitest';
import type { Address } from '../../electron/protocol/address.ts';
import { stillLive } from '../../renderer/components/still-live.ts';
import { CHAIN, USDC, WETH } from '../book/fixture.ts';
import {
  ETHER,
  firm,
  happens,
  type OpenDesk,
  openDesk,
  person,
  quotes,
  request,
  seen,
  TAKER,
} from '../quoting/open-desk.ts';

const live = ({ guard }: OpenDesk) => BigInt(guard.orders.rows().find(({ tokenId }) => tokenId === 'WETH')?.live ?? -1);
const TENTH = ETHER / 10n;
const states = async (desk: OpenDesk) => (await quotes(desk)).map(({ state }) => state);

/** Signs 0.1 WETH and gives the order's hash and expiry. */
async function signed(desk: OpenDesk): Promise<{ orderHash: string; expiry: number }> {
  const before = await quotes(desk);
  await firm(desk);
  const row = (await quotes(desk))[before.length];
  if (row?.orderHash == null || row.expiry === null) throw new Error('nothing was signed');
  return { orderHash: row.orderHash, expiry: row.expiry };
}

function look(
  desk: OpenDesk,
  block: number,
  timestamp = Math.floor(desk.now() / 1_000),
  amounts: Partial<Record<Address, bigint>> = {},
) {
  const view = seen(desk.now(), amounts, block);
  desk.chain.view = { ...view, block: { number: block, hash: `0x${block.toString(16).padStart(64, '0')}`, timestamp } };
  desk.quoter.tick();
}

let logs = 0;
const place = (orderHash: string, block: number) => ({
  chainId: CHAIN,
  orderHash,
  block,
  blockHash: `0x${'b'.repeat(63)}${block}`,
  blockTime: 0,
  transactionHash: `0x${'c'.repeat(64)}`,
  logIndex: logs++,
});
const fill = (desk: OpenDesk, orderHash: string, amount: bigint, block: number) => {
  const what = { taker: TAKER, makerAsset: WETH, takerAsset: USDC, makerAmount: `${amount}`, takerAmount: '1' };
  return happens(desk, {
    time: desk.now(),
    actor: 'chain',
    kind: 'fill',
    body: { ...place(orderHash, block), ...what },
  });
};
const cancel = (desk: OpenDesk, orderHash: string, block: number) =>
  happens(desk, { time: desk.now(), actor: 'chain', kind: 'cancel', body: place(orderHash, block) });
const revert = (desk: OpenDesk, orderHash: string, eventSeq: number) =>
  happens(desk, { time: desk.now(), actor: 'chain', kind: 'reverted', body: { chainId: CHAIN, eventSeq, orderHash } });

describe('a signed order counts', () => {
  it('less what was filled of it, from the balance on that the fill is in', async () => {
    const desk = await openDesk();
    const { orderHash } = await signed(desk);
    expect(live(desk)).toBe(TENTH);
    await fill(desk, orderHash, TENTH / 4n, 2);
    expect(live(desk)).toBe(TENTH);
    look(desk, 2);
    expect(live(desk)).toBe((TENTH * 3n) / 4n);
    expect(await states(desk)).toEqual(['part_filled']);
    await fill(desk, orderHash, (TENTH * 3n) / 4n, 3);
    look(desk, 3);
    expect(live(desk)).toBe(0n);
    expect(await states(desk)).toEqual(['filled']);
  });

  it('no more once it is cancelled', async () => {
    const desk = await openDesk();
    const { orderHash } = await signed(desk);
    await cancel(desk, orderHash, 2);
    expect(live(desk)).toBe(0n);
    expect(await states(desk)).toEqual(['cancelled']);
  });

  it('in its expiry second, and no more once a later block was seen; then the journal is told', async () => {
    const desk = await openDesk();
    const { expiry } = await signed(desk);
    await signed(desk);
    desk.clock.ahead += 155_000;
    look(desk, 2, expiry);
    expect(live(desk)).toBe(2n * TENTH);
    look(desk, 3, expiry + 10);
    expect(live(desk)).toBe(0n);
    await expect.poll(() => states(desk)).toEqual(['expired', 'expired']);
  });

  it('however far our clock is past its expiry, until a block later than that was seen', async () => {
    const desk = await openDesk();
    const { expiry } = await signed(desk);
    desk.clock.ahead += (expiry + 50) * 1_000 - desk.now();
    look(desk, 2, expiry);
    expect(live(desk)).toBe(TENTH);
    desk.clock.ahead += 3_600_000;
    desk.quoter.tick();
    expect(live(desk)).toBe(TENTH);
    look(desk, 3);
    expect(live(desk)).toBe(0n);
    await expect.poll(() => states(desk)).toEqual(['expired']);
  });

  it('however late a block that is seen says it is, until our clock is past its expiry as well', async () => {
    const desk = await openDesk();
    const { expiry } = await signed(desk);
    const at = Math.floor(desk.now() / 1_000);
    for (const [block, ahead] of [3_600, 200, 14].entries()) {
      look(desk, block + 2, at + ahead);
      expect(live(desk)).toBe(TENTH);
      expect(desk.guard.status().chains[0]?.closed).toBe(ahead > 15 ? 'chain_clock' : null);
    }
    desk.clock.ahead += (expiry + 1) * 1_000 - desk.now();
    look(desk, 9, expiry + 1);
    expect(live(desk)).toBe(0n);
  });

  it('until a second past its expiry on the exposure clock, which then stands at nothing', async () => {
    const desk = await openDesk();
    const { expiry } = await signed(desk);
    const row = () => desk.guard.orders.rows().find(({ tokenId }) => tokenId === 'WETH');
    expect(row()).toMatchObject({
      live: `${TENTH}`,
      quotes: 1,
      zeroAt: (expiry + 1) * 1_000,
      balance: `${1_000n * ETHER}`,
    });
    desk.clock.ahead += 200_000;
    look(desk, 2);
    expect(row()).toMatchObject({ live: '0', quotes: 0, zeroAt: null });
  });

  it('on every screen, by its address and in raw units, when its token is given another address', async () => {
    const desk = await openDesk();
    await firm(desk);
    const [before] = desk.guard.orders.rows().filter(({ live: amount }) => amount !== '0');
    const token = desk.book.chain(CHAIN)?.tokens.get('WETH');
    if (before === undefined || token === undefined) throw new Error('nothing was signed');
    await desk.book.saveToken(CHAIN, 'WETH', { ...token, address: `0x${'9'.repeat(40)}` }, person.actor);
    expect(desk.guard.orders.liveHashes(CHAIN)).toHaveLength(1);
    expect(stillLive(desk.guard.orders.rows())).toEqual({
      rows: [{ ...before, tokenId: WETH, decimals: 0, unlisted: true }],
      orders: 1,
      zeroAt: before.zeroAt,
    });
    await desk.book.saveToken(CHAIN, 'WETH', token, person.actor);
    expect(stillLive(desk.guard.orders.rows()).rows).toEqual([before]);
  });

  it('again when a reorganisation takes its fill or its cancel back, also after its end', async () => {
    const desk = await openDesk();
    const filled = await signed(desk);
    const cancelled = await signed(desk);
    const fillSeq = await fill(desk, filled.orderHash, TENTH, 2);
    const cancelSeq = await cancel(desk, cancelled.orderHash, 2);
    look(desk, 3);
    expect(live(desk)).toBe(0n);
    await revert(desk, filled.orderHash, fillSeq);
    await revert(desk, cancelled.orderHash, cancelSeq);
    expect(live(desk)).toBe(2n * TENTH);
    expect(await states(desk)).toEqual(['live', 'live']);
    await fill(desk, filled.orderHash, TENTH / 2n, 3);
    look(desk, 4);
    expect(live(desk)).toBe(TENTH + TENTH / 2n);
  });
});

it('a chain that tells of more filled than was signed is halted', async () => {
  const desk = await openDesk();
  const [whole, more] = [await signed(desk), await signed(desk)];
  await fill(desk, whole.orderHash, TENTH, 2);
  await fill(desk, more.orderHash, TENTH - 1n, 2);
  look(desk, 2);
  expect(desk.guard.trading.stateOf({ chainId: CHAIN })).toBe('LIVE');
  await fill(desk, more.orderHash, 2n, 3);
  expect(desk.guard.trading.stateOf({ chainId: CHAIN })).toBe('HALTED');
  expect(desk.guard.trading.said({ chainId: CHAIN })?.cause).toContain(`More of order ${more.orderHash} was filled`);
});

describe('after a restart', () => {
  const reopen = async (desk: OpenDesk) => {
    await desk.close();
    const again = await openDesk({ folder: desk.folder });
    again.clock.ahead = desk.clock.ahead;
    return again;
  };

  it('every signed order without an end counts, less what was filled of it', async () => {
    const desk = await openDesk();
    const [part, cancelled, filled] = [await signed(desk), await signed(desk), await signed(desk)];
    await signed(desk);
    await fill(desk, part.orderHash, TENTH / 4n, 2);
    await cancel(desk, cancelled.orderHash, 2);
    await fill(desk, filled.orderHash, TENTH, 3);
    const again = await reopen(desk);
    expect(live(again)).toBe((TENTH * 7n) / 4n);
    expect(again.guard.orders.liveHashes(CHAIN)).toHaveLength(2);
  });

  it('what expired meanwhile is over, and the journal is told', async () => {
    const desk = await openDesk();
    await signed(desk);
    desk.clock.ahead += 400_000;
    const again = await reopen(desk);
    look(again, 2);
    expect(live(again)).toBe(0n);
    await expect.poll(() => states(again)).toEqual(['expired']);
  });

  it('an event from before it that is taken back brings back what the journal says stands', async () => {
    const desk = await openDesk();
    const { orderHash } = await signed(desk);
    const first = await fill(desk, orderHash, TENTH / 4n, 2);
    await fill(desk, orderHash, (TENTH * 3n) / 4n, 2);
    const again = await reopen(desk);
    look(again, 3);
    expect(live(again)).toBe(0n);
    const told = revert(again, orderHash, first);
    await told;
    // Not known yet what stands: nothing is signed until the journal said it, and then all counts until the next look.
    expect(again.guard.status().chains[0]?.closed).toBe('chain_unseen');
    await expect.poll(() => again.guard.status().chains[0]?.closed).toBe(null);
    expect(live(again)).toBe(TENTH);
    look(again, 4);
    expect(live(again)).toBe(TENTH / 4n);
  });

  it('so does one of an order that counts in part', async () => {
    const desk = await openDesk();
    const { orderHash } = await signed(desk);
    const first = await fill(desk, orderHash, TENTH / 4n, 2);
    await fill(desk, orderHash, TENTH / 4n, 2);
    const again = await reopen(desk);
    look(again, 3);
    expect(live(again)).toBe(TENTH / 2n);
    await revert(again, orderHash, first);
    expect(live(again)).toBe(TENTH);
    await fill(again, orderHash, TENTH / 8n, 4);
    await expect
      .poll(() => {
        look(again, 4 + Math.floor(performance.now()));
        return live(again);
      })
      .toBe(TENTH - TENTH / 4n - TENTH / 8n);
  });
});

describe('when the chain that was known is gone', () => {
  it('all its orders end, in the journal too, and what is on its way is withheld', async () => {
    const desk = await openDesk();
    await signed(desk);
    const asked = firm(desk, request());
    await desk.guard.orders.chainReset(CHAIN, { genesis: `0x${'9'.repeat(64)}`, actor: 'mara', reason: 'begun anew' });
    expect(live(desk)).toBe(0n);
    expect((await asked).order).toBe(undefined);
    await expect.poll(() => states(desk)).toEqual(['expired', 'withheld']);
    expect((await firm(desk)).status).toBe(200);
    await desk.guard.trading.halt({}, person);
  });
});

describe('Orders whose time ended long before the desk started', () => {
  it('are live until a block bears that out, and then the journal is told that they expired', async () => {
    const desk = await openDesk();
    await signed(desk);
    await signed(desk);
    await desk.close();
    const later = () => Date.now() + 600_000;
    const again = await openDesk({ folder: desk.folder, guard: { now: later } });
    again.quoter.tick();
    expect(live(again)).toBe(2n * TENTH);
    again.clock.ahead = 600_000;
    look(again, 2);
    expect(live(again)).toBe(0n);
    await expect.poll(() => states(again)).toEqual(['expired', 'expired']);
  });
});

describe('a chain is closed while its clock and ours contradict each other', () => {
  const closed = ({ guard }: OpenDesk) => guard.status().chains[0]?.closed;

  it('when its newest block is ahead of our clock, or our clock is set back', async () => {
    const desk = await openDesk({ chain: { headAheadMaxSeconds: 60 } });
    const at = Math.floor(desk.now() / 1_000);
    look(desk, 2, at + 70);
    expect(closed(desk)).toBe('chain_clock');
    expect(await firm(desk)).toMatchObject({ status: 503, code: 'chain_clock' });
    const [chain] = desk.book.chains();
    expect(chain && desk.guard.clockFault(chain)).toMatch(
      /^The newest block is \d+ s ahead of this machine’s clock\. /,
    );
    look(desk, 3, at + 1);
    expect(closed(desk)).toBe(null);
    desk.clock.ahead = -3_600_000;
    expect(await firm(desk)).toMatchObject({ status: 503, code: 'chain_clock' });
  });

  it('when its newest block is older than the limit, at once', async () => {
    const desk = await openDesk({ chain: { headMaxAgeSeconds: 40 } });
    look(desk, 2, Math.floor(desk.now() / 1_000) - 38);
    expect(closed(desk)).toBe(null);
    look(desk, 3, Math.floor(desk.now() / 1_000) - 42);
    expect(closed(desk)).toBe('chain_clock');
    expect(await firm(desk)).toMatchObject({ status: 503, code: 'chain_clock' });
  });

  it('when its time runs backwards, until it has caught up', async () => {
    const desk = await openDesk();
    const at = Math.floor(desk.now() / 1_000);
    look(desk, 2, at);
    look(desk, 3, at - 5);
    expect(closed(desk)).toBe('chain_clock');
    look(desk, 4, at - 1);
    expect(closed(desk)).toBe('chain_clock');
    look(desk, 5, at);
    expect(closed(desk)).toBe(null);
  });
});
