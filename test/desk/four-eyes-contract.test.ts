import { isContractProcedure } from '@orpc/contract';
import { expect, test } from 'vitest';
import type { ChainView } from '../../electron/chain/chain-view.ts';
import { fourEyesKindSchema, type HeldKind } from '../../electron/contract/approvals.ts';
import { consoleContract } from '../../electron/contract/console-contract.ts';
import { limitsSchema } from '../../electron/contract/limits.ts';
import type { Right } from '../../electron/contract/rights.ts';
import { refusalOf } from '../../renderer/state/refusal-of.ts';
import { address, CHAIN, chain, deskFile, folder, USDC, WETH } from '../book/fixture.ts';
import { type Asking, openForTwo } from './two-people.ts';

const SERVICE = 'http://127.0.0.1:1';
const NODE = 'http://127.0.0.1:2';
const PARTY = { domain: 'second', accessKey: 'its key', secretKey: 'its secret number 1' };

/** A hedge that pays somebody else, and an automatic one of a pair that has none. */
const HEDGE = { chainId: CHAIN, srcToken: WETH, destToken: USDC, amount: '1', beneficiary: address('9') };
const AUTO = { on: true, threshold: '1', capPerDay: '5', slippageBps: 20, mode: 'market', dryRun: false };

/** An order that gives tokens of the maker for an NFT that anybody can make. */
const NFT_ORDER = {
  chainId: CHAIN,
  gives: { tokenId: 'USDC', amount: '250000' },
  gets: { nft: address('8'), id: '7', pieces: '1' },
  taker: address('9'),
  expiry: Date.UTC(2026, 11, 24, 18) / 1_000,
};

/** What takes a second person where its kind is set to, each with an input that lets more happen than before. */
const HELD: Record<string, [HeldKind, unknown]> = {
  'trading.resume': ['resume', { scope: {}, reason: 'a test' }],
  'protections.reset': ['resume', { rule: 'flow', reason: 'a test' }],
  'limits.set': ['limits', { chainId: CHAIN, limits: limitsSchema.parse({}) }],
  'protections.set': ['limits', { protections: [], seen: [] }],
  'settings.saveDeadMan': ['limits', { minutes: null }],
  'onChain.setAllowance': ['limits', { tokenId: 'WETH', amount: '5' }],
  'settings.saveCounterparty': ['keys', { counterparty: PARTY }],
  'settings.removeCounterparty': ['keys', { domain: 'practice' }],
  'settings.saveLockAfter': ['keys', { minutes: null }],
  'settings.saveRemoteSigner': ['keys', { remoteSigner: { kind: 'json-rpc', address: address('d'), url: NODE } }],
  'settings.makeKey': ['keys', undefined],
  'settings.setServiceKey': ['keys', { chainId: CHAIN, key: 'a-key' }],
  'service.setTaker': ['takers', { chainId: CHAIN, address: address('9'), taken: true, reason: 'theirs' }],
  'settings.saveChain': ['networks', { chain: { chainId: CHAIN, rpcUrl: NODE } }],
  'settings.saveSurfaceNames': ['networks', { surfaceNames: ['desk.example'] }],
  'settings.moveSurface': ['networks', { host: '127.0.0.1', port: 9_999 }],
  'trading.acceptChain': ['networks', { chainId: CHAIN, reason: 'a test' }],
  'hedge.place': ['takers', { ask: HEDGE, way: { mode: 'market' } }],
  'nftOrders.sign': ['takers', { ...NFT_ORDER, words: 'nothing of note' }],
  'hedge.setAuto': ['limits', { chainId: CHAIN, pair: 'WETH/USDC', settings: AUTO }],
  'hedge.pin': ['networks', { chainId: CHAIN, mode: 'market', address: address('9') }],
  'desk.import': ['networks', { desk: { ...deskFile(), chains: [chain({ serviceUrl: SERVICE, rpcUrl: NODE })] } }],
  'tokens.create': ['people', { name: 'another', rights: 'trade' }],
  'tokens.setRights': ['people', { name: 'tara', rights: 'admin' }],
  'approvals.set': ['people', { kinds: [], seen: fourEyesKindSchema.options }],
  // Where it is let through, nothing of the chain is left to be tried.
  'settings.removeChain': ['resume', { chainId: CHAIN }],
};

/** This desk file has another node than the desk, and neither its limits nor its protections, nor when its key is locked. */
const OF_IMPORT: readonly HeldKind[] = ['networks', 'limits', 'keys'];

