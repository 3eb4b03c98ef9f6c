import { describe, expect, it } from 'vitest';
import type { RefusalCode } from '../../electron/contract/refusal.ts';
import type { NewEvent } from '../../electron/journal/events.ts';
import type { QuoteBody } from '../../electron/journal/quotes/events.ts';
import { RefusalRows } from '../../electron/quoting/refusal-rows.ts';
import { address } from '../book/fixture.ts';
import { firm, type OpenDesk, openDesk, request } from '../quoting/open-desk.ts';

const UNKNOWN = request({ takerAsset: address('e') });
const LARGE = { padding: 'x'.repeat(60_000) };

/** How many refusals of a kind are in the journal. */
async function rowsOf({ journal }: OpenDesk, code: 'unknown_pair' | 'insufficient_depth'): Promise<number> {
  let count = 0;
  let before: number | undefined;
  for (;;) {
    const { rows, more } = await journal.read.logPage({ filter: { code }, limit: 500, before });
    count += rows.length;
    if (!more) return count;
    before = rows.at(-1)?.seq;
  }
}

async function flood(desk: OpenDesk, times: number, body: unknown, counterparty: string | null): Promise<Set<number>> {
  const statuses = new Set<number>();
  for (let sent = 0; sent < times; sent += 500) {
    const answers = await Promise.all(Array.from({ length: 500 }, () => firm(desk, body, counterparty)));
    for (const { status } of answers) statuses.add(status);
    await settled(desk); // what waits for the disk is bounded in any case
  }
  return statuses;
}

/** Everything that was written up to now is on the disk and can be counted. */
const settled = ({ journal }: OpenDesk) => journal.append({ time: 1, actor: 'test', kind: 'desk_stopped', body: {} });

describe('a flood of requests that are refused', () => {
  it('is answered to the last, and its rows are kept to a budget', async () => {
    const desk = await openDesk();
    expect(await flood(desk, 3_000, UNKNOWN, 'loud')).toEqual(new Set([404]));
    await settled(desk);
    const rows = await rowsOf(desk, 'unknown_pair');
    expect(rows).toBeLessThan(1_500);
    expect(rows + desk.quoter.counts().unwritten).toBe(3_000);
  });

  it('costs neither another counterparty its rows nor another kind of refusal its first', async () => {
    const desk = await openDesk();
    await flood(desk, 1_500, UNKNOWN, 'loud');
    await settled(desk);
    const before = await rowsOf(desk, 'unknown_pair');
    expect((await firm(desk, UNKNOWN, 'quiet')).status).toBe(404);
    expect((await firm(desk, request({ makerAmount: `1${'0'.repeat(30)}` }), 'loud')).code).toBe('insufficient_depth');
    await settled(desk);
    expect(await rowsOf(desk, 'unknown_pair')).toBe(before + 1);
    expect(await rowsOf(desk, 'insufficient_depth')).toBe(1);
  });

  it('comes out of its budget again with time', async () => {
    const desk = await openDesk();
    await flood(desk, 1_500, UNKNOWN, 'loud');
    await settled(desk);
    const before = await rowsOf(desk, 'unknown_pair');
    desk.clock.ahead = 10_000;
    await flood(desk, 500, UNKNOWN, 'loud');
    await settled(desk);
    const more = (await rowsOf(desk, 'unknown_pair')) - before;
    expect(more).toBeGreaterThanOrEqual(200);
    expect(more).toBeLessThan(500);
  });
});

describe('a large body', () => {
  it('is not stored, neither with a refusal nor with an order; its length is', async () => {
    const desk = await openDesk();
    await firm(desk, { ...UNKNOWN, ...LARGE });
    expect((await firm(desk, { ...request(), ...LARGE })).order).toBeDefined();
    await settled(desk);
    const { rows } = await desk.journal.read.logPage({ filter: {}, limit: 10 });
    expect(rows).toHaveLength(2);
    for (const { seq } of rows) {
      const detail = await desk.journal.read.quote(seq);
      expect([detail?.requestBody, detail?.requestBytes]).toEqual(['', expect.any(Number)]);
      expect(detail?.requestBytes).toBeGreaterThan(60_000);
    }
  });
});

describe('a refusal that is the first of its taker', () => {
  /** Refusals of a taker that is not on the list, on a disk that takes nothing until it is told to. */
  const onSlowDisk = () => {
    const waiting: { body: { takerAddress: string; chainId: number }; take: () => void; fail: () => void }[] = [];
    const clock = { now: 1_000_000 };
    const append = ({ body }: NewEvent) =>
      new Promise<number>((resolve, reject) => {
        waiting.push({
          body: body as QuoteBody,
          take: () => resolve(1),
          fail: () => reject(new Error('the disk is full')),
        });
      });
    const rows = new RefusalRows(append, () => clock.now);
    const refuse = (takerAddress: string, chainId = 1, code: RefusalCode = 'taker_not_allowed') =>
      rows.write(
        { chainId, takerAddress, userAddress: takerAddress, counterparty: 'loud', requestBody: '' } as never,
        code,
      );
    const rowsOf = (taker: string, chainId = 1) =>
      waiting.filter(({ body }) => body.takerAddress === taker && body.chainId === chainId).length;
    const settle = () => new Promise((resolve) => setImmediate(resolve));
    return { rows, waiting, clock, refuse, rowsOf, settle };
  };
  const [A, B] = [address('a'), address('b')];

  it('has its row although a thousand others wait for a slow disk', () => {
    const { refuse, rowsOf } = onSlowDisk();
    for (let count = 0; count < 1_200; count += 1) refuse(A, 1, 'unknown_pair');
    refuse(B);
    expect([rowsOf(A), rowsOf(B)]).toEqual([1_000, 1]);
  });

  it('has its row while another taker spends what there is, and so has the same taker on another chain', () => {
    const { refuse, rowsOf } = onSlowDisk();
    for (let count = 0; count < 1_200; count += 1) refuse(A);
    refuse(B);
    refuse(A, 2);
    expect([rowsOf(A), rowsOf(B), rowsOf(A, 2)]).toEqual([1_000, 1, 1]);
    refuse(B);
    expect(rowsOf(B)).toBe(1);
  });

  it('is written once its disk took it: one that could not be written is followed by the next', async () => {
    const { refuse, rowsOf, waiting, settle, rows, clock } = onSlowDisk();
    for (let count = 0; count < 1_000; count += 1) refuse(A);
    refuse(B);
    clock.now += 61_000;
    for (let count = 0; count < 30; count += 1) refuse(B); // nothing was taken yet, so that none is added
    expect(rowsOf(B)).toBe(1);
    waiting.at(-1)?.fail();
    await settle();
    refuse(B);
    expect(rowsOf(B)).toBe(2);
    waiting.at(-1)?.take();
    await settle();
    refuse(B);
    clock.now += 59_000;
    refuse(B);
    expect(rowsOf(B)).toBe(2);
    clock.now += 1_000;
    refuse(B);
    expect(rowsOf(B)).toBe(3);
    expect(rows.unwritten).toBe(33);
  });

  it('has one row with all others where takers are made up by the hundred', () => {
    const { refuse, waiting } = onSlowDisk();
    for (let count = 0; count < 1_000; count += 1) refuse(A, 1, 'unknown_pair');
    for (let count = 0; count < 500; count += 1) refuse(`0x${count.toString(16).padStart(40, '0')}`);
    expect(waiting).toHaveLength(1_000 + 30 + 1);
  });
});
