import { call } from '@orpc/server';
import { expect, onTestFinished, test } from 'vitest';
import { ChainChecks } from '../../electron/desk/chain-checks.ts';
import { asOwner } from '../../electron/desk/handlers/base.ts';
import { listingHandlers } from '../../electron/desk/handlers/book.ts';
import { settingsHandlers } from '../../electron/desk/handlers/settings.ts';
import { replaceConfiguration } from '../../electron/desk/replace-configuration.ts';
import { openRooms } from '../../electron/desk/rooms.ts';
import { refusalOf } from '../../renderer/state/refusal-of.ts';
import { CHAIN, chain, deskFile, folder } from '../book/fixture.ts';
import { openForTwo } from './two-people.ts';

const as = (actor: string) => ({ context: asOwner(actor) });
const PASSPHRASE = 'a passphrase for tests only';

/** The settings of a halted desk with one chain and one counterparty, as consoles reach them. */
async function settingsOfDesk() {
  const rooms = await openRooms({
    folder: folder(),
    log: { info() {}, warn() {}, error() {} },
    now: Date.now,
    monotonic: () => performance.now(),
    views: () => undefined,
    passphrase: async () => PASSPHRASE,
  });
  onTestFinished(rooms.close);
  const input = { ...deskFile(), chains: [chain({ rpcUrl: 'http://127.0.0.1:1', quoteLifetimeSeconds: 150 })] };
  await replaceConfiguration(rooms, { input, actor: 'setup', running: false });
  const settings = settingsHandlers(rooms, async () => PASSPHRASE, null, true);
  const checks = new ChainChecks(rooms, { current: () => ({ missing: 'no key' }), onChange: () => {} });
  onTestFinished(() => checks.stop());
  const listings = listingHandlers(rooms, checks, null);
  return { rooms, settings, listings, read: async () => (await call(settings.get, undefined, as('mara'))).desk };
}

test('a chain that somebody else has saved meanwhile is not saved over: it is told by whom, and what is so now', async () => {
  const { rooms, settings, read } = await settingsOfDesk();
  const [open] = (await read()).chains;
  if (open === undefined) throw new Error('no chain');
  const { quoteLifetimeSeconds, overfillBps, rpcUrl, clipToBalance, partner } = open;
  const seen = { quoteLifetimeSeconds, overfillBps, rpcUrl, clipToBalance, partner };
  const ops = { chainId: CHAIN, quoteLifetimeSeconds: 130, clipToBalance: !clipToBalance };
  await call(settings.saveChain, { chain: ops }, as('ops'));
  const mine = { chain: { chainId: CHAIN, ...seen, overfillBps: 300 }, seen };
  await expect(call(settings.saveChain, mine, as('mara'))).rejects.toMatchObject({
    code: 'changed_meanwhile',
    message: expect.stringMatching(/was changed meanwhile by ops, so yours was not saved/),
    faults: [
      { path: 'quoteLifetimeSeconds', message: 'is 130 now' },
      { path: 'clipToBalance', message: `is ${clipToBalance ? 'no' : 'yes'} now` },
    ],
  });
  expect(rooms.book.chain(CHAIN)?.config).toMatchObject({ quoteLifetimeSeconds: 130, overfillBps });
  const now = { ...seen, quoteLifetimeSeconds: 130, clipToBalance: !clipToBalance };
  await call(settings.saveChain, { chain: { chainId: CHAIN, ...now, overfillBps: 300 }, seen: now }, as('mara'));
  expect(rooms.book.chain(CHAIN)?.config).toMatchObject({ quoteLifetimeSeconds: 130, overfillBps: 300 });
});

test('a setting that is several in one is told by its names and figures', async () => {
  const { rooms, settings, read } = await settingsOfDesk();
  const { reserve, limits } = (await read()).chains[0] ?? {};
  await call(settings.saveChain, { chain: { chainId: CHAIN, reserve: { WETH: '1.5', DAI: '20' } } }, as('ops'));
  const set = { maxQuote: { WETH: '1' }, maxOutstanding: {}, quotesPerUserPerMinute: 0, ladderMaxAgeSeconds: 0 };
  await rooms.book.setLimits(CHAIN, set, 'ops');
  const stale = { chain: { chainId: CHAIN, overfillBps: 300 }, seen: { reserve, limits } };
  const refusal = await call(settings.saveChain, stale, as('mara')).catch((error: unknown) => error);
  expect(refusal).toMatchObject({
    code: 'changed_meanwhile',
    faults: [
      { path: 'reserve', message: 'is WETH 1.5, DAI 20 now' },
      { path: 'limits', message: expect.stringMatching(/^is maxQuote \(WETH 1\), maxOutstanding \(empty\), .* now$/) },
    ],
  });
});

