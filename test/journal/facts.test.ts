import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { GivenName } from '../../electron/contract/given-names.ts';
import type { HedgedFill } from '../../electron/contract/hedge.ts';
import type { HedgeStep } from '../../electron/contract/hedge-steps.ts';
import type { NewEvent } from '../../electron/journal/events.ts';
import { abandonedCover, coverOf } from '../../electron/journal/fills/cover.ts';
import type { FillBody } from '../../electron/journal/fills/events.ts';
import {
  fillBase,
  foldPosition,
  type Move,
  movesOfFill,
  type StoredPosition,
} from '../../electron/journal/fills/positions.ts';
import {
  carriedHedge,
  foldAutoHedge,
  type HedgeRecord,
  isEnded,
  movesOfHedge,
  openedHedge,
  type StoredAutoHedge,
  steppedHedge,
} from '../../electron/journal/hedges/fold.ts';
import { foldReceipts, type Receipt } from '../../electron/journal/hedges/receipts.ts';
import { flowOfHedge, shareHedge } from '../../electron/journal/hedges/share-hedge.ts';
import { foldAlarms, type StoredAlarm } from '../../electron/journal/people/alarms.ts';
import { foldName, keyOfName } from '../../electron/journal/people/slice.ts';
import type { QuoteBody } from '../../electron/journal/quotes/events.ts';
import {
  foldOrder,
  OPEN_STATES,
  type OrderFate,
  type OrderNews,
  orderState,
  UNTOUCHED,
} from '../../electron/journal/quotes/fold.ts';
import {
  type HourChange,
  hourOfFill,
  hourOfQuote,
  type PairCounts,
  sumPairs,
} from '../../electron/journal/quotes/pair-hours.ts';
import { rebuildProjections } from '../../electron/journal/rebuild.ts';
import { SLICES } from '../../electron/journal/slices.ts';
import { howOften } from '../how-often.ts';
import { type DirectJournal, openDirectly } from './fixture.ts';
import {
  addressOf,
  CHAIN,
  cancel,
  configured,
  fill,
  hashOf,
  quote,
  quoteBody,
  REFUSED,
  START,
} from './sample-events.ts';
import { tableContents } from './table-contents.ts';

const RUNS = howOften(60, 200);
const OTHER_CHAIN = 5;
const WETH = { chainId: CHAIN, address: addressOf('WETH'), symbol: 'WETH', decimals: 18 };
const USDC = { chainId: CHAIN, address: addressOf('USDC'), symbol: 'USDC', decimals: 6 };

/** A row that something is said of: one of those there are, newest first, or none of them. */
const row = fc.nat(12);
const number = fc.constantFrom(0, 1, 3);
const action = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('sign' as const, 'sign' as const, 'refuse' as const, 'sign by hand' as const),
      number,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('fill' as const),
      number,
      log: fc.nat(9),
      amount: fc.constantFrom(0n, 1n, 2_000n, 4_000n, 4_000n, 10_000n, 2n ** 128n),
      chainId: fc.constantFrom(CHAIN, CHAIN, CHAIN, CHAIN, CHAIN, CHAIN, OTHER_CHAIN),
      nft: fc.constantFrom(null, null, null, null, null, null, 'makerNft' as const, 'takerNft' as const),
    }),
  },
  fc.record({ do: fc.constantFrom('cancel' as const, 'drift' as const), number, log: fc.nat(9) }),
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constantFrom('take back' as const, 'take back' as const, 'withhold' as const, 'acknowledge' as const),
      row,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom('expire' as const, 'reset' as const),
      rows: fc.array(row, { maxLength: 4 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('hedge' as const),
      rows: fc.array(fc.nat(2), { minLength: 1, maxLength: 2 }),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('step' as const),
      row: fc.constantFrom(0, 0, 0, 1),
      pick: fc.nat(60),
      any: fc.nat(7),
    }),
  },
  fc.record({ do: fc.constant('hedge by itself' as const), on: fc.boolean(), threshold: fc.constantFrom('0.5', '2') }),
  fc.record({
    do: fc.constant('name' as const),
    whom: fc.constantFrom(
      { of: 'user' as const, id: addressOf('user 1') },
      { of: 'user' as const, id: addressOf('user 2') },
      { of: 'counterparty' as const, id: addressOf('user 1') },
    ),
    name: fc.constantFrom(null, 'Abel', 'Abel', 'Bela'),
  }),
  fc.record({ do: fc.constant('say' as const), alert: fc.constantFrom(undefined, 'stopped' as const) }),
);
type Action = typeof action extends fc.Arbitrary<infer T> ? T : never;

