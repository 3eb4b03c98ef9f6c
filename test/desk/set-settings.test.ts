import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { call } from '@orpc/server';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test, vi } from 'vitest';
import { sentenceText } from '../../electron/contract/journal.ts';
import { ChainChecks } from '../../electron/desk/chain-checks.ts';
import { findEvents } from '../../electron/desk/find-events.ts';
import { asOwner } from '../../electron/desk/handlers/base.ts';
import { settingsHandlers } from '../../electron/desk/handlers/settings.ts';
import { replaceConfiguration } from '../../electron/desk/replace-configuration.ts';
import { openRooms, type Rooms } from '../../electron/desk/rooms.ts';
import { fingerprint } from '../../electron/signer/secrets.ts';
import { CHAIN, chain, deskFile, folder, USER } from '../book/fixture.ts';

const OTHER = 5;
const AS = { context: asOwner('mara') };
const PASSPHRASE = 'a passphrase for tests only';
const AWAY = 'http://127.0.0.1:1';
const SECOND = {
  domain: 'second',
  accessKey: 'its key',
  secretKey: 'its secret number 1',
  signedPath: 'full',
} as const;

async function open(at: string): Promise<Rooms> {
  const rooms = await openRooms({
    folder: at,
    log: { info() {}, warn() {}, error() {} },
    now: Date.now,
    monotonic: () => performance.now(),
    views: () => undefined,
    passphrase: async () => PASSPHRASE,
  });
  onTestFinished(rooms.close);
  rooms.guard.trading.checksPassed();
  return rooms;
}

/** A LIVE desk of two chains and one counterparty, as consoles reach its settings. */
async function liveDesk(changes: Record<string, unknown> = {}) {
  const rooms = await open(folder());
  const other = chain({ chainId: OTHER, name: 'Other', basePath: '/5', rpcUrl: AWAY });
  const input = { ...deskFile(), chains: [chain({ rpcUrl: AWAY, ...changes }), other] };
  await replaceConfiguration(rooms, { input, actor: 'setup', running: false });
  const { trading } = rooms.guard;
  await trading.resume({}, { actor: 'mara', reason: 'a test begins' });
  const settings = settingsHandlers(rooms, async () => PASSPHRASE, null, true);
  const save = (changes: Record<string, unknown>) =>
    call(settings.saveChain, { chain: { chainId: CHAIN, ...changes } }, AS);
  return { rooms, settings, save, trading };
}

test('another node needs the halt of its own chain alone: the others go on as they are, to their very revisions', async () => {
  const { rooms, save, trading } = await liveDesk();
  const node = { rpcUrl: 'http://127.0.0.1:2', quoteLifetimeSeconds: 200 };
  await expect(save(node)).rejects.toMatchObject({ code: 'chain_trading', message: /^Practice is changed only/ });
  await trading.drain({ chainId: CHAIN }, 60, { actor: 'mara' });
  await expect(save(node), 'it still trades').rejects.toMatchObject({ code: 'chain_trading' });
  await trading.halt({ chainId: CHAIN }, { actor: 'mara' });
  const before = rooms.book.chain(OTHER);
  const { pairs, config } = rooms.book.chain(CHAIN) ?? {};
  await rooms.book.retirePair(CHAIN, 'DAI/USDC', 'mara');
  await save(node);
  expect(rooms.book.chain(OTHER), 'nothing of it is another').toBe(before);
  expect(trading.stateOf({ chainId: OTHER })).toBe('LIVE');
  expect(trading.stateOf({ chainId: CHAIN })).toBe('HALTED');
  const now = rooms.book.chain(CHAIN);
  expect(now?.config).toEqual({ ...config, ...node });
  expect(now?.pairs.get('WETH/USDC')?.ladder).toEqual(pairs?.get('WETH/USDC')?.ladder);
  expect(now?.pairs.get('DAI/USDC')?.retiredUntil, 'and what was retired stays so').not.toBeNull();
  await rooms.close();
  const again = await open(rooms.folder);
  expect(again.book.chain(CHAIN)?.config).toEqual({ ...config, ...node });
});

