import type { z } from 'zod';
import { type AutoHedgeRow, type HedgeDetail, type HedgeState, hedgeStateSchema } from '../../contract/hedge.ts';
import type { HedgeStep } from '../../contract/hedge-steps.ts';
import type { AutoHedge } from '../../contract/hedge-terms.ts';
import { add, parseDecimal, type Rational } from '../../protocol/decimal.ts';
import type { Move } from '../fills/positions.ts';
import { type Recorded, refuseRow } from '../slice.ts';
import type { HEDGE_EVENTS, HedgeOpened } from './events.ts';

type Transactions = HedgeDetail['transactions'];
type StepName = HedgeStep['step'];

/** A hedge as its events tell it. Amounts are raw units as decimal strings. */
export interface HedgeRecord {
  seq: number;
  time: number;
  actor: string;
  opened: HedgeOpened;
  state: HedgeState;
  /** A signed transaction of which nobody knows yet that it was mined or never can be. */
  pending: Pending | null;
  transactions: Transactions;
  orderId: string | null;
  orderHash: string | null;
  orderStatus: string | null;
  /** A cancellation of the order: wanted, signed, and taken by the service. */
  cancel: 'no' | 'wanted' | 'signed' | 'asked';
  spent: string;
  received: string;
  /** What came back in tokens that are neither end; absent in hedges of older journals. */
  others?: readonly CameBack[];
  feeWei: string;
  /** Dollars a whole native token: by its reference when the hedge was placed, else as the service reckoned it; null while unknown. */
  nativeUsd: string | null;
  /** Dollars that it cost beside its amounts and gas, decimal; absent where it was not entered by hand. */
  feeUsd?: string;
  /** A person entered it: it was done elsewhere. */
  isEntered?: boolean;
  note: string | null;
  held: boolean;
  confirmed: boolean;
  endedAt: number | null;
  /** A person ended it for this reason: what was signed may still move something until its deadline. */
  givenUp?: string;
}

interface Pending {
  purpose: 'approval' | 'swap';
  /** The newest with this nonce. */
  hash: string;
  nonce: number;
  /** Those that it took the place of: a block may have one of them all the same. */
  replaced?: readonly string[];
}

type CameBack = NonNullable<Extract<HedgeStep, { step: 'order_status' }>['others']>[number];

export const isEnded = ({ endedAt }: Pick<HedgeRecord, 'endedAt'>) => endedAt !== null;

/** What the chain does with a transaction may follow at any time, also after the end. */
const EVERY: readonly HedgeState[] = hedgeStateSchema.options;

const RUNNING: readonly HedgeState[] = [
  ...(['opened', 'approving', 'built', 'simulated', 'signed', 'sent', 'mined', 'submitted', 'handed_out'] as const),
];

/** From which states a step may follow. What is in none of these rows is refused before it is written. */
const AFTER: Record<StepName, readonly HedgeState[]> = {
  transaction_signed: ['opened', 'simulated'],
  transaction_replaced: ['approving', 'signed', 'sent'],
  transaction_sent: ['approving', 'signed', 'sent'],
  transaction_mined: ['approving', 'signed', 'sent'],
  transaction_lost: ['approving', 'signed', 'sent'],
  permit_signed: ['opened', 'built'],
  // What was held until its price was too old is built once more.
  swap_built: ['opened', 'built', 'simulated'],
  swap_simulated: ['built'],
  handed_out: ['built'],
  wallet_mined: ['handed_out'],
  order_built: ['opened', 'built'],
  order_signed: ['built'],
  order_submitted: ['signed'],
  order_status: ['submitted'],
  filled_late: ['failed', 'cancelled'],
  taken_back: EVERY,
  mined_again: EVERY,
  final: EVERY,
  cancel_wanted: ['signed', 'submitted'],
  cancel_signed: ['submitted'],
  cancel_asked: ['submitted'],
  waiting: RUNNING,
  confirmed: RUNNING,
  entered: ['opened'],
  corrected: ['done'],
  struck_out: ['done'],
  ended: RUNNING,
};

