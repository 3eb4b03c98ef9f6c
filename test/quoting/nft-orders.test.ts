import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { NftOrderSide, NftOrderTerms, SignedNftOrder } from '../../electron/contract/nft-order.ts';
import { readStillLive } from '../../electron/hedge/still-live.ts';
import { SETTLEMENT } from '../../electron/practice/chain/artifacts.ts';
import { DeskError } from '../../electron/protocol/desk-error.ts';
import { NftOrders } from '../../electron/quoting/nft-orders.ts';
import { SignatureRecovery } from '../../electron/signer/recover-signatures.ts';
import { openSigner } from '../../electron/signer/signer.ts';
import { watch } from '../chain/watched-chain.ts';
import { startTestChain, type TestAccount, type TestChain } from '../chain-fixture.ts';
import { type ChainNftOrder, deployNfts, nftHash, TOKEN_721, TOKEN_1155 } from '../practice/chain/nft-tokens.ts';
import { settle } from '../practice/chain/settlement-calls.ts';
import { HeldJournal } from './held-journal.ts';
import { newFolder, type OpenDesk, openDesk, person } from './open-desk.ts';

const checks = new SignatureRecovery((line) => process.stderr.write(`${line}\n`));

let chain: TestChain;
let nfts: Awaited<ReturnType<typeof deployNfts>>;
let lastId = 0;
const NO_LIMITS = { maxQuote: {}, maxOutstanding: {}, quotesPerUserPerMinute: 0, ladderMaxAgeSeconds: 0 };

beforeAll(async () => {
  chain = await startTestChain();
  nfts = await deployNfts(chain);
});
afterAll(() => chain?.close());

interface NftDesk extends OpenDesk {
  orders: NftOrders;
  /** Resolves once the desk has seen the newest block. */
  seen(): Promise<void>;
}

/** A desk on the test chain that watches it, with the maker's own key. */
async function nftDesk(changes: Parameters<typeof openDesk>[0] = {}): Promise<NftDesk> {
  const { maker } = chain.accounts;
  const signer = openSigner(maker.privateKey);
  const token = (symbol: string, address: string, decimals: number) => ({
    symbol,
    name: symbol,
    address,
    decimals,
    type: 'ERC20',
  });
  const desk = await openDesk({
    timePasses: true,
    ...changes,
    chain: {
      headMaxAgeSeconds: 3_600,
      rpcUrl: chain.rpcUrl,
      rfqContract: chain.rfqContract,
      domainName: chain.domainName,
      maker: maker.address,
      signer: maker.address,
      tokens: { WETH: token('WETH', chain.weth, 18), USDC: token('USDC', chain.usdc, 6) },
      pairs: { 'WETH/USDC': { base: 'WETH', quote: 'USDC', liquidityUSD: 100_000 } },
      prices: { 'WETH/USDC': { bids: [['3412.5', '1']], asks: [['3413', '1']] } },
      ...changes.chain,
    },
  });
  const watcher = watch(desk.journal, { ...chain, maker: maker.address }, { now: desk.now });
  watcher.onView((view) => {
    desk.chain.view = view;
  });
  watcher.onOrderEvent((event) => desk.guard.orders.orderEvent(event));
  watcher.start();
  const seen = async () => {
    const { number, hash } = await chain.client.getBlock();
    await watcher.reached({ number: Number(number), hash });
  };
  await mineNow(desk.now());
  await seen();
  onTestFinished(() => watcher.stop());
  const { book, guard, journal, latch, now } = desk;
  const signing = { book, guard, journal, latch, now, randomBytes, checks };
  const orders = new NftOrders({ ...signing, signerFor: () => signer, formOf: () => 'raw' });
  return { ...desk, orders, seen };
}

/** Mines a block that is not older than the view that a desk began with: after a revert the chain's clock is behind. */
async function mineNow(now: number): Promise<void> {
  const timestamp = BigInt(Math.ceil(now / 1_000));
  if (timestamp > (await chain.now())) await chain.control.setNextBlockTimestamp({ timestamp });
  await chain.control.mine({ blocks: 1 });
}