const keyOf = (chainId: number, id: string) => `${chainId} ${id}`;

/** Steps by which a hedge comes to its end, taken more often than others. */
const ONWARDS: readonly HedgeStep['step'][] = [
  'transaction_signed',
  'transaction_mined',
  'swap_built',
  'swap_simulated',
  'entered',
  'order_status',
];
const HEDGED: readonly HedgedFill['cover'][] = ['hedged', 'part_hedged'];

interface Order {
  key: string;
  pair: string | null;
  side: string | null;
  makerAmount: bigint;
  fate: OrderFate;
}

/** A fill with what hedges do for it; `order` is the row of the order of ours that it fills. */
interface CoveredFill extends ReturnType<typeof fillBase> {
  order: number;
  body: FillBody;
  cover: HedgedFill['cover'];
  isGone: boolean;
}

/** What a desk would have in memory of its orders, fills, positions, alarms, names and hedges: folded from each event that was written. */
class Memory {
  readonly orders = new Map<number, Order>();
  readonly #byKey = new Map<string, number>();
  /** Those that stand. */
  readonly fills = new Map<number, FillBody>();
  /** Those of a pair of ours, also those that were taken back. */
  readonly covered = new Map<number, CoveredFill>();
  /** By hedge and fill, what base of it the hedge closed. */
  readonly shares = new Map<number, Map<number, bigint>>();
  /** The fills that each hedge was opened for. */
  readonly openedFor = new Map<number, readonly number[]>();
  readonly receipts = new Map<number, readonly Receipt[]>();
  /** What was counted of pairs, in turn, with when it was. */
  readonly counted: { time: number; change: HourChange | null }[] = [];
  readonly #cancels = new Map<number, string>();
  readonly positions = new Map<string, StoredPosition>();
  alarms: readonly StoredAlarm[] = [];
  readonly names = new Map<string, GivenName>();
  readonly hedges = new Map<number, HedgeRecord>();
  autos = new Map<string, StoredAutoHedge>();