/** What changes something and takes one person whatever is set: prices, hedges, listings, stops, a takeover, and what only tries. */
const ONE_PERSON = [
  ...['alerts.set', 'alerts.saveWay', 'alerts.removeWay', 'alerts.testWay', 'alerts.setQuiet', 'alerts.take'],
  ...['trading.acknowledgeAlarms', 'trading.here', 'key.lock', 'key.unlock', 'names.set', 'service.say'],
  ...['desk.compare', 'desk.backup', 'desk.seal', 'desk.archive', 'protections.trial'],
  ...['ladders.edit', 'ladders.discard', 'ladders.rebase', 'ladders.publish', 'ladders.publishSeveral'],
  ...['ladders.takeBack', 'ladders.acceptReference', 'ladders.setHand', 'ladders.setFollow'],
  ...['formulas.set', 'formulas.remove', 'blacklist.add', 'blacklist.remove'],
  ...['listings.preview', 'listings.saveToken', 'listings.readToken', 'listings.heldTokens', 'listings.removeToken'],
  ...['listings.savePair', 'listings.retirePair'],
  ...['hedge.quote', 'hedge.prepare', 'hedge.cancel', 'hedge.giveUp', 'hedge.sentBy'],
  ...['hedge.correct', 'hedge.send', 'hedge.enter'],
  ...['nftOrders.check', 'nftOrders.signed'],
  ...['onChain.cancelIntents', 'onChain.zeroAllowances', 'onChain.cancelOrders'],
  ...['fleet.takeOver', 'fleet.switchSurface'],
  ...['practice.start', 'practice.fault', 'practice.speed', 'practice.restart'],
  ...['settings.tryRemoteSigner', 'settings.tryChain', 'tokens.list', 'tokens.revoke'],
  'tokens.owner',
];

const hashOf = (digit: string) => `0x${digit.repeat(64)}` as const;

const OPERATIONS = Object.entries(consoleContract).flatMap(([room, operations]) =>
  Object.entries(operations).map(([name, operation]) => {
    if (!isContractProcedure(operation)) throw new Error(`${room}.${name} is no operation`);
    return { name: `${room}.${name}`, right: (operation['~orpc'].meta as { right: Right }).right };
  }),
);

async function askedBy(asking: Asking, name: string, input: unknown): Promise<string | null> {
  const [room = '', operation = ''] = name.split('.');
  // By its name alone no type is known of it, and that is what is tried.
  const operations = asking[room as keyof Asking] as unknown as Record<string, (input: unknown) => Promise<unknown>>;
  try {
    const answer = await operations[operation]?.(input);
    const isStream = typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer;
    if (isStream) await (answer as AsyncGenerator).return(undefined);
    return null;
  } catch (error) {
    return refusalOf(error).code;
  }
}

/** A halted desk of everything that can be loosened, and two people who may do all of it. */
async function desk(...seen: [clock?: { now: number }, view?: () => ChainView]) {
  const opened = await openForTwo(folder(), ...seen);
  const owner = opened.owner();
  const limits = { maxQuote: { WETH: '5' } };
  await owner.desk.import({ desk: { ...deskFile(), chains: [chain({ serviceUrl: SERVICE, limits })] } });
  await owner.settings.saveDeadMan({ minutes: 30 });
  await owner.settings.saveLockAfter({ minutes: 30 });
  const rule = {
    name: 'flow',
    counts: 'signed',
    per: 'desk',
    windowSeconds: 60,
    limit: '5',
    freezeSeconds: 0,
  } as const;
  await owner.protections.set({ protections: [rule], seen: [] });
  await owner.trading.halt({ scope: { chainId: CHAIN }, reason: 'its node lies' });
  await owner.tokens.create({ name: 'ada', rights: 'admin' });
  await owner.tokens.create({ name: 'tara', rights: 'trade' });
  return opened;
}

test('every operation that changes something is known to take a second person, or to take one person whatever is set', () => {
  const changing = OPERATIONS.filter(({ right }) => right !== 'look' && right !== 'halt').map(({ name }) => name);
  expect(changing.toSorted()).toEqual(
    [...Object.keys(HELD), ...ONE_PERSON].filter((name) => changing.includes(name)).toSorted(),
  );
  expect(Object.keys(HELD).filter((name) => !changing.includes(name))).toEqual([]);
});