/** A new ERC-721 of somebody. */
async function mint721(owner: TestAccount): Promise<NftOrderSide> {
  lastId += 1;
  await chain.accounts.maker.call(TOKEN_721, nfts.nft, 'mint', [owner.address, BigInt(lastId)]);
  return { nft: nfts.nft, id: `${lastId}`, pieces: '1' };
}

/** Pieces of a new ERC-1155 of somebody. */
async function mint1155(owner: TestAccount, pieces: bigint): Promise<NftOrderSide> {
  lastId += 1;
  await chain.accounts.maker.call(TOKEN_1155, nfts.multi, 'mint', [owner.address, BigInt(lastId), pieces]);
  return { nft: nfts.multi, id: `${lastId}`, pieces: `${pieces}` };
}

function terms({ chainId }: TestChain, changes: Pick<NftOrderTerms, 'gives' | 'gets'> & Partial<NftOrderTerms>) {
  const { user } = chain.accounts;
  return { chainId, taker: user.address, expiry: Math.floor(Date.now() / 1_000) + 3_600, ...changes };
}

async function sign({ orders }: NftDesk, asked: NftOrderTerms): Promise<SignedNftOrder> {
  const { words } = await orders.check(asked);
  return orders.sign({ ...asked, words }, 'mara');
}

const usdc = (amount: string): NftOrderSide => ({ tokenId: 'USDC', amount });
const code = (error: unknown) => (error instanceof DeskError ? error.code : error);
const refusal = (asked: Promise<unknown>) => asked.then(() => 'signed', code);

function onChain({ order }: SignedNftOrder): ChainNftOrder {
  const { expiry, maker, taker } = order;
  return {
    nonceAndMeta: BigInt(order.nonceAndMeta),
    expiry: BigInt(expiry),
    makerAsset: BigInt(order.makerAsset),
    makerAssetId: BigInt(order.makerAssetId),
    takerAsset: BigInt(order.takerAsset),
    takerAssetId: BigInt(order.takerAssetId),
    maker,
    taker,
    makerAmount: BigInt(order.makerAmount),
    takerAmount: BigInt(order.takerAmount),
  };
}

function fill(signed: SignedNftOrder, by: TestAccount, takerAmount = signed.order.takerAmount) {
  return settle(chain, by, 'partialFillOrderNFT', [onChain(signed), signed.order.signature, BigInt(takerAmount)]);
}

async function cancel(hash: string) {
  await chain.accounts.maker.call(SETTLEMENT, chain.rfqContract, 'cancelOrders', [[hash]]);
}

const live = ({ guard }: NftDesk, token = 'USDC') => guard.orders.rows().find(({ tokenId }) => tokenId === token)?.live;

async function row({ journal }: NftDesk, { seq }: { seq: number }) {
  const found = await journal.read.quote(seq);
  if (found === null) throw new Error('There is no such row.');
  return found;
}

test('an NFT that is sold by hand is filled by its taker and by nobody else, and its fill is known', async () => {
  const { user, other } = chain.accounts;
  const desk = await nftDesk();
  const gives = await mint721(chain.accounts.maker);
  await desk.seen();
  const asked = terms(chain, { gives, gets: usdc('250') });
  const { words } = await desk.orders.check(asked);
  expect(words).toBe(
    `The maker ${chain.accounts.maker.address} gives NFT #${lastId} of ${nfts.nft} (ERC-721) and gets 250 USDC (${chain.usdc}), ` +
      `on Practice (chain ${chain.chainId}). Only ${user.address} can take it, until ${new Date(asked.expiry * 1_000).toISOString().slice(0, 19).replace('T', ' ')} UTC.`,
  );
  const signed = await desk.orders.sign({ ...asked, words }, 'mara');
  expect(signed.orderHash).toBe(nftHash(chain, onChain(signed)));
  const makerNft = { kind: 'erc721', id: `${lastId}` };
  expect(await row(desk, signed)).toMatchObject({
    state: 'live',
    pair: null,
    userAddress: user.address,
    orderHash: signed.orderHash,
    makerNft,
    makerAmount: '1',
    takerAmount: '250000000',
    requestBody: words,
    balance: '1',
    exposure: '0',
  });
  await expect(fill(signed, other)).rejects.toThrow('Access denied');
  await fill(signed, user);
  await desk.seen();
  expect(await row(desk, signed)).toMatchObject({ state: 'filled', filledMakerAmount: '1' });
  expect(await desk.journal.read.fills({ limit: 10 })).toMatchObject([{ quoteSeq: signed.seq, makerNft }]);
  expect(desk.guard.status()).toMatchObject({ state: 'LIVE' });
  expect(desk.guard.alarms.list()).toEqual([]);
  expect(desk.guard.orders.live(chain.chainId)).toEqual([]);
});