  take(seq: number, event: NewEvent): void {
    switch (event.kind) {
      case 'quote':
      case 'nft_order': {
        const { chainId, orderHash, makerAmount, pair, side } = event.body;
        const { time, body } = event;
        this.counted.push({ time, change: hourOfQuote(time, body) });
        if (orderHash === null) return;
        const key = keyOf(chainId, orderHash);
        this.#byKey.set(key, seq);
        this.orders.set(seq, { key, pair, side, makerAmount: BigInt(makerAmount ?? 0), fate: UNTOUCHED });
        return;
      }
      case 'quote_withheld':
        this.#tell(event.body.quoteSeq, { kind: event.kind });
        return;
      case 'quotes_expired':
      case 'chain_reset':
        for (const quoteSeq of event.body.quoteSeqs) this.#tell(quoteSeq, { kind: event.kind });
        if (event.kind === 'chain_reset') this.#forget(event.body.chainId);
        return;
      case 'fill': {
        const order = this.#byKey.get(keyOf(event.body.chainId, event.body.orderHash));
        const isOurs = order !== undefined && this.orders.get(order)?.fate.ended !== 'withheld';
        this.alarms = foldAlarms(this.alarms, { ...event, seq }, isOurs);
        this.fills.set(seq, event.body);
        this.#move(movesOfFill(1n, event.body));
        this.#tell(order, { kind: 'fill', ...amountsOf(event.body, 1n) });
        this.#cover(seq, order, event.body);
        return;
      }
      case 'cancel': {
        const key = keyOf(event.body.chainId, event.body.orderHash);
        this.#cancels.set(seq, key);
        this.#tell(this.#byKey.get(key), { kind: 'cancel', stands: true });
        return;
      }
      case 'reverted':
        this.#takeBack(event.body.eventSeq);
        return;
      case 'drift':
      case 'alarms_acknowledged':
        this.alarms = foldAlarms(this.alarms, { ...event, seq }, false);
        return;
      case 'name_given': {
        const [key, after] = [keyOfName(event.body), foldName(event)];
        if (after === undefined) this.names.delete(key);
        else this.names.set(key, after);
        return;
      }
      case 'hedge_opened':
        this.hedges.set(seq, openedHedge(seq, event.time, event.actor, event.body));
        this.openedFor.set(seq, event.body.fillSeqs);
        this.shares.set(seq, new Map(event.body.fillSeqs.map((fillSeq) => [fillSeq, 0n])));
        this.#restate(event.body.fillSeqs);
        return;
      case 'hedge_step': {
        const { chainId, hedgeSeq, step } = event.body;
        const before = this.hedges.get(hedgeSeq) as HedgeRecord;
        const after = steppedHedge(before, event.time, step);
        this.hedges.set(hedgeSeq, after);
        this.#move(movesOfHedge(before, after));
        const known = this.receipts.get(hedgeSeq) ?? [];
        this.receipts.set(hedgeSeq, foldReceipts(known, { hedgeSeq, chainId }, step));
        // What it moved is shared out when that changes, and once more when it has ended or goes on.
        const isMoved = after.spent !== before.spent || after.received !== before.received;
        if (isMoved || isEnded(after) !== isEnded(before)) this.#share(after);
        return;
      }
      case 'auto_hedge_set':
      case 'auto_hedge_said': {
        const key = keyOf(event.body.chainId, event.body.pair);
        const after = foldAutoHedge(this.autos.get(key), { ...event, seq });
        if (after !== undefined) this.autos.set(key, after);
      }
    }
  }

  /** Orders of which something can still be filled, by their rows. */
  open(): number[] {
    return [...this.orders].flatMap(([seq, { makerAmount, fate }]) =>
      OPEN_STATES.includes(orderState(makerAmount, fate)) ? [seq] : [],
    );
  }

