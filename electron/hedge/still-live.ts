import { isDeepStrictEqual } from 'node:util';
import { encodeFunctionData, parseAbi, toFunctionSelector } from 'viem';
import { z } from 'zod';
import type { Book } from '../book/book.ts';
import type { ChainBook } from '../book/chain-book.ts';
import { approvedIn } from '../chain/allowance.ts';
import { youngestFirst } from '../chain/emergency-nodes.ts';
import { ERC20_ABI } from '../chain/erc20-abi.ts';
import { amountOf } from '../chain/holdings.ts';
import { blockHeaderSchema, bytesSchema, countSchema, toQuantity } from '../chain/node-answers.ts';
import { type NodeAnswer, type NodeCall, type NodeClient, openNode, resultOf } from '../chain/node-client.ts';
import { patientNode } from '../chain/patient-node.ts';
import { revertReason } from '../chain/revert.ts';
import { type HedgeToken, SERVICE_CONTRACTS } from '../contract/hedge.ts';
import type { HedgeStep } from '../contract/hedge-steps.ts';
import { chainIdSchema } from '../contract/names.ts';
import { type Nft, nftText } from '../contract/quote-log.ts';
import type { ChainStillLive, SpenderRole, StillLive } from '../contract/still-live.ts';
import { clockFault } from '../guard/chain-clock.ts';
import type { Guard } from '../guard/guard.ts';
import { type HedgeRecord, isEnded } from '../journal/hedges/fold.ts';
import type { GivenSpender } from '../journal/hedges/read.ts';
import type { Journal } from '../journal/journal.ts';
import type { OpenQuote } from '../journal/quotes/fold.ts';
import { type Address, addressSchema, type Hex } from '../protocol/address.ts';
import { fromRaw } from '../protocol/decimal.ts';
import { DeskError } from '../protocol/desk-error.ts';
import { orNull } from '../protocol/or-null.ts';
import { type DecodedPermit, decodePermit } from '../protocol/permit.ts';
import { isNative } from '../protocol/route-token.ts';
import { isCancelledOnChain } from './cancelled-on-chain.ts';
import { sentenceOf } from './hedge-parts.ts';
import { permit2Of, pinnedOf } from './pinned-contracts.ts';
import { leftOf } from './venues/venues.ts';

/** A node that does not answer is not waited for longer: whoever halts wants to know what is known. */
const TIMEOUT_MS = 4_000;
/** A newest block older than this says nothing of now. */
const MOST_LAG_SECONDS = 120;
/** How far a chain's clock may lie behind ours before what it could still take is missed. */
export const LOOK_BACK_SECONDS = 86_400;

const NONCE_BITMAP = parseAbi(['function nonceBitmap(address owner, uint256 word) view returns (uint256)']);
const PERMIT = toFunctionSelector('permit(address,address,uint256,uint256,uint8,bytes32,bytes32)');

/** RFQ contracts and makers that a chain had before: what a contract was allowed then stands until it is set otherwise. */
const EARLIER = 'earlier-contracts';
const earlierSchema = z.array(z.object({ chainId: chainIdSchema, maker: addressSchema, rfqContract: addressSchema }));
type Earlier = z.infer<typeof earlierSchema>;

/** Keeps the RFQ contracts and makers of these chains in mind, for `readStillLive`. Throws where the journal cannot take it. */
export async function keepEarlier({ read, put }: Pick<Journal, 'read' | 'put'>, chains: Earlier): Promise<void> {
  const known = await earlierOf(read);
  const isKnown = (one: Earlier[number]) => known.some((other) => isDeepStrictEqual(one, other));
  const added = chains.filter((one) => !isKnown(one));
  if (added.length > 0) await put({ table: 'settings', key: EARLIER, value: [...known, ...added] });
}

async function earlierOf(read: Journal['read']): Promise<Earlier> {
  return earlierSchema.safeParse((await read.setting(EARLIER)) ?? []).data ?? [];
}

interface Parts {
  book: Pick<Book, 'chains' | 'seals'>;
  guard: Pick<Guard, 'orders' | 'unprovenFault'>;
  journal: Pick<Journal, 'read'>;
  /** Unix milliseconds. */
  now: () => number;
}

