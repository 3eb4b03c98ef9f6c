import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { saveMemory } from '../../electron/chain/chain-memory.ts';
import type { DeskFile } from '../../electron/contract/desk-file.ts';
import { compareConfiguration, replaceConfiguration } from '../../electron/desk/replace-configuration.ts';
import { openRooms, type Rooms } from '../../electron/desk/rooms.ts';
import { createKeystore } from '../../electron/signer/keystore.ts';
import { fingerprint } from '../../electron/signer/secrets.ts';
import { address, CHAIN, chain, deskFile, folder, USDC, USER, WETH } from '../book/fixture.ts';

const quiet = { info() {}, warn() {}, error() {} };
const DAY_MS = 86_400_000;
const NO_LIMITS = { maxQuote: {}, maxOutstanding: {}, quotesPerUserPerMinute: 0, ladderMaxAgeSeconds: 0 };
const hash = (byte: string): `0x${string}` => `0x${byte.repeat(32)}`;

/** The rooms of a folder on which no desk runs; they are LIVE once somebody has resumed them. */
async function open(at: string, clock: { now: number }): Promise<Rooms> {
  const rooms = await openRooms({
    folder: at,
    log: quiet,
    now: () => clock.now,
    monotonic: () => performance.now(),
    views: () => undefined,
    passphrase: async () => 'a passphrase for tests only',
  });
  onTestFinished(rooms.close);
  rooms.guard.trading.checksPassed();
  return rooms;
}

/** A LIVE desk that does not run, with one chain whose node is away unless it is named. */
async function stoppedDesk({ rpcUrl = 'http://127.0.0.1:1', signedQuote = false, signedByHand = false } = {}) {
  const at = folder();
  const clock = { now: Date.now() };
  const before = { ...deskFile(), chains: [chain({ rpcUrl })], counterparties: [] };
  let rooms = await open(at, clock);
  await replaceConfiguration(rooms, { input: before, actor: 'mara', running: false });
  await rooms.guard.trading.resume({}, { actor: 'mara', reason: 'a test begins' });
  if (signedQuote || signedByHand) {
    if (signedQuote) await sign(rooms, clock.now);
    if (signedByHand) await signByHand(rooms, clock.now);
    await rooms.close();
    rooms = await open(at, clock);
  }
  const take = (changes: Record<string, unknown>) =>
    replaceConfiguration(rooms, {
      input: { ...before, chains: [chain({ rpcUrl, ...changes })] },
      actor: 'mara',
      running: false,
    });
  return { rooms, clock, before, take, state: () => rooms.guard.status() };
}

/** One firm quote that can be filled for two minutes. */
async function sign({ journal }: Rooms, now: number): Promise<void> {
  const body = quoteBody(now, 120);
  await journal.append({ time: now, actor: 'desk', kind: 'quote', body });
}

/** An order by hand, of 8,000 USDC for an NFT, that one taker can fill for ten days. */
async function signByHand({ journal }: Rooms, now: number): Promise<void> {
  const about = { pair: null, side: null, makerAsset: USDC, takerAsset: address('e'), takerAmount: '1' };
  const takerNft = { kind: 'erc721', id: '7' } as const;
  const body = { ...quoteBody(now, 10 * 86_400), ...about, makerAmount: '8000000000', takerNft };
  await journal.append({ time: now, actor: 'mara', kind: 'nft_order', body });
}

function quoteBody(now: number, lifetimeSeconds: number) {
  return {
    chainId: CHAIN,
    pair: 'WETH/USDC',
    side: 'asks' as const,
    given: 'makerAmount' as const,
    maker: address('d'),
    makerAsset: WETH,
    takerAsset: USDC,
    makerAmount: '1000',
    takerAmount: '34',
    orderHash: hash('0d'),
    userAddress: USER,
    takerAddress: USER,
    nonceAndMeta: '1',
    expiry: Math.floor(now / 1_000) + lifetimeSeconds,
    signature: '0x00' as const,
    code: null,
    ladderRevision: 1,
    requestBody: '{}',
    counterparty: null,
    receivedAt: now,
    balance: null,
    allowance: null,
    exposure: null,
    latencyMs: 1,
  };
}

