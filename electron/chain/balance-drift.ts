import { encodeEventTopics, parseAbi } from 'viem';
import { z } from 'zod';
import type { Journal } from '../journal/journal.ts';
import type { Address, Hex } from '../protocol/address.ts';
import type { KnownBlock } from './forks.ts';
import type { Holding } from './holdings.ts';
import { addressTopic, logSchema, type NodeLog, receiptSchema, toQuantity } from './node-answers.ts';
import { type NodeCall, type NodeClient, resultOf } from './node-client.ts';
import type { OrderEvent } from './order-ledger.ts';
import { fillsAmong } from './order-logs.ts';
import { readPinned } from './pinned-read.ts';

const MOVES = parseAbi([
  'event Transfer(address indexed from, address indexed to, uint256 amount)',
  // Wrapped ether tells of these in place of transfers.
  'event Deposit(address indexed to, uint256 amount)',
  'event Withdrawal(address indexed from, uint256 amount)',
]);
const [TRANSFER] = encodeEventTopics({ abi: MOVES, eventName: 'Transfer' });
const [DEPOSIT] = encodeEventTopics({ abi: MOVES, eventName: 'Deposit' });
const [WITHDRAWAL] = encodeEventTopics({ abi: MOVES, eventName: 'Withdrawal' });

const OWN = parseAbi([
  'event ExecutionSuccess(bytes32 txHash, uint256 payment)',
  'event ExecutionFromModuleSuccess(address indexed module)',
  'event UserOperationEvent(bytes32 indexed userOpHash, address indexed sender, address indexed paymaster, uint256 nonce, bool success, uint256 actualGasCost, uint256 actualGasUsed)',
]);
const [EXECUTED] = encodeEventTopics({ abi: OWN, eventName: 'ExecutionSuccess' });
const [BY_MODULE] = encodeEventTopics({ abi: OWN, eventName: 'ExecutionFromModuleSuccess' });
const [USER_OPERATION] = encodeEventTopics({ abi: OWN, eventName: 'UserOperationEvent' });
/** The contracts that carry out operations of ERC-4337 wallets, versions 0.6 to 0.8: anybody can write such events with their own. */
const ENTRY_POINTS: readonly string[] = [
  '0x5ff137d4b0fdcd49dca30c7cf57e578a026d2789',
  '0x0000000071727de22e5e9d8baf0edac6f37da032',
  '0x4337084d9e255ff0702461cf8895ce9e3b5ff108',
];

/** Hedges whose orders and transactions explain what left the maker: the newest so many. */
const KNOWN_HEDGES = 1_000;

/** What is not explained may be so after a few blocks: a node may be late with the logs of its newest. */
const SETTLE_BLOCKS = 5;
/** One row a token in so many milliseconds at most: some balances grow with every block. */
const REPORT_EVERY_MS = 60_000;
/** Over more blocks than this nothing is compared: their transfers are too many to ask for. */
const MOST_BLOCKS = 2_000;
const DAY_MS = 86_400_000;

/** A balance up to which everything is explained. */
interface Anchor {
  block: KnownBlock;
  balance: bigint;
  /** The block at which something was not explained first; null while all is. */
  doubtedAt: number | null;
}

type ReceiptLog = z.infer<typeof receiptSchema>['logs'][number];

/** What a fill did to the maker's balance of a token by its event. Raw units. */
interface FillMove {
  block: number;
  transactionHash: string;
  token: Address;
  amount: bigint;
}

/** What a token drifted by since a moment (Unix milliseconds) and a block without being told, since a person allows that much. */
interface Tolerated {
  since: number;
  fromBlock: number;
  amount: bigint;
}

/** The maker was seen to hold this at a block. */
interface Seen {
  block: KnownBlock;
  held: ReadonlyMap<Address, Holding>;
}

/** A transaction that took tokens from the maker, which did not send it: with a fill that no log told of, or without any. */
export interface Taken {
  transactionHash: Hex;
  block: number;
  isFill: boolean;
}