/** A hedge that may have signed something which is not over, with its steps. */
interface Told {
  hedge: HedgeRecord;
  steps: readonly HedgeStep[];
}

/** A contract that may be allowed to take a token of an owner. */
interface Spending {
  token: HedgeToken;
  owner: Address;
  spender: Address;
  role: SpenderRole;
}

interface SignedPermit {
  hedge: HedgeRecord;
  bytes: Hex;
  permit: DecodedPermit;
  /** The Permit2 that it is for; a token's own is for the token. */
  contract: Address;
}

/**
 * Everything that was signed and that somebody can still use, of every chain or of one: firm quotes, NFT orders, intent orders, permits,
 * transactions on their way, and what contracts may take. What the service calls over is over only where the chain agrees: its
 * end has passed there, it was filled whole, or nothing of it can be taken. What cannot be found out is said.
 */
export async function readStillLive(parts: Parts, only?: number): Promise<StillLive> {
  const { book, journal, now } = parts;
  const at = now();
  const [hedges, given, earlier, sent] = await Promise.all([
    journal.read.hedgesUntil(Math.floor(at / 1_000) - LOOK_BACK_SECONDS),
    journal.read.givenSpenders(),
    earlierOf(journal.read),
    journal.read.sentApprovals(),
  ]);
  const told = await Promise.all(
    hedges.map(async (hedge): Promise<Told> => {
      return { hedge, steps: (await journal.read.hedgeSteps(hedge.seq)).map(({ step }) => step) };
    }),
  );
  const chains = await Promise.all(
    book
      .chains()
      .filter(({ chainId }) => only === undefined || chainId === only)
      .map((chain) => {
        const isOfChain = (one: { chainId: number }) => one.chainId === chain.chainId;
        const spendings = spendingsOf(chain, given.filter(isOfChain), earlier.filter(isOfChain));
        const signed = told.filter(({ hedge }) => isOfChain(hedge.opened));
        const approvals = approvalsOf(chain, sent.filter(isOfChain));
        return chainStillLive(parts, { chain, told: signed, spendings, approvals, at });
      }),
  );
  return { at, ...summaryOf(chains), chains };
}

function summaryOf(chains: readonly ChainStillLive[]): Pick<StillLive, 'nothingSigned' | 'nothing' | 'until'> {
  const ends = chains.flatMap(({ quotes, nftOrders, orders, permits, transactions, approvals }) => [
    ...(quotes.count > 0 ? [quotes.until] : []),
    ...[...nftOrders, ...orders, ...permits, ...transactions].map(({ until }) => until),
    ...approvals.map(() => null),
  ]);
  const nothingSigned = ends.length === 0 && chains.every(({ unknown }) => unknown.length === 0);
  return {
    nothingSigned,
    nothing: nothingSigned && chains.every(({ allowances }) => allowances.length === 0),
    until: ends.length === 0 || ends.includes(null) ? null : Math.max(...ends.map((end) => end ?? 0)),
  };
}

/** Every listed token for every contract of the chain, those it had before, and whatever a hedge has named before. */
function spendingsOf(
  { chainId, config, tokens }: ChainBook,
  given: readonly GivenSpender[],
  earlier: Earlier,
): Spending[] {
  const roles = new Map<Address, SpenderRole>([[config.rfqContract, 'rfq']]);
  const pinned = Object.values(SERVICE_CONTRACTS).map((one) => [pinnedOf(config, one), one.role] as const);
  for (const [address, role] of [...pinned, [permit2Of(config), 'permit2'] as const]) {
    if (address !== null && !roles.has(address)) roles.set(address, role);
  }
  const found = new Map<string, Spending>();
  const add = (token: HedgeToken, owner: Address, spender: Address) => {
    if (isNative(token.address)) return;
    const wasRfq = earlier.some(({ rfqContract }) => rfqContract === spender);
    const role = roles.get(spender) ?? (wasRfq ? 'rfq' : 'other');
    found.set(`${token.address} ${owner} ${spender}`, { token, owner, spender, role });
  };
  for (const { address, symbol, decimals } of tokens.values()) {
    const token = { chainId, address, symbol, decimals };
    for (const spender of roles.keys()) add(token, config.maker, spender);
    for (const { maker, rfqContract } of earlier) add(token, maker, rfqContract);
  }
  for (const { token: address, symbol, decimals, maker, spender } of given) {
    for (const one of [...roles.keys(), spender]) add({ chainId, address, symbol, decimals }, maker, one);
  }
  return [...found.values()];
}