  #tell(seq: number | undefined, news: OrderNews): void {
    const order = seq === undefined ? undefined : this.orders.get(seq);
    if (order !== undefined) order.fate = foldOrder(order.fate, news);
  }

  #takeBack(eventSeq: number): void {
    const gone = this.fills.get(eventSeq);
    if (gone !== undefined) {
      this.fills.delete(eventSeq);
      this.#move(movesOfFill(-1n, gone));
      const covered = this.covered.get(eventSeq);
      if (covered !== undefined) {
        covered.isGone = true;
        this.#count(-1, covered);
      }
      const order = this.#orderBefore(keyOf(gone.chainId, gone.orderHash), eventSeq);
      this.#tell(order, { kind: 'fill', ...amountsOf(gone, -1n) });
      return;
    }
    const key = this.#cancels.get(eventSeq) ?? '';
    this.#cancels.delete(eventSeq);
    const order = this.#orderBefore(key, eventSeq);
    const stands = [...this.#cancels].some(([seq, other]) => other === key && seq > (order ?? 0));
    this.#tell(order, { kind: 'cancel', stands });
  }

  /** What came before its order was signed is of no order of ours. */
  #orderBefore(key: string, seq: number): number | undefined {
    const order = this.#byKey.get(key);
    return order !== undefined && order < seq ? order : undefined;
  }

  #move(moves: readonly Move[]): void {
    for (const move of moves) {
      const key = keyOf(move.chainId, move.token);
      this.positions.set(key, foldPosition(this.positions.get(key), move));
    }
  }

  #forget(chainId: number): void {
    for (const key of this.positions.keys()) if (key.startsWith(`${chainId} `)) this.positions.delete(key);
    for (const fill of this.covered.values()) {
      if (fill.body.chainId === chainId) fill.cover = abandonedCover(fill.cover);
    }
    for (const [seq, receipts] of this.receipts) {
      this.receipts.set(
        seq,
        receipts.filter((receipt) => receipt.chainId !== chainId),
      );
    }
  }

  #count(way: 1 | -1, { order, body }: CoveredFill): void {
    const terms = this.orders.get(order) as Order;
    this.counted.push({ time: body.blockTime, change: hourOfFill(way, terms, body) });
  }

  /** One that is on chain again takes over the hedges of the one that was taken back. */
  #cover(seq: number, order: number | undefined, body: FillBody): void {
    const terms = order === undefined ? undefined : this.orders.get(order);
    if (order === undefined || terms === undefined || terms.pair === null) return;
    const fill: CoveredFill = { order, body, cover: 'unhedged', isGone: false, ...fillBase(terms.side, body) };
    const gone = [...this.covered].filter(
      ([before, one]) =>
        one.order === order && one.isGone && one.cover !== 'taken_back' && this.#hedgesOf(before).length > 0,
    );
    const lost = this.#takenOver(order, body);
    const [from] =
      gone.find(([, one]) => one.body.transactionHash === body.transactionHash) ??
      (lost.length === 0 ? gone[0] : undefined) ??
      [];
    this.covered.set(seq, fill);
    this.#count(1, fill);
    if (from === undefined && lost.length === 0) return;
    for (const { hedge, before } of lost) this.#carry(hedge, before, seq);
    if (from !== undefined) for (const hedge of this.#hedgesOf(from)) this.#carry(hedge, from, seq);
    this.#restate([...lost.map(({ before }) => before), seq]);
    for (const hedge of this.#hedgesOf(seq)) this.#share(this.hedges.get(hedge) as HedgeRecord);
  }

  #carry(hedge: number, from: number, seq: number): void {
    const shares = this.shares.get(hedge) as Map<number, bigint>;
    shares.set(seq, shares.get(from) ?? 0n);
    shares.delete(from);
    this.hedges.set(hedge, carriedHedge(this.hedges.get(hedge) as HedgeRecord, from, seq));
  }

  /** Hedges opened for this transaction that another one of the order took over while it was gone. */
  #takenOver(order: number, { transactionHash: own }: FillBody): { hedge: number; before: number }[] {
    const isOwn = (one: CoveredFill) => one.order === order && one.body.transactionHash === own;
    const was = [...this.covered.values()].some(
      (one) => isOwn(one) && one.isGone && one.cover !== 'taken_back' && one.cover !== 'unhedged',
    );
    const transactionsOf = (fills: Iterable<number>) =>
      [...fills].map((one) => this.covered.get(one)?.body.transactionHash);
    const others = [...this.covered].filter(([, one]) => one.order === order && !one.isGone && !isOwn(one));
    return [...(was ? this.shares : [])].flatMap(([hedge, shares]) => {
      const openedFor = transactionsOf(this.openedFor.get(hedge) ?? []);
      if (!openedFor.includes(own) || transactionsOf(shares.keys()).includes(own)) return [];
      const has = others.find(([seq, { body }]) => shares.has(seq) && !openedFor.includes(body.transactionHash));
      return has === undefined ? [] : [{ hedge, before: has[0] }];
    });
  }

  #hedgesOf(fill: number): number[] {
    return [...this.shares].flatMap(([hedge, shares]) => (shares.has(fill) ? [hedge] : []));
  }

  /** What hedges closed of a fill, all but one of them. */
  hedgedBase(fill: number, but?: number): bigint {
    const own = this.#hedgesOf(fill).filter((hedge) => hedge !== but);
    return own.reduce((sum, hedge) => sum + (this.shares.get(hedge)?.get(fill) ?? 0n), 0n);
  }

  #share(hedge: HedgeRecord): void {
    const { fillSeqs } = hedge.opened;
    const [first] = fillSeqs.flatMap((fill) => this.covered.get(fill) ?? []);
    if (first === undefined) return;
    const open = fillSeqs.map((seq) => {
      return { seq, open: (this.covered.get(seq)?.base ?? 0n) + this.hedgedBase(seq, hedge.seq) };
    });
    for (const { seq, base } of shareHedge(open, flowOfHedge(hedge, first))) this.shares.get(hedge.seq)?.set(seq, base);
    this.#restate(fillSeqs);
  }

  #restate(fills: readonly number[]): void {
    for (const seq of fills) {
      const fill = this.covered.get(seq) as CoveredFill;
      const runs = this.#hedgesOf(seq).some((hedge) => !isEnded(this.hedges.get(hedge) as HedgeRecord));
      fill.cover = coverOf(fill.cover, { base: fill.base, hedged: this.hedgedBase(seq), runs });
    }
  }
}

