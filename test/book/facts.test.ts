import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { BookState } from '../../electron/book/chain-state.ts';
import { foldCounterparties, foldDesk, foldEvent, foldProtections } from '../../electron/book/fold-event.ts';
import { loadBook } from '../../electron/book/load-book.ts';
import type { Ladder } from '../../electron/contract/desk-file.ts';
import type { LadderMove } from '../../electron/journal/book/events.ts';
import type { NewEvent } from '../../electron/journal/events.ts';
import { rebuildProjections } from '../../electron/journal/rebuild.ts';
import { SLICES } from '../../electron/journal/slices.ts';
import { foldImport, foldScope, type StoredTradingState } from '../../electron/journal/trading/fold.ts';
import { scopeKey } from '../../electron/signer/scope-key.ts';
import { howOften } from '../how-often.ts';
import { type DirectJournal, openDirectly, verifyDirectly } from '../journal/fixture.ts';
import { addressOf, CHAIN, configured, deskFile, START } from '../journal/sample-events.ts';
import { tableContents } from '../journal/table-contents.ts';

const RUNS = howOften(60, 200);

const address = fc.constantFrom('ann', 'bob', 'cid').map(addressOf);
const chainId = fc.constantFrom(CHAIN, CHAIN, CHAIN, 5);
const pair = fc.constantFrom('WETH/USDC', 'DAI/USDC');
const side = fc.constantFrom('bids' as const, 'asks' as const);
const tokenId = fc.constantFrom('WETH', 'DAI', 'NEW');
const text = fc.option(fc.constantFrom('because', 'ünïcode "quoted"\u2028'), { nil: null });
const until = fc.option(fc.nat(1_000), { nil: null });
const revision = fc.nat(40);
const scope = fc.oneof(
  fc.constant({}),
  fc.record({ chainId }),
  fc.record({ chainId, pair }),
  fc.record({ chainId, pair, side }),
);
const ladder = fc.constantFrom({ bids: [], asks: [] }, { bids: [['1', '2']], asks: [['3', '1']] });
const followed = fc.constant({ mid: '2', bids: '0', asks: '0' });
const best = fc.constantFrom('2', '5', null);
const levels = fc.record({ size: fc.constantFrom('1', '2'), levels: fc.constant(1), stepBps: fc.constant('1') });
const formula = fc.record({ spreadBps: fc.constantFrom('2', '8'), tick: fc.constant('1'), bids: levels, asks: levels });
const off = fc.dictionary(pair, fc.uniqueArray(side, { minLength: 1 }));

/** Where the chain is and how it is quoted, at two places. */
function chainSet(moved: boolean) {
  const changes = moved ? { rpcUrl: 'http://127.0.0.1:2', partner: 'us' } : {};
  const config: Record<string, unknown> = { ...deskFile(changes).chains[0] };
  const elsewhere = ['chainId', 'tokens', 'pairs', 'prices', 'blacklist', 'off', 'limits', 'takers', 'follow'];
  for (const field of elsewhere) delete config[field];
  return config;
}

const REMOTE = {
  kind: 'json-rpc',
  address: addressOf('key'),
  timeoutMs: 900,
  url: 'http://127.0.0.1:4',
  method: 'eth_signTypedData_v4',
};