test('with everything set, each operation that lets more happen waits for a second person and does nothing, and no other of the whole contract does', async () => {
  const opened = await desk();
  const owner = opened.owner();
  await owner.approvals.set({ kinds: fourEyesKindSchema.options, seen: [] });
  const before = await opened.rooms.book.deskFile();
  const kindOf = new Map<string, readonly HeldKind[]>();
  for (const { name } of OPERATIONS) {
    const [, input] = HELD[name] ?? [];
    const code = await askedBy(owner, name, name in HELD ? input : {});
    expect([name, code === 'second_person_asked']).toEqual([name, name in HELD]);
    const asked = opened.rooms.approvals.waiting().at(-1);
    if (!(name in HELD) || asked === undefined) continue;
    kindOf.set(asked.operation, asked.kinds);
    // Of one person only so much waits at once.
    await owner.approvals.withdraw({ request: asked.seq });
  }
  expect([...kindOf]).toEqual(
    OPERATIONS.flatMap(({ name }) =>
      HELD[name] === undefined ? [] : [[name, expect.arrayContaining([HELD[name][0]])]],
    ),
  );
  expect(await opened.rooms.book.deskFile()).toEqual(before);
  expect(opened.rooms.credentials.tokens().map(({ name, rights }) => [name, rights])).toEqual([
    ['ada', 'admin'],
    ['tara', 'trade'],
  ]);
  expect(opened.rooms.guard.trading.stateOf({})).toBe('HALTED');
});

test('a hedge takes a second person where it approves without end or pays somebody else, and automatic hedging where it may do more', async () => {
  const opened = await desk();
  const owner = opened.owner();
  const way = { mode: 'market' };
  const { beneficiary: _, ...plain } = HEDGE;
  const waits = async (name: string, input: unknown) => {
    const isAsked = (await askedBy(owner, name, input)) === 'second_person_asked';
    const asked = opened.rooms.approvals.waiting().at(-1);
    if (isAsked && asked !== undefined) await owner.approvals.withdraw({ request: asked.seq });
    return isAsked;
  };
  const auto = (change: object) => ({ chainId: CHAIN, pair: 'WETH/USDC', settings: { ...AUTO, ...change } });
  const body = { ...auto({ lossCapPerDay: '100', maxDistanceBps: 50 }) } as never;
  await opened.rooms.journal.append({ time: Date.now(), actor: 'tara', kind: 'auto_hedge_set', body });
  await owner.approvals.set({ kinds: fourEyesKindSchema.options, seen: [] });
  expect(await waits('hedge.place', { ask: plain, way, approval: 'approve' })).toBe(false);
  expect(await waits('hedge.place', { ask: { ...plain, beneficiary: address('d') }, way })).toBe(false);
  expect(await waits('hedge.place', { ask: plain, way, approval: 'approve_without_end' })).toBe(true);
  expect(await waits('hedge.place', { ask: plain, way: { mode: 'external', handler: address('9'), data: '0x' } })).toBe(
    true,
  );
  for (const more of [{ capPerDay: '6' }, { lossCapPerDay: '101' }, { lossCapPerDay: '0' }, { slippageBps: 21 }]) {
    const capped = { lossCapPerDay: '100', ...more };
    expect([more, await waits('hedge.setAuto', auto(capped))]).toEqual([more, true]);
  }
  for (const less of [{ capPerDay: '4' }, { lossCapPerDay: '99' }, { on: false }, { dryRun: true, capPerDay: '9' }]) {
    expect([less, await waits('hedge.setAuto', auto({ lossCapPerDay: '100', ...less }))]).toEqual([less, false]);
  }
});

test('of a hedge a second person is told what is sold or bought, for what, and every term of it, bytes whole', async () => {
  const opened = await desk();
  const owner = opened.owner();
  await owner.approvals.set({ kinds: ['takers'], seen: [] });
  const told = async (input: object) => {
    expect(await askedBy(owner, 'hedge.place', input)).toBe('second_person_asked');
    const [asked] = (await owner.approvals.list({})).waiting;
    await owner.approvals.withdraw({ request: asked?.seq ?? 0 });
    return { says: asked?.says, changes: asked?.changes.map(({ what, after }) => [what, after]) };
  };
  const ask = { ...HEDGE, srcToken: USDC, destToken: WETH, side: 'BUY', amount: '100', slippageBps: 2_000 };
  expect(
    await told({ ask, way: { mode: 'market' }, shown: '341300000000', acceptDistance: true, fillSeqs: [7] }),
  ).toEqual({
    says: 'buy 100 WETH with USDC on Practice',
    changes: [
      ['Buys', `100 WETH (${WETH})`],
      ['With', `USDC (${USDC})`],
      ['Way', 'Market'],
      ['Slippage, bps', '2000'],
      ['Price as it was seen', '341300 USDC'],
      ['Received by', address('9')],
      ['What it may take of USDC', 'as much as the hedge takes, by a permit where one will do'],
      ['Ends after, s', '600'],
      ['A price far off the reference', 'is accepted'],
      ['For the fill', 'row 7'],
    ],
  });
  const data = `0x${'ab'.repeat(400)}`;
  const { says, changes = [] } = await told({ ask: HEDGE, way: { mode: 'external', handler: address('8'), data } });
  expect(says).toBe('sell 1 WETH for USDC on Practice');
  expect(changes.slice(2, 6)).toEqual([
    ['Way', 'Handler'],
    ['Handler’s contract', address('8')],
    ['Handler’s data; 0x is none, part 1 of 2', data.slice(0, 500)],
    ['Handler’s data; 0x is none, part 2 of 2', data.slice(500)],
  ]);
  const limit = { mode: 'limit', limitAmount: '3000' };
  const limited = (await told({ ask: HEDGE, way: limit, approval: 'approve' })).changes ?? [];
  expect(limited.slice(2, 5)).toEqual([
    ['Way', 'Limit'],
    ['For at least', '3000 USDC'],
    ['Received by', address('9')],
  ]);
});