test('what is signed to buy NFTs counts until it is filled, part by part, or cancelled on chain', async () => {
  const { user } = chain.accounts;
  const desk = await nftDesk();
  const gets = await mint1155(user, 10n);
  await desk.seen();
  const signed = await sign(desk, terms(chain, { gives: usdc('1000'), gets }));
  expect(signed.words).toContain('can take it, at once or in parts, until');
  expect(live(desk)).toBe('1000000000');
  const { chains, nothingSigned, until } = await readStillLive({ ...desk, now: Date.now });
  expect([nothingSigned, until]).toEqual([false, (signed.order.expiry + 1) * 1_000]);
  expect(chains[0]).toMatchObject({
    quotes: { count: 0, until: null },
    nftOrders: [{ seq: signed.seq, gives: '1000 USDC', givesNft: false, taker: user.address }],
  });
  await fill(signed, user, '4');
  await desk.seen();
  await expect.poll(() => live(desk)).toBe('600000000');
  const left = await readStillLive({ ...desk, now: Date.now });
  expect(left.chains[0]?.nftOrders).toMatchObject([{ gives: '600 USDC', gets: `6 × NFT #${lastId} of ${nfts.multi}` }]);
  await cancel(signed.orderHash);
  await desk.seen();
  await expect.poll(() => live(desk)).toBe('0');
  expect(await row(desk, signed)).toMatchObject({ state: 'cancelled', outcome: 'filled' });
  const after = await readStillLive({ ...desk, now: Date.now });
  expect(after.nothingSigned).toBe(true);
});

test('an order by hand ends only when a block past its end was seen and our own clock is past it too', async () => {
  const desk = await nftDesk();
  const gives = await mint721(chain.accounts.maker);
  await desk.seen();
  const signed = await sign(
    desk,
    terms(chain, { gives, gets: usdc('1'), expiry: Math.floor(Date.now() / 1_000) + 200 }),
  );
  desk.clock.ahead = 210_000;
  desk.guard.tick();
  expect(desk.guard.orders.live(chain.chainId)).toHaveLength(1);
  const snapshot = await chain.control.snapshot();
  await chain.control.setNextBlockTimestamp({ timestamp: BigInt(signed.order.expiry + 1) });
  await chain.control.mine({ blocks: 1 });
  await desk.seen();
  desk.guard.tick();
  expect(desk.guard.orders.live(chain.chainId)).toEqual([]);
  await expect.poll(async () => (await row(desk, signed)).state).toBe('expired');
  await chain.control.revert({ id: snapshot });
});

