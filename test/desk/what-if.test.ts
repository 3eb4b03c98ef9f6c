import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { call } from '@orpc/server';
import { expect, onTestFinished, test } from 'vitest';
import type { Protection } from '../../electron/contract/protections.ts';
import type {
  WhatIfEnd,
  WhatIfPair,
  WhatIfPart,
  WhatIfQuote,
  WhatIfQuotesAsked,
  WhatIfSettings,
} from '../../electron/contract/what-if.ts';
import { asOwner } from '../../electron/desk/handlers/base.ts';
import { whatIfHandlers } from '../../electron/desk/handlers/what-if.ts';
import { PastReader } from '../../electron/desk/past-reader.ts';
import { CHAIN } from '../book/fixture.ts';
import { quote, REFUSED } from '../journal/sample-events.ts';
import { filling } from '../quoting/fills.ts';
import { ETHER, firm, happens, type OpenDesk, openDesk, request, seen } from '../quoting/open-desk.ts';
import { runCommand } from './desk-process.ts';

const PAIR = 'WETH/USDC';
const AS = { context: asOwner('mara') };
const WIDER: WhatIfSettings = { ladders: [{ pairs: [PAIR], changes: [{ kind: 'wider', bps: '10' }] }] };
const TWO: Protection = {
  name: 'two',
  counts: 'signed',
  per: 'user',
  windowSeconds: 60,
  limit: '2',
  freezeSeconds: 0,
};

/** A desk that signed four quotes a second apart, of which the first was filled, and the questions about them. */
async function day() {
  const desk = await openDesk();
  const since = desk.now() - 1;
  await desk.journal.put({
    table: 'reference_samples',
    chainId: CHAIN,
    pair: PAIR,
    time: since,
    heard: since,
    mid: '3412',
  });
  for (let index = 0; index < 4; index += 1) {
    await firm(desk, request({ makerAmount: `${ETHER / 10n}` }));
    desk.clock.ahead += 1_000;
    desk.chain.view = seen(desk.now());
  }
  await happens(desk, await filling(desk, 0, { place: 1 }));
  return { ...questions(desk), desk, since, until: desk.now() };
}

function questions({ folder, now }: OpenDesk) {
  const trials = new PastReader(folder);
  onTestFinished(() => trials.close());
  const whatIf = whatIfHandlers({ trials, log: { info() {}, warn() {}, error() {} }, now });
  const run = async (since: number, until: number, settings: WhatIfSettings = {}) =>
    wholeOf(await call(whatIf.run, { since, until, settings }, AS));
  const behind = async (asked: Omit<WhatIfQuotesAsked, 'after' | 'limit'> & { after?: number; limit?: number }) => {
    const quotes: WhatIfQuote[] = [];
    for await (const part of await call(whatIf.quotes, asked, AS)) {
      if (part.part === 'quotes') quotes.push(...part.quotes);
    }
    return quotes;
  };
  return { whatIf, run, behind };
}

async function wholeOf(parts: AsyncIterable<WhatIfPart>): Promise<WhatIfEnd & { pairs: WhatIfPair[] }> {
  const pairs: WhatIfPair[] = [];
  let end: WhatIfEnd | undefined;
  for await (const part of parts) {
    if (part.part === 'pairs') pairs.push(...part.pairs);
    if (part.part === 'end') end = part;
  }
  if (end === undefined) throw new Error('It ended early.');
  return { ...end, pairs };
}

test('a console is told what a stretch would have been, pair by pair, and the requests behind each figure', async () => {
  const { run, behind, since, until } = await day();
  const { requests, pairs, total, curve, tried } = await run(since, until, WIDER);
  expect([requests, tried]).toEqual([4, null]);
  expect(pairs).toMatchObject([{ chainId: CHAIN, pair: PAIR, worse: 4, fills: { was: 1, sure: 0, perhaps: 1 } }]);
  expect(curve.points.at(-1)).toEqual({
    edge: { was: total.edge.was, low: total.edge.low, high: total.edge.high },
    markout: { was: total.markout.was, low: total.markout.low, high: total.markout.high },
  });
  const of = { since, until, settings: WIDER, pair: { chainId: CHAIN, pair: PAIR } };
  const worse = await behind({ ...of, group: 'worse' });
  expect(worse).toHaveLength(4);
  // 3,413.00 × 1.001, up to the cent.
  expect(worse[0]).toMatchObject({
    was: { code: null, traded: { base: '0.1', price: '3413' } },
    would: { code: null, traded: { base: '0.1', price: '3416.42' } },
    kept: null,
  });
  expect((await behind({ ...of, group: 'dollars' })).map(({ seq }) => seq)).toEqual([worse[0]?.seq]);
  expect(await behind({ ...of, group: 'better' })).toEqual([]);
  const further = await behind({ ...of, group: 'worse', after: worse[1]?.seq, limit: 1 });
  expect(further.map(({ seq }) => seq)).toEqual([worse[2]?.seq]);
});

test('tomorrow’s protections say when they would have tripped, with their figures, and what they would have held back', async () => {
  const { run, behind, since, until } = await day();
  const { total, tried } = await run(since, until, { protections: [TWO] });
  expect(total).toMatchObject({ same: 2, refusedThen: { protection_tripped: 2 } });
  expect(tried).toMatchObject({
    rules: [{ rule: { name: 'two' }, trips: 1, first: { used: '2', asked: '1', at: since + 1 + 2_000 } }],
    notSigned: { quotes: 2 },
  });
  const of = { since, until, settings: { protections: [TWO] }, pair: null };
  expect((await behind({ ...of, group: 'refusedThen' })).map(({ would }) => would.code)).toEqual([
    'protection_tripped',
    'protection_tripped',
  ]);
});