function amountsOf({ makerAmount, takerAmount }: FillBody, way: 1n | -1n) {
  return { maker: way * BigInt(makerAmount), taker: way * BigInt(takerAmount) };
}

/** Steps of every name, of which a hedge may take some as it is now. */
function stepsFor(hedge: HedgeRecord): HedgeStep[] {
  const raw = { raw: '0x01', to: WETH.address, value: '0', data: '0x12', gas: '1', perGas: '1' } as const;
  const at = { block: 9, blockHash: hashOf('block') };
  const [first, last] = [hedge.transactions[0], hedge.transactions.at(-1)];
  const pending = hedge.pending ?? { purpose: 'swap' as const, hash: hashOf('none'), nonce: 7 };
  const { hash, purpose, nonce } = pending;
  const next = hashOf(`transaction ${hedge.seq} ${hedge.transactions.length}`);
  const spent = { spent: '13648000', received: '4000' };
  const about = [first, last].flatMap((one): HedgeStep[] => {
    if (one === undefined) return [];
    const of = { chainId: one.chainId, hash: one.hash, purpose: one.purpose };
    return [
      { step: 'taken_back', ...of, feeWei: '1' },
      { step: 'mined_again', ...of, ...at, succeeded: true, feeWei: '1' },
      { step: 'final', ...of },
    ];
  });
  const orderOf = (status: string, others: readonly string[]): HedgeStep => ({
    step: 'order_status',
    status,
    ...spent,
    others: others.map((amount) => ({ chainId: CHAIN, token: addressOf('DAI'), amount })),
    transactions: [{ chainId: CHAIN, hash: hashOf(`order ${hedge.seq}`), kind: 'fill', amount: '4000', ...at }],
  });
  return [
    { step: 'transaction_signed', purpose: 'approval', nonce: 7, hash: next, ...raw },
    { step: 'transaction_signed', purpose: 'swap', nonce: 8, hash: next, ...raw },
    { step: 'transaction_replaced', purpose, replaces: hash, nonce, hash: next, ...raw },
    { step: 'transaction_sent', purpose, hash },
    { step: 'transaction_mined', purpose, hash, ...at, succeeded: true, feeWei: '2', ...spent },
    { step: 'transaction_mined', purpose, hash, ...at, succeeded: false, feeWei: '2', spent: '0', received: '0' },
    { step: 'transaction_lost', purpose, hash, block: 9 },
    { step: 'swap_built', to: WETH.address, value: '0', data: '0x12', least: '1', most: '2', nativeUsd: '3000' },
    { step: 'swap_simulated', gas: '1', received: null },
    { step: 'handed_out', block: 9 },
    { step: 'wallet_mined', hash: next, ...at, ...spent },
    {
      step: 'order_built',
      orderHash: next,
      orderType: 'x',
      spender: WETH.address,
      least: '1',
      most: '2',
      nativeUsd: null,
    },
    { step: 'order_signed', orderHash: next, order: { a: 1 }, signature: '0x12', type: 'LIMIT' },
    { step: 'order_submitted', orderId: 'id', status: 'open' },
    orderOf('part', []),
    orderOf('done', ['7', '0']),
    { step: 'cancel_wanted' },
    { step: 'waiting', sentence: 'not yet', held: true },
    { step: 'confirmed' },
    { step: 'entered', where: 'elsewhere', at: START, note: '', ...spent, feeUsd: '0.5' },
    {
      step: 'entered',
      where: 'elsewhere',
      at: START,
      note: '',
      spent: '6824000',
      received: '2000',
      feeUsd: '0',
    },
    { step: 'corrected', ...spent, feeUsd: '1', reason: 'typed wrong' },
    { step: 'struck_out', reason: 'was no hedge' },
    { step: 'ended', outcome: 'done', sentence: null },
    { step: 'ended', outcome: 'failed', sentence: 'no', givenUp: 'why' },
    ...about,
  ];
}