test('one NFT is not promised twice, and is again once the first promise is cancelled', async () => {
  const desk = await nftDesk();
  const { maker, other } = chain.accounts;
  const gives = await mint721(maker);
  await desk.seen();
  const first = await sign(desk, terms(chain, { gives, gets: usdc('250') }));
  const again = terms(chain, { gives, gets: usdc('300'), taker: other.address });
  expect(await refusal(desk.orders.check(again))).toBe('nft_promised');
  await cancel(first.orderHash);
  await desk.seen();
  expect(await refusal(sign(desk, again))).toBe('signed');
  const both = await Promise.all([1, 2].map(async () => mint1155(maker, 5n)));
  await desk.seen();
  const three = { ...both[1], pieces: '3' } as NftOrderSide;
  expect(await refusal(sign(desk, terms(chain, { gives: three, gets: usdc('1') })))).toBe('signed');
  expect(await refusal(sign(desk, terms(chain, { gives: three, gets: usdc('1') })))).toBe('nft_promised');
  expect(
    await refusal(sign(desk, terms(chain, { gives: { ...three, pieces: '2' } as NftOrderSide, gets: usdc('1') }))),
  ).toBe('signed');
});

test('two that are signed in the same moment do not promise one NFT twice', async () => {
  const desk = await nftDesk();
  const gives = await mint721(chain.accounts.maker);
  await desk.seen();
  const asked = [1, 2, 3].map((price) => refusal(sign(desk, terms(chain, { gives, gets: usdc(`${price}`) }))));
  expect((await Promise.all(asked)).sort()).toEqual(['nft_promised', 'nft_promised', 'signed']);
});

test('nothing is signed while halted, and a halt after the press withholds what was signed, also after a resume', async () => {
  const held = new HeldJournal();
  const desk = await nftDesk({ journal: held.around });
  const gives = await mint721(chain.accounts.maker);
  await desk.seen();
  const asked = terms(chain, { gives, gets: usdc('250') });
  const { words } = await desk.orders.check(asked);
  held.hold('nft_order');
  const signing = refusal(desk.orders.sign({ ...asked, words }, 'mara'));
  await expect.poll(() => held.held.length).toBe(1);
  await desk.guard.trading.halt({}, person);
  await desk.guard.trading.resume({}, person);
  held.letGo();
  expect(await signing).toBe('halted');
  const page = await desk.journal.read.logPage({ filter: {}, limit: 10 });
  await expect
    .poll(async () => (await desk.journal.read.logPage({ filter: {}, limit: 10 })).rows.map(({ state }) => state))
    .toEqual(['withheld']);
  await expect.poll(() => desk.guard.orders.live(chain.chainId)).toEqual([]);
  const withheld = page.rows[0]?.orderHash ?? '';
  expect(await refusal(desk.orders.signed(chain.chainId, withheld))).toBe('order_over');
  await desk.guard.trading.halt({ chainId: chain.chainId }, person);
  expect(await refusal(desk.orders.sign({ ...asked, words }, 'mara'))).toBe('halted');
  expect(await refusal(desk.orders.check(asked))).toBe('halted');
  expect((await desk.journal.read.logPage({ filter: {}, limit: 10 })).rows).toHaveLength(1);
});

test('an order that is durable and about to be withheld is handed out to nobody who asks for it meanwhile', async () => {
  const held = new HeldJournal();
  const desk = await nftDesk({ journal: held.around });
  const gives = await mint721(chain.accounts.maker);
  await desk.seen();
  const asked = terms(chain, { gives, gets: usdc('250') });
  const { words } = await desk.orders.check(asked);
  held.hold('nft_order');
  const signing = refusal(desk.orders.sign({ ...asked, words }, 'mara'));
  await expect.poll(() => held.held.length).toBe(1);
  await desk.guard.trading.halt({}, person);
  await desk.guard.trading.resume({}, person);
  held.hold('quote_withheld');
  held.letGoOnly();
  expect(await signing).toBe('halted');
  const [{ orderHash } = { orderHash: null }] = (await desk.journal.read.logPage({ filter: {}, limit: 10 })).rows;
  const handOut = () => refusal(desk.orders.signed(chain.chainId, orderHash ?? ''));
  expect(await handOut()).toBe('order_kept');
  held.letGo();
  await expect.poll(handOut).toBe('order_over');
});

