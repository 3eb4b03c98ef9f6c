import { type HedgeDetail, type HedgeRow, hedgeRowSchema } from '../contract/hedge.ts';
import type { HedgeStep } from '../contract/hedge-steps.ts';
import { checkedRow } from '../journal/checked-row.ts';
import { type HedgeRecord, hedgeGasUsd, isEnded } from '../journal/hedges/fold.ts';
import type { WrittenStep } from '../journal/hedges/read.ts';
import type { JournalReader } from '../journal/queries.ts';
import { formatDecimal } from '../protocol/decimal.ts';
import { kindOf, knownVenue, transactionOf } from './venues/venues.ts';

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

/** What was asked for, and where it stands. */
function asked({ seq, time, actor, opened, state, endedAt }: HedgeRecord) {
  const { chainId, side, src, dest, amount, pair, fillSeqs, automatic, beneficiary, way } = opened;
  const by = { mode: way.mode, way: kindOf(way.mode)?.name ?? way.mode };
  const what = { chainId, side, src, dest, amount, pair, fillSeqs, automatic, beneficiary };
  return { seq, time, actor, ...by, ...what, state, endedAt };
}

/** What is left of a hedge that cannot be shown. */
function emptyRow(hedge: HedgeRecord, why: string): HedgeRow {
  return {
    ...asked(hedge),
    orderStatus: null,
    orderId: null,
    orderHash: null,
    spent: '0',
    received: '0',
    feeWei: '0',
    note: null,
    held: false,
    transactionHash: null,
    feeUsd: null,
    netUsd: null,
    cancellable: false,
    correctable: false,
    canGiveUp: false,
    unreadable: why,
  };
}

function hedgeRow(hedge: HedgeRecord, netUsd: string | null): HedgeRow {
  const { orderStatus, orderId, orderHash, spent, received, feeWei, note, held } = hedge;
  const gas = hedgeGasUsd(hedge);
  return {
    ...asked(hedge),
    orderStatus,
    orderId,
    orderHash,
    spent,
    received,
    feeWei,
    note,
    held,
    transactionHash: transactionOf(hedge),
    feeUsd: gas === null ? null : formatDecimal(gas, DOLLAR_PLACES, 'ceil'),
    netUsd,
    cancellable: isCancellable(hedge),
    correctable: isCorrectable(hedge),
    canGiveUp: canGiveUp(hedge),
  };
}

/** Nothing is signed by which it trades; its allowance may be on its way. */
export function isNothingSigned({ state, pending }: HedgeRecord): boolean {
  return pending === null ? NOTHING_SIGNED.has(state) : pending.purpose === 'approval';
}

/** Nothing of it is signed yet, or its venue may still be asked to end it. */
export function isCancellable(hedge: HedgeRecord): boolean {
  if (isEnded(hedge)) return false;
  return isNothingSigned(hedge) || knownVenue(hedge.opened.way.mode)?.isCancellable(hedge) === true;
}

/** It was entered, and is not struck out. */
export function isCorrectable({ isEntered, state }: HedgeRecord): boolean {
  return isEntered === true && state === 'done';
}

/** Something of it is signed, no transaction of ours is under way, and only others can tell what becomes of it. */
export function canGiveUp(hedge: HedgeRecord): boolean {
  return !isEnded(hedge) && hedge.pending === null && IN_DOUBT.has(hedge.state);
}

/** A hedge with everything that happened to it. */
export function hedgeDetail(hedge: HedgeRecord, written: WrittenStep[], netUsd: string | null): HedgeDetail {
  const { opened, transactions } = hedge;
  const steps = written.map(({ step }) => step);
  const { slippageBps, deadline, way, bridge } = opened;
  const { mode, ...ofWay } = way;
  const terms = bridge === undefined ? ofWay : { ...ofWay, bridge };
  return {
    ...shownRow(hedge, netUsd),
    slippageBps,
    deadline,
    transactions,
    stages: stagesOf(hedge, steps),
    steps: written,
    terms: Object.fromEntries(
      Object.entries(terms).map(([name, value]) => [
        name,
        typeof value === 'object' ? JSON.stringify(value) : String(value),
      ]),
    ),
    calldata: knownVenue(way.mode)?.calldata(hedge, steps) ?? [],
  };
}

/** Which stages of its way are behind it, and which it is at. */
function stagesOf(hedge: HedgeRecord, steps: readonly HedgeStep[]): HedgeDetail['stages'] {
  const stages = knownVenue(hedge.opened.way.mode)?.stages(hedge, steps) ?? [];
  const at = stages.findLastIndex(([, isBehind]) => isBehind) + 1;
  const end = isEnded(hedge);
  return stages.map(([name], index) => ({
    name,
    is: index < at ? 'done' : index > at || (end && hedge.state !== 'failed') ? 'to come' : end ? 'failed' : 'now',
  }));
}