function mayFollow(hedge: HedgeRecord, step: HedgeStep): boolean {
  try {
    steppedHedge(hedge, START, step);
    return true;
  } catch {
    return false;
  }
}

/** The third order buys; the others sell. */
function termsOf(number: number): Partial<QuoteBody> {
  return number === 3 ? { side: 'bids', makerAsset: USDC.address, takerAsset: WETH.address } : {};
}

/** The event of an action as things stand; null where there is nothing that it could be about. */
function eventOf(
  given: Action,
  time: number,
  last: number,
  { hedges, fills, covered, orders, names }: Memory,
): NewEvent | null {
  const at = (back: number) => Math.max(1, last - back);
  // Mostly an order that was signed, so that much happens to few of them.
  const signed = [...orders.keys()].reverse();
  const order = (back: number) => signed[back % 4] ?? at(back);
  const standing = [...fills.keys()].reverse();
  const ours = standing.filter((seq) => covered.has(seq));
  const desk = { time, actor: 'desk' };
  switch (given.do) {
    case 'sign':
      return quote(given.number, termsOf(given.number), time);
    case 'refuse':
      return quote(given.number, { ...termsOf(given.number), ...REFUSED }, time);
    case 'sign by hand': {
      const nft = { makerNft: { kind: 'erc721', id: '7' } as const };
      return { ...desk, kind: 'nft_order', body: { ...quoteBody(given.number, { pair: null, side: null }), ...nft } };
    }
    case 'fill': {
      const { number: of, log, amount, chainId, nft } = given;
      const { makerAsset, takerAsset } = quoteBody(of, termsOf(of));
      const amounts = { makerAmount: `${amount}`, takerAmount: `${amount / 3n}` };
      const changes = { chainId, makerAsset, takerAsset, ...amounts };
      return { ...fill(of, log, nft === null ? changes : { ...changes, [nft]: { kind: 'erc721', id: '7' } }), time };
    }
    case 'cancel':
      return { ...cancel(given.number, given.log), time };
    case 'take back': {
      const fill = given.row % 3 === 0 ? undefined : (ours[given.row % 2] ?? standing[0]);
      return {
        ...desk,
        kind: 'reverted',
        body: { chainId: CHAIN, eventSeq: fill ?? at(given.row), orderHash: hashOf('x') },
      };
    }
    case 'withhold':
      return { ...desk, kind: 'quote_withheld', body: { chainId: CHAIN, quoteSeq: order(given.row), code: 'halted' } };
    case 'expire':
      return { ...desk, kind: 'quotes_expired', body: { chainId: CHAIN, quoteSeqs: given.rows.map(order) } };
    case 'reset':
      return { ...desk, kind: 'chain_reset', body: { chainId: CHAIN, quoteSeqs: given.rows.map(order) } };
    case 'drift': {
      const body = { token: WETH.address, amount: '-5', fromBlock: 1, block: 2, blockHash: hashOf('b') };
      return { ...desk, kind: 'drift', body: { chainId: CHAIN, ...body } };
    }
    case 'acknowledge':
      return { ...desk, kind: 'alarms_acknowledged', body: { seqs: [at(given.row)], reason: 'seen' } };
    case 'name': {
      const before = names.get(keyOfName(given.whom))?.name ?? null;
      return { time, actor: `mara ${time}`, kind: 'name_given', body: { ...given.whom, before, name: given.name } };
    }
    case 'hedge': {
      const fillSeqs = [...new Set(given.rows.flatMap((back) => ours[back] ?? standing[back] ?? []))];
      const terms = {
        side: 'BUY',
        amount: '4000',
        slippageBps: 50,
        way: { mode: 'market' },
        beneficiary: null,
      } as const;
      const rest = { deadline: 2_000_000_000, approval: 'permit', pair: 'WETH/USDC', automatic: false } as const;
      const body = { chainId: CHAIN, maker: addressOf('maker'), src: USDC, dest: WETH, confirmed: false, shown: null };
      return { ...desk, kind: 'hedge_opened', body: { ...body, ...terms, ...rest, fillSeqs } };
    }
    case 'step': {
      const hedge = [...hedges.values()].reverse()[given.row];
      if (hedge === undefined) return null;
      const all = stepsFor(hedge);
      const may = all.filter((one) => mayFollow(hedge, one));
      const onwards = may.filter(({ step: name }) => ONWARDS.includes(name));
      const steps = given.any === 0 ? all : [...may, ...onwards, ...onwards, ...onwards];
      const step = steps[given.pick % steps.length];
      if (step === undefined) return null;
      return { ...desk, kind: 'hedge_step', body: { chainId: CHAIN, hedgeSeq: hedge.seq, step } };
    }
    case 'hedge by itself': {
      const { on, threshold } = given;
      const caps = { capPerDay: '9', slippageBps: 50, maxDistanceBps: 100, lossCapPerDay: '0' };
      const settings = { on, threshold, ...caps, mode: 'market', dryRun: true } as const;
      return { ...desk, kind: 'auto_hedge_set', body: { chainId: CHAIN, pair: 'WETH/USDC', settings } };
    }
    case 'say': {
      const said = { sentence: 'Nothing to do.', unhedged: '-4', hedgeSeq: null, alert: given.alert };
      return { ...desk, kind: 'auto_hedge_said', body: { chainId: CHAIN, pair: 'WETH/USDC', ...said } };
    }
  }
}