test('an order is not handed over before its row is durable, and not at all when the disk fails', async () => {
  const held = new HeldJournal();
  const desk = await nftDesk({ journal: held.around });
  const gives = await mint721(chain.accounts.maker);
  await desk.seen();
  held.hold('nft_order');
  let handed: SignedNftOrder | undefined;
  const signing = sign(desk, terms(chain, { gives, gets: usdc('250') })).then((signed) => {
    handed = signed;
  });
  await expect.poll(() => held.held.length).toBe(1);
  expect(handed).toBe(undefined);
  held.letGo();
  await signing;
  expect(handed).toBeDefined();
  const other = await mint721(chain.accounts.maker);
  await desk.seen();
  const asked = terms(chain, { gives: other, gets: usdc('1') });
  const { words } = await desk.orders.check(asked);
  held.refuse('nft_order');
  expect(await refusal(desk.orders.sign({ ...asked, words }, 'mara'))).toBe('journal_failed');
  expect(desk.guard.orders.live(chain.chainId)).toHaveLength(1);
});

test('after a restart an order is live, is handed out again as it was, and its fill is known', async () => {
  const { user, maker } = chain.accounts;
  const folder = newFolder();
  const first = await nftDesk({ folder });
  const gives = await mint721(maker);
  const gets = await mint721(user);
  await first.seen();
  const signed = await sign(first, terms(chain, { gives, gets: usdc('250') }));
  const bought = await sign(first, terms(chain, { gives: usdc('90'), gets }));
  await first.close();
  const second = await nftDesk({ folder });
  expect(live(second)).toBe('90000000');
  expect(second.guard.orders.live(chain.chainId).map(({ orderHash }) => orderHash)).toEqual([
    signed.orderHash,
    bought.orderHash,
  ]);
  expect(await second.orders.signed(chain.chainId, signed.orderHash)).toEqual(signed);
  expect(await refusal(second.orders.check(terms(chain, { gives, gets: usdc('1') })))).toBe('nft_promised');
  await fill(signed, user);
  await fill(bought, user);
  await second.seen();
  expect(second.guard.alarms.list()).toEqual([]);
  expect(await row(second, bought)).toMatchObject({ state: 'filled' });
  await expect.poll(() => live(second)).toBe('0');
});

test('what was confirmed is what is signed, letter for letter', async () => {
  const desk = await nftDesk();
  const gives = await mint721(chain.accounts.maker);
  await desk.seen();
  const asked = terms(chain, { gives, gets: usdc('250') });
  const { words } = await desk.orders.check(asked);
  for (const changed of [
    { ...asked, gets: usdc('25') },
    { ...asked, taker: chain.accounts.other.address },
    { ...asked, expiry: asked.expiry + 1 },
  ]) {
    expect(await refusal(desk.orders.sign({ ...changed, words }, 'mara'))).toBe('nft_order_changed');
  }
  expect(desk.guard.orders.live(chain.chainId)).toEqual([]);
});

test('an NFT that the maker does not have or did not approve is not given, and one that the taker does not have is not asked for', async () => {
  const { maker, user, other } = chain.accounts;
  const desk = await nftDesk();
  const own = await mint721(maker);
  const theirs = await mint721(other);
  const pieces = await mint1155(maker, 2n);
  await desk.seen();
  const gives = (side: NftOrderSide) => refusal(desk.orders.check(terms(chain, { gives: side, gets: usdc('1') })));
  expect(await gives(theirs)).toBe('nft_not_held');
  expect(await gives({ ...pieces, pieces: '3' } as NftOrderSide)).toBe('nft_not_held');
  expect(await gives({ nft: nfts.nft, id: '999999', pieces: '1' })).toBe('nft_not_held');
  expect(await refusal(desk.orders.check(terms(chain, { gives: usdc('1'), gets: theirs })))).toBe('nft_not_held');
  await maker.call(TOKEN_721, nfts.nft, 'setApprovalForAll', [chain.rfqContract, false]);
  await desk.seen();
  expect(await gives(own)).toBe('nft_not_approved');
  if ('id' in own) await maker.call(TOKEN_721, nfts.nft, 'approve', [chain.rfqContract, BigInt(own.id)]);
  await desk.seen();
  const signed = await sign(desk, terms(chain, { gives: own, gets: usdc('1') }));
  await fill(signed, user);
  await maker.call(TOKEN_721, nfts.nft, 'setApprovalForAll', [chain.rfqContract, true]);
});