/** After these what a person was told last stays as it is. */
const KEEPS_NOTE: ReadonlySet<StepName> = new Set([
  'waiting',
  'ended',
  'filled_late',
  'mined_again',
  'final',
  'corrected',
  'struck_out',
]);

export function openedHedge(seq: number, time: number, actor: string, opened: HedgeOpened): HedgeRecord {
  return {
    seq,
    time,
    actor,
    opened,
    state: 'opened',
    pending: null,
    transactions: [],
    orderId: null,
    orderHash: null,
    orderStatus: null,
    cancel: 'no',
    spent: '0',
    received: '0',
    feeWei: '0',
    nativeUsd: opened.nativeUsd ?? null,
    note: null,
    held: false,
    confirmed: opened.confirmed,
    endedAt: null,
  };
}

/**
 * The hedge after one more step. A step that cannot follow is refused, and its row with it: no second transaction while one is
 * signed, no second swap or order, no end while a signed transaction may still be mined.
 */
export function steppedHedge(hedge: HedgeRecord, time: number, step: HedgeStep): HedgeRecord {
  if (!AFTER[step.step].includes(hedge.state)) {
    refuseRow(`Hedge ${hedge.seq} is ${hedge.state}, after which ${step.step} cannot come.`);
  }
  const next = { ...hedge, ...changes(hedge, time, step) };
  return KEEPS_NOTE.has(step.step) ? next : { ...next, held: false, note: null };
}

function changes(hedge: HedgeRecord, time: number, step: HedgeStep): Partial<HedgeRecord> {
  switch (step.step) {
    case 'transaction_signed':
      return signed(hedge, step);
    case 'transaction_replaced':
      return replaced(hedge, step);
    case 'transaction_sent':
      expectPending(hedge, step);
      return { state: step.purpose === 'swap' ? 'sent' : 'approving', ...outcome(hedge, step.hash, 'sent') };
    case 'transaction_mined':
      return mined(hedge, step);
    case 'transaction_lost':
      expectPending(hedge, step);
      return { state: 'opened', pending: null, transactions: withoutRivals(hedge, step.hash, 'lost') };
    case 'taken_back':
      return takenBack(hedge, step);
    case 'mined_again':
      expectOutcome(hedge, step, ['sent', 'lost']);
      return {
        feeWei: `${BigInt(hedge.feeWei) + BigInt(step.feeWei)}`,
        ...outcome(hedge, step.hash, step.succeeded ? 'confirmed' : 'reverted'),
      };
    case 'final': {
      const { outcome: was } = expectOutcome(hedge, step, ['sent', 'confirmed', 'reverted', 'lost']);
      return was === 'sent' ? outcome(hedge, step.hash, 'lost') : {};
    }
    case 'permit_signed':
      return {};
    case 'swap_built':
      return { state: 'built', nativeUsd: hedge.opened.nativeUsd ?? step.nativeUsd };
    case 'handed_out':
      return { state: 'handed_out' };
    case 'wallet_mined':
      return walletMined(hedge, step);
    case 'swap_simulated':
      return { state: 'simulated' };
    case 'order_built':
      return { state: 'built', orderHash: step.orderHash, nativeUsd: hedge.opened.nativeUsd ?? step.nativeUsd };
    case 'order_signed':
      return { state: 'signed', orderHash: step.orderHash };
    case 'order_submitted':
      return { state: 'submitted', orderId: step.orderId, orderStatus: step.status };
    case 'order_status':
      return orderStatus(hedge, step);
    case 'filled_late': {
      if (!isEnded(hedge)) refuseRow(`Hedge ${hedge.seq} runs: what its order moves is told by its status.`);
      const { spent, received, sentence } = step;
      return { spent, received, transactions: withOrder(hedge, step.transactions), note: sentence };
    }
    case 'cancel_wanted':
      return hedge.cancel === 'no' ? { cancel: 'wanted' } : {};
    case 'cancel_signed':
      return { cancel: 'signed' };
    case 'cancel_asked':
      return { cancel: 'asked' };
    case 'waiting':
      return { note: step.sentence, held: step.held };
    case 'confirmed':
      return { confirmed: true };
    case 'entered': {
      const { spent, received, feeUsd } = step;
      return { state: 'done', endedAt: time, isEntered: true, spent, received, feeUsd };
    }
    case 'corrected': {
      expectEntered(hedge);
      const { spent, received, feeUsd, reason } = step;
      return { spent, received, feeUsd, note: reason };
    }
    case 'struck_out':
      expectEntered(hedge);
      return { state: 'cancelled', spent: '0', received: '0', feeUsd: '0', note: step.reason };
    case 'ended':
      return ended(hedge, time, step);
  }
}