const bodies: { readonly [K in NewEvent['kind']]?: fc.Arbitrary<unknown> } = {
  ladder_published: fc.record(
    { chainId, pair, revision, baseRevision: fc.constant(0), ladder, followed },
    { requiredKeys: ['chainId', 'pair', 'revision', 'baseRevision', 'ladder'] },
  ),
  ladders_moved: fc.record({
    chainId,
    moves: fc.array(
      fc.oneof(
        fc.tuple(pair, fc.integer({ min: 2, max: 6 }), fc.constantFrom('2', '2.5', '7')),
        fc.tuple(pair, fc.integer({ min: 2, max: 6 }), best, best),
      ),
      { minLength: 1, maxLength: 2 },
    ),
  }),
  follow_set: fc.record({ chainId, pair, on: fc.boolean() }),
  formula_set: fc.record({ chainId, pair, formula: fc.option(formula, { nil: null }) }),
  token_saved: fc.record({
    chainId,
    tokenId,
    token: fc.record({
      symbol: tokenId,
      name: fc.constantFrom('One', 'Two'),
      address,
      decimals: fc.nat(18),
      type: fc.constant('ERC20'),
    }),
  }),
  token_removed: fc.record({ chainId, tokenId }),
  pair_saved: fc.record({
    chainId,
    pair,
    definition: fc.record({ base: tokenId, quote: tokenId, liquidityUSD: fc.nat(9) }),
  }),
  pair_retired: fc.record({ chainId, pair, until: fc.nat(99) }),
  pair_removed: fc.record({ chainId, pair }),
  chain_set: fc.record({ chainId, config: fc.boolean().map(chainSet) }),
  desk_set: fc.record(
    {
      surfaceNames: fc.uniqueArray(fc.constantFrom('one.example', 'two.example')),
      lockAfterMinutes: fc.constantFrom(5, 60, null),
      deadManMinutes: fc.constantFrom(5, 60, null),
      remoteSigner: fc.constantFrom(REMOTE, null),
    },
    { requiredKeys: [] },
  ),
  counterparties_set: fc.record({
    counterparties: fc
      .uniqueArray(fc.constantFrom('one.example', 'two.example'))
      .map((domains) => domains.map((domain) => ({ domain, signedPath: 'full' }))),
    fingerprints: fc.dictionary(fc.constantFrom('one.example', 'two.example'), text.map(String)),
  }),
  protections_set: fc.record({
    protections: fc.uniqueArray(fc.constantFrom('flow', 'volume')).map((names) =>
      names.map((name) => {
        return { name, counts: 'signed', per: 'desk', windowSeconds: 60, limit: '5', freezeSeconds: 0 };
      }),
    ),
  }),
  limits_set: fc.record({
    chainId,
    limits: fc.record({
      maxQuote: fc.dictionary(tokenId, fc.constantFrom('1', '0.5')),
      maxOutstanding: fc.constant({}),
      quotesPerUserPerMinute: fc.nat(9),
      ladderMaxAgeSeconds: fc.nat(9),
    }),
  }),
  takers_set: fc.record(
    { chainId, takers: fc.uniqueArray(address), leftOut: fc.uniqueArray(address) },
    { requiredKeys: ['chainId', 'takers'] },
  ),
  contract_pinned: fc.record({ chainId, mode: fc.constantFrom('market', 'intent'), address }),
  blacklist_added: fc.record(
    { chainId, address, reason: text, until, onlyHere: fc.boolean() },
    { requiredKeys: ['chainId', 'address', 'reason', 'until'] },
  ),
  blacklist_removed: fc.record({ chainId, address, reason: text }),
  trading_state: fc.record({
    scope,
    state: fc.constantFrom('LIVE', 'DRAIN', 'HALTED'),
    reason: text,
    until,
    cause: text,
  }),
  stop_explained: fc.record({ scope, stoppedAt: fc.nat(30).map((time) => START + time), reason: fc.constant('why') }),
};

const imported = fc
  .record({
    off,
    follow: fc.uniqueArray(pair),
    priced: fc.boolean(),
    blacklist: fc.uniqueArray(fc.record({ address, onlyHere: fc.boolean() }), { selector: (entry) => entry.address }),
    standing: fc.option(fc.uniqueArray(fc.record({ chainId, pair }), { maxLength: 2 }), { nil: undefined }),
    retired: fc.option(fc.array(fc.record({ chainId, pair, until: fc.nat(99) }), { maxLength: 2 }), { nil: undefined }),
  })
  .map(({ priced, standing, retired, ...changes }): NewEvent => {
    const made = configured({ ...changes, referenceUrl: 'http://127.0.0.1:1/r', ...(priced ? {} : { prices: {} }) });
    // A program of before wrote none.
    if (standing === undefined) return made;
    const edit = retired && { edit: { retired } };
    return { ...made, body: { ...made.body, standing, ...edit } } as NewEvent;
  });
const changed = fc.oneof(
  ...Object.entries(bodies).map(([kind, body]) =>
    body.map((made) => ({ time: START, actor: 'ana', kind, body: made }) as unknown as NewEvent),
  ),
);
/** One pair's ladder published up to three times and then moved, so that of many cases some have a history. */
const published = fc.tuple(fc.nat(3), fc.nat(2)).map(([times, moves]) => [
  ...Array.from({ length: times }, (_, index): NewEvent => {
    const place = { chainId: CHAIN, pair: 'WETH/USDC', revision: 2 + index, baseRevision: 1 + index };
    const ladder: Ladder = { bids: [['1', '1']], asks: [['3', String(1 + index)]] };
    return { time: START, actor: 'ana', kind: 'ladder_published', body: { ...place, ladder } };
  }),
  ...Array.from({ length: moves }, (_, index): NewEvent => {
    const at = ['WETH/USDC', 2 + times + index] as const;
    const move: LadderMove = times % 2 === 0 ? [...at, `2.${index}`] : [...at, `${1 + index}`, `${4 + index}`];
    return { time: START, actor: 'follow', kind: 'ladders_moved', body: { chainId: CHAIN, moves: [move] } };
  }),
]);
const events = fc
  .tuple(
    imported,
    published,
    fc.array(fc.oneof({ arbitrary: changed, weight: 12 }, { arbitrary: imported, weight: 1 })),
  )
  .map(([first, history, others]) =>
    [first, ...history, ...others].map((event, index) => ({ ...event, time: START + index })),
  );