test('terms that nobody can mean are refused before the chain is asked', async () => {
  const { maker, user } = chain.accounts;
  const [router, leftOut, intentContract] = [
    `0x${'8'.repeat(40)}`,
    `0x${'9'.repeat(40)}`,
    `0x${'6'.repeat(40)}`,
  ] as const;
  const desk = await nftDesk({
    chain: { takers: [chain.executor, leftOut], takersLeftOut: [leftOut], router, intentContract },
  });
  const gives = await mint721(maker);
  await desk.seen();
  const gets = usdc('250');
  const good = terms(chain, { gives, gets });
  const now = Math.floor(Date.now() / 1_000);
  const nobody = `0x${'0'.repeat(40)}` as const;
  const bad: [string, Partial<NftOrderTerms>, string?][] = [
    ['the maker as taker', { taker: maker.address }],
    ['the contract as taker', { taker: chain.rfqContract }],
    ['nobody as taker', { taker: nobody }],
    ['a token as taker', { taker: chain.usdc }],
    ['an execution contract, which anybody calls, as taker', { taker: chain.executor }],
    ['one that was left out as taker', { taker: leftOut }],
    ['the router as taker', { taker: router }],
    ['the intent contract as taker', { taker: intentContract }],
    ['the contract of the NFT as taker', { taker: nfts.nft }],
    ['no NFT at all', { gives: usdc('1') }],
    ['the same NFT twice', { gets: gives }],
    ['two pieces of one of a kind', { gives: { ...gives, pieces: '2' } as NftOrderSide }],
    ['no piece', { gives: { ...gives, pieces: '0' } as NftOrderSide }],
    ['a listed token as an NFT', { gives: { nft: chain.usdc, id: '1', pieces: '1' } }],
    ['a contract that is no NFT', { gives: { nft: chain.executor, id: '1', pieces: '1' } }, 'not_an_nft'],
    ['an account that is no contract', { gives: { nft: `0x${'7'.repeat(40)}`, id: '1', pieces: '1' } }, 'not_an_nft'],
    ['nothing for it', { gets: usdc('0') }],
    ['more decimals than the token has', { gets: usdc('0.0000001') }],
    ['a token that is not listed', { gets: { tokenId: 'DOGE', amount: '1' } }],
    ['an end in the past', { expiry: now - 1 }],
    ['an end that is too near', { expiry: now + 60 }],
    ['an end that is too far', { expiry: now + 40 * 86_400 }],
    ['another chain', { chainId: 5 }, 'unknown_chain'],
  ];
  const told: [string, unknown][] = [];
  for (const [what, changes] of bad) told.push([what, await refusal(desk.orders.check({ ...good, ...changes }))]);
  expect(told).toEqual(bad.map(([what, , expected = 'bad_nft_order']) => [what, expected]));
  const nft = `0x${'7'.repeat(40)}` as const;
  const empty = desk.orders.check({ ...good, gives: { nft, id: '1', pieces: '1' } });
  await expect(empty).rejects.toThrow(`There is no contract at ${nft}`);
  expect(await refusal(desk.orders.check(good))).toBe('signed');
  expect((await desk.journal.read.logPage({ filter: {}, limit: 10 })).rows).toEqual([]);
  expect(user.address).toBe(good.taker);
});

