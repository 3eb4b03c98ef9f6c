import { expect, test } from 'vitest';
import { compareDesks } from '../../electron/book/compare-desks.ts';
import { parseDesk } from '../../electron/book/parse-desk.ts';
import { type ChainConfig, chainConfigSchema } from '../../electron/contract/desk-file.ts';
import { LIMITS } from '../../electron/contract/limits.ts';
import { address, chain, deskFile, USER, WETH } from './fixture.ts';

const ABOUT = 'Practice (31337)';

/** What a file with one chain that differs so would change of the desk that the fixture describes. */
function changes(of: Record<string, unknown>, rest: Record<string, unknown> = {}) {
  const side = (input: unknown, prints: Record<string, string>) => {
    const { desk } = parseDesk(input);
    return { desk, callers: { counterparties: desk.counterparties, fingerprints: prints } };
  };
  const now = side(deskFile(), { practice: 'aaaa' });
  return compareDesks(now, side({ ...deskFile(), chains: [chain(of)], ...rest }, { practice: 'aaaa' }));
}

test('a file that says what is in force changes nothing', () => {
  expect(changes({})).toEqual([]);
});

test('each thing that a file changes is a row with what it is now and what it would be', () => {
  const { tokens, pairs, prices } = chain();
  expect(changes({ maker: address('f'), overfillBps: 5 })).toEqual([
    { about: ABOUT, what: 'Maker', before: address('d'), after: address('f') },
    { about: ABOUT, what: 'Overfill allowed, bps', before: '200', after: '5' },
  ]);
  expect(changes({ tokens: { ...tokens, WETH: { ...(tokens.WETH as object), decimals: 8 } } })).toEqual([
    {
      about: ABOUT,
      what: 'Token WETH',
      before: `WETH, Wrapped Ether, ${WETH}, 18 decimals`,
      after: `WETH, Wrapped Ether, ${WETH}, 8 decimals`,
    },
  ]);
  const { 'DAI/USDC': _pair, ...fewer } = pairs;
  const { 'DAI/USDC': _ladder, ...priced } = prices;
  expect(changes({ pairs: fewer, prices: priced }).map(({ what, after }) => [what, after])).toEqual([
    ['Pair DAI/USDC', null],
    ['DAI/USDC: bids, level 1', null],
    ['DAI/USDC: asks, level 1', null],
  ]);
});

test('each protection that a file adds, changes or takes away is a row of its own', () => {
  const rule = { name: 'flow', counts: 'signed', per: 'user', windowSeconds: 600, limit: '250000', freezeSeconds: 0 };
  expect(changes({}, { protections: [{ ...rule, token: 'USDC' }] })).toEqual([
    {
      about: 'Desk',
      what: 'Protection flow',
      before: null,
      after: 'signed per user in any 10 min: at most 250000 USDC; freezes the user until reset',
    },
  ]);
});

test('spare nodes are told place by place, sources field by field, and a description apart, so that each text is short', () => {
  const { tokens } = chain();
  const urls = ['one', 'two', 'three'].map((name) => `https://${name}.example/`);
  expect(changes({ spareRpcUrls: urls }).map(({ what, before, after }) => [what, before, after])).toEqual([
    ['Spare node 1', null, urls[0]],
    ['Spare node 2', null, urls[1]],
    ['Spare node 3', null, urls[2]],
  ]);
  const pairs = { 'WETH/USDC': 'ETH/USDC', 'DAI/USDC': 'DAI/USDC' };
  const sources = { kraken: { kind: 'exchange', exchange: 'kraken', everySeconds: 3, pairs } };
  expect(changes({ sources }).map(({ what, after }) => [what, after])).toEqual([
    ['Source kraken, kind', 'exchange'],
    ['Source kraken, exchange', 'kraken'],
    ['Source kraken, everySeconds', '3'],
    ['Source kraken, pairs, "WETH/USDC"', 'ETH/USDC'],
    ['Source kraken, pairs, "DAI/USDC"', 'DAI/USDC'],
  ]);
  const described = { ...tokens, WETH: { ...(tokens.WETH as object), description: 'Ether, wrapped' } };
  expect(changes({ tokens: described })).toEqual([
    { about: ABOUT, what: 'Token WETH: description', before: null, after: 'Ether, wrapped' },
  ]);
});

