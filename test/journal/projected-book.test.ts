import { expect, test } from 'vitest';
import type { NewEvent } from '../../electron/journal/events.ts';
import { type DirectJournal, openDirectly } from './fixture.ts';
import { addressOf, CHAIN, configured, deskFile, START } from './sample-events.ts';

const pairKey = { chainId: CHAIN, pair: 'WETH/USDC' };
const ladder = { bids: [], asks: [['3500', '1'] as [string, string]] };
const at = (time: number, kind: NewEvent['kind'], body: unknown): NewEvent => {
  const event: unknown = { time: START + time, actor: 'trader', kind, body };
  return event as NewEvent;
};
const publish = (revision: number, time = revision) =>
  at(time, 'ladder_published', { ...pairKey, revision, baseRevision: revision - 1, ladder });
const state = (scope: object, to: string, time = 1) =>
  at(time, 'trading_state', { scope, state: to, reason: 'because', until: null, cause: null });

function ladders({ queries }: DirectJournal) {
  return queries.storedBook().ladders.map(({ pair, revision, time, actor }) => ({ pair, revision, time, actor }));
}

test('an import is read back whole, without prices and blacklist, and its switches beside it', () => {
  const journal = openDirectly();
  expect(journal.queries.storedBook().desk).toBeNull();
  journal.write(configured({ off: { 'DAI/USDC': ['asks'] }, limits: { quotesPerUserPerMinute: 9 } }));
  const stored = journal.queries.storedBook();
  const chain = deskFile({ off: { 'DAI/USDC': ['asks'] }, limits: { quotesPerUserPerMinute: 9 } }).chains[0];
  expect(stored.desk).toEqual({ ...deskFile(), chains: [{ ...chain, prices: {}, blacklist: [], off: {} }] });
  expect(journal.queries.switchedOff()).toEqual([[CHAIN, { 'DAI/USDC': ['asks'] }]]);
  expect(stored.fingerprints).toEqual({ practice: 'abcd' });
  expect(stored.ladders).toEqual([
    { ...pairKey, revision: 1, time: START, actor: 'ops', ladder: chain?.prices['WETH/USDC'] },
  ]);
});

test('an import replaces tokens, pairs, ladders and switches, and counts revisions on', () => {
  const journal = openDirectly();
  journal.write(configured({ off: { 'WETH/USDC': ['bids', 'asks'] } }), publish(2));
  journal.write(state({ chainId: CHAIN }, 'HALTED'), state({}, 'HALTED'), state({ chainId: 5 }, 'HALTED'));
  const pairs = { 'WETH/USDC': { base: 'WETH', quote: 'USDC', liquidityUSD: 1 } };
  journal.write(configured({ pairs, prices: {}, off: { 'WETH/USDC': ['bids'] } }, START + 9));
  const { desk, ladders: current } = journal.queries.storedBook();
  expect(Object.keys(desk?.chains[0]?.pairs ?? {})).toEqual(['WETH/USDC']);
  expect(current).toMatchObject([{ revision: 3, ladder: { bids: [], asks: [] } }]);
  const scopes = journal.queries.tradingStates().map(({ scope, state: held }) => ({ scope, held }));
  expect(scopes).toEqual([
    { scope: {}, held: 'HALTED' },
    { scope: { chainId: CHAIN }, held: 'HALTED' },
    { scope: { ...pairKey, side: 'bids' }, held: 'HALTED' },
  ]);
});

