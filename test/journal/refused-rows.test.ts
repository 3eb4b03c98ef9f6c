import { expect, test } from 'vitest';
import type { NewEvent } from '../../electron/journal/events.ts';
import { verifyJournal } from '../../electron/journal/verify.ts';
import { openTestJournal, temporaryFolder } from './fixture.ts';
import { CHAIN, cancel, configured, fill, quote, REFUSED, reverted, START } from './sample-events.ts';

const refused = { code: 'journal_row_refused' };
const by = (actor: string): NewEvent => ({ time: START, actor, kind: 'desk_stopped', body: {} });

test('a poisoned row is refused alone, and the rows beside it are written', async () => {
  const folder = temporaryFolder();
  const journal = await openTestJournal(folder);
  const failures: unknown[] = [];
  journal.onFailure((error) => failures.push(error));
  const outcomes = await Promise.allSettled([
    journal.append(quote(1)),
    journal.append(quote(1)), // the same order hash again
    journal.append(quote(2, { orderHash: '0x12' })),
    journal.append(quote(3, { userAddress: '0x' })),
    journal.append(quote(4, { ...REFUSED, code: null })),
    journal.append(quote(5, {}, Number.NaN)),
    journal.append(quote(6)),
  ]);
  expect(outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : outcome.reason.code))).toEqual([
    1,
    ...Array.from({ length: 5 }, () => 'journal_row_refused'),
    2,
  ]);
  expect(failures).toEqual([]);
  expect(await verifyJournal(folder)).toMatchObject({ ok: true, total: 2 });
});

test('what cannot be written as JSON is refused', async () => {
  const journal = await openTestJournal();
  const poisoned: unknown = { ...quote(1), body: { amount: 1n } };
  await expect(journal.append(poisoned as NewEvent)).rejects.toMatchObject(refused);
});

test('the same log entry of the same block is refused, unless it was taken back in between', async () => {
  const journal = await openTestJournal();
  await journal.append(quote(1));
  const seq = await journal.append(fill(1, 1));
  await expect(journal.append(fill(1, 1))).rejects.toMatchObject(refused);
  await journal.append(reverted(seq, 1));
  await journal.append(fill(1, 1));
  await expect(journal.append(fill(1, 1))).rejects.toMatchObject(refused);
  const cancelled = await journal.append(cancel(1, 2));
  await expect(journal.append(cancel(1, 2))).rejects.toMatchObject(refused);
  await expect(journal.append(reverted(cancelled + 50, 1))).rejects.toMatchObject(refused);
});

test('an event that contradicts the journal is refused', async () => {
  const journal = await openTestJournal();
  const ladder = { bids: [], asks: [] };
  const published = (revision: number): NewEvent => {
    const body = { chainId: CHAIN, pair: 'WETH/USDC', revision, baseRevision: revision - 1, ladder };
    return { time: START, actor: 'trader', kind: 'ladder_published', body };
  };
  const withheld = (quoteSeq: number): NewEvent => {
    return { time: START, actor: 'desk', kind: 'quote_withheld', body: { chainId: CHAIN, quoteSeq, code: 'halted' } };
  };
  const limits: NewEvent = {
    time: START,
    actor: 'ops',
    kind: 'takers_set',
    body: { chainId: CHAIN, takers: [] },
  };
  await expect(journal.append(limits)).rejects.toMatchObject(refused);
  await journal.append(configured());
  await journal.append(limits);
  await expect(journal.append(published(1))).rejects.toMatchObject(refused);
  await journal.append(published(2));
  await expect(journal.append(withheld(1))).rejects.toMatchObject(refused);
  const refusedQuote = await journal.append(quote(1, REFUSED));
  await expect(journal.append(withheld(refusedQuote))).rejects.toMatchObject(refused);
});

test('keys of a counterparty are refused', async () => {
  const journal = await openTestJournal();
  const event = configured();
  if (event.kind !== 'desk_configured') throw new Error('unreachable');
  const withKeys = {
    ...event.body.desk,
    counterparties: [{ domain: 'x', signedPath: 'full' as const, secretKey: 'y' }],
  };
  await expect(journal.append({ ...event, body: { ...event.body, desk: withKeys } })).rejects.toMatchObject(refused);
});

test('an actor is a proper name', async () => {
  const folder = temporaryFolder();
  const journal = await openTestJournal(folder);
  for (const actor of ['', '  ', 'x'.repeat(61), 'two\nlines', '\ud800', 'nul\0']) {
    await expect(journal.append(by(actor))).rejects.toMatchObject(refused);
  }
  for (const actor of ['Jörg "the desk"', '取引', '🦊\\']) await journal.append(by(actor));
  expect(await verifyJournal(folder)).toMatchObject({ ok: true, total: 3 });
});

test('a plain write of another form is refused, and the journal goes on', async () => {
  const journal = await openTestJournal();
  const beat = { endpoint: 'prices' as const, at: -1, by: null, status: 200 };
  await expect(journal.put({ table: 'heartbeats', chainId: CHAIN, beat })).rejects.toMatchObject(refused);
  await journal.put({ table: 'heartbeats', chainId: CHAIN, beat: { ...beat, at: 7 } });
  expect(await journal.read.heartbeats()).toMatchObject([{ beat: { at: 7 } }]);
});