test('of an NFT order a second person is told its terms as the desk reads them, whatever words came with it', async () => {
  const opened = await desk();
  const owner = opened.owner();
  await owner.approvals.set({ kinds: ['takers'], seen: [] });
  expect(await askedBy(owner, 'nftOrders.sign', { ...NFT_ORDER, words: 'nothing of note' })).toBe(
    'second_person_asked',
  );
  const [asked] = (await owner.approvals.list({})).waiting;
  const usdc = `250000 USDC (${USDC})`;
  const nft = `NFT #7 of ${address('8')}`;
  expect(asked?.says).toBe(`sign an order by which ${address('9')} gets ${usdc} for ${nft} on Practice`);
  expect(asked?.changes.map(({ what, after }) => [what, after])).toEqual([
    ['The maker gives', usdc],
    ['The maker gets', nft],
    ['Who alone can take it', address('9')],
    ['Until', '2026-12-24 18:00:00 UTC'],
  ]);
});

test('an allowance is lowered by one person where the desk has seen that it is higher, and nothing that it sent since may change it', async () => {
  const clock = { now: Date.now() };
  const seen = { at: clock.now };
  const held = { balance: 0n, allowance: 10n * 10n ** 18n };
  const opened = await desk(clock, () => {
    const block = { number: 1, hash: hashOf('1'), timestamp: Math.floor(seen.at / 1_000) };
    return { block, seenAt: seen.at, balances: new Map([[WETH, held]]), unreadable: [], fault: null };
  });
  const owner = opened.owner();
  await owner.approvals.set({ kinds: ['limits'], seen: [] });
  const told = async (amount: string) => {
    const code = await askedBy(owner, 'onChain.setAllowance', { chainId: CHAIN, tokenId: 'WETH', amount });
    const [asked] = (await owner.approvals.list({})).waiting;
    if (asked !== undefined) await owner.approvals.withdraw({ request: asked.seq });
    return code === 'second_person_asked' ? asked?.changes[0]?.before : 'asked nobody';
  };
  const sent = (transactionHash: string, feeWei?: string) => {
    const outcome = feeWei === undefined ? ('sent' as const) : ('confirmed' as const);
    const body = { chainId: CHAIN, purpose: 'a test', to: WETH, data: '0x', transactionHash, outcome, feeWei };
    return opened.rooms.journal.append({ time: clock.now, actor: 'tara', kind: 'transaction', body });
  };
  expect(await told('10')).toBe('asked nobody');
  expect(await told('11')).toBe('10');

  const unsure = '10 when it was last seen';
  await sent(hashOf('a'));
  seen.at = clock.now += 1_000;
  expect([await told('10'), await told('0')], 'on its way').toEqual([unsure, 'asked nobody']);
  await sent(hashOf('a'), '21000');
  expect(await told('10'), 'seen before it was over').toBe(unsure);
  seen.at = clock.now += 1_000;
  expect(await told('10')).toBe('asked nobody');

  clock.now += 31_000;
  expect(await told('10'), 'seen too long ago').toBe(unsure);
  seen.at = clock.now;
  const by = { chainId: CHAIN, account: address('d'), nonce: 1 };
  const { emergencies } = opened.rooms.accounts;
  await emergencies.signed(by, { purpose: 'zero', to: WETH, data: '0x' }, { hash: hashOf('e'), raw: '0x' });
  expect(await told('10'), 'an emergency is not over').toBe(unsure);
  emergencies.ended(hashOf('e'));
  expect(await told('10')).toBe('asked nobody');
});

test.each(fourEyesKindSchema.options)(
  'with “%s” alone set, nothing else waits but what gives people more rights',
  async (kind) => {
    const opened = await desk();
    const owner = opened.owner();
    await owner.approvals.set({ kinds: [kind], seen: [] });
    for (const [name, [of, input]] of Object.entries(HELD)) {
      const waits = of === kind || of === 'people' || (name === 'desk.import' && OF_IMPORT.includes(kind));
      const given = name === 'approvals.set' ? { kinds: [], seen: [kind] } : input;
      expect([name, (await askedBy(owner, name, given)) === 'second_person_asked']).toEqual([name, waits]);
    }
  },
);