/** As JSON has it: a field without a value is none. */
const plain = <T>(value: T): T => JSON.parse(JSON.stringify(value));
/** Pairs in one order, without those of which nothing is left. */
const inOrder = (counts: PairCounts[]) =>
  counts
    .map(({ volumes, ...rest }) => ({
      ...rest,
      volumes: volumes
        .filter(({ signed, filled }) => signed !== '0' || filled !== '0')
        .sort((a, b) => a.asset.localeCompare(b.asset)),
    }))
    .filter(({ signed, refused, filled }) => signed + refused + filled > 0)
    .sort((a, b) => a.pair.localeCompare(b.pair));
const receiptKey = ({ hedgeSeq, chainId, hash, purpose }: Receipt) => `${hedgeSeq} ${chainId} ${hash} ${purpose}`;
const sorted = (receipts: readonly Receipt[]) =>
  [...receipts].sort((a, b) => receiptKey(a).localeCompare(receiptKey(b)));

function expectSame({ queries }: DirectJournal, memory: Memory): void {
  for (const [seq, { makerAmount, fate }] of memory.orders) {
    const stored = queries.quote(seq);
    expect([stored?.state, stored?.filledMakerAmount, stored?.filledTakerAmount]).toEqual(
      [orderState(makerAmount, fate), fate.filledMaker, fate.filledTaker].map(String),
    );
  }
  expect(queries.openQuotes().map(({ seq }) => seq)).toEqual(memory.open());
  const { open, faults } = queries.provenOpenQuotes(START);
  expect({ open: open.map(({ seq }) => seq), faults }).toEqual({ open: memory.open(), faults: [] });
  const positions = queries.positions(null, START);
  expect(
    new Map(positions.map(({ token, filled, hedged }) => [keyOf(token.chainId, token.address), [filled, hedged]])),
  ).toEqual(new Map([...memory.positions].map(([key, { filled, hedged }]) => [key, [`${filled}`, `${hedged}`]])));
  expect(queries.openAlarms()).toEqual(plain(memory.alarms));
  expect(new Map(queries.givenNames().map((given) => [keyOfName(given), given]))).toEqual(memory.names);
  for (const [seq, hedge] of memory.hedges) {
    expect(queries.hedge(seq)).toEqual(plain(hedge));
  }
  const fills = queries.hedgedFills({ limit: 99, now: START }).reverse();
  expect(fills.map(({ seq, cover, hedgedBase }) => [seq, cover, hedgedBase])).toEqual(
    [...memory.covered].map(([seq, { cover, isGone }]) => {
      return [seq, isGone ? 'taken_back' : cover, `${memory.hedgedBase(seq)}`];
    }),
  );
  expect(sorted(queries.hedgeReceipts())).toEqual(sorted([...memory.receipts.values()].flat()));
  for (const since of [0, START + 1, START + 3_700_000]) {
    const counted = memory.counted.filter(({ time }) => time >= since).map(({ change }) => change);
    expect(inOrder(queries.pairCounts(since))).toEqual(inOrder(sumPairs(counted)));
  }
  const running = [...memory.hedges.values()].filter((hedge) => !isEnded(hedge)).map(({ seq }) => seq);
  expect(queries.openHedges().map(({ seq }) => seq)).toEqual(running);
  expect(queries.autoHedges()).toEqual(plain([...memory.autos.values()]));
}