test('an import leaves the ladders that stand, and drains, as they are; in rows of before each is new and drains end', () => {
  const journal = openDirectly();
  const engine = { actor: 'prices:alpha', kind: 'ladders_moved' as const };
  const moved: NewEvent = { ...engine, time: START + 3, body: { chainId: CHAIN, moves: [['WETH/USDC', 3, '3500']] } };
  const both = { bids: [['3400', '1']], asks: [['3412.5', '2']] };
  const whole = at(2, 'ladder_published', { ...pairKey, revision: 2, baseRevision: 1, ladder: both });
  const drain = { scope: pairKey, state: 'DRAIN', reason: 'because', until: START + 900, cause: null };
  journal.write(configured(), whole, moved, at(4, 'trading_state', drain));
  const [ladderBefore, drains] = [journal.queries.storedBook().ladders, journal.queries.tradingStates()];
  const imported = configured({}, START + 9);
  const standing = [pairKey, { chainId: CHAIN, pair: 'DAI/USDC' }];
  const kept = { ...imported, body: { ...imported.body, standing } } as NewEvent;
  expect(journal.write(kept)).toEqual([5]);
  expect(journal.queries.storedBook().ladders).toEqual(ladderBefore);
  expect(journal.queries.tradingStates()).toEqual(drains);
  const on = { ...engine, time: START + 10, body: { chainId: CHAIN, moves: [['WETH/USDC', 4, '3600']] } } as NewEvent;
  expect(journal.write(on), 'the next move follows').toEqual([6]);
  journal.write(imported);
  expect(ladders(journal)).toEqual([{ pair: 'WETH/USDC', revision: 5, time: START + 9, actor: 'ops' }]);
  expect(journal.queries.tradingStates()).toEqual([]);
});

test('a pair that never had a ladder takes that of the file, whatever the import says of it', () => {
  const journal = openDirectly();
  const prices = { 'WETH/USDC': ladder, 'DAI/USDC': ladder };
  const imported = configured({ prices }, START + 9);
  const standing = [{ chainId: CHAIN, pair: 'DAI/USDC' }];
  journal.write(configured(), { ...imported, body: { ...imported.body, standing } } as NewEvent);
  expect(journal.queries.storedBook().ladders).toMatchObject([
    { pair: 'WETH/USDC', revision: 2, ladder },
    { pair: 'DAI/USDC', revision: 1, ladder },
  ]);
});

test('a pair that drains and is switched off by an import is off', () => {
  const journal = openDirectly();
  const drain = { scope: pairKey, state: 'DRAIN', reason: 'because', until: START + 900, cause: null };
  const imported = configured({ off: { 'WETH/USDC': ['bids', 'asks'] } }, START + 9);
  journal.write(configured(), at(4, 'trading_state', drain));
  journal.write({ ...imported, body: { ...imported.body, standing: [] } } as NewEvent);
  expect(journal.queries.tradingStates()).toMatchObject([{ scope: pairKey, state: 'HALTED', actor: 'ops' }]);
});

test('a published ladder is the current one and the earlier ones stay', () => {
  const journal = openDirectly();
  journal.write(configured(), publish(2), publish(3));
  expect(ladders(journal)).toEqual([{ pair: 'WETH/USDC', revision: 3, time: START + 3, actor: 'trader' }]);
  const revisions = journal.queries.revisions(CHAIN, 'WETH/USDC', 2);
  expect(revisions.map(({ revision, ladder: { asks } }) => ({ revision, asks }))).toEqual([
    { revision: 3, asks: ladder.asks },
    { revision: 2, asks: ladder.asks },
  ]);
  expect(journal.queries.revisions(CHAIN, 'WETH/USDC', 9).at(-1)?.ladder.asks).toEqual([['3412.5', '2']]);
});

test('a pair that was removed and is listed again has an empty ladder', () => {
  const journal = openDirectly();
  const saved = at(2, 'pair_saved', { ...pairKey, definition: { base: 'WETH', quote: 'USDC', liquidityUSD: 7 } });
  journal.write(configured(), saved);
  expect(ladders(journal)).toMatchObject([{ revision: 1 }]);
  journal.write(at(1, 'pair_removed', pairKey));
  expect(ladders(journal)).toEqual([]);
  journal.write(saved);
  expect(journal.queries.storedBook().ladders).toMatchObject([{ revision: 2, ladder: { bids: [], asks: [] } }]);
});