test('limits that somebody else sets meanwhile are none of what the form of the chain has in view', async () => {
  const { rooms, settings, read } = await settingsOfDesk();
  const seen = { overfillBps: (await read()).chains[0]?.overfillBps };
  const limits = { maxQuote: { WETH: '1' }, maxOutstanding: {}, quotesPerUserPerMinute: 0, ladderMaxAgeSeconds: 0 };
  await rooms.book.setLimits(CHAIN, limits, 'ops');
  await call(settings.saveChain, { chain: { chainId: CHAIN, overfillBps: 300 }, seen }, as('mara'));
  expect(rooms.book.chain(CHAIN)?.config).toMatchObject({ overfillBps: 300, limits: { maxQuote: { WETH: '1' } } });
});

test('a chain that was removed meanwhile does not come back by a form that is still open, nor is one added twice', async () => {
  const { rooms, settings } = await settingsOfDesk();
  const known = await rooms.book.deskFile();
  const again = { chain: chain({ rpcUrl: 'http://127.0.0.1:2' }) as never, seen: null };
  await expect(call(settings.saveChain, again, as('mara'))).rejects.toMatchObject({ code: 'changed_meanwhile' });
  expect((await rooms.book.deskFile()).chains).toEqual(known.chains);
  await call(settings.removeChain, { chainId: CHAIN }, as('ops'));
  const late = { chain: { chainId: CHAIN, overfillBps: 300 }, seen: { overfillBps: 200 } };
  await expect(call(settings.saveChain, late, as('mara'))).rejects.toMatchObject({
    code: 'changed_meanwhile',
    message: expect.stringMatching(/was removed meanwhile/),
  });
  expect(rooms.book.chains()).toEqual([]);
});

test('a counterparty and the host names are not saved over what somebody else has saved either', async () => {
  const { rooms, settings } = await settingsOfDesk();
  const party = { domain: 'new.example', signedPath: 'full' as const };
  const keys = { accessKey: 'an-access-key', secretKey: 'a-secret-key-of-it' };
  await call(settings.saveCounterparty, { counterparty: { ...party, ...keys }, seen: null }, as('mara'));
  await expect(
    call(settings.saveCounterparty, { counterparty: { ...party, ...keys }, seen: null }, as('mara')),
    'it is there',
  ).rejects.toMatchObject({ code: 'changed_meanwhile' });
  await call(settings.saveCounterparty, { counterparty: { ...party, oneOrderPerSignature: false } }, as('ops'));
  const stale = { counterparty: { ...party, signedPath: 'without-prefix' as const }, seen: party };
  await expect(call(settings.saveCounterparty, stale, as('mara'))).rejects.toMatchObject({
    code: 'changed_meanwhile',
    faults: [{ path: 'oneOrderPerSignature', message: 'is no now' }],
  });
  await call(settings.saveSurfaceNames, { surfaceNames: ['one.example'], seen: [] }, as('ops'));
  await expect(
    call(settings.saveSurfaceNames, { surfaceNames: ['two.example'], seen: [] }, as('mara')),
  ).rejects.toMatchObject({ code: 'changed_meanwhile', faults: [{ message: 'is one.example now' }] });
  expect([...rooms.book.desk().surfaceNames]).toEqual(['one.example']);
});