type SentApproval = ChainStillLive['approvals'][number] & { nonce: number | undefined };

/** What of the approvals that were sent would let somebody take something; a token that is not listed has raw units and its address. */
function approvalsOf(
  { chainId, tokens }: ChainBook,
  sent: Awaited<ReturnType<Journal['read']['sentApprovals']>>,
): SentApproval[] {
  return sent.flatMap(({ to, data, transactionHash: hash, nonce }) => {
    const approved = approvedIn(data);
    if (approved === null || approved.amount === 0n || hash === null) return [];
    const { symbol, decimals } = [...tokens.values()].find(({ address }) => address === to) ?? {
      symbol: to,
      decimals: 0,
    };
    const token = { chainId, address: to, symbol, decimals };
    return [{ token, spender: approved.spender, amount: `${approved.amount}`, hash, nonce }];
  });
}

async function chainStillLive(
  { book, guard, journal }: Parts,
  {
    chain,
    told,
    spendings,
    approvals,
    at,
  }: {
    chain: ChainBook;
    told: readonly Told[];
    spendings: Spending[];
    approvals: readonly SentApproval[];
    at: number;
  },
): Promise<ChainStillLive> {
  const { chainId, config } = chain;
  const permits = told.flatMap(({ hedge, steps }) =>
    steps.flatMap((step): SignedPermit[] => {
      if (step.step !== 'permit_signed') return [];
      const permit = decodePermit(step.permit);
      const permit2 = step.contract ?? permit2Of(config);
      return [{ hedge, bytes: step.permit, permit, contract: permit2 }];
    }),
  );
  const about = { chainId, mostSeconds: config.headMaxAgeSeconds };
  const { rpcUrl, spareRpcUrls } = await youngestFirst(book.seals.nodes(config), about);
  const node = patientNode(openNode({ rpcUrl, spareRpcUrls, chainId, timeoutMs: TIMEOUT_MS }));
  const { maker } = config;
  const asked = { chainId, maker, spendings, permits, told, approvals, at };
  const seen = await seenOnChain(node, asked).finally(() => node.close());
  // Both clocks are past it, and neither contradicts the other: the rule by which firm quotes end.
  const agreed =
    seen.block !== null && clockFault(seen.block.time / 1_000, 0, at, config) === null ? seen.block.time : 0;
  const isOver = (deadline: number) => Math.min(at, agreed) > deadline * 1_000;
  const waiting = permits.filter(({ hedge, bytes, permit, contract }) => {
    if (isOver(Number(permit.deadline)) || seen.usedPermits.has(bytes)) return false;
    // Permit2 takes nothing that it may not take itself.
    return permit.kind === 'eip2612' || allowanceIn(seen, hedge, contract) !== 0n;
  });
  const orders = told
    .filter(({ hedge }) => !isOver(hedge.opened.deadline) && !seen.cancelled.has(hedge.seq))
    .flatMap((one) => orderOf(one, { seen, carries: waiting.some(({ hedge }) => hedge.seq === one.hedge.seq) }));
  const byHand = await journal.read.openNftOrders(chainId);
  // Read after the journal was asked: an order that came in between is among the quotes, never missing.
  const live = new Map(guard.orders.live(chainId).map((order) => [order.orderHash, order]));
  const nftOrders = byHand.filter(({ orderHash }) => live.delete(orderHash));
  const quotes = [...live.values()];
  const unproven = guard.unprovenFault(chainId);
  const unknown = unproven === null ? seen.unknown : [...seen.unknown, unproven];
  return {
    chainId,
    name: config.name,
    block: seen.block,
    unknown,
    orders,
    quotes: {
      count: quotes.length,
      until: quotes.reduce<number | null>((last, { expiry }) => later(last, goneAt(expiry)), null),
    },
    nftOrders: nftOrders.map((order) => nftOrderOf(chain, order)),
    permits: waiting.map(({ hedge: { seq, opened }, permit: { kind, spender, amount, deadline }, bytes }) => {
      const about = { seq, kind, token: opened.src, spender, amount: `${amount}`, until: momentOf(deadline) };
      return { ...about, call: kind === 'eip2612' ? permitCallData(bytes) : '' };
    }),
    transactions: told.flatMap(({ hedge: { seq, opened, pending }, steps }) => {
      if (pending === null) return [];
      const { purpose, hash } = pending;
      const isSigned = (step: HedgeStep) => step.step === 'transaction_signed' || step.step === 'transaction_replaced';
      const signed = steps.filter(isSigned).find((step) => step.hash === hash);
      const spender = purpose === 'approval' ? approvedIn(signed?.data ?? '0x')?.spender : undefined;
      // Nothing in the calls of a swap that the desk reads says until when they are good.
      return [{ seq, purpose, hash, src: opened.src, spender, until: null }];
    }),
    approvals: approvals.flatMap(({ nonce: _, ...approval }) =>
      seen.overApprovals.has(approval.hash) ? [] : [approval],
    ),
    allowances: seen.allowances.flatMap(({ amount, token, spender, role }) =>
      amount === 0n ? [] : [{ token, spender, role, amount: `${amount}` }],
    ),
    unread: spendings
      .filter((one) => one.owner === maker && allowanceOf(seen, one) === undefined)
      .map(({ token, spender, role }) => ({ token, spender, role })),
  };
}