interface DriftParts {
  node: NodeClient;
  chainId: number;
  maker: Address;
  rfqContract: Address;
  /** What the solvers of hedges take goes through this contract; null where there is none. */
  intentContract: Address | null;
  journal: Pick<Journal, 'append' | 'read'>;
  /** The hash of a block on the branch that is followed now, as far as it is remembered. */
  hashAt: (number: number) => Hex | undefined;
  /** What a token may drift by in a day before it is told, raw units; 0 tells every unit. */
  perDay: (token: Address) => bigint;
  /** Unix milliseconds. */
  now: () => number;
  /** Told each time that a balance is compared over it. */
  onTaken: (taken: Taken) => void;
  /** Why something could not be compared; the next look compares from where this one began. */
  onFault: (error: unknown) => void;
}

/**
 * Compares what the maker has of each token with what its fills and the token's own transfers say, from look to look.
 * Deposits, withdrawals and hedges are transfers; what is left, such as the fee a token keeps of a fill, is a drift and
 * gets a row. So does what a transaction took that is neither a known fill, nor a hedge, nor sent by the maker. What was
 * held while the desk was off, or over a reorganisation, is not compared.
 */
export class BalanceDrift {
  readonly #parts: DriftParts;
  readonly #anchors = new Map<Address, Anchor>();
  readonly #reportedAt = new Map<Address, number>();
  readonly #tolerated = new Map<Address, Tolerated>();
  /** By the row of the fill, for a reorganisation may take back thousands of them. */
  readonly #fills = new Map<number, readonly FillMove[]>();
  #next: Seen | null = null;
  #comparing: Promise<void> | null = null;

  constructor(parts: DriftParts) {
    this.#parts = parts;
  }