/** What a running desk has of its book and its switches: folded from each event that was written. */
function remembered({ queries, write }: DirectJournal, all: readonly NewEvent[]) {
  let book: BookState = loadBook(queries.storedBook());
  let states = new Map<string, StoredTradingState>();
  for (const event of all) {
    const newest = 'pair' in event.body ? newestOf(queries, event.body) : undefined;
    if (typeof write(event)[0] === 'string') continue; // refused
    if (event.kind === 'desk_configured') {
      book = loadBook(queries.storedBook());
      states = new Map(foldImport([...states.values()], event).map((state) => [scopeKey(state.scope), state]));
    } else if (event.kind === 'trading_state' || event.kind === 'stop_explained') {
      const key = scopeKey(event.body.scope);
      const after = foldScope(states.get(key), event);
      if (after !== undefined) states.set(key, after);
    } else if (event.kind === 'desk_set') {
      book = foldDesk(book, event);
    } else if (event.kind === 'counterparties_set') {
      book = foldCounterparties(book, event);
    } else if (event.kind === 'protections_set') {
      book = foldProtections(book, event);
    } else {
      book = foldEvent(book, event as Parameters<typeof foldEvent>[1], newest);
    }
  }
  return { book, states };
}

function newestOf(
  queries: DirectJournal['queries'],
  { chainId: chain, pair: id }: { chainId?: unknown; pair?: unknown },
) {
  return queries.revisions(Number(chain), String(id), 1)[0]?.revision;
}

const inOrder = (states: Iterable<StoredTradingState>) =>
  [...states].sort((a, b) => scopeKey(a.scope).localeCompare(scopeKey(b.scope)));

test('after any events memory, tables and tables made anew say the same of book and switches', () => {
  const counts = { written: 0, returned: 0, moved: 0 };
  fc.assert(
    fc.property(events, (all) => {
      const journal = openDirectly();
      const { db, queries } = journal;
      const { book, states } = remembered(journal, all);
      expect(loadBook(queries.storedBook())).toEqual(book);
      expect(inOrder(queries.tradingStates())).toEqual(inOrder(states.values()));
      const stopped = inOrder(states.values()).filter(({ state }) => state !== 'LIVE');
      const open = queries.stops({ which: 'all', limit: 200 }).rows.filter(({ ended }) => ended === null);
      expect(open.map(({ scope: of }) => scopeKey(of)).sort()).toEqual(
        stopped.map((one) => scopeKey(one.scope)).sort(),
      );
      const tables = tableContents(db);
      expect(verifyDirectly(db)).toEqual({ firstBad: null, fault: null });
      counts.written += rebuildProjections(db, SLICES);
      expect(tableContents(db)).toEqual(tables);
      if (queries.revisions(CHAIN, 'WETH/USDC', 9).length > 2) counts.returned += 1;
      counts.moved += tables.ladder_moves?.length ?? 0;
      db.close();
    }),
    { numRuns: RUNS },
  );
  expect(counts.written).toBeGreaterThan(RUNS * 2);
  expect(counts.returned).toBeGreaterThan(0);
  expect(counts.moved).toBeGreaterThan(0);
});

test('a switch that cannot be read on the disk stops its scope, and leaves the others as they are', () => {
  const { db, queries, write } = openDirectly();
  const live = (of: object): NewEvent => {
    const body = { scope: of, state: 'LIVE' as const, reason: 'go', until: null, cause: null };
    return { time: START, actor: 'ana', kind: 'trading_state', body };
  };
  write(live({}), live({ chainId: CHAIN }));
  db.exec(`UPDATE trading_states SET state = 'OPEN' WHERE chain_id = ${CHAIN}`);
  expect(queries.tradingStates()).toMatchObject([
    { scope: {}, state: 'LIVE' },
    { scope: { chainId: CHAIN }, state: 'HALTED', actor: 'desk' },
  ]);
});