test('what is signed is changed under the same halt, and the chain is checked anew for it, alone', async () => {
  const { rooms, save, trading } = await liveDesk();
  const { book, guard } = rooms;
  const held = { current: async () => ({ missing: 'No key here.' }), onChange: () => {} };
  const checks = new ChainChecks({ book, guard, log: { info() {}, warn() {}, error() {} } }, held);
  await checks.start();
  onTestFinished(() => checks.stop());
  await trading.halt({ chainId: CHAIN }, { actor: 'mara' });
  const unchecked = vi.spyOn(guard, 'chainUnchecked');
  const checked = vi.spyOn(guard, 'chainChecked');
  await save({ maker: USER, signer: USER, domainName: 'ANOTHER RFQ' });
  expect(unchecked.mock.calls, 'what was found before says nothing any more').toEqual([[CHAIN]]);
  await expect.poll(() => checked.mock.calls.map(([chainId]) => chainId)).toContain(CHAIN);
  expect(checked.mock.calls.map(([chainId]) => chainId)).not.toContain(OTHER);
});

test('a chain that is resumed while it is set anew stays halted', async () => {
  const { rooms, save, trading } = await liveDesk();
  const scope = { chainId: CHAIN };
  await trading.halt(scope, { actor: 'mara' });
  let checked = () => {};
  const by = { actor: 'ops', reason: 'it was well before' };
  const resumed = trading.resume(scope, by, () => new Promise<void>((done) => (checked = done)));
  await save({ rpcUrl: 'http://127.0.0.1:2' });
  checked();
  await expect(resumed).rejects.toMatchObject({ code: 'overtaken_by_stop' });
  expect(trading.stateOf(scope)).toBe('HALTED');
  expect(rooms.guard.status().state).toBe('LIVE');
});

test('a chain is added or removed, and what it lists replaced, only while the whole desk is halted', async () => {
  const { settings, save, trading } = await liveDesk();
  await trading.halt({ chainId: CHAIN }, { actor: 'mara' });
  const trades = { code: 'desk_trading' };
  await expect(save({ prices: {} })).rejects.toMatchObject(trades);
  await expect(call(settings.removeChain, { chainId: CHAIN }, AS)).rejects.toMatchObject(trades);
  await expect(save({ ...chain(), chainId: 7, basePath: '/7' })).rejects.toMatchObject(trades);
});

test('a desk that has nothing yet takes its counterparties before its first chain', async () => {
  const rooms = await open(folder());
  const settings = settingsHandlers(rooms, async () => PASSPHRASE, null, true);
  await call(settings.saveCounterparty, { counterparty: SECOND, seen: null }, AS);
  expect(rooms.book.desk().counterparties.map(({ domain }) => domain)).toEqual(['second']);
  await call(settings.removeCounterparty, { domain: 'second' }, AS);
  expect(rooms.book.desk().counterparties).toEqual([]);
});

test('a counterparty is added, changed and removed on a desk that trades, and only the last one needs a halt', async () => {
  const { rooms, settings, trading } = await liveDesk();
  const before = rooms.book.chains();
  const domains = () => rooms.book.desk().counterparties.map(({ domain }) => domain);
  await call(settings.saveCounterparty, { counterparty: SECOND, seen: null }, AS);
  expect(domains()).toEqual(['practice', 'second']);
  const print = () => rooms.book.desk().fingerprints.second;
  const first = print();
  await call(settings.saveCounterparty, { counterparty: { ...SECOND, secretKey: 'another secret of it' } }, AS);
  expect(print()).not.toBe(first);
  expect(print()).toBe(rooms.credentials.fingerprintOf('second'));
  await call(settings.removeCounterparty, { domain: 'practice' }, AS);
  const last = call(settings.removeCounterparty, { domain: 'second' }, AS);
  await expect(last).rejects.toMatchObject({ code: 'desk_trading' });
  expect(domains()).toEqual(['second']);
  expect(rooms.book.chains(), 'no chain notices').toEqual(before);
  expect(trading.stateOf({})).toBe('LIVE');
  await trading.halt({}, { actor: 'mara' });
  await call(settings.removeCounterparty, { domain: 'second' }, AS);
  await rooms.close();
  expect((await open(rooms.folder)).book.desk().counterparties).toEqual([]);
});

