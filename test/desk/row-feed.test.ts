import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openCommandLog } from '../../electron/desk/log.ts';
import { RowFeed } from '../../electron/desk/row-feed.ts';
import type { Journal } from '../../electron/journal/journal.ts';
import { openTestJournal, temporaryFolder } from '../journal/fixture.ts';
import { quote } from '../journal/sample-events.ts';

/** What a console does: listens to the tail, reads the newest page, and goes on with the tail. */
async function followed(
  journal: Journal,
  feed: RowFeed,
  until: number,
  between: () => Promise<unknown>,
): Promise<number[]> {
  const stop = new AbortController();
  const tail = feed.watchQuotes(stop.signal);
  expect((await tail.next()).value).toEqual([]);
  await between();
  const seen = new Set<number>();
  const { rows } = await journal.read.logPage({ filter: {}, limit: 500 });
  for (const { seq } of rows) seen.add(seq);
  while (!seen.has(until)) {
    const { value, done } = await tail.next();
    if (done) break;
    for (const { seq } of value) seen.add(seq);
  }
  stop.abort();
  return [...seen].sort((a, b) => a - b);
}

async function feedOf(): Promise<{ journal: Journal; feed: RowFeed }> {
  const folder = temporaryFolder();
  const journal = await openTestJournal(folder);
  return { journal, feed: new RowFeed(journal, openCommandLog(folder, Date.now)) };
}

test('a row that is written between the tail’s opening and the page is on one of them', async () => {
  const { journal, feed } = await feedOf();
  await journal.append(quote(1));
  const writing = async () => {
    await journal.append(quote(2)); // before the page is read
    void sleep(50).then(() => journal.append(quote(3))); // after it
  };
  expect(await followed(journal, feed, 3, writing)).toEqual([1, 2, 3]);
});

test('a row that changes right after the tail’s first word is told, although nobody has asked for more yet', async () => {
  const { journal, feed } = await feedOf();
  const seq = await journal.append(quote(1));
  const stop = new AbortController();
  const tail = feed.watchQuotes(stop.signal);
  await tail.next();
  await journal.append({ time: 1, actor: 'desk', kind: 'quotes_expired', body: { chainId: 31337, quoteSeqs: [seq] } });
  const { value } = await tail.next();
  expect(value).toMatchObject([{ seq, state: 'expired' }]);
  stop.abort();
});

test('whatever is written while many consoles open, each of them sees every row', async () => {
  const { journal, feed } = await feedOf();
  const LAST = 120;
  const write = (async () => {
    for (let number = 1; number <= LAST; number += 1) {
      await journal.append(quote(number));
      await sleep(number % 3);
    }
  })();
  const consoles = Array.from({ length: 12 }, async (_, index) => {
    await sleep(index * 17);
    return followed(journal, feed, LAST, () => sleep(index % 5));
  });
  const every = Array.from({ length: LAST }, (_, index) => index + 1);
  for (const seen of await Promise.all(consoles)) expect(seen).toEqual(every);
  await write;
});