/** That what a contract may take could not be read, for a person. `earlier`: whose it is, where that is not the maker of now. */
export function unreadWords({ token, spender }: Pick<Spending, 'token' | 'spender'>, earlier: Address | null): string {
  const whose = earlier === null ? '' : ` from ${earlier}, which was the maker before`;
  return `${token.symbol} does not say what ${spender} may take of it${whose}.`;
}

/** When an order can no longer be filled, Unix milliseconds: in its expiry second it still can. */
function goneAt(expiry: number): number {
  return Math.min((expiry + 1) * 1_000, Number.MAX_SAFE_INTEGER);
}

/** What is left of an order that was signed by hand, in words: the taker pays what is left of the price, rounded up. */
function nftOrderOf(
  { tokens }: ChainBook,
  { seq, orderHash, userAddress, expiry, ...order }: OpenQuote,
): ChainStillLive['nftOrders'][number] {
  const side = (asset: Address, nft: Nft | undefined, raw: bigint) => {
    if (nft !== undefined) return `${nftText(nft, `${raw}`)} of ${asset}`;
    const listed = [...tokens].find(([, { address }]) => address === asset);
    return listed === undefined ? `${raw} raw units of ${asset}` : `${fromRaw(raw, listed[1].decimals)} ${listed[0]}`;
  };
  const whole = BigInt(order.makerAmount);
  const left = whole - BigInt(order.filledMakerAmount);
  const price = (BigInt(order.takerAmount) * left + whole - 1n) / whole;
  return {
    seq,
    orderHash,
    gives: side(order.makerAsset, order.makerNft, left),
    givesNft: order.makerNft !== undefined,
    gets: side(order.takerAsset, order.takerNft, price),
    taker: userAddress,
    until: goneAt(expiry),
  };
}

/** Unix seconds as a contract holds them, in Unix milliseconds; a permit without an end has one beyond every clock. */
function momentOf(seconds: bigint): number {
  return Math.min(Number(seconds) * 1_000, Number.MAX_SAFE_INTEGER);
}

function later(one: number | null, other: number | null): number | null {
  return one === null ? other : Math.max(one, other ?? 0);
}