test('a token that somebody else saved, added or removed meanwhile is not saved over', async () => {
  const { rooms, listings } = await settingsOfDesk();
  const { DAI: dai } = (await call(listings.list, { chainId: CHAIN }, as('mara'))).tokens;
  if (dai === undefined) throw new Error('no token');
  const seen = { ...dai, description: null };
  const about = { chainId: CHAIN, tokenId: 'DAI' };
  const mine = { ...about, token: { ...dai, name: 'Dai of mine' }, seen };
  await call(listings.saveToken, { ...about, token: { ...dai, symbol: 'DAI2', description: 'a note' } }, as('ops'));
  await expect(call(listings.saveToken, mine, as('mara'))).rejects.toMatchObject({
    code: 'changed_meanwhile',
    message: expect.stringMatching(/^DAI was changed meanwhile by ops, so yours was not saved/),
    faults: [
      { path: 'symbol', message: 'is DAI2 now' },
      { path: 'description', message: 'is a note now' },
    ],
  });
  const now = { ...seen, symbol: 'DAI2', description: 'a note' };
  await call(listings.saveToken, { ...mine, seen: now }, as('mara'));
  expect(rooms.book.chain(CHAIN)?.tokens.get('DAI')).toEqual({ ...dai, name: 'Dai of mine' });

  const uni = { ...dai, symbol: 'UNI', address: `0x${'5'.repeat(40)}` as const };
  const added = { chainId: CHAIN, tokenId: 'UNI', token: uni, seen: null };
  await call(listings.saveToken, added, as('ops'));
  await expect(call(listings.saveToken, added, as('mara'))).rejects.toMatchObject({ code: 'changed_meanwhile' });
  await call(listings.removeToken, { chainId: CHAIN, tokenId: 'UNI' }, as('ops'));
  const late = { ...added, seen: { ...uni, description: null } };
  await expect(call(listings.saveToken, late, as('mara'))).rejects.toMatchObject({
    code: 'changed_meanwhile',
    message: expect.stringMatching(/^UNI was removed meanwhile by ops/),
  });
  expect(rooms.book.chain(CHAIN)?.tokens.has('UNI')).toBe(false);
});

test('a pair that somebody else saved, added or retired meanwhile is not saved over, and does not come back by a form', async () => {
  const { rooms, listings } = await settingsOfDesk();
  const pair = 'DAI/USDC';
  const definition = { base: 'DAI', quote: 'USDC', liquidityUSD: 50_000 };
  const seen = { ...definition, retired: false };
  const about = { chainId: CHAIN, pair };
  const mine = { ...about, definition: { ...definition, liquidityUSD: 1 }, seen };
  await expect(call(listings.savePair, { ...mine, seen: null }, as('mara')), 'it is there').rejects.toMatchObject({
    code: 'changed_meanwhile',
  });
  await call(listings.savePair, { ...about, definition: { ...definition, liquidityUSD: 7 } }, as('ops'));
  await expect(call(listings.savePair, mine, as('mara'))).rejects.toMatchObject({
    code: 'changed_meanwhile',
    message: expect.stringMatching(/changed meanwhile by ops/),
    faults: [{ path: 'liquidityUSD', message: 'is 7 now' }],
  });
  const now = { ...seen, liquidityUSD: 7 };
  await call(listings.savePair, { ...mine, seen: now }, as('mara'));
  await call(listings.retirePair, about, as('ops'));
  await expect(
    call(listings.savePair, { ...mine, seen: { ...now, liquidityUSD: 1 } }, as('mara')),
  ).rejects.toMatchObject({ code: 'changed_meanwhile', faults: [{ path: 'retired', message: 'is yes now' }] });
  expect(rooms.book.chain(CHAIN)?.pairs.get(pair)?.retiredUntil).not.toBeNull();
  await call(listings.savePair, { ...mine, seen: null }, as('mara'));
  expect(rooms.book.chain(CHAIN)?.pairs.get(pair)?.retiredUntil, 'added anew it comes back').toBeNull();
});

test('what somebody may do is not set over what it became meanwhile; where nothing is said of what was seen, it is set', async () => {
  const { owner, rooms } = await openForTwo(folder());
  await owner().tokens.create({ name: 'rita', rights: 'look' });
  const rights = () => rooms.credentials.tokens().map((token) => token.rights);
  await owner('ops').tokens.setRights({ name: 'rita', rights: 'halt', seen: 'look' });
  const refused = await owner()
    .tokens.setRights({ name: 'rita', rights: 'look,trade', seen: 'look' })
    .catch((error: unknown) => refusalOf(error));
  expect(refused).toMatchObject({
    code: 'changed_meanwhile',
    sentence: 'The token of rita was changed meanwhile, so yours was not saved.',
    faults: [{ path: 'rights', message: 'is halt now' }],
  });
  expect(rights()).toEqual(['halt']);
  await owner().tokens.setRights({ name: 'rita', rights: 'look,trade' });
  expect(rights()).toEqual(['look,trade']);
});