function signed(
  hedge: HedgeRecord,
  { purpose, hash, nonce }: Extract<HedgeStep, { step: 'transaction_signed' }>,
): Partial<HedgeRecord> {
  const wanted = purpose === 'swap' ? 'simulated' : 'opened';
  if (hedge.state !== wanted || hedge.transactions.some((one) => one.purpose === 'swap')) {
    refuseRow(`Hedge ${hedge.seq} is ${hedge.state}: no ${purpose} is signed for it now.`);
  }
  const { chainId } = hedge.opened;
  return {
    state: purpose === 'swap' ? 'signed' : 'approving',
    pending: { purpose, hash, nonce },
    transactions: [...hedge.transactions, { chainId, hash, purpose, nonce, outcome: 'signed' }],
  };
}

function replaced(
  hedge: HedgeRecord,
  { purpose, replaces, hash, nonce }: Extract<HedgeStep, { step: 'transaction_replaced' }>,
): Partial<HedgeRecord> {
  const { pending, opened, seq } = hedge;
  if (pending?.hash !== replaces || pending.purpose !== purpose || pending.nonce !== nonce) {
    refuseRow(`Hedge ${seq} waits for no ${purpose} ${replaces} with the nonce ${nonce}.`);
  }
  const { chainId } = opened;
  return {
    pending: { purpose, hash, nonce, replaced: [...(pending.replaced ?? []), replaces] },
    transactions: [...hedge.transactions, { chainId, hash, purpose, nonce, outcome: 'signed' }],
  };
}

/** The other transactions of the maker with the same nonce. */
function rivalsOf(
  { transactions }: HedgeRecord,
  purpose: string,
  hash: string,
  nonce: number,
): Pick<Pending, 'replaced'> {
  const rivals = transactions.filter((one) => one.purpose === purpose && one.nonce === nonce && one.hash !== hash);
  return rivals.length === 0 ? {} : { replaced: rivals.map((one) => one.hash) };
}

/** After one came to its end, so have the others with its nonce: none of them can be mined beside it. */
function withoutRivals(
  { transactions, pending }: HedgeRecord,
  hash: string,
  became: Transactions[number]['outcome'],
): Transactions {
  return transactions.map((one) => {
    if (one.hash === hash) return { ...one, outcome: became };
    const isRival = pending !== null && one.nonce === pending.nonce && one.purpose === pending.purpose;
    return isRival ? { ...one, outcome: 'lost' as const } : one;
  });
}

function mined(hedge: HedgeRecord, step: Extract<HedgeStep, { step: 'transaction_mined' }>): Partial<HedgeRecord> {
  expectPending(hedge, step);
  const { spent, received, hash, succeeded, emptied } = step;
  return {
    state: step.purpose === 'swap' ? 'mined' : 'opened',
    pending: null,
    feeWei: `${BigInt(hedge.feeWei) + BigInt(step.feeWei)}`,
    ...(step.purpose === 'swap' && { spent, received }),
    transactions: withoutRivals(hedge, hash, emptied ? 'lost' : succeeded ? 'confirmed' : 'reverted'),
  };
}

function walletMined(
  { transactions, opened }: HedgeRecord,
  { hash, spent, received }: Extract<HedgeStep, { step: 'wallet_mined' }>,
): Partial<HedgeRecord> {
  const { chainId } = opened;
  const swap = { chainId, hash, purpose: 'swap' as const, nonce: null, outcome: 'confirmed' as const };
  return { state: 'mined', spent, received, transactions: [...transactions, swap] };
}

