import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { BalanceDrift } from '../../electron/chain/balance-drift.ts';
import type { NodeClient } from '../../electron/chain/node-client.ts';
import { type OrderEvent, OrderLedger } from '../../electron/chain/order-ledger.ts';
import { readOrderLogs } from '../../electron/chain/order-logs.ts';
import { Reservation } from '../../electron/guard/reservation.ts';
import type { Journal } from '../../electron/journal/journal.ts';
import { CHAIN, USDC, USER, WETH } from '../book/fixture.ts';
import { asked } from '../guard/asked.ts';
import { openDirectly, openTestJournal } from '../journal/fixture.ts';
import { addressOf, fill, hashOf, quote, reverted } from '../journal/sample-events.ts';
import { dustLog } from './dust-logs.ts';

const DUST = 4_000;
const PART = 200;

/** Milliseconds of processor time that this thread and its helpers took: what else runs on the machine does not count. */
function processorTime(run: () => void): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** The last parts cost about what the first did: what is summed up anew each time costs six times as much. */
function expectSteady(times: number[]): void {
  expect(Math.min(...times.slice(-3))).toBeLessThan(2 * Math.max(...times.slice(0, 3)));
}

describe('thousands of dust fills of one order', () => {
  it('cost the journal as much at the end as at the beginning, also when they are taken back and come again', () => {
    const { write, queries } = openDirectly();
    write(quote(1, { makerAmount: `${2 * DUST}`, takerAmount: `${2 * DUST}` }), quote(2));
    let log = 0;
    const dust = () => fill(1, ++log, { makerAmount: '1', takerAmount: '2' });
    const parts = (make: (index: number) => ReturnType<typeof fill>) =>
      Array.from({ length: DUST / PART }, (_, part) => {
        const events = Array.from({ length: PART }, (_one, index) => make(PART * part + index));
        return processorTime(() => write(...events));
      });
    const filled = () => {
      const row = queries.quote(1);
      return [row?.state, row?.filledMakerAmount, row?.filledTakerAmount];
    };
    write(...Array.from({ length: PART }, () => fill(2, ++log))); // so that the code is warm
    expectSteady(parts(dust));
    expect(filled()).toEqual(['part_filled', `${DUST}`, `${2 * DUST}`]);
    expectSteady(parts((index) => reverted(3 + PART + index, 1)));
    expect(filled()).toEqual(['live', '0', '0']);
    write(...Array.from({ length: 500 }, dust));
    expect(filled()).toEqual(['part_filled', '500', '1000']);
  });

  it('go to the journal in portions, so that a firm quote never waits behind all of them', async () => {
    const journal = await openTestJournal();
    await journal.append(quote(1, { makerAmount: `${DUST}`, takerAmount: `${DUST}` }));
    const ledger = new OrderLedger({ journal, chainId: CHAIN, now: () => 1_800_000_000_000 });
    const logs = Array.from({ length: 2_000 }, (_, index) => decodedLog(index));
    let ended = false;
    const recorded = ledger
      .record(logs, () => 1_800_000_000)
      .then(() => {
        ended = true;
      });
    await turn();
    const first = await journal.append(quote(2));
    expect([ended, first]).toEqual([false, expect.any(Number)]);
    expect(first).toBeLessThan(200);
    await recorded;
    const told = ledger.takeUntold();
    expect(told.map(({ seq }) => seq)).toEqual(told.map(({ seq }) => seq).toSorted((a, b) => a - b));
    expect(told).toHaveLength(2_000);
  });

  it('are read from the node without keeping the desk from anything else for long', async () => {
    const answer = { ok: true, result: Array.from({ length: 4_000 }, (_, index) => rawLog(index)) } as const;
    let turns = 0;
    let reading = true;
    const others = (async () => {
      while (reading) {
        await turn();
        turns += 1;
      }
    })();
    const logs = await readOrderLogs({ rpcUrl: 'http://127.0.0.1:1' } as NodeClient, answer, USER, USER, () => false);
    reading = false;
    await others;
    expect(logs).toHaveLength(4_000);
    expect(turns).toBeGreaterThan(50);
  });

  it('that the journal has already are not read again', async () => {
    const result = [rawLog(1), rawLog(2), { ...rawLog(3), data: '0x00' }];
    const node = { rpcUrl: 'http://127.0.0.1:1' } as NodeClient;
    const known = ({ logIndex }: { logIndex: number }) => logIndex !== 2;
    const logs = await readOrderLogs(node, { ok: true, result }, USER, USER, known);
    expect(logs.map(({ logIndex }) => logIndex)).toEqual([2]);
  });

  it('cost a reservation as much at the end as at the beginning, its order cancelled or not', () => {
    const order = { orderHash: hashOf('order'), terms: asked({ makerAmount: BigInt(10 * DUST) }), expiry: 1 };
    const reservation = new Reservation(order, 1, 0n);
    reservation.seen({ kind: 'cancel', seq: 1 });
    let seq = 1;
    const times = Array.from({ length: 20 }, () =>
      processorTime(() => {
        for (let n = 0; n < DUST / 20; n += 1) {
          reservation.seen({ kind: 'fill', seq: ++seq, amount: 1n, block: 7 });
          for (let often = 0; often < 20; often += 1) reservation.remaining();
        }
      }),
    );
    expect(reservation.remaining()).toBe(BigInt(DUST));
    reservation.takenBack(2);
    expect(reservation.remaining()).toBe(BigInt(DUST - 1));
    reservation.settle(7);
    expect(reservation.remaining()).toBe(null);
    expectSteady(times);
  });

  it('cost the comparison of balances as much to take back as to take in', async () => {
    const drift = new BalanceDrift({
      node: {} as NodeClient,
      chainId: CHAIN,
      maker: USER,
      rfqContract: USER,
      intentContract: null,
      now: () => 0,
      onTaken: () => {},
      perDay: () => 0n,
      journal: { append: async () => 1, read: { hedges: async () => [] } as unknown as Journal['read'] },
      hashAt: () => undefined,
      onFault: (error) => {
        throw error;
      },
    });
    const see = (block: number, balance: bigint, events: OrderEvent[]) => {
      const held = new Map([[WETH, { balance, allowance: 0n }]]);
      drift.seen({ number: block, hash: hashOf(`${block}`) }, held, events);
    };
    const dust = Array.from({ length: 10_000 }, (_, n) => ({ ...dustEvent(2), seq: n + 1 }) as OrderEvent);
    const back = dust.map(({ seq, body }) => {
      const gone = { chainId: CHAIN, eventSeq: seq, orderHash: body.orderHash };
      return { seq: seq + 10_000, time: 0, actor: 'chain', kind: 'reverted', body: gone, hash: '' } as OrderEvent;
    });
    see(1, 20_000n, []);
    await turn();
    const before = process.cpuUsage();
    // Within one look, as when a branch is left and the node is on it again.
    see(2, 20_000n, [...dust, ...back]);
    await drift.stop();
    expect(process.cpuUsage(before).user).toBeLessThan(400_000);
  });
});

function rawLog(index: number) {
  const place = { blockNumber: 1, blockHash: hashOf('b') };
  return dustLog({ index, orderHash: hashOf('order 1'), contract: USER, maker: USER, ...place });
}

function decodedLog(logIndex: number) {
  return {
    kind: 'fill' as const,
    orderHash: hashOf('order 1'),
    block: 1,
    blockHash: hashOf('b'),
    transactionHash: hashOf('t'),
    logIndex,
    taker: USER,
    makerAsset: WETH,
    takerAsset: USDC,
    makerAmount: 1n,
    takerAmount: 1n,
  };
}

function dustEvent(block: number) {
  return fill(1, block, { block, makerAsset: WETH, takerAsset: addressOf('other'), makerAmount: '1' });
}