const keysOf = ({ credentials, book }: Rooms) => {
  const { accessKey, secretKey, earlier } = credentials.counterparties(book.desk().counterparties).get('second') ?? {};
  return { now: [accessKey, secretKey], earlier: earlier && [earlier.accessKey, earlier.secretKey] };
};
const sentences = async ({ journal }: Rooms) => {
  const asked = { filter: { kinds: ['counterparties_set'] }, order: 'oldest' as const, limit: 100 };
  const told: string[] = [];
  for await (const { rows } of findEvents(journal.read, asked, () => performance.now(), undefined)) {
    told.push(...rows.map(sentenceText));
  }
  return told;
};

test('new keys are taken beside those of before until these are ended, over a restart too, and a file has the new ones alone', async () => {
  const { rooms, settings } = await liveDesk();
  const { signedPath, domain } = SECOND;
  const party = { domain, signedPath };
  await call(settings.saveCounterparty, { counterparty: SECOND, seen: null }, AS);
  const second = { ...SECOND, accessKey: 'key 2', secretKey: 'its secret number 2' };
  await call(settings.saveCounterparty, { counterparty: second, seen: party, earlierKeys: 'keep' }, AS);
  expect(keysOf(rooms)).toEqual({ now: ['key 2', 'its secret number 2'], earlier: ['its key', 'its secret number 1'] });
  const told = await call(settings.get, undefined, AS);
  const [earlier] = told.earlierKeys;
  expect(earlier).toEqual({ domain, fingerprint: fingerprint('its secret number 1'), lastUsed: null });
  rooms.earlierUses.set(domain, 5);
  expect((await call(settings.get, undefined, AS)).earlierKeys[0]?.lastUsed).toBe(5);

  // Without new keys nothing of them changes; those before the earlier ones are gone.
  await call(settings.saveCounterparty, { counterparty: { ...party, addresses: ['10.0.0.1'] } }, AS);
  expect(keysOf(rooms).earlier).toEqual(['its key', 'its secret number 1']);
  const third = { ...party, accessKey: 'key 3', secretKey: 'its secret number 3' };
  await call(settings.saveCounterparty, { counterparty: third, earlierKeys: 'keep' }, AS);
  expect(keysOf(rooms)).toEqual({ now: ['key 3', 'its secret number 3'], earlier: ['key 2', 'its secret number 2'] });
  expect((await call(settings.get, undefined, AS)).earlierKeys[0]?.lastUsed).toBeNull();
  const file = await rooms.credentials.withSecrets(await rooms.book.deskFile());
  expect(JSON.stringify(file)).toContain('its secret number 3');
  expect(JSON.stringify(file)).not.toContain('its secret number 2');
  expect(rooms.credentials.secrets(), 'and neither is told').toEqual(
    expect.arrayContaining(['its secret number 3', 'its secret number 2']),
  );
  await rooms.close();

  const again = await open(rooms.folder);
  await again.credentials.load();
  expect(keysOf(again).earlier).toEqual(['key 2', 'its secret number 2']);
  const later = settingsHandlers(again, async () => PASSPHRASE, null, true);
  await call(later.saveCounterparty, { counterparty: party, earlierKeys: 'end' }, AS);
  expect(keysOf(again)).toEqual({ now: ['key 3', 'its secret number 3'], earlier: undefined });
  expect((await call(later.get, undefined, AS)).earlierKeys).toEqual([]);
  const said = await sentences(again);
  expect(said[1]).toMatch(/; new keys of second; the earlier keys of second are taken as well$/);
  expect(said.at(-1)).toMatch(/; the earlier keys of second are not taken any more$/);
  expect(said.join('\n')).not.toMatch(/its secret/);
});