test('protections count what would have been signed at its new price', async () => {
  const { run, since, until } = await day();
  // Two quotes of 341.30 USDC are just within it; of 341.642 one is.
  const protections = [{ ...TWO, token: 'USDC', limit: '682.6' }];
  expect((await run(since, until, { protections })).total).toMatchObject({
    same: 2,
    refusedThen: { protection_tripped: 2 },
  });
  const wider = await run(since, until, { ...WIDER, protections });
  expect(wider.total).toMatchObject({ worse: 1, refusedThen: { protection_tripped: 3 } });
});

test('a stretch of nothing and one of the future have no requests; a reversed one is refused', async () => {
  const { run, since, until } = await day();
  expect(await run(since - 3_600_000, since - 1_800_000, WIDER)).toMatchObject({ requests: 0, pairs: [] });
  expect(await run(until + 3_600_000, until + 7_200_000, WIDER)).toMatchObject({ requests: 0, pairs: [] });
  expect((await run(since, until + 7_200_000, WIDER)).until, 'the end of the future is now').toBe(until);
  await expect(run(until, since)).rejects.toMatchObject({ code: 'bad_time' });
});

test('settings of another desk are refused by their names, and change nothing', async () => {
  const { run, since, until, desk } = await day();
  const refused = async (settings: WhatIfSettings) => {
    const error = await run(since, until, settings).then(
      () => null,
      (thrown) => thrown,
    );
    expect(error).toMatchObject({ data: { code: 'settings_refused' } });
    return error.message;
  };
  const changes = [{ kind: 'wider' as const, bps: '5' }];
  expect(await refused({ ladders: [{ pairs: ['PEPE/USDC'], changes }] })).toContain(
    'do not fit this desk: PEPE/USDC is no pair of this desk.',
  );
  expect(await refused({ ladders: [{ chains: [10], changes }] })).toContain('10 is no chain of this desk');
  const limits = { maxQuote: {}, maxOutstanding: {}, quotesPerUserPerMinute: 1, ladderMaxAgeSeconds: 0 };
  expect(await refused({ limits: { 10: limits } })).toContain(': 10 is no chain of this desk.');
  expect(await refused({ protections: [{ ...TWO, token: 'PEPE' }] })).toContain(
    `the protection ${TWO.name}: token is listed on no chain`,
  );
  const file = join(desk.folder, 'settings.json');
  await desk.close();
  writeFileSync(file, JSON.stringify({ ladders: [{ pairs: ['PEPE/USDC'], changes }] }));
  const iso = (time: number) => new Date(time).toISOString();
  const args = ['what-if', '--since', iso(since), '--until', iso(until), '--settings', file];
  const said = await runCommand(desk.folder, args);
  expect([said.code, said.stderr]).toEqual([1, expect.stringContaining('PEPE/USDC is no pair of this desk')]);
});

test('two who ask at once both hear theirs, and one who goes away holds up nobody', async () => {
  const { whatIf, run, since, until } = await day();
  const [one, other] = await Promise.all([run(since, until, WIDER), run(since, until)]);
  expect([one.total.worse, other.total.worse]).toEqual([4, 0]);
  const gone = new AbortController();
  const parts = await call(whatIf.run, { since, until, settings: WIDER }, { ...AS, signal: gone.signal });
  const first = parts.next();
  gone.abort();
  expect((await first).done).toBe(true);
  expect((await run(since, until, WIDER)).total.worse).toBe(4);
});

test('what lies in archives counts as before; where a file is missing its requests are counted as not known', async () => {
  const { desk, run, behind, since, until } = await day();
  const before = await run(since, until, WIDER);
  await happens(desk, {
    time: desk.now(),
    actor: 'desk',
    kind: 'quotes_expired',
    body: {
      chainId: CHAIN,
      quoteSeqs: (await behind({ since, until, settings: {}, pair: null, group: 'same' })).map(({ seq }) => seq),
    },
  } as never);
  const later = Array.from({ length: 2_100 }, (_, n) => quote(n, REFUSED, until + 1_000 + n));
  await Promise.all(later.map((event) => desk.journal.append(event)));
  await desk.journal.append(quote(2_200, REFUSED, until + 2 * 86_400_000)); // what is of the newest day stays in the journal
  const { rows } = await desk.journal.archive(until + 1, 'mara', false);
  expect(rows).toBe(4);
  expect(await run(since, until, WIDER)).toEqual(before);
  const [file = ''] = readdirSync(join(desk.folder, 'archive'));
  rmSync(join(desk.folder, 'archive', file));
  const without = await run(since, until, WIDER);
  expect(without).toMatchObject({ requests: 4, pairs: [], asTheyWere: { 'its row cannot be read': 4 } });
});

test('a journal whose tables were made anew gives the same', async () => {
  const { desk, run, since, until } = await day();
  const before = await run(since, until, WIDER);
  await desk.close();
  expect((await runCommand(desk.folder, ['rebuild'])).code).toBe(0);
  expect(await run(since, until, WIDER)).toEqual(before);
});