test('tokens that are given by hand keep to balance, limits and bars as those of a quote do', async () => {
  const { user } = chain.accounts;
  const limits = { maxQuote: { USDC: '500' }, maxOutstanding: { USDC: '800' } };
  const desk = await nftDesk({ chain: { limits } });
  const gets = await mint721(user);
  await desk.seen();
  const buys = (amount: string) => refusal(sign(desk, terms(chain, { gives: usdc(amount), gets })));
  expect(await buys('500.000001')).toBe('quote_limit');
  const { orderHash } = await sign(desk, terms(chain, { gives: usdc('500'), gets }));
  const again = () => refusal(desk.orders.signed(chain.chainId, orderHash));
  expect(await buys('300.000001')).toBe('outstanding_limit');
  expect(await again()).toBe('signed');
  await desk.book.setLimits(chain.chainId, { ...NO_LIMITS, maxQuote: { USDC: '400' } }, 'mara');
  expect(await again(), 'one that was signed leaves the desk by the rules of now').toBe('quote_limit');
  await desk.book.setLimits(chain.chainId, NO_LIMITS, 'mara');
  expect(await again()).toBe('signed');
  await desk.book.blacklistAdd({ chainId: chain.chainId, address: user.address, actor: 'mara' });
  expect(await buys('1')).toBe('blacklisted');
  expect(await again()).toBe('blacklisted');
  const free = await nftDesk();
  const much = terms(chain, { gives: usdc('999999999'), gets });
  expect(await refusal(free.orders.check(much))).toBe('insufficient_balance');
});

test('nothing is signed for a chain that is not seen, or whose node has another block of that number', async () => {
  const desk = await nftDesk();
  const gives = await mint721(chain.accounts.maker);
  await desk.seen();
  const asked = terms(chain, { gives, gets: usdc('250') });
  const { words } = await desk.orders.check(asked);
  const view = desk.chain.view;
  if (!view?.block) throw new Error('The chain is not seen.');
  desk.chain.view = { ...view, block: { ...view.block, hash: `0x${'9'.repeat(64)}` } };
  expect(await refusal(desk.orders.sign({ ...asked, words }, 'mara'))).toBe('block_moved');
  desk.chain.view = view;
  const checking = refusal(desk.orders.check(asked));
  desk.chain.view = { ...view, block: { ...view.block, number: view.block.number + 1, hash: `0x${'9'.repeat(64)}` } };
  expect(await checking).toMatch(/block_moved|node_/);
  desk.chain.view = { ...view, seenAt: Date.now() - 60_000 };
  expect(await refusal(desk.orders.sign({ ...asked, words }, 'mara'))).toBe('chain_unseen');
  desk.chain.view = undefined;
  expect(await refusal(desk.orders.sign({ ...asked, words }, 'mara'))).toBe('chain_unseen');
  expect((await desk.journal.read.logPage({ filter: {}, limit: 10 })).rows).toEqual([]);
});

test('whatever is signed by hand has the hash that the contract checks, and counts for what it gives', async () => {
  const { maker, user } = chain.accounts;
  const desk = await nftDesk();
  const pieces = await mint1155(maker, 1_000_000n);
  const theirs = await mint1155(user, 1_000_000n);
  await desk.seen();
  const amount = fc.bigInt({ min: 1n, max: 500n });
  let promised = 0n;
  let owed = 0n;
  await fc.assert(
    fc.asyncProperty(
      amount,
      amount,
      fc.integer({ min: 200, max: 2_000_000 }),
      fc.boolean(),
      async (a, b, end, buys) => {
        const given = { ...(buys ? theirs : pieces), pieces: `${a}` } as NftOrderSide;
        const expiry = Math.floor(Date.now() / 1_000) + end;
        const price = usdc(`${b}`);
        const sides = buys ? { gives: price, gets: given } : { gives: given, gets: price };
        const signed = await sign(desk, terms(chain, { ...sides, expiry }));
        expect(signed.orderHash).toBe(nftHash(chain, onChain(signed)));
        if (buys) owed += b * 1_000_000n;
        else promised += a;
        expect(live(desk)).toBe(`${owed}`);
        const counted = desk.guard.orders.live(chain.chainId).filter(({ terms }) => terms.makerAsset.includes('#'));
        expect(counted.reduce((sum, { terms: { makerAmount } }) => sum + makerAmount, 0n)).toBe(promised);
      },
    ),
    { numRuns: 20 },
  );
});