test('keys that are set without a word on the earlier ones end those at once', async () => {
  const { rooms, settings } = await liveDesk();
  const { signedPath, domain } = SECOND;
  await call(settings.saveCounterparty, { counterparty: SECOND, seen: null }, AS);
  const renewed = (n: number) => ({ domain, signedPath, accessKey: `key ${n}`, secretKey: `its secret number ${n}` });
  await call(settings.saveCounterparty, { counterparty: renewed(2), earlierKeys: 'keep' }, AS);
  await call(settings.saveCounterparty, { counterparty: renewed(2) }, AS);
  expect(keysOf(rooms).earlier, 'the same keys once more change nothing').toEqual(['its key', 'its secret number 1']);
  await call(settings.saveCounterparty, { counterparty: renewed(3) }, AS);
  expect(keysOf(rooms)).toEqual({ now: ['key 3', 'its secret number 3'], earlier: undefined });
  const stopped = settingsHandlers(rooms, async () => PASSPHRASE, null, false);
  const kept = call(stopped.saveCounterparty, { counterparty: renewed(4), earlierKeys: 'keep' }, AS);
  await expect(kept).rejects.toMatchObject({ code: 'no_running_desk' });
});

test('a new secret that could be guessed is not taken, and no key is sealed under a passphrase that could be', async () => {
  const { rooms, settings } = await liveDesk();
  const short = { ...SECOND, secretKey: 'fifteen letters' };
  await expect(call(settings.saveCounterparty, { counterparty: short, seen: null }, AS)).rejects.toMatchObject({
    data: { issues: [{ path: ['counterparty', 'secretKey'], message: 'must be 16 characters or more' }] },
  });
  expect(rooms.book.desk().counterparties.map(({ domain }) => domain)).not.toContain('second');
  const { makeKey } = settingsHandlers(rooms, async () => 'too guessable'.slice(0, 11), null, false);
  await expect(call(makeKey, undefined, AS)).rejects.toMatchObject({ code: 'no_passphrase' });
  expect(existsSync(join(rooms.folder, 'keystore.json'))).toBe(false);
});

test('where a counterparty is refused at last because another was changed meanwhile, its keys of before are still the ones', async () => {
  const { rooms, settings } = await liveDesk();
  const { credentials, book } = rooms;
  await call(settings.saveCounterparty, { counterparty: SECOND, seen: null }, AS);
  const party = { ...SECOND, accessKey: 'a new key', secretKey: 'a new secret of it' };
  const save = () => call(settings.saveCounterparty, { counterparty: party, earlierKeys: 'keep' }, AS);
  const other = () => {
    const [first] = book.desk().counterparties;
    const changed = { domain: first?.domain ?? '', signedPath: 'without-prefix' } as const;
    const others = book.desk().counterparties.slice(1);
    return book.setCounterparties([changed, ...others], { actor: 'jon', fingerprints: {} });
  };
  const before = structuredClone(credentials.kept);
  const keep = credentials.keepUnless.bind(credentials);
  const interrupting = vi.spyOn(credentials, 'keepUnless');
  interrupting.mockImplementationOnce(async (...given) => {
    await other();
    return keep(...given);
  });
  const written = vi.fn();
  credentials.onChange(written);
  await expect(save()).rejects.toMatchObject({ code: 'desk_changed' });
  expect(credentials.kept, 'nothing was written').toEqual(before);
  expect(written).not.toHaveBeenCalled();
  interrupting.mockImplementationOnce(async (...given) => {
    const kept = await keep(...given);
    await other();
    return kept;
  });
  await expect(save()).rejects.toMatchObject({ code: 'desk_changed' });
  expect(written).toHaveBeenCalledTimes(2);
  expect(credentials.kept, 'it is put back').toEqual(before);
  await save();
  expect(credentials.kept['second']).toMatchObject({ accessKey: 'a new key', earlier: { accessKey: 'its key' } });
});