test('after how many days quotes are archived is told as it was and as it would be', () => {
  expect(changes({}, { archiveAfterDays: 30 })).toEqual([
    { about: 'Desk', what: 'Archives quotes after, days', before: null, after: '30' },
  ]);
});

test('the dead-man switch is told as it was and as it would be', () => {
  expect(changes({}, { deadManMinutes: 30 })).toEqual([
    { about: 'Desk', what: 'Halts without a person after, min', before: null, after: '30' },
  ]);
});

test('each level of a ladder that differs is a row of its own, one that comes or goes among them', () => {
  const side = (bids: [string, string][]) =>
    parseDesk({ ...deskFile(), chains: [chain({ prices: { 'WETH/USDC': { bids } } })] }).desk;
  const callers = { counterparties: [], fingerprints: {} };
  const compared = (from: [string, string][], to: [string, string][]) =>
    compareDesks({ desk: side(from), callers }, { desk: side(to), callers }).map(({ what, before, after }) => [
      what,
      before,
      after,
    ]);
  const best: [string, string] = ['3412.5', '1'];
  const last: [string, string] = ['3390', '4'];
  const second: [string, string] = ['3410', '2'];
  const third: [string, string] = ['3400', '3'];
  expect(compared([best, second, third, last], [best, ['3409', '2'], ['3400', '300'], last])).toEqual([
    ['WETH/USDC: bids, level 2', '3410 × 2', '3409 × 2'],
    ['WETH/USDC: bids, level 3', '3400 × 3', '3400 × 300'],
  ]);
  expect(compared([best, second], [best])).toEqual([['WETH/USDC: bids, level 2', '3410 × 2', null]]);
  expect(compared([], [best, second])).toEqual([
    ['WETH/USDC: bids, level 1', null, '3412.5 × 1'],
    ['WETH/USDC: bids, level 2', null, '3410 × 2'],
  ]);
});

test('a chain that is new says where it is asked and for whom it signs; one that leaves is a row', () => {
  const other = chain({ chainId: 1, name: 'Ethereum', basePath: '/1', pairs: {}, prices: {} });
  const added = changes({}, { chains: [chain(), other] });
  expect(added).toContainEqual({ about: 'Ethereum (1)', what: 'Chain', before: null, after: 'tokens: 3, pairs: 0' });
  expect(added).toContainEqual({ about: 'Ethereum (1)', what: 'Maker', before: null, after: address('d') });
  expect(changes({}, { chains: [] })).toContainEqual({
    about: ABOUT,
    what: 'Chain',
    before: 'tokens: 3, pairs: 2',
    after: null,
  });
});

test('callers come, go and are asked by another path; their secrets are told apart by their fingerprints', () => {
  const party = { domain: 'practice', accessKey: 'a', secretKey: 'b' };
  expect(changes({}, { counterparties: [{ ...party, signedPath: 'without-prefix' }] })).toEqual([
    { about: 'Counterparty practice', what: 'Signed path', before: 'full', after: 'without-prefix' },
  ]);
  const gone = changes({}, { counterparties: [] });
  expect(gone).toContainEqual({ about: 'Counterparty practice', what: 'Counterparty', before: 'may ask', after: null });
  const { desk } = parseDesk(deskFile());
  const callers = { counterparties: desk.counterparties, fingerprints: { practice: 'aaaa' } };
  expect(
    compareDesks({ desk, callers }, { desk, callers: { ...callers, fingerprints: { practice: 'bbbb' } } }),
  ).toEqual([{ about: 'Counterparty practice', what: 'Secret, by its fingerprint', before: 'aaaa', after: 'bbbb' }]);
});