test('after any events memory, tables and tables made anew say the same of orders, pairs, fills, positions, alarms, names and hedges', () => {
  const counts = { written: 0, refused: 0, alarms: 0, names: 0, takenBack: 0, hedged: 0, receipts: 0 };
  fc.assert(
    fc.property(fc.array(action, { minLength: 20, maxLength: 40, size: 'max' }), (given) => {
      const journal = openDirectly();
      const memory = new Memory();
      let last = Number(journal.write(configured())[0]);
      for (const signed of [quote(0, {}, START), quote(1, {}, START)]) {
        last = Number(journal.write(signed)[0]);
        memory.take(last, signed);
      }
      given.forEach((one, index) => {
        const event = eventOf(one, START + index * 420_000, last, memory);
        if (event === null) return;
        const [outcome] = journal.write(event);
        if (one.do === 'step') expect(typeof outcome === 'number').toBe(mayBeWritten(memory, event));
        if (typeof outcome !== 'number') {
          counts.refused += 1;
          return;
        }
        last = outcome;
        memory.take(last, event);
        if (event.kind === 'hedge_step') counts.receipts += memory.receipts.get(event.body.hedgeSeq)?.length ?? 0;
        counts.hedged += [...memory.covered.values()].filter(({ cover }) => HEDGED.includes(cover)).length;
      });
      if (given.length % 2 === 0) {
        expectSame(journal, memory);
        const body = { chainId: CHAIN, quoteSeqs: [] };
        const reset = { time: START, actor: 'desk', kind: 'chain_reset', body } as const;
        memory.take(Number(journal.write(reset)[0]), reset);
      }
      expectSame(journal, memory);
      const tables = tableContents(journal.db);
      counts.written += rebuildProjections(journal.db, SLICES);
      expect(tableContents(journal.db)).toEqual(tables);
      expectSame(journal, memory);
      counts.alarms += memory.alarms.length;
      counts.names += memory.names.size;
      counts.takenBack += [...memory.covered.values()].filter(({ isGone }) => isGone).length;
      journal.db.close();
    }),
    { numRuns: RUNS },
  );
  expect(counts.written).toBeGreaterThan(RUNS * 5);
  for (const count of Object.values(counts)) expect(count).toBeGreaterThan(0);
});

function mayBeWritten({ hedges }: Memory, event: NewEvent): boolean {
  if (event.kind !== 'hedge_step') return false;
  const hedge = hedges.get(event.body.hedgeSeq);
  return hedge !== undefined && mayFollow(hedge, event.body.step);
}