test('once a pair with a reference of its own has left, keys are taken away and settings saved as ever', async () => {
  const { rooms, settings, save, trading } = await liveDesk({
    retireHours: 0,
    sources: { engine: { kind: 'push', token: 'alpha', pairs: ['DAI/USDC'] } },
    references: { 'DAI/USDC': { sources: ['engine'] } },
  });
  const { book } = rooms;
  await book.retirePair(CHAIN, 'DAI/USDC', 'mara');
  await book.tick();
  expect([...(book.chain(CHAIN)?.pairs.keys() ?? [])]).toEqual(['WETH/USDC']);
  await call(settings.saveCounterparty, { counterparty: SECOND, seen: null }, AS);
  await call(settings.removeCounterparty, { domain: 'practice' }, AS);
  expect(book.desk().counterparties.map(({ domain }) => domain)).toEqual(['second']);
  await trading.halt({ chainId: CHAIN }, { actor: 'mara' });
  const { references } = book.chain(CHAIN)?.config ?? {};
  await save({ quoteLifetimeSeconds: 200 });
  expect(book.chain(CHAIN)?.config).toMatchObject({ quoteLifetimeSeconds: 200 });
  expect(book.chain(CHAIN)?.config.references, 'it is there when the pair comes back').toEqual(references);
  await trading.halt({}, { actor: 'mara' });
  await call(settings.removeChain, { chainId: OTHER }, AS);
  expect(book.chains().map(({ chainId }) => chainId)).toEqual([CHAIN]);
});

type Settings = ReturnType<typeof settingsHandlers>;

/** The same desk, halted, after a statement on its journal's tables was run behind its back. */
async function spoilt({ rooms }: { rooms: Rooms }, sql: string) {
  await rooms.guard.trading.halt({}, { actor: 'mara' });
  await rooms.close();
  const db = new Database(join(rooms.folder, 'journal.db'));
  expect(db.prepare(sql).run().changes).toBeGreaterThan(0);
  db.close();
  const again = await open(rooms.folder);
  return { rooms: again, settings: settingsHandlers(again, async () => PASSPHRASE, null, true) };
}

const addChain = ({ saveChain }: Pick<Settings, 'saveChain'>, given: Record<string, unknown>) =>
  call(saveChain, { chain: { chainId: CHAIN, ...given }, seen: null }, AS);

const reopened = async (rooms: Rooms) => {
  await rooms.close();
  return open(rooms.folder);
};

