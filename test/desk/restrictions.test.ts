import { expect, test } from 'vitest';
import { restrictionAttention } from '../../electron/desk/restriction-attention.ts';
import { Restrictions } from '../../electron/desk/restrictions.ts';
import type { Journal } from '../../electron/journal/journal.ts';
import { CHAIN, chain, configuredBook, deskFile, folder, NOON, openBook } from '../book/fixture.ts';
import { quoteBody, REFUSED } from '../journal/sample-events.ts';

const PAIR = 'WETH/USDC';
const MINUTE = 60_000;
type Changes = Parameters<typeof quoteBody>[1];

async function watched(changes: Record<string, unknown> = {}) {
  const at = folder();
  const desk = await configuredBook({ ...deskFile(), chains: [chain(changes)] }, at);
  const { book, journal, clock } = desk;
  const restrictions = new Restrictions({ book, journal, now: () => clock.now });
  return { ...desk, at, restrictions };
}

let number = 0;
/** A firm request is answered now. */
function answered(journal: Journal, at: number, changes: Changes = {}): Promise<number> {
  number += 1;
  const body = quoteBody(number, { receivedAt: at, ...changes });
  return journal.append({ time: at, actor: 'desk', kind: 'quote', body });
}

test('a refusal costs the pair 15 minutes, and the last one counts', async () => {
  const { journal, clock, restrictions } = await watched();
  await answered(journal, clock.now, { ...REFUSED, code: 'insufficient_depth' });
  clock.now += 5 * MINUTE;
  await answered(journal, clock.now, { ...REFUSED, code: 'quote_limit' });
  const [found] = restrictions.list();
  expect(found).toMatchObject({ chainId: CHAIN, pair: PAIR, code: 'quote_limit', count: 2, until: NOON + 20 * MINUTE });
  expect(found?.sentence).toBe(
    'The service probably skips WETH/USDC until 12:20 UTC: at 12:05 UTC it was refused a firm quote (quote_limit). The amount is over the limit for one quote.',
  );
  expect(restrictions.list(1)).toEqual([]);
  clock.now += 15 * MINUTE;
  expect(restrictions.list()).toEqual([]);
});

test('an order costs nothing, one that came later than the service waits costs 5 minutes, one withheld 15', async () => {
  const { journal, clock, restrictions } = await watched();
  await answered(journal, clock.now, { latencyMs: 3_900 });
  expect(restrictions.list()).toEqual([]);
  await answered(journal, clock.now, { latencyMs: 4_100 });
  expect(restrictions.list()).toMatchObject([{ code: null, until: NOON + 5 * MINUTE }]);
  const quoteSeq = await answered(journal, clock.now, { pair: 'DAI/USDC' });
  const body = { chainId: CHAIN, quoteSeq, code: 'halted' as const };
  await journal.append({ time: clock.now, actor: 'desk', kind: 'quote_withheld', body });
  expect(restrictions.list()).toMatchObject([{ pair: 'DAI/USDC', code: 'halted', until: NOON + 15 * MINUTE }, {}]);
});

test('a blacklisted user costs the pair nothing where they are answered 403', async () => {
  const omit = await watched();
  await answered(omit.journal, NOON, { ...REFUSED, code: 'blacklisted' });
  expect(omit.restrictions.list()[0]?.sentence).toContain('without an order');
  const forbidden = await watched({ blacklistedAnswer: 'forbidden' });
  await answered(forbidden.journal, NOON, { ...REFUSED, code: 'blacklisted' });
  expect(forbidden.restrictions.list()).toEqual([]);
});

test('what was refused shortly before a restart is read back', async () => {
  const first = await watched();
  await answered(first.journal, NOON - 20 * MINUTE, { ...REFUSED, pair: 'DAI/USDC' });
  await answered(first.journal, NOON - 10 * MINUTE, REFUSED);
  await answered(first.journal, NOON - 9 * MINUTE, { ...REFUSED, pair: null });
  await first.close();
  const { book, journal, clock } = await openBook(first.at);
  const rooms = { book, journal, now: () => clock.now };
  const restrictions = new Restrictions(rooms);
  await restrictions.readBack(rooms);
  expect(restrictions.list()).toMatchObject([{ pair: PAIR, until: NOON + 5 * MINUTE }]);
});

test('what the service skips is told on the Desk page too, so that it is known', async () => {
  const { journal, clock, restrictions } = await watched();
  const place = { chainId: CHAIN, config: { name: 'Practice' } } as Parameters<typeof restrictionAttention>[1];
  expect(restrictionAttention({ restrictions }, place)).toEqual([]);
  await answered(journal, clock.now, { ...REFUSED, code: 'insufficient_depth' });
  const [row] = restrictionAttention({ restrictions }, place);
  expect(row).toMatchObject({ level: 'note', title: `The service probably skips ${PAIR} on Practice` });
  expect(row?.detail).toMatch(/^Until 12:15 UTC: we refused insufficient_depth at 12:00 UTC\./);
  clock.now += 16 * MINUTE;
  expect(restrictionAttention({ restrictions }, place)).toEqual([]);
});