/**
 * A swap is what it was before it was mined, and the hedge runs again until it is known what became of it; so does an order, by
 * what the service and the chains say of it now. An approval changes nothing but what was paid.
 */
function takenBack(hedge: HedgeRecord, step: Extract<HedgeStep, { step: 'taken_back' }>): Partial<HedgeRecord> {
  const { purpose, hash } = step;
  const { nonce } = expectOutcome(hedge, step, ['confirmed', 'reverted', 'lost']);
  const feeWei = `${BigInt(hedge.feeWei) - BigInt(step.feeWei)}`;
  if (purpose === 'approval') return { feeWei, ...outcome(hedge, hash, 'sent') };
  if (!isEnded(hedge)) refuseRow(`Hedge ${hedge.seq} runs: what it waits for is looked at anyway.`);
  if (purpose !== 'swap') return { state: 'submitted', endedAt: null };
  if (nonce === null) {
    const transactions = hedge.transactions.filter((one) => one.hash !== hash);
    return { state: 'handed_out', endedAt: null, spent: '0', received: '0', transactions };
  }
  return {
    state: 'signed',
    endedAt: null,
    spent: '0',
    received: '0',
    feeWei,
    // Whichever of them a block takes this time.
    pending: { purpose, hash, nonce, ...rivalsOf(hedge, purpose, hash, nonce) },
    ...outcome(hedge, hash, 'signed'),
  };
}

/** The transaction of a step, which must have come to one of these ends. */
function expectOutcome(
  { seq, transactions, pending }: HedgeRecord,
  { chainId, hash, purpose }: { chainId: number; hash: string; purpose: string },
  ends: readonly Transactions[number]['outcome'][],
): Transactions[number] {
  const found = transactions.find((one) => one.hash === hash && one.chainId === chainId && one.purpose === purpose);
  if (found !== undefined && pending?.hash !== hash && ends.includes(found.outcome)) return found;
  refuseRow(`Hedge ${seq} has no ${purpose} ${hash} that came to its end.`);
}

function orderStatus(
  hedge: HedgeRecord,
  { status, spent, received, others = [], transactions }: Extract<HedgeStep, { step: 'order_status' }>,
): Partial<HedgeRecord> {
  return { orderStatus: status, spent, received, others, transactions: withOrder(hedge, transactions) };
}

/** The approvals of a hedge, and the transactions that its order was filled or refunded by. */
function withOrder(
  { transactions }: HedgeRecord,
  ofOrder: Extract<HedgeStep, { step: 'order_status' }>['transactions'],
): Transactions {
  const own = transactions.filter(({ purpose }) => purpose === 'approval');
  const theirs = ofOrder.map(({ chainId, hash, kind }) => {
    return { chainId, hash, purpose: kind, nonce: null, outcome: 'confirmed' as const };
  });
  return [...own, ...theirs];
}

function ended(
  hedge: HedgeRecord,
  time: number,
  { outcome: state, sentence, givenUp }: Extract<HedgeStep, { step: 'ended' }>,
): Partial<HedgeRecord> {
  if (isEnded(hedge)) refuseRow(`Hedge ${hedge.seq} has ended.`);
  if (hedge.pending !== null) refuseRow(`Hedge ${hedge.seq} has a signed transaction that may still be mined.`);
  return { state, note: sentence, held: false, endedAt: time, ...(givenUp !== undefined && { givenUp }) };
}

function expectEntered({ seq, isEntered }: HedgeRecord): void {
  if (isEntered !== true) refuseRow(`Hedge ${seq} was not entered by hand.`);
}

function outcome(
  { transactions }: HedgeRecord,
  hash: string,
  became: Transactions[number]['outcome'],
): Pick<HedgeRecord, 'transactions'> {
  return { transactions: transactions.map((one) => (one.hash === hash ? { ...one, outcome: became } : one)) };
}

function expectPending({ seq, pending }: HedgeRecord, { purpose, hash }: { purpose: string; hash: string }): void {
  if (pending?.purpose === purpose && [pending.hash, ...(pending.replaced ?? [])].includes(hash)) return;
  refuseRow(`Hedge ${seq} waits for no ${purpose} ${hash}.`);
}