/** The order that a hedge signed, unless nothing of it can be taken any more. Its end has not passed yet. */
function orderOf(
  { hedge, steps }: Told,
  { seen, carries }: { seen: SeenOnChain; carries: boolean },
): ChainStillLive['orders'] {
  const { seq, opened, orderId, orderHash, orderStatus, cancel, givenUp } = hedge;
  const order = leftOf(hedge, steps);
  if (order === null || order.left === 0n) return [];
  const overByWord = isEnded(hedge);
  const { src, way, deadline } = opened;
  // Only what is called over stays dead with its allowance, and lives again with the next one: the others are taken up again.
  if (overByWord && !carries && allowanceIn(seen, hedge, order.spender) === 0n) return [];
  const about = { seq, orderId, orderHash, mode: way.mode, src, status: orderStatus, overByWord, cancel };
  const up = givenUp === undefined ? {} : { givenUp: true };
  return [{ ...about, ...up, left: `${order.left}`, until: deadline * 1_000 }];
}

/** What a contract may take of the source of a hedge; undefined where that could not be read. */
function allowanceIn(seen: SeenOnChain, { opened: { src, maker } }: HedgeRecord, spender: Address) {
  return allowanceOf(seen, { token: src, owner: maker, spender });
}

/** What a contract may take of a token; undefined where that could not be read. */
function allowanceOf({ allowances }: SeenOnChain, { token, owner, spender }: Omit<Spending, 'role'>) {
  return allowances.find((one) => one.token.address === token.address && one.owner === owner && one.spender === spender)
    ?.amount;
}

interface SeenOnChain {
  block: ChainStillLive['block'];
  unknown: string[];
  allowances: (Spending & { amount: bigint })[];
  /** Permits that the chain would not take any more, by their bytes. */
  usedPermits: Set<Hex>;
  /** Hedges that have ended and whose orders the chain has cancelled. */
  cancelled: Set<number>;
  /** Approvals that are mined, or that something else took the place of, by their hashes. */
  overApprovals: Set<string>;
}

/** Allowances and permits at the newest block; what the node does not tell is told in `unknown`. */
async function seenOnChain(
  node: NodeClient,
  {
    chainId,
    maker,
    spendings,
    permits,
    told,
    approvals,
    at,
  }: {
    chainId: number;
    maker: Address;
    spendings: Spending[];
    permits: SignedPermit[];
    told: readonly Told[];
    approvals: readonly SentApproval[];
    at: number;
  },
): Promise<SeenOnChain> {
  const seen: SeenOnChain = {
    block: null,
    unknown: [],
    allowances: [],
    usedPermits: new Set(),
    cancelled: new Set(),
    overApprovals: new Set(),
  };
  try {
    const [id, newest] = await node.ask([
      { method: 'eth_chainId', params: [] },
      { method: 'eth_getBlockByNumber', params: ['latest', false] },
    ]);
    const actual = resultOf(node, 'eth_chainId', id, countSchema);
    if (actual !== chainId)
      throw new DeskError('node_wrong_chain', `The node is of chain ${actual}, not of ${chainId}.`);
    const { number, timestamp } = resultOf(node, 'eth_getBlockByNumber', newest, blockHeaderSchema);
    const lag = Math.floor(at / 1_000) - timestamp;
    if (lag > MOST_LAG_SECONDS)
      seen.unknown.push(`The newest block of the node is ${lag} seconds old: what came since is not known.`);
    seen.block = { number, time: timestamp * 1_000 };
    const asked = [...spendings.map(allowanceCall), ...permits.map(permitCall)];
    const [answers, over] = await Promise.all([
      askOrEach(node, asked, toQuantity(number)),
      overOf(node, approvals, { maker, newest: number }).catch(() => new Set<string>()),
    ]);
    seen.overApprovals = over;
    for (const [index, spending] of spendings.entries()) {
      const amount = orNull(() => amountOf(node, answers[index]));
      if (amount === null) seen.unknown.push(unreadWords(spending, spending.owner === maker ? null : spending.owner));
      else seen.allowances.push({ ...spending, amount });
    }
    for (const [index, { hedge, bytes, permit }] of permits.entries()) {
      const used = orNull(() => isUsed(node, permit, answers[spendings.length + index]));
      const { symbol } = hedge.opened.src;
      if (used === null)
        seen.unknown.push(`Whether the permit of hedge ${hedge.seq} over ${symbol} was used is not known.`);
      else if (used) seen.usedPermits.add(bytes);
    }
    for (const { hedge, steps } of told) {
      const isWaited = isEnded(hedge) && hedge.opened.deadline * 1_000 > at;
      const order = isWaited ? leftOf(hedge, steps) : null;
      const about = { maker: hedge.opened.maker, newest: number };
      // Who does not tell leaves it counting.
      const isOver = order !== null && (await isCancelledOnChain(node, order, about).catch(() => false));
      if (isOver) seen.cancelled.add(hedge.seq);
    }
  } catch (error) {
    seen.unknown.push(`The chain cannot be asked: ${sentenceOf(error)}`);
  }
  return seen;
}