const SPOILT: [string, string, RegExp, (rooms: Rooms) => unknown][] = [
  [
    'rules that cannot be read',
    `UPDATE desk SET settings = json_set(settings, '$.protections', 'nonsense')`,
    /: the protections of the desk\.$/,
    ({ book }) => book.desk().protections,
  ],
  [
    'a counterparty that cannot be read',
    `UPDATE desk SET settings = json_insert(settings, '$.counterparties[#]', json('{"domain": 7}'))`,
    /: the counterparty 7\.$/,
    ({ book }) => book.desk().setApart,
  ],
  [
    'a token that cannot be read, and the pair of it',
    `UPDATE tokens SET token = '{}' WHERE token_id = 'DAI' AND chain_id = ${CHAIN}`,
    /: the token DAI of Practice, the pair DAI\/USDC of Practice\.$/,
    ({ book }) => book.chain(CHAIN)?.setApart,
  ],
  [
    'a chain whose limits cannot be read',
    `UPDATE chains SET limits = '{"maxQuote":{"WETH":"lots"}}' WHERE chain_id = ${CHAIN}`,
    /: the chain Practice\.$/,
    ({ book }) => book.desk().setApart,
  ],
];
for (const [what, sql, says, apart] of SPOILT) {
  test(`what concerns the whole desk is saved beside ${what}, which a chain that is added or removed would lose, and is not`, async () => {
    const { rooms, settings } = await spoilt(await liveDesk(), sql);
    const { book, journal } = rooms;
    const before = apart(rooms);
    await call(settings.saveDeadMan, { minutes: 30 }, AS);
    await call(settings.saveLockAfter, { minutes: 40 }, AS);
    await call(settings.saveSurfaceNames, { surfaceNames: ['desk.example'] }, AS);
    expect(apart(rooms)).toEqual(before);
    const { seq } = journal.head();
    const refused = { code: 'set_apart', message: expect.stringMatching(says) };
    await expect(call(settings.removeChain, { chainId: OTHER }, AS)).rejects.toMatchObject(refused);
    const third = { ...chain(), chainId: 7, basePath: '/7' };
    await expect(addChain(settings, third)).rejects.toMatchObject(refused);
    expect(journal.head().seq, 'nothing is written').toBe(seq);
    expect(book.desk()).toMatchObject({ deadManMinutes: 30, lockAfterMinutes: 40, surfaceNames: ['desk.example'] });
    const again = await reopened(rooms);
    expect(apart(again)).toEqual(before);
    expect(again.book.desk()).toMatchObject({ deadManMinutes: 30, lockAfterMinutes: 40 });
  });
}

test('what is set apart leaves with its chain, and is mended by being given anew', async () => {
  const { rooms, settings } = await spoilt(
    await liveDesk(),
    `UPDATE tokens SET token = '{}' WHERE chain_id = ${OTHER}`,
  );
  await call(settings.removeChain, { chainId: OTHER }, AS);
  expect(rooms.book.chains().map(({ chainId }) => chainId)).toEqual([CHAIN]);
  const apart = await spoilt(
    { rooms },
    `UPDATE chains SET limits = '{"maxQuote":{"WETH":"lots"}}' WHERE chain_id = ${CHAIN}`,
  );
  expect(apart.rooms.book.chains()).toEqual([]);
  await addChain(apart.settings, chain({ rpcUrl: AWAY }));
  expect(apart.rooms.book.chain(CHAIN)?.pairs.size).toBe(2);
});

test('rules that cannot be read and are set anew hold up no chain any more', async () => {
  const broken = `UPDATE desk SET settings = json_set(settings, '$.protections', 'nonsense')`;
  const { rooms, settings } = await spoilt(await liveDesk(), broken);
  await rooms.book.setProtections({ protections: [], seen: [], actor: 'mara' });
  await call(settings.removeChain, { chainId: OTHER }, AS);
  expect(rooms.book.desk()).toMatchObject({ protections: [], setApart: [] });
});

test('a key is taken away, and another chain saved, although a rule names a chain that is set apart', async () => {
  const desk = await liveDesk();
  const rule = {
    name: 'flow',
    counts: 'signed',
    per: 'desk',
    windowSeconds: 60,
    limit: '5',
    freezeSeconds: 0,
  } as const;
  const protections = [{ ...rule, chains: [CHAIN] }];
  await desk.rooms.book.setProtections({ protections, seen: [], actor: 'mara' });
  const broken = `UPDATE chains SET limits = '{"maxQuote":{"WETH":"lots"}}' WHERE chain_id = ${CHAIN}`;
  const { rooms, settings } = await spoilt(desk, broken);
  await call(settings.removeCounterparty, { domain: 'practice' }, AS);
  expect(rooms.book.desk().counterparties).toEqual([]);
  await call(settings.saveChain, { chain: { chainId: OTHER, quoteLifetimeSeconds: 200 } }, AS);
  expect(rooms.book.chain(OTHER)?.config.quoteLifetimeSeconds).toBe(200);
  expect(rooms.book.desk().protections).toEqual(protections);
});