  /**
   * The maker was seen to hold this at a block, after these events. Nobody waits for the comparison: it asks the node, and
   * what is seen while it does is compared next, the newest of it.
   */
  seen(block: KnownBlock, held: ReadonlyMap<Address, Holding>, events: readonly OrderEvent[]): void {
    this.#take(events);
    this.#next = { block, held };
    this.#comparing ??= this.#compareAll().finally(() => {
      this.#comparing = null;
    });
  }

  /** Resolves when nothing is compared any more; what was not begun is not. */
  async stop(): Promise<void> {
    this.#next = null;
    await this.#comparing;
  }

  async #compareAll(): Promise<void> {
    for (let seen = this.#next; seen !== null; seen = this.#next) {
      this.#next = null;
      await this.#compare(seen).catch(this.#parts.onFault);
    }
  }

  async #compare({ block, held }: Seen): Promise<void> {
    for (const token of [...this.#anchors.keys()]) if (!held.has(token)) this.#anchors.delete(token);
    const doubted: Address[] = [];
    for (const [token, { balance }] of held) {
      const anchor = this.#anchors.get(token);
      const far = anchor !== undefined && block.number - anchor.block.number > MOST_BLOCKS;
      const begins = anchor === undefined || far || !this.#isOnBranch(anchor.block);
      if (begins || this.#unexplained(token, anchor, { block, balance }) === 0n) {
        this.#anchors.set(token, { block, balance, doubtedAt: null });
      } else doubted.push(token);
    }
    if (doubted.length > 0) await this.#explain(doubted, { block, held });
    const oldest = Math.min(...[...this.#anchors.values()].map((anchor) => anchor.block.number));
    for (const [seq, [move]] of this.#fills) if (move === undefined || move.block <= oldest) this.#fills.delete(seq);
  }

  #isOnBranch({ number, hash }: KnownBlock): boolean {
    return (this.#parts.hashAt(number) ?? hash) === hash;
  }

  #take(events: readonly OrderEvent[]): void {
    for (const { seq, kind, body } of events) {
      if (kind === 'reverted') this.#fills.delete(body.eventSeq);
      if (kind !== 'fill') continue;
      const { block, transactionHash } = body;
      const sides = [
        { nft: body.makerNft, token: body.makerAsset, amount: -BigInt(body.makerAmount) },
        { nft: body.takerNft, token: body.takerAsset, amount: BigInt(body.takerAmount) },
      ];
      const moved = sides.filter(({ nft }) => nft === undefined);
      this.#fills.set(
        seq,
        moved.map(({ token, amount }) => ({ block, transactionHash, token, amount })),
      );
    }
  }

  /** The fills between a balance and a later one. */
  #fillsBetween(token: Address, anchor: Anchor, { number }: KnownBlock): FillMove[] {
    const isBetween = ({ block }: FillMove) => block > anchor.block.number && block <= number;
    const moves: FillMove[] = [];
    for (const fill of this.#fills.values()) {
      for (const move of fill) if (move.token === token && isBetween(move)) moves.push(move);
    }
    return moves;
  }

  /** What the balance changed by since the anchor, beyond the fills. */
  #unexplained(token: Address, anchor: Anchor, { block, balance }: { block: KnownBlock; balance: bigint }): bigint {
    const fills = this.#fillsBetween(token, anchor, block);
    return fills.reduce((rest, { amount }) => rest - amount, balance - anchor.balance);
  }

  /** Asks for the transfers of the tokens in doubt; what stays without a reason for some blocks is written down. */
  async #explain(tokens: readonly Address[], { block, held }: Seen): Promise<void> {
    const anchors = tokens.flatMap((token) => {
      const anchor = this.#anchors.get(token);
      const holding = held.get(token);
      return anchor === undefined || holding === undefined ? [] : [{ token, anchor, balance: holding.balance }];
    });
    const asked = await Promise.allSettled(anchors.map(({ token, anchor }) => this.#movesSince(token, anchor, block)));
    if (!this.#isOnBranch(block)) return;
    for (const [index, { token, anchor, balance }] of anchors.entries()) {
      const answer = asked[index];
      // A token whose transfers the node does not tell hides the drift of no other.
      if (answer?.status !== 'fulfilled') continue;
      const moved = beyondFills(answer.value, this.#fillsBetween(token, anchor, block));
      const rest = this.#unexplained(token, anchor, { block, balance }) - moved;
      const since = anchor.doubtedAt ?? block.number;
      const due = this.#parts.now() - (this.#reportedAt.get(token) ?? 0) >= REPORT_EVERY_MS;
      if (rest === 0n) this.#anchors.set(token, { block, balance, doubtedAt: null });
      else if (block.number - since < SETTLE_BLOCKS) this.#anchors.set(token, { ...anchor, doubtedAt: since });
      else if (this.#isTolerated(token, rest, anchor.block)) {
        this.#anchors.set(token, { block, balance, doubtedAt: null });
      } else if (!due) this.#anchors.set(token, { ...anchor, doubtedAt: since });
      else await this.#report(token, rest, anchor.block, block, balance);
    }
    for (const answer of asked) if (answer.status === 'rejected') throw answer.reason;
  }

  /** What the transfers of a token moved after its anchor, without what nobody may have taken. */
  async #movesSince(token: Address, anchor: Anchor, block: KnownBlock): Promise<Move[]> {
    const logs = await this.#transfers(token, anchor.block.number + 1, block);
    const moves = logs
      .filter((log) => log.address === token && log.blockNumber > anchor.block.number)
      .flatMap((log) => this.#movesOf(log));
    const known = new Set([...this.#fills.values()].flat().map(({ transactionHash }) => transactionHash));
    const net = (ofOne: readonly Move[]) => ofOne.reduce((sum, { amount }) => sum + amount, 0n);
    const taking = [...byTransaction(moves)].filter(([hash, ofOne]) => !known.has(hash) && net(ofOne) < 0n);
    const taken = await this.#notByMaker(
      taking.flatMap(([, [move]]) => move ?? []),
      block,
    );
    for (const one of taken) this.#parts.onTaken(one);
    const hashes = new Set<string>(taken.map(({ transactionHash }) => transactionHash));
    return moves.filter(({ transactionHash }) => !hashes.has(transactionHash));
  }

  /** Those of these transactions that the maker neither sent nor had a hedge of. */
  async #notByMaker(moves: readonly Move[], at: KnownBlock): Promise<Taken[]> {
    if (moves.length === 0) return [];
    const { node, maker, rfqContract, journal } = this.#parts;
    const hedges = await journal.read.hedges({ limit: KNOWN_HEDGES });
    const known = new Set(hedges.flatMap((hedge) => hedge.transactions.map(({ hash }) => hash.toLowerCase())));
    const orders = new Set(hedges.flatMap(({ orderHash }) => orderHash?.toLowerCase() ?? []));
    const method = 'eth_getTransactionReceipt';
    const calls = moves.map(({ transactionHash }) => ({ method, params: [transactionHash] }));
    const answers = await readPinned(node, at, calls);
    return moves.flatMap(({ transactionHash, block }, index) => {
      const { from, to, logs } = resultOf(node, method, answers[index], receiptSchema);
      const isFill = fillsAmong(logs, rfqContract, maker).length > 0;
      // Who calls a maker that is a contract has only what that contract lets them do, and no allowance of it.
      const isOwn = from === maker || to === maker || logs.some((log) => this.#isCarriedOut(log));
      const isHedge = known.has(transactionHash) || logs.some((log) => this.#isOfHedge(log, orders));
      return isFill || !(isOwn || isHedge) ? [{ transactionHash, block, isFill }] : [];
    });
  }

  /** Whether a maker that is a contract says by this log that it did what its owners want. Logs of what anybody does to it say nothing. */
  #isCarriedOut({ address, topics: [kind, , sender] }: ReceiptLog): boolean {
    const { maker } = this.#parts;
    if (address === maker) return kind === EXECUTED || kind === BY_MODULE;
    return kind === USER_OPERATION && sender === addressTopic(maker) && ENTRY_POINTS.includes(address);
  }

  /**
   * Whether the intent contract says by this log that it settled an order of the maker: one of a hedge, or one whose owner is the
   * maker. Services write it in fields of their own; the owner is the first address among them, and somebody else's order may name
   * the maker as the one who gets something.
   */
  #isOfHedge({ address, topics: [, ...fields] }: ReceiptLog, orders: ReadonlySet<string>): boolean {
    if (address !== this.#parts.intentContract) return false;
    const owner = fields.find((field) => /^0x0{24}/.test(field));
    return owner === addressTopic(this.#parts.maker) || fields.some((field) => orders.has(field));
  }

  /** Counts the rest to what this token drifted by today, unless that comes to more than a person allows. */
  #isTolerated(token: Address, rest: bigint, { number }: KnownBlock): boolean {
    const { now, perDay } = this.#parts;
    const most = perDay(token);
    const known = this.#tolerated.get(token);
    const isOver = known === undefined || now() - known.since >= DAY_MS;
    const today = isOver ? { since: now(), fromBlock: number, amount: 0n } : known;
    const amount = today.amount + rest;
    if (amount > most || amount < -most) return false;
    this.#tolerated.set(token, { ...today, amount });
    return true;
  }

  async #report(token: Address, rest: bigint, from: KnownBlock, block: KnownBlock, balance: bigint): Promise<void> {
    const { journal, chainId, now } = this.#parts;
    const tolerated = this.#tolerated.get(token);
    const place = { fromBlock: tolerated?.fromBlock ?? from.number, block: block.number, blockHash: block.hash };
    const body = { chainId, token, amount: `${rest + (tolerated?.amount ?? 0n)}`, ...place };
    await journal.append({ time: now(), actor: 'chain', kind: 'drift', body });
    this.#tolerated.delete(token);
    this.#anchors.set(token, { block, balance, doubtedAt: null });
    this.#reportedAt.set(token, now());
  }

  /** What a log takes from the maker's balance and adds to it; what the maker sends to itself does both. */
  #movesOf({ topics, data, transactionHash, blockNumber }: NodeLog): Move[] {
    if (data.length < 66) return [];
    const amount = BigInt(data.slice(0, 66));
    const maker = addressTopic(this.#parts.maker);
    const [kind, first, second] = topics;
    const takes = kind === WITHDRAWAL || (kind === TRANSFER && first === maker);
    const adds = kind === DEPOSIT || (kind === TRANSFER && second === maker);
    return [...(takes ? [-amount] : []), ...(adds ? [amount] : [])].map((moved) => ({
      transactionHash,
      block: blockNumber,
      amount: moved,
    }));
  }

  async #transfers(token: Address, from: number, to: KnownBlock): Promise<NodeLog[]> {
    const { node, maker } = this.#parts;
    const topic = addressTopic(maker);
    const range = { address: [token], fromBlock: toQuantity(from), toBlock: toQuantity(to.number) };
    const calls: NodeCall[] = [
      { method: 'eth_getLogs', params: [{ ...range, topics: [[TRANSFER, DEPOSIT, WITHDRAWAL], topic] }] },
      { method: 'eth_getLogs', params: [{ ...range, topics: [TRANSFER, null, topic] }] },
    ];
    const answers = await readPinned(node, to, calls);
    const logs = answers.flatMap((answer) => resultOf(node, 'eth_getLogs', answer, z.array(logSchema)));
    // What the maker sends to itself is in both answers.
    return [...new Map(logs.map((log) => [`${log.blockHash}/${log.logIndex}`, log])).values()];
  }
}

/** What a transfer of a token adds to the maker's balance; raw units, below zero where it takes. */
interface Move {
  transactionHash: Hex;
  block: number;
  amount: bigint;
}

/**
 * What these transfers add to the maker's balance beyond those of its fills, which count as their events say. In a
 * transaction of a fill each fill has one transfer of its own: the one of its very amount, else the next smaller, for a
 * token may keep a part, else the next larger. What else comes in is somebody's present and has its reason; what else goes
 * out there was not asked for by the maker, and has none.
 */
function beyondFills(moves: readonly Move[], fills: readonly FillMove[]): bigint {
  const filled = byTransaction(fills);
  let sum = 0n;
  for (const { transactionHash, amount } of moves) if (!filled.has(transactionHash)) sum += amount;
  const incoming = byTransaction(moves.filter(({ amount }) => amount > 0n));
  for (const [hash, ofFill] of filled) {
    const left = incoming.get(hash) ?? [];
    const wanted = ofFill.filter(({ amount }) => amount > 0n);
    const inexact = wanted.filter(({ amount }) => !takeOut(left, (move) => move.amount === amount));
    for (const { amount } of inexact.sort((a, b) => (a.amount > b.amount ? -1 : 1))) {
      const [below, above] = [left.filter((move) => move.amount < amount), left.filter((move) => move.amount > amount)];
      const largest = below.reduce<Move | undefined>(
        (best, one) => (best && best.amount > one.amount ? best : one),
        undefined,
      );
      const least = above.reduce<Move | undefined>(
        (best, one) => (best && best.amount < one.amount ? best : one),
        undefined,
      );
      takeOut(left, (move) => move === (largest ?? least));
    }
    sum += left.reduce((all, { amount }) => all + amount, 0n);
  }
  return sum;
}

function byTransaction<M extends { transactionHash: string }>(moves: readonly M[]): Map<string, M[]> {
  const groups = new Map<string, M[]>();
  for (const move of moves) {
    const group = groups.get(move.transactionHash);
    if (group === undefined) groups.set(move.transactionHash, [move]);
    else group.push(move);
  }
  return groups;
}

/** Takes the first of which this holds out of a list; false when there is none. */
function takeOut(moves: Move[], isIt: (move: Move) => boolean): boolean {
  const at = moves.findIndex(isIt);
  if (at < 0) return false;
  moves.splice(at, 1);
  return true;
}