/** A node of which only its first block is asked; `before` is awaited before an answer. */
async function nodeWithFirstBlock(first: `0x${string}`, before?: () => Promise<unknown>): Promise<string> {
  const header = { number: '0x0', hash: first, parentHash: hash('00'), timestamp: '0x1' };
  const server: Server = createServer(async (asked, answer) => {
    const parts: Buffer[] = [];
    for await (const part of asked) parts.push(part as Buffer);
    await before?.();
    const calls = [JSON.parse(Buffer.concat(parts).toString())].flat() as { id: number; method: string }[];
    const results = calls.map(({ id, method }) => {
      return { jsonrpc: '2.0', id, result: method === 'eth_chainId' ? `0x${CHAIN.toString(16)}` : header };
    });
    answer.setHeader('content-type', 'application/json').end(JSON.stringify(results));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const LEAVING: [string, (desk: Awaited<ReturnType<typeof stoppedDesk>>) => Promise<unknown>][] = [
  [
    'its chain leaves',
    ({ rooms, before }) =>
      replaceConfiguration(rooms, { input: { ...before, chains: [] }, actor: 'mara', running: false }),
  ],
  ['its maker changes', ({ take }) => take({ maker: USER, signer: USER })],
  ['its RFQ contract changes', ({ take }) => take({ rfqContract: USER })],
];
for (const [what, leave] of LEAVING) {
  test(`a desk file is refused while a firm quote is live and ${what}, and says which until when`, async () => {
    const desk = await stoppedDesk({ signedQuote: true });
    const { seq } = desk.rooms.journal.head();
    await expect(leave(desk)).rejects.toMatchObject({
      code: 'still_live',
      message: expect.stringMatching(/Practice \(31337\).*1 firm quote \(until 20/),
    });
    expect(desk.rooms.journal.head().seq, 'nothing is written').toBe(seq);
    expect(desk.state().state).toBe('LIVE');
    // A chain that is gone for good holds nobody for ever: no block can be so late.
    desk.clock.now += DAY_MS + 200_000;
    await leave(desk);
    expect(desk.state().state).toBe('HALTED');
  });
}

test('a desk file is refused while an NFT order that was signed by hand is live and its chain leaves', async () => {
  const { rooms, before, clock } = await stoppedDesk({ signedByHand: true });
  const leave = () => replaceConfiguration(rooms, { input: { ...before, chains: [] }, actor: 'mara', running: false });
  await expect(leave()).rejects.toMatchObject({
    code: 'still_live',
    message: expect.stringMatching(/an NFT order that gives 8000 USDC \(until 20/),
  });
  clock.now += 12 * DAY_MS;
  await leave();
  expect(rooms.book.chains()).toEqual([]);
});

test('while a quote is live everything else of a chain may change, its node among it', async () => {
  const { take, rooms } = await stoppedDesk({ signedQuote: true });
  await take({ rpcUrl: 'http://127.0.0.1:2', name: 'Moved', limits: { quotesPerUserPerMinute: 5 } });
  expect(rooms.book.chain(CHAIN)?.config.name).toBe('Moved');
});

test('where the node named is of a chain begun anew, a new contract is taken, and what was signed goes on counting', async () => {
  const rpcUrl = await nodeWithFirstBlock(hash('bb'));
  const same = await stoppedDesk({ signedQuote: true });
  await saveMemory(same.rooms.journal, CHAIN, { afterSeq: 0, since: 0, blocks: [{ number: 0, hash: hash('bb') }] });
  await expect(same.take({ rpcUrl, rfqContract: USER })).rejects.toMatchObject({ code: 'still_live' });
  await saveMemory(same.rooms.journal, CHAIN, { afterSeq: 0, since: 0, blocks: [{ number: 0, hash: hash('aa') }] });
  const { maker, rfqContract } = same.rooms.book.chains()[0]?.config ?? {};
  await same.take({ rpcUrl, rfqContract: USER });
  const kept = await same.rooms.journal.read.setting('earlier-contracts');
  expect(kept, 'what the contract of before may take is still asked for').toEqual([
    { chainId: CHAIN, maker, rfqContract },
  ]);
  expect(same.rooms.guard.orders.liveHashes(CHAIN)).toEqual([hash('0d')]);
});

const TRADED: [string, Record<string, unknown>, RegExp][] = [
  ['another maker and signer', { maker: USER, signer: USER }, /maker, signer of Practice \(31337\)/],
  ['another contract', { rfqContract: USER }, /RFQ contract of Practice/],
  ['another domain name', { domainName: 'PRACTICE RFQ 2' }, /domain name/],
  [
    'other tokens',
    { tokens: { ...chain().tokens, NEW: { ...(chain().tokens.DAI as object), address: USER } } },
    /tokens/,
  ],
  ['other prices', { prices: {} }, /prices/],
  ['another chain', { chainId: 5 }, /Practice \(31337\), which leaves; Practice \(5\), which is new/],
];
for (const [what, changes, says] of TRADED) {
  test(`a desk file with ${what}, taken while a LIVE desk does not run, comes up halted and says why`, async () => {
    const { take, rooms, clock } = await stoppedDesk();
    await take(changes);
    await rooms.close();
    const again = await open(rooms.folder, clock);
    expect(again.guard.status()).toMatchObject({ state: 'HALTED', reason: expect.stringMatching(says) });
    await again.guard.trading.resume({}, { actor: 'mara', reason: 'it was looked at' });
    expect(again.guard.status().state).toBe('LIVE');
  });
}

const PARTY = { domain: 'desk.example', accessKey: 'an-access-key', secretKey: 'a-secret-key', signedPath: 'full' };
const CALLERS: [string, unknown[], RegExp][] = [
  ['nobody who has to sign', [], /the counterparty desk\.example, which leaves/],
  ['another counterparty', [PARTY, { ...PARTY, domain: 'new.example' }], /new\.example, which is new/],
  ['another secret', [{ ...PARTY, secretKey: 'another-secret' }], /the counterparty desk\.example\./],
  ['another access key', [{ ...PARTY, accessKey: 'another-key' }], /the counterparty desk\.example\./],
  ['orders without end for one signature', [{ ...PARTY, oneOrderPerSignature: false }], /desk\.example\./],
];
for (const [what, counterparties, says] of CALLERS) {
  test(`a desk file with ${what}, taken while a LIVE desk does not run, comes up halted and says why`, async () => {
    const { rooms, before, state } = await stoppedDesk();
    const take = (parties: unknown[]) =>
      replaceConfiguration(rooms, { input: { ...before, counterparties: parties }, actor: 'mara', running: false });
    await take([PARTY]);
    expect(state()).toMatchObject({ state: 'HALTED', reason: expect.stringMatching(/desk\.example, which is new/) });
    await rooms.guard.trading.resume({}, { actor: 'mara', reason: 'it was looked at' });
    await take([PARTY]);
    await replaceConfiguration(rooms, { input: await rooms.book.deskFile(), actor: 'mara', running: false });
    expect(state().state, 'the same again').toBe('LIVE');
    await take(counterparties);
    expect(state()).toMatchObject({ state: 'HALTED', reason: expect.stringMatching(says) });
  });
}

test('a desk file with other names of its surface, taken while a LIVE desk does not run, comes up halted', async () => {
  const { rooms, before, state } = await stoppedDesk();
  const input = { ...before, surfaceNames: ['desk.example'] };
  await replaceConfiguration(rooms, { input, actor: 'mara', running: false });
  expect(state()).toMatchObject({ state: 'HALTED', reason: expect.stringMatching(/the host names/) });
});

const MEANWHILE: [string, (rooms: Rooms) => Promise<unknown>, (rooms: Rooms) => unknown][] = [
  [
    'switches off a side',
    ({ guard }) => guard.trading.halt({ chainId: CHAIN, pair: 'WETH/USDC', side: 'bids' }, { actor: 'ops' }),
    ({ guard }) => guard.trading.stateOf({ chainId: CHAIN, pair: 'WETH/USDC', side: 'bids' }) === 'HALTED',
  ],
  [
    'bars a user',
    ({ book }) => book.blacklistAdd({ chainId: CHAIN, address: USER, actor: 'ops' }),
    ({ book }) => book.chain(CHAIN)?.blacklistCode(USER, Date.now()) === 'blacklisted',
  ],
  [
    'sets a limit',
    ({ book }) => book.setLimits(CHAIN, { ...NO_LIMITS, maxQuote: { WETH: '1' } }, 'ops'),
    ({ book }) => book.chain(CHAIN)?.config.limits.maxQuote['WETH'] === '1',
  ],
  [
    'retires a pair',
    ({ book }) => book.retirePair(CHAIN, 'WETH/USDC', 'ops'),
    // A desk file has no word for retiring: it has such a pair off.
    ({ book, guard }) =>
      book.chain(CHAIN)?.pairs.get('WETH/USDC')?.retiredUntil !== null ||
      guard.trading.stateOf({ chainId: CHAIN, pair: 'WETH/USDC' }) === 'HALTED',
  ],
];
for (const [what, act, holds] of MEANWHILE) {
  test(`a setting is not saved over what somebody does meanwhile: who ${what} has done so for good`, async () => {
    const { rooms } = await stoppedDesk();
    await rooms.guard.trading.halt({}, { actor: 'mara' });
    const { credentials } = rooms;
    const keep = credentials.keepUnless.bind(credentials);
    let done: Promise<unknown> = Promise.resolve();
    vi.spyOn(credentials, 'keepUnless').mockImplementationOnce((...given) => {
      done = act(rooms);
      return keep(...given);
    });
    const edit = (desk: DeskFile) => ({ ...desk, deadlineMs: 2_000 });
    const save = () => replaceConfiguration(rooms, { edit, actor: 'mara', running: true });
    const saved = save().catch((error: unknown) => error);
    const first = await saved;
    await done;
    expect(holds(rooms)).toBe(true);
    expect(first).toMatchObject({ code: 'desk_changed' });
    await save();
    expect(rooms.book.desk().deadlineMs).toBe(2_000);
    expect(holds(rooms), 'and it stays so').toBe(true);
  });
}

test('the very desk file that a LIVE desk has, or other addresses of its node and services, leave it LIVE', async () => {
  const { take, rooms, clock } = await stoppedDesk();
  const { chains } = await rooms.book.deskFile();
  await replaceConfiguration(rooms, { input: await rooms.book.deskFile(), actor: 'mara', running: false });
  expect(chains).toHaveLength(1);
  await take({ rpcUrl: 'http://127.0.0.1:2', serviceUrl: 'http://127.0.0.1:3' });
  await rooms.close();
  expect((await open(rooms.folder, clock)).guard.status().state).toBe('LIVE');
});

test('a desk that runs takes no desk file while it trades', async () => {
  const { rooms, before } = await stoppedDesk();
  const taken = replaceConfiguration(rooms, { input: before, actor: 'mara', running: true });
  await expect(taken).rejects.toMatchObject({ code: 'desk_trading' });
});

test('a desk that runs takes no desk file when it was resumed while its nodes were asked', async () => {
  let rooms: Rooms | undefined;
  const resumed = { actor: 'mara', reason: 'while the other imports' };
  const rpcUrl = await nodeWithFirstBlock(hash('bb'), async () => rooms?.guard.trading.resume({}, resumed));
  const desk = await stoppedDesk({ rpcUrl });
  rooms = desk.rooms;
  await rooms.guard.trading.halt({}, { actor: 'mara' });
  const taken = replaceConfiguration(rooms, {
    input: { ...desk.before, chains: [] },
    actor: 'mara',
    running: true,
  });
  await expect(taken).rejects.toMatchObject({ code: 'desk_trading' });
  expect(desk.state().state).toBe('LIVE');
  expect(rooms.book.chains()).toHaveLength(1);
});

test('a resume under way when a desk file is taken does not count, and neither does one asked for meanwhile', async () => {
  const { rooms, before, clock, state } = await stoppedDesk();
  const { trading } = rooms.guard;
  await trading.halt({}, { actor: 'mara' });
  const by = { actor: 'mara', reason: 'it was well before' };
  let checked = () => {};
  const resumed = trading.resume({}, by, () => new Promise<void>((done) => (checked = done)));
  const input = { ...before, chains: [chain({ prices: {} })] };
  await replaceConfiguration(rooms, { input, actor: 'mara', running: true });
  checked();
  await expect(resumed).rejects.toMatchObject({ code: 'overtaken_by_stop' });
  await trading.withoutResumes(by, () =>
    expect(trading.resume({}, by)).rejects.toMatchObject({ code: 'overtaken_by_stop' }),
  );
  expect(state()).toMatchObject({ state: 'HALTED', reason: expect.stringMatching(/while this was being resumed/) });
  await rooms.close();
  expect((await open(rooms.folder, clock)).guard.status().state).toBe('HALTED');
});

test('a comparison changes nothing, says what would be refused, and is what the import is held to', async () => {
  const { rooms, before, state } = await stoppedDesk({ signedQuote: true });
  const input = { ...before, chains: [chain({ rpcUrl: 'http://127.0.0.1:1', overfillBps: 7, maker: address('9') })] };
  const kept = await rooms.book.deskFile();
  const refusedNow = await compareConfiguration(rooms, input);
  expect(refusedNow.changes.map(({ what }) => what)).toEqual(['Maker', 'Overfill allowed, bps']);
  expect(refusedNow.refused?.sentence).toContain('The maker of Practice (31337) cannot change: 1 firm quote');
  expect(await rooms.book.deskFile()).toEqual(kept);
  expect(state().state).toBe('LIVE');

  const wider = { ...before, chains: [chain({ rpcUrl: 'http://127.0.0.1:1', overfillBps: 7 })] };
  const { refused, seen } = await compareConfiguration(rooms, wider);
  expect(refused).toBeNull();
  await rooms.book.setLimits(CHAIN, { ...NO_LIMITS, quotesPerUserPerMinute: 3 }, 'joe');
  const by = { actor: 'mara', running: false };
  await expect(replaceConfiguration(rooms, { input: wider, seen, ...by })).rejects.toMatchObject({
    code: 'desk_changed',
  });
  expect(rooms.book.chain(CHAIN)?.config.overfillBps).toBe(200);
  const again = await compareConfiguration(rooms, wider);
  expect(again.changes).toContainEqual({
    about: 'Practice (31337)',
    what: 'Quotes per user per minute',
    before: '3',
    after: '0',
  });
  await replaceConfiguration(rooms, { input: wider, seen: again.seen, ...by });
  expect(rooms.book.chain(CHAIN)?.config.overfillBps).toBe(7);
});

/** A desk that runs and is halted: an engine prices one pair and drains it, with a switched-off side; a person published the other one. */
async function haltedDesk() {
  const desk = await stoppedDesk();
  const { book, guard } = desk.rooms;
  await guard.trading.halt({}, { actor: 'mara' });
  const push = (sequence: number, mid: string) =>
    book.pushed.push('alpha', CHAIN, { sequence, mids: { 'WETH/USDC': mid } });
  await push(1, '3412.1');
  const ladder = (pair: string) => book.chain(CHAIN)?.pairs.get(pair)?.ladder;
  const freshUntil = () => {
    const own = book.chain(CHAIN);
    const pair = own?.pairs.get('WETH/USDC');
    return own === undefined || pair === undefined ? undefined : book.pushed.freshUntil(own, pair);
  };
  const saveDeadMan = (deadManMinutes: number) =>
    replaceConfiguration(desk.rooms, {
      edit: (now: DeskFile) => ({ ...now, deadManMinutes }),
      actor: 'ops',
      running: true,
    });
  return { ...desk, push, ladder, freshUntil, saveDeadMan };
}

test('a setting that is saved leaves ladders as they are: an engine goes on pricing its pair, which is as stale as it was', async () => {
  const { rooms, clock, push, ladder, freshUntil, saveDeadMan } = await haltedDesk();
  const [pushed, published] = [ladder('WETH/USDC'), ladder('DAI/USDC')];
  expect(pushed).toMatchObject({ revision: 2, actor: 'prices:alpha' });
  const fresh = freshUntil();
  clock.now += 2_000;
  await saveDeadMan(20);
  expect(rooms.book.desk().deadManMinutes).toBe(20);
  expect(ladder('WETH/USDC')).toEqual(pushed);
  expect(ladder('DAI/USDC')).toEqual(published);
  expect(freshUntil()).toBe(fresh);
  expect(await push(2, '3414.5')).toMatchObject({ revisions: { 'WETH/USDC': 3 }, refused: {} });
  await rooms.close();
  const again = await open(rooms.folder, clock);
  expect(again.book.chain(CHAIN)?.pairs.get('WETH/USDC')?.ladder).toMatchObject({ revision: 3, actor: 'prices:alpha' });
  expect(again.book.chain(CHAIN)?.pairs.get('DAI/USDC')?.ladder).toEqual(published);
});

test('a setting is saved while an engine pushes, and what came meanwhile is in force', async () => {
  const { rooms, push, ladder, saveDeadMan } = await haltedDesk();
  const { credentials } = rooms;
  const keep = credentials.keepUnless.bind(credentials);
  vi.spyOn(credentials, 'keepUnless').mockImplementationOnce(async (...given) => {
    await push(2, '3414.5');
    return keep(...given);
  });
  await saveDeadMan(20);
  expect(ladder('WETH/USDC')).toMatchObject({ revision: 3, actor: 'prices:alpha' });
});

test('a setting that is saved leaves a draft on what is live, and it is published', async () => {
  const { rooms, saveDeadMan } = await haltedDesk();
  const { book } = rooms;
  const edits = [{ kind: 'set', side: 'bids', level: 0, field: 'price', value: '0.9998' } as const];
  const { version } = await book.edit(CHAIN, 'DAI/USDC', edits, 'mara');
  await saveDeadMan(20);
  expect(book.draft(CHAIN, 'DAI/USDC').faults).toEqual([]);
  expect(await book.publish(CHAIN, 'DAI/USDC', version, 'mara')).toMatchObject({ revision: 2 });
});

test('a setting that is saved lets no pair out of its drain, and leaves a switched-off side off', async () => {
  const { rooms, clock, saveDeadMan } = await haltedDesk();
  const { trading } = rooms.guard;
  const pair = { chainId: CHAIN, pair: 'WETH/USDC' };
  await trading.drain(pair, 600, { actor: 'mara' });
  await trading.halt({ ...pair, side: 'asks' }, { actor: 'mara' });
  const drains = trading.states.own(pair);
  await saveDeadMan(20);
  expect(trading.states.own(pair)).toEqual(drains);
  expect(trading.stateOf({ ...pair, side: 'asks' })).toBe('HALTED');
  await rooms.close();
  const again = await open(rooms.folder, clock);
  expect(again.guard.trading.states.own(pair), 'a restart inside a drain').toMatchObject({ state: 'HALTED' });
});

test('a pair whose drain ends while a setting is saved stays off', async () => {
  const { rooms, saveDeadMan } = await haltedDesk();
  const { credentials, guard } = rooms;
  const pair = { chainId: CHAIN, pair: 'WETH/USDC' };
  await guard.trading.drain(pair, 600, { actor: 'mara' });
  const keep = credentials.keepUnless.bind(credentials);
  vi.spyOn(credentials, 'keepUnless').mockImplementationOnce(async (...given) => {
    await guard.trading.halt(pair, { actor: 'desk', cause: 'The drain came to its end.' });
    return keep(...given);
  });
  await expect(saveDeadMan(20)).rejects.toMatchObject({ code: 'desk_changed' });
  expect(guard.trading.stateOf(pair)).toBe('HALTED');
});

test('a desk file that a person imports replaces the ladder of an engine where its levels are others, or mean other tokens', async () => {
  const { rooms, before, ladder } = await haltedDesk();
  const take = (changes: Record<string, unknown>) =>
    replaceConfiguration(rooms, {
      input: { ...before, chains: [chain({ rpcUrl: 'http://127.0.0.1:1', ...changes })] },
      actor: 'ops',
      running: true,
    });
  await take({});
  expect(ladder('WETH/USDC')).toMatchObject({ revision: 3, actor: 'ops' });
  expect(ladder('DAI/USDC'), 'the very same levels').toMatchObject({ revision: 1, actor: 'mara' });
  const tokens = chain().tokens;
  await take({ tokens: { ...tokens, DAI: { ...(tokens.DAI as object), address: address('7') } } });
  expect(ladder('WETH/USDC')).toMatchObject({ revision: 3 });
  expect(ladder('DAI/USDC')).toMatchObject({ revision: 2, actor: 'ops' });
});

test('where a desk file is refused at last because somebody changed something, the keys of before are still the ones', async () => {
  const { rooms, before, clock } = await stoppedDesk();
  const take = (secretKey: string) =>
    replaceConfiguration(rooms, {
      input: { ...before, counterparties: [{ ...PARTY, secretKey }] },
      actor: 'mara',
      running: false,
    });
  await take('the first');
  const { credentials, guard } = rooms;
  const print = credentials.fingerprintOf(PARTY.domain);
  const side = { chainId: CHAIN, pair: 'WETH/USDC', side: 'bids' } as const;
  const keep = credentials.keepUnless.bind(credentials);
  const interrupting = vi.spyOn(credentials, 'keepUnless');
  // Before their turn has come, and while the file is written.
  interrupting.mockImplementationOnce((refuse, ...given) => {
    void guard.trading.halt(side, { actor: 'ops' });
    return keep(refuse, ...given);
  });
  await expect(take('the second')).rejects.toMatchObject({ code: 'desk_changed' });
  expect(credentials.fingerprintOf(PARTY.domain)).toBe(print);
  interrupting.mockImplementationOnce(async (refuse, ...given) => {
    const kept = await keep(refuse, ...given);
    expect(credentials.fingerprintOf(PARTY.domain)).not.toBe(print);
    await guard.trading.halt({ ...side, side: 'asks' }, { actor: 'ops' });
    return kept;
  });
  await expect(take('the third')).rejects.toMatchObject({ code: 'desk_changed' });
  expect(credentials.fingerprintOf(PARTY.domain)).toBe(print);
  await rooms.close();
  const again = await open(rooms.folder, clock);
  await again.credentials.load();
  expect(again.credentials.fingerprintOf(PARTY.domain)).toBe(print);
});

test('a desk file that is refused for a secret, or for a passphrase, halts nothing and changes nothing', async () => {
  const { rooms, before, state, take } = await stoppedDesk();
  const [file, { seq }] = [await rooms.book.deskFile(), rooms.journal.head()];
  const expectAsItWas = async () => {
    expect(state().state).toBe('LIVE');
    expect([await rooms.book.deskFile(), rooms.journal.head().seq]).toEqual([file, seq]);
    expect(readdirSync(rooms.folder)).not.toContain('secrets.json');
  };
  const chains = [chain({ rpcUrl: 'http://127.0.0.1:1', takers: [USER] })];
  const importOf = (counterparties: unknown[]) =>
    replaceConfiguration(rooms, { input: { ...before, chains, counterparties }, actor: 'mara', running: false });
  await expect(importOf([{ domain: PARTY.domain }])).rejects.toMatchObject({ code: 'desk_file_faulty' });
  await expectAsItWas();

  // The passphrase is proven by the key, for nothing is sealed yet.
  await createKeystore(rooms.folder, 'of the key', randomBytes, { scryptCost: 2 });
  await expect(importOf([PARTY])).rejects.toMatchObject({ code: 'wrong_passphrase' });
  await expectAsItWas();

  await take({ takers: [USER] });
  expect(state()).toMatchObject({
    state: 'HALTED',
    reason: expect.stringMatching(/A desk file was about to be imported/),
  });
});

test('the halt before a desk file does not say that it was imported, since that may come to nothing', async () => {
  const { rooms, state, take } = await stoppedDesk();
  const file = await rooms.book.deskFile();
  vi.spyOn(rooms.credentials, 'keepUnless').mockImplementationOnce(async (refuse) => {
    await refuse();
    throw new Error('the disk is full');
  });
  await expect(take({ takers: [USER] })).rejects.toThrowError(/the disk is full/);
  expect(await rooms.book.deskFile()).toEqual(file);
  expect(state()).toMatchObject({
    state: 'HALTED',
    reason: expect.stringMatching(
      /^A desk file was about to be imported while the desk did not run\. It changes takers/,
    ),
  });
});

test('a desk file with another access key alone changes something, and names it', async () => {
  const { rooms, before } = await stoppedDesk();
  const file = (accessKey: string) => ({ ...before, counterparties: [{ ...PARTY, accessKey }] });
  await replaceConfiguration(rooms, { input: file('one'), actor: 'mara', running: false });
  expect((await compareConfiguration(rooms, file('one'))).changes).toEqual([]);
  const { changes } = await compareConfiguration(rooms, file('two'));
  expect(changes).toEqual([
    {
      about: 'Counterparty desk.example',
      what: 'Access key, by its fingerprint',
      before: fingerprint('one'),
      after: fingerprint('two'),
    },
  ]);
});
