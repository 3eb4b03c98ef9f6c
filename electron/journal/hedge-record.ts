import { type HedgeDetail, type HedgeState, hedgeStateSchema } from '../contract/hedge.ts';
import type { HedgeStep } from '../contract/hedge-steps.ts';
import type { HedgeOpened } from './hedge-events.ts';
import { refuseRow } from './projection.ts';

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
  pending: { purpose: 'approval' | 'swap'; hash: string; nonce: number } | null;
  transactions: Transactions;
  orderId: string | null;
  orderHash: string | null;
  orderStatus: string | null;
  /** A cancellation of the order: its signature, and whether the service was asked. */
  cancel: 'no' | 'signed' | 'asked';
  spent: string;
  received: string;
  feeWei: string;
  /** Dollars that a whole native token was reckoned at; null while unknown. */
  nativeUsd: string | null;
  note: string | null;
  held: boolean;
  confirmed: boolean;
  endedAt: number | null;
}

export const isEnded = ({ endedAt }: Pick<HedgeRecord, 'endedAt'>) => endedAt !== null;

/** What the chain does with a transaction may follow at any time, also after the end. */
const EVERY: readonly HedgeState[] = hedgeStateSchema.options;

/** From which states a step may follow. What is in none of these rows is refused before it is written. */
const AFTER: Record<StepName, readonly HedgeState[]> = {
  transaction_signed: ['opened', 'simulated'],
  transaction_sent: ['approving', 'signed', 'sent'],
  transaction_mined: ['approving', 'signed', 'sent'],
  transaction_lost: ['approving', 'signed', 'sent'],
  permit_signed: ['opened', 'built'],
  // What was held until its price was too old is built once more.
  swap_built: ['opened', 'built', 'simulated'],
  swap_simulated: ['built'],
  order_built: ['opened', 'built'],
  order_signed: ['built'],
  order_submitted: ['signed'],
  order_status: ['submitted'],
  taken_back: EVERY,
  mined_again: EVERY,
  final: EVERY,
  cancel_signed: ['submitted'],
  cancel_asked: ['submitted'],
  waiting: ['opened', 'approving', 'built', 'simulated', 'signed', 'sent', 'mined', 'submitted'],
  confirmed: ['opened', 'approving', 'built', 'simulated', 'signed', 'sent', 'mined', 'submitted'],
  ended: ['opened', 'approving', 'built', 'simulated', 'signed', 'sent', 'mined', 'submitted'],
};

/** After these what a person was told last stays as it is. */
const KEEPS_NOTE: ReadonlySet<StepName> = new Set(['waiting', 'ended', 'mined_again', 'final']);

export function openedHedge(seq: number, time: number, actor: string, opened: HedgeOpened): HedgeRecord {
  return {
    ...{ seq, time, actor, opened, state: 'opened', pending: null, transactions: [] },
    ...{ orderId: null, orderHash: null, orderStatus: null, cancel: 'no' },
    ...{ spent: '0', received: '0', feeWei: '0', nativeUsd: null },
    ...{ note: null, held: false, confirmed: opened.confirmed, endedAt: null },
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
    case 'transaction_sent':
      expectPending(hedge, step);
      return { state: step.purpose === 'swap' ? 'sent' : 'approving', ...outcome(hedge, step.hash, 'sent') };
    case 'transaction_mined':
      return mined(hedge, step);
    case 'transaction_lost':
      expectPending(hedge, step);
      return { state: 'opened', pending: null, ...outcome(hedge, step.hash, 'lost') };
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
      return { state: 'built', nativeUsd: step.nativeUsd };
    case 'swap_simulated':
      return { state: 'simulated' };
    case 'order_built':
      return { state: 'built', orderHash: step.orderHash, nativeUsd: step.nativeUsd };
    case 'order_signed':
      return { state: 'signed', orderHash: step.orderHash };
    case 'order_submitted':
      return { state: 'submitted', orderId: step.orderId, orderStatus: step.status };
    case 'order_status':
      return orderStatus(hedge, step);
    case 'cancel_signed':
      return { cancel: 'signed' };
    case 'cancel_asked':
      return { cancel: 'asked' };
    case 'waiting':
      return { note: step.sentence, held: step.held };
    case 'confirmed':
      return { confirmed: true };
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

function mined(hedge: HedgeRecord, step: Extract<HedgeStep, { step: 'transaction_mined' }>): Partial<HedgeRecord> {
  expectPending(hedge, step);
  const { spent, received, hash, succeeded } = step;
  return {
    state: step.purpose === 'swap' ? 'mined' : 'opened',
    pending: null,
    feeWei: `${BigInt(hedge.feeWei) + BigInt(step.feeWei)}`,
    ...(step.purpose === 'swap' && { spent, received }),
    ...outcome(hedge, hash, succeeded ? 'confirmed' : 'reverted'),
  };
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
  if (nonce === null) refuseRow(`The transaction ${hash} is not one of the maker.`);
  return {
    ...{ state: 'signed', endedAt: null, pending: { purpose, hash, nonce }, spent: '0', received: '0', feeWei },
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
  { status, spent, received, transactions }: Extract<HedgeStep, { step: 'order_status' }>,
): Partial<HedgeRecord> {
  const own = hedge.transactions.filter(({ purpose }) => purpose === 'approval');
  const theirs = transactions.map(({ chainId, hash, kind }) => {
    return { chainId, hash, purpose: kind, nonce: null, outcome: 'confirmed' as const };
  });
  return { orderStatus: status, spent, received, transactions: [...own, ...theirs] };
}

function ended(
  hedge: HedgeRecord,
  time: number,
  { outcome: state, sentence }: Extract<HedgeStep, { step: 'ended' }>,
): Partial<HedgeRecord> {
  if (hedge.pending !== null) refuseRow(`Hedge ${hedge.seq} has a signed transaction that may still be mined.`);
  return { state, note: sentence, held: false, endedAt: time };
}

function outcome(
  { transactions }: HedgeRecord,
  hash: string,
  became: Transactions[number]['outcome'],
): Pick<HedgeRecord, 'transactions'> {
  return { transactions: transactions.map((one) => (one.hash === hash ? { ...one, outcome: became } : one)) };
}

function expectPending({ seq, pending }: HedgeRecord, { purpose, hash }: { purpose: string; hash: string }): void {
  if (pending?.hash === hash && pending.purpose === purpose) return;
  refuseRow(`Hedge ${seq} waits for no ${purpose} ${hash}.`);
}
