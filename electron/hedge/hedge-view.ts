import { type HedgeDetail, type HedgeRow, hedgeRowSchema } from '../contract/hedge.ts';
import { checkedRow } from '../journal/checked-row.ts';
import { type HedgeRecord, hedgeGasUsd, isEnded } from '../journal/hedges/fold.ts';
import type { WrittenStep } from '../journal/hedges/read.ts';
import type { JournalReader } from '../journal/queries.ts';
import { formatDecimal } from '../protocol/decimal.ts';
import { CANCELLABLE_STATUSES } from '../protocol/intent-order-record.ts';
import { isNative } from '../protocol/route-token.ts';
import { approval } from './hedge-node.ts';

type NetReader = Pick<JournalReader, 'hedgeNets'>;

const DOLLAR_PLACES = 4;
const IN_DOUBT = new Set(['signed', 'submitted', 'handed_out']);
const NOTHING_SIGNED = new Set(['opened', 'built', 'simulated']);

/** Hedges as the console lists them, with what their fills came to. */
export async function hedgeRows(read: NetReader, hedges: readonly HedgeRecord[]): Promise<HedgeRow[]> {
  const nets = await read.hedgeNets(hedges.map(({ seq }) => seq));
  return hedges.map((hedge, index) => shownRow(hedge, nets[index] ?? null));
}

function shownRow(hedge: HedgeRecord, netUsd: string | null): HedgeRow {
  return checkedRow(
    hedgeRowSchema,
    () => hedgeRow(hedge, netUsd),
    (why) => emptyRow(hedge, why),
  );
}

/** What is left of a hedge that cannot be shown: what was asked for, and where it stands. */
function emptyRow({ seq, time, actor, opened, state, endedAt }: HedgeRecord, why: string): HedgeRow {
  const { chainId, side, src, dest, amount, pair, fillSeqs, automatic, way, beneficiary } = opened;
  return {
    seq,
    time,
    actor,
    chainId,
    mode: way.mode,
    side,
    src,
    dest,
    amount,
    pair,
    fillSeqs,
    automatic,
    state,
    beneficiary,
    orderStatus: null,
    orderId: null,
    orderHash: null,
    spent: '0',
    received: '0',
    feeWei: '0',
    note: null,
    held: false,
    endedAt,
    transactionHash: null,
    feeUsd: null,
    netUsd: null,
    cancellable: false,
    canGiveUp: false,
    unreadable: why,
  };
}

function hedgeRow(hedge: HedgeRecord, netUsd: string | null): HedgeRow {
  const { opened, transactions } = hedge;
  const { chainId, side, src, dest, amount, pair, fillSeqs, automatic, way, beneficiary } = opened;
  const { seq, time, actor, state, orderStatus, orderId, orderHash, spent, received, feeWei, note, held, endedAt } =
    hedge;
  const gas = hedgeGasUsd(hedge);
  return {
    seq,
    time,
    actor,
    chainId,
    mode: way.mode,
    side,
    src,
    dest,
    amount,
    pair,
    fillSeqs,
    automatic,
    state,
    orderStatus,
    orderId,
    orderHash,
    spent,
    received,
    beneficiary,
    feeWei,
    note,
    held,
    endedAt,
    transactionHash: swapOf(transactions)?.hash ?? null,
    feeUsd: gas === null ? null : formatDecimal(gas, DOLLAR_PLACES, 'ceil'),
    netUsd,
    cancellable: isCancellable(hedge),
    canGiveUp: canGiveUp(hedge),
  };
}

/** The one that was mined, else the newest. */
function swapOf(transactions: HedgeRecord['transactions']) {
  const swaps = transactions.filter(({ purpose }) => purpose === 'swap');
  return swaps.find(({ outcome }) => outcome === 'confirmed' || outcome === 'reverted') ?? swaps.at(-1);
}

/** Nothing of it is signed yet, or the service may still be asked to end its order. */
export function isCancellable(hedge: HedgeRecord): boolean {
  if (isEnded(hedge)) return false;
  if (hedge.state === 'submitted') return hedge.cancel === 'no' && CANCELLABLE_STATUSES.has(hedge.orderStatus ?? '');
  return NOTHING_SIGNED.has(hedge.state) && hedge.pending === null;
}

/** Something of it is signed, no transaction of ours is under way, and only others can tell what becomes of it. */
export function canGiveUp(hedge: HedgeRecord): boolean {
  return !isEnded(hedge) && hedge.pending === null && IN_DOUBT.has(hedge.state);
}

/** A hedge with everything that happened to it. */
export function hedgeDetail(hedge: HedgeRecord, steps: WrittenStep[], netUsd: string | null): HedgeDetail {
  const { opened, transactions, state } = hedge;
  const { slippageBps, deadline, way, bridge } = opened;
  const { mode, ...ofWay } = way;
  const terms = bridge === undefined ? ofWay : { ...ofWay, bridge };
  return {
    ...shownRow(hedge, netUsd),
    slippageBps,
    deadline,
    transactions,
    steps,
    terms: Object.fromEntries(Object.entries(terms).map(([name, value]) => [name, String(value)])),
    calldata: state === 'handed_out' ? calldataOf(hedge, steps) : [],
  };
}

/** What the owner of a contract maker sends: the allowance, then the swap. */
function calldataOf({ opened }: HedgeRecord, steps: WrittenStep[]): HedgeDetail['calldata'] {
  const built = steps.map(({ step }) => step).findLast((step) => step.step === 'swap_built');
  if (built?.step !== 'swap_built') return [];
  const { to, value, data, most } = built;
  const { src } = opened;
  const swap = { purpose: 'swap', to, value, data };
  if (isNative(src.address)) return [swap];
  const call = approval(src.address, to, BigInt(most));
  return [{ purpose: `let the router take ${src.symbol}`, to: call.to, value: '0', data: call.data }, swap];
}