/** A value of each field that is not the fixture's. A new field of the desk file fails the test until it stands here, and in the comparison. */
const OTHERS: Record<Exclude<keyof ChainConfig, 'chainId'>, unknown> = {
  byHand: ['DAI/USDC'],
  formulas: {
    'DAI/USDC': {
      spreadBps: '2',
      tick: '0.0001',
      bids: { size: '100', levels: 3, stepBps: '1' },
      asks: { size: '100', levels: 3, stepBps: '1' },
    },
  },
  sources: { kraken: { kind: 'http', url: 'http://127.0.0.1:11' } },
  references: { 'DAI/USDC': { sources: ['kraken'], rule: 'first', apartBps: 5, whenApart: 'halts' } },
  name: 'Other',
  basePath: '/other',
  rpcUrl: 'http://127.0.0.1:9',
  spareRpcUrls: ['http://127.0.0.1:12'],
  secondRpcUrl: 'http://127.0.0.1:10',
  rfqContract: address('9'),
  domainName: 'OTHER',
  maker: address('9'),
  signer: address('9'),
  quoteLifetimeSeconds: 200,
  pricesMaxAgeSeconds: 9,
  overfillBps: 1,
  clipToBalance: false,
  feedMaxAgeSeconds: 9,
  strictListing: true,
  deadSide: 'empty',
  blacklistedAnswer: 'forbidden',
  balanceMaxAgeSeconds: 9,
  headAheadMaxSeconds: 9,
  headMaxAgeSeconds: 9,
  unknownFillHalts: false,
  referenceMaxAgeSeconds: 9,
  referenceCoolDownSeconds: 9,
  retireHours: 9,
  reserve: { WETH: '1' },
  limits: { maxQuote: { WETH: '1' } },
  takers: [USER],
  takersLeftOut: [USER],
  off: { 'WETH/USDC': ['bids'] },
  referenceUrl: 'http://127.0.0.1:9',
  referenceMinuteBps: 9,
  referenceHourBps: 9,
  referenceAnchorBps: 9,
  offReferenceBps: 9,
  fenceSoftBps: 60,
  fenceHardBps: 75,
  offReferenceCloses: 'none',
  hedgeFeeMultiple: 9,
  hedgeMostGwei: 9,
  follow: ['WETH/USDC'],
  serviceUrl: 'http://127.0.0.1:9',
  intentSegment: 'other',
  router: address('9'),
  intentContract: address('9'),
  permit2: address('9'),
  partner: 'other',
  tokens: chain({}).tokens,
  pairs: chain({}).pairs,
  prices: {},
  blacklist: [USER],
};

test('no field of a chain changes without a row of it', () => {
  const { desk } = parseDesk(deskFile());
  const [known] = desk.chains;
  const callers = { counterparties: [], fingerprints: {} };
  const moved = { WETH: { ...known?.tokens.WETH, decimals: 7 } };
  const widened = { 'WETH/USDC': { ...known?.pairs['WETH/USDC'], liquidityUSD: 7 } };
  const others: Record<string, unknown> = { ...OTHERS, tokens: moved, pairs: widened };
  expect(Object.keys(OTHERS).sort()).toEqual(
    Object.keys(chainConfigSchema.shape)
      .filter((key) => key !== 'chainId')
      .sort(),
  );
  for (const [field, value] of Object.entries(others)) {
    const chains = [chainConfigSchema.parse({ ...known, [field]: value })];
    expect(compareDesks({ desk, callers }, { desk: { ...desk, chains }, callers }), field).not.toEqual([]);
  }
  for (const name of Object.keys(LIMITS)) {
    const per = LIMITS[name as keyof typeof LIMITS].per;
    const chains = [chainConfigSchema.parse({ ...known, limits: { [name]: per === 'token' ? { WETH: '5' } : 5 } })];
    expect(compareDesks({ desk, callers }, { desk: { ...desk, chains }, callers }), name).toHaveLength(1);
  }
});