test('listings, limits and takers change one by one', () => {
  const journal = openDirectly();
  const token = { ...deskFile().chains[0]?.tokens.DAI, name: 'Dai' };
  journal.write(
    configured(),
    at(1, 'token_saved', { chainId: CHAIN, tokenId: 'DAI', token }),
    at(1, 'token_removed', { chainId: CHAIN, tokenId: 'USDC' }),
    at(1, 'pair_saved', { ...pairKey, definition: { base: 'WETH', quote: 'USDC', liquidityUSD: 7 } }),
    at(1, 'pair_retired', { ...pairKey, until: START + 50 }),
    at(1, 'pair_removed', { chainId: CHAIN, pair: 'DAI/USDC' }),
    at(1, 'limits_set', { chainId: CHAIN, limits: { maxQuote: { WETH: '5' } } }),
    at(1, 'takers_set', { chainId: CHAIN, takers: [addressOf('taker')] }),
  );
  const { desk, retired } = journal.queries.storedBook();
  expect(desk?.chains[0]).toMatchObject({
    tokens: { DAI: { name: 'Dai' } },
    pairs: { 'WETH/USDC': { liquidityUSD: 7 } },
    limits: { maxQuote: { WETH: '5' }, quotesPerUserPerMinute: 0 },
    takers: [addressOf('taker')],
  });
  expect(Object.keys(desk?.chains[0]?.tokens ?? {})).toEqual(['WETH', 'DAI']);
  expect(retired).toEqual([{ ...pairKey, until: START + 50 }]);
});

test('the last word on each scope is kept with who said it and why', () => {
  const journal = openDirectly();
  const side = { ...pairKey, side: 'asks' };
  journal.write(configured(), state({}, 'HALTED'), state(side, 'HALTED'), state({}, 'LIVE', 7));
  expect(journal.queries.tradingStates()).toEqual([
    { scope: {}, state: 'LIVE', reason: 'because', actor: 'trader', since: START + 7, until: null, cause: null },
    { scope: side, state: 'HALTED', reason: 'because', actor: 'trader', since: START + 1, until: null, cause: null },
  ]);
  expect(journal.queries.switchedOff()).toEqual([[CHAIN, { 'WETH/USDC': ['asks'] }]]);
});

test('the blacklist remembers every change, also those of an import', () => {
  const journal = openDirectly();
  const [stays, leaves, comes, goes] = ['stays', 'leaves', 'comes', 'goes'].map(addressOf);
  const until = '2026-12-01T00:00:00Z';
  const entry = (address: unknown, reason: string | null) => ({ chainId: CHAIN, address, reason, until: null });
  journal.write(
    configured({ blacklist: [{ address: stays, reason: 'bot' }, leaves] }),
    at(1, 'blacklist_added', entry(goes, 'toxic')),
    at(2, 'blacklist_removed', { chainId: CHAIN, address: goes, reason: 'sorry' }),
    configured(
      {
        blacklist: [
          { address: stays, reason: 'bot' },
          { address: comes, until },
        ],
      },
      START + 3,
    ),
  );
  expect(journal.queries.storedBook().blacklist).toEqual([
    { ...entry(stays, 'bot'), onlyHere: false, since: START, actor: 'ops' },
    { ...entry(comes, null), until: Date.parse(until), onlyHere: false, since: START + 3, actor: 'ops' },
  ]);
  const history = journal.queries.blacklistHistory(CHAIN, 100);
  expect(history.map(({ seq, address, action, reason }) => [seq, address, action, reason])).toEqual(
    [
      [4, comes, 'added', null],
      [4, leaves, 'removed', null],
      [3, goes, 'removed', 'sorry'],
      [2, goes, 'added', 'toxic'],
      [1, stays, 'added', 'bot'],
      [1, leaves, 'added', null],
    ].sort((a, b) => Number(b[0]) - Number(a[0]) || (String(a[1]) < String(b[1]) ? -1 : 1)),
  );
  expect(journal.queries.blacklistHistory(CHAIN, 1)).toMatchObject([{ seq: 4 }]);
});