/** Which approvals are mined by a block, or are none that the node has, and their number is used. Who does not tell leaves them waiting. */
async function overOf(
  node: NodeClient,
  approvals: readonly SentApproval[],
  { maker, newest }: { maker: Address; newest: number },
): Promise<Set<string>> {
  if (approvals.length === 0) return new Set();
  const [used, ...said] = await node.ask([
    { method: 'eth_getTransactionCount', params: [maker, toQuantity(newest)] },
    ...approvals.flatMap(({ hash }): NodeCall[] => [
      { method: 'eth_getTransactionReceipt', params: [hash] },
      { method: 'eth_getTransactionByHash', params: [hash] },
    ]),
  ]);
  const count = resultOf(node, 'eth_getTransactionCount', used, countSchema);
  const isOver = ({ nonce }: SentApproval, index: number) => {
    const [receipt, transaction] = [said[2 * index], said[2 * index + 1]];
    if (receipt?.ok !== true || transaction?.ok !== true) return false;
    const mined = z.object({ blockNumber: countSchema }).safeParse(receipt.result);
    if (mined.success) return mined.data.blockNumber <= newest;
    return transaction.result == null && (nonce === undefined || nonce < count);
  };
  return new Set(approvals.filter(isOver).map(({ hash }) => hash));
}

/** The answers to calls at a block. A contract that keeps the node from answering takes no other along: then each is asked apart. */
async function askOrEach(node: NodeClient, asked: readonly { to: Address; data: Hex }[], block: Hex) {
  const callOf = (call: { to: Address; data: Hex }): NodeCall => ({ method: 'eth_call', params: [call, block] });
  try {
    return await node.ask(asked.map(callOf));
  } catch (error) {
    const contracts = [...new Set(asked.map(({ to }) => to))];
    const answers = new Map<unknown, NodeAnswer | undefined>();
    const apart = contracts.map(async (contract) => {
      const own = asked.filter(({ to }) => to === contract);
      const said = await node.ask(own.map(callOf));
      for (const [index, call] of own.entries()) answers.set(call, said[index]);
    });
    await Promise.allSettled(apart); // who does not answer has no answer
    if (answers.size === 0) throw error; // it is not for a contract that the node does not answer
    return asked.map((call) => answers.get(call));
  }
}

function allowanceCall({ token, owner, spender }: Spending) {
  const data = encodeFunctionData({ abi: ERC20_ABI, functionName: 'allowance', args: [owner, spender] });
  return { to: token.address, data };
}

function permitCallData(permit: Hex): Hex {
  return `${PERMIT}${permit.slice(2)}` as Hex;
}

/** A token's own permit is tried as it is; of Permit2 the nonce is looked up. */
function permitCall({ hedge, bytes, permit, contract }: SignedPermit) {
  if (permit.kind === 'eip2612') return { to: hedge.opened.src.address, data: permitCallData(bytes) };
  const args = [permit.owner, permit.nonce >> 8n] as const;
  const data = encodeFunctionData({ abi: NONCE_BITMAP, functionName: 'nonceBitmap', args });
  return { to: contract, data };
}

function isUsed(node: NodeClient, permit: DecodedPermit, answer: NodeAnswer | undefined): boolean {
  if (permit.kind === 'eip2612') {
    if (revertReason(answer) !== null) return true;
    resultOf(node, 'eth_call', answer, bytesSchema);
    return false;
  }
  const word = amountOf(node, answer);
  return word !== null && ((word >> (permit.nonce & 255n)) & 1n) === 1n;
}
