import { expect, onTestFinished, test, vi } from 'vitest';
import { HedgeFeed } from '../../electron/desk/hedge-feed.ts';
import { openCommandLog } from '../../electron/desk/log.ts';
import type { NewEvent } from '../../electron/journal/events.ts';
import type { Journal } from '../../electron/journal/journal.ts';
import { openTestJournal, temporaryFolder } from '../journal/fixture.ts';
import { addressOf, CHAIN, configured, fill, quote, reverted, START } from '../journal/sample-events.ts';

type Tail = ReturnType<HedgeFeed['watch']>;
type News = Tail extends AsyncGenerator<infer T, void> ? T : never;

async function feedOf(): Promise<{ journal: Journal; watch: () => Tail }> {
  const folder = temporaryFolder();
  const journal = await openTestJournal(folder);
  const feed = new HedgeFeed(journal, () => START, openCommandLog(folder, Date.now));
  const watch = () => {
    const stop = new AbortController();
    onTestFinished(() => stop.abort());
    return feed.watch(stop.signal);
  };
  return { journal, watch };
}

const opened = (fillSeqs: number[] = []): NewEvent => ({
  time: START,
  actor: 'trader',
  kind: 'hedge_opened',
  body: {
    chainId: CHAIN,
    maker: addressOf('maker'),
    side: 'BUY',
    amount: '4000',
    slippageBps: 50,
    src: { chainId: CHAIN, address: addressOf('USDC'), symbol: 'USDC', decimals: 6 },
    dest: { chainId: CHAIN, address: addressOf('WETH'), symbol: 'WETH', decimals: 18 },
    way: { mode: 'market' },
    beneficiary: null,
    deadline: 2_000_000_000,
    approval: 'permit',
    pair: 'WETH/USDC',
    fillSeqs,
    automatic: false,
    confirmed: false,
    shown: null,
  },
});
const ended = (hedgeSeq: number): NewEvent => ({
  time: START,
  actor: 'desk',
  kind: 'hedge_step',
  body: { chainId: CHAIN, hedgeSeq, step: { step: 'ended', outcome: 'failed', sentence: 'No price.' } },
});
/** News until one fits. */
async function until(tail: Tail, fits: (news: News) => boolean): Promise<News> {
  for await (const news of tail) if (fits(news)) return news;
  throw new Error('the news ended');
}

test('the first news is empty, and from then on no hedge is missed, also before the next news is asked for', async () => {
  const { journal, watch } = await feedOf();
  const tail = watch();
  expect((await tail.next()).value).toEqual({ at: START, rows: [], positions: false });
  const seq = await journal.append(opened());
  await journal.append(ended(seq));
  const { rows, positions } = await until(tail, (news) => news.rows.some(({ state }) => state === 'failed'));
  expect(rows).toMatchObject([{ seq, state: 'failed', note: 'No price.', netUsd: null, cancellable: false }]);
  expect(positions).toBe(true);
});

test('a hedge that changes many times before it is told stands there once, as it is now', async () => {
  const { journal, watch } = await feedOf();
  const tail = watch();
  await tail.next();
  const seqs = await Promise.all([1, 2, 3].map(() => journal.append(opened())));
  await Promise.all(seqs.map((seq) => journal.append(ended(seq))));
  const last = new Map<number, string>();
  await until(tail, ({ rows }) => {
    expect(new Set(rows.map(({ seq }) => seq)).size).toBe(rows.length);
    for (const { seq, state } of rows) last.set(seq, state);
    return seqs.every((seq) => last.get(seq) === 'failed');
  });
});

test.each<[string, (first: number) => NewEvent]>([
  ['a fill', () => fill(1, 2)],
  ['a fill that is taken back', (first) => reverted(first, 1)],
  [
    'a chain that is gone',
    () => ({ time: START, actor: 'desk', kind: 'chain_reset', body: { chainId: CHAIN, quoteSeqs: [] } }),
  ],
  [
    'automatic hedging that says something',
    () => ({
      time: START,
      actor: 'desk',
      kind: 'auto_hedge_said',
      body: { chainId: CHAIN, pair: 'WETH/USDC', sentence: 'It would.', unhedged: '1', hedgeSeq: null },
    }),
  ],
])('%s says that positions look different, without any hedge', async (_what, event) => {
  const { journal, watch } = await feedOf();
  await journal.append(configured());
  await journal.append(quote(1));
  const first = await journal.append(fill(1, 1));
  const tail = watch();
  await tail.next();
  await journal.append(event(first));
  expect(await until(tail, ({ positions }) => positions)).toEqual({ at: START, rows: [], positions: true });
});

test('what has nothing to do with hedging is not told', async () => {
  const { journal, watch } = await feedOf();
  const tail = watch();
  await tail.next();
  await journal.append(quote(1));
  await journal.append(quote(2));
  const seq = await journal.append(opened());
  const next = await until(tail, () => true);
  expect(next.rows.map((row) => row.seq)).toEqual([seq]);
});

test('while nobody watches nothing is read, and a journal that cannot be read is a line in the log', async () => {
  const { journal, watch } = await feedOf();
  const read = vi.spyOn(journal.read, 'hedge');
  await journal.append(opened());
  const tail = watch();
  await tail.next();
  expect(read).not.toHaveBeenCalled();
  read.mockRejectedValueOnce(new Error('the disk is gone'));
  await journal.append(opened());
  await vi.waitFor(() => expect(read).toHaveBeenCalled());
  const seq = await journal.append(opened());
  expect((await until(tail, ({ rows }) => rows.length > 0)).rows.map((row) => row.seq)).toEqual([seq]);
});