const WEI = 10n ** 18n;

/**
 * What a hedge cost beside its amounts, in dollars: gas at what its record says of the native token, null where that is not known;
 * and fees that were entered by hand.
 */
export function hedgeCosts({ feeWei, nativeUsd, feeUsd = '0' }: Pick<HedgeRecord, 'feeWei' | 'nativeUsd' | 'feeUsd'>): {
  gas: Rational | null;
  fees: Rational;
} {
  const fees = parseDecimal(feeUsd);
  const wei = BigInt(feeWei);
  if (wei === 0n) return { gas: { n: 0n, d: 1n }, fees };
  if (nativeUsd === null) return { gas: null, fees };
  const { n, d } = parseDecimal(nativeUsd);
  return { gas: { n: n * wei, d: d * WEI }, fees };
}

/** Gas and fees of a hedge together; null where the worth of its gas is not known. */
export function hedgeGasUsd(hedge: Pick<HedgeRecord, 'feeWei' | 'nativeUsd' | 'feeUsd'>): Rational | null {
  const { gas, fees } = hedgeCosts(hedge);
  return gas === null ? null : add(gas, fees);
}

/** A hedge of a fill that a reorganisation took back and that is on chain again, as row `now`. */
export function carriedHedge(hedge: HedgeRecord, before: number, now: number): HedgeRecord {
  const fillSeqs = hedge.opened.fillSeqs.map((one) => (one === before ? now : one));
  return { ...hedge, opened: { ...hedge.opened, fillSeqs } };
}

/** What a step of a hedge moved of the tokens it takes and brings. */
export function movesOfHedge(before: HedgeRecord, after: HedgeRecord): Move[] {
  const { src, dest } = after.opened;
  const grown = (which: 'spent' | 'received') => BigInt(after[which]) - BigInt(before[which]);
  const others = (hedge: HedgeRecord, way: 1n | -1n) =>
    (hedge.others ?? []).map(({ chainId, token, amount }) => ({ chainId, token, hedged: way * BigInt(amount) }));
  const moves: Move[] = [
    { chainId: src.chainId, token: src.address, hedged: -grown('spent') },
    { chainId: dest.chainId, token: dest.address, hedged: grown('received') },
  ];
  return [...moves.filter(({ hedged }) => hedged !== 0n), ...others(before, -1n), ...others(after, 1n)];
}

/** How a pair is hedged by itself, and what was last said of it. */
export interface StoredAutoHedge {
  chainId: number;
  pair: string;
  settings: AutoHedge;
  /** Unix milliseconds, and the row that switched it on; fills before it are not counted. */
  since: number | null;
  sinceSeq: number | null;
  said: (NonNullable<AutoHedgeRow['last']> & { unhedged: string; alert?: 'stopped' | 'refused' }) | null;
}

export type AutoHedgeEvent = {
  [Kind in 'auto_hedge_set' | 'auto_hedge_said']: Recorded<Kind, z.infer<(typeof HEDGE_EVENTS)[Kind]>>;
}['auto_hedge_set' | 'auto_hedge_said'];

/** How a pair is hedged by itself after an event on it; undefined while nobody has set it. */
export function foldAutoHedge(before: StoredAutoHedge | undefined, event: AutoHedgeEvent): StoredAutoHedge | undefined {
  const { chainId, pair } = event.body;
  if (event.kind === 'auto_hedge_said') {
    const { sentence, unhedged, hedgeSeq, alert } = event.body;
    return before && { ...before, said: { time: event.time, sentence, unhedged, hedgeSeq, alert } };
  }
  const { settings } = event.body;
  const said = before?.said ?? null;
  if (!settings.on) return { chainId, pair, settings, since: null, sinceSeq: null, said };
  const { since, sinceSeq } = before ?? { since: null, sinceSeq: null };
  return { chainId, pair, settings, since: since ?? event.time, sinceSeq: sinceSeq ?? event.seq, said };
}