test('a chain that is saved keeps the reserve of a token that is set apart', async () => {
  const desk = await liveDesk({ reserve: { DAI: '5', USDC: '7' } });
  const { rooms, settings } = await spoilt(desk, `UPDATE tokens SET token = '{}' WHERE token_id = 'DAI'`);
  const save = (changes: Record<string, unknown>) =>
    call(settings.saveChain, { chain: { chainId: CHAIN, ...changes } }, AS);
  await save({ quoteLifetimeSeconds: 200 });
  expect(rooms.book.chain(CHAIN)?.config).toMatchObject({
    quoteLifetimeSeconds: 200,
    reserve: { DAI: '5', USDC: '7' },
  });
  await save({ reserve: { USDC: '8' } });
  expect(rooms.book.chain(CHAIN)?.config.reserve).toEqual({ USDC: '8' });
});

const PAIR = { chainId: CHAIN, pair: 'WETH/USDC' };
const EDITS: [string, (settings: Settings) => Promise<unknown>][] = [
  ['a setting of the whole desk is saved', ({ saveDeadMan }) => call(saveDeadMan, { minutes: 30 }, AS)],
  ['another chain is removed', ({ removeChain }) => call(removeChain, { chainId: OTHER }, AS)],
];
for (const [what, edit] of EDITS) {
  test(`when ${what}, a pair goes on being retired, and stops keep who said them, when and why`, async () => {
    const { rooms, settings, trading } = await liveDesk();
    const { book } = rooms;
    await book.retirePair(CHAIN, 'DAI/USDC', 'ops');
    await trading.halt(PAIR, { actor: 'ops', reason: 'its market is thin' });
    await trading.halt({ ...PAIR, side: 'bids' }, { actor: 'jon', reason: 'we have enough of it' });
    await trading.halt({}, { actor: 'mara' });
    const retired = book.chain(CHAIN)?.pairs.get('DAI/USDC');
    const stops = () => trading.states.all().filter(({ scope }) => scope.pair !== undefined);
    const before = stops();
    expect(before).toHaveLength(2);
    await edit(settings);
    expect(book.chain(CHAIN)?.pairs.get('DAI/USDC')).toEqual(retired);
    expect(stops()).toEqual(before);
    const again = await reopened(rooms);
    expect(again.book.chain(CHAIN)?.pairs.get('DAI/USDC')).toEqual(retired);
    expect(again.guard.trading.states.all()).toEqual(expect.arrayContaining(before));
    expect(again.guard.trading.states.own({ chainId: CHAIN, pair: 'DAI/USDC' }), 'nobody stopped it').toBeNull();
  });
}

test('an edit that switches a side off or on does so, and leaves the other stops as they were said', async () => {
  const { rooms, settings, trading } = await liveDesk();
  const bids = { ...PAIR, side: 'bids' } as const;
  await trading.halt(bids, { actor: 'jon', reason: 'we have enough of it' });
  await trading.halt({ chainId: CHAIN, pair: 'DAI/USDC' }, { actor: 'jon' });
  await trading.halt({}, { actor: 'mara' });
  const said = trading.states.own(bids);
  await call(settings.saveChain, { chain: { chainId: CHAIN, off: { 'WETH/USDC': ['bids', 'asks'] } } }, AS);
  expect(trading.states.own(bids)).toEqual(said);
  expect(trading.states.own({ ...PAIR, side: 'asks' })).toMatchObject({ state: 'HALTED', actor: 'mara', reason: null });
  expect(trading.states.own({ chainId: CHAIN, pair: 'DAI/USDC' })).toBeNull();
  expect((await reopened(rooms)).guard.trading.states.own(bids)).toEqual(said);
});
