import type { HedgeDetail, HedgeRow } from '../contract/hedge.ts';
import { hedgeGasUsd } from '../journal/hedge-gas.ts';
import { type HedgeRecord, isEnded } from '../journal/hedge-record.ts';
import type { JournalReader } from '../journal/queries.ts';
import type { WrittenStep } from '../journal/read-hedges.ts';
import { formatDecimal } from '../protocol/decimal.ts';
import { CANCELLABLE_STATUSES } from '../protocol/intent-order-record.ts';
import { isNative } from '../protocol/route-token.ts';
import { approval } from './hedge-node.ts';

type NetReader = Pick<JournalReader, 'hedgeNets'>;

const DOLLAR_PLACES = 4;
const NOTHING_SIGNED = new Set(['opened', 'built', 'simulated']);

/** Hedges as the console lists them, with what their fills came to. */
export async function hedgeRows(read: NetReader, hedges: readonly HedgeRecord[]): Promise<HedgeRow[]> {
  const nets = await read.hedgeNets(hedges.map(({ seq }) => seq));
  return hedges.map((hedge, index) => hedgeRow(hedge, nets[index] ?? null));
}

function hedgeRow(hedge: HedgeRecord, netUsd: string | null): HedgeRow {
  const { opened, transactions } = hedge;
  const { chainId, side, src, dest, amount, pair, fillSeqs, automatic, way } = opened;
  const { seq, time, actor, state, orderStatus, orderId, orderHash, spent, received, feeWei, note, held, endedAt } =
    hedge;
  const gas = hedgeGasUsd(hedge);
  return {
    ...{ seq, time, actor, chainId, mode: way.mode, side, src, dest, amount, pair, fillSeqs, automatic, state },
    ...{ orderStatus, orderId, orderHash, spent, received, feeWei, note, held, endedAt },
    transactionHash: transactions.find(({ purpose }) => purpose === 'swap')?.hash ?? null,
    feeUsd: gas === null ? null : formatDecimal(gas, DOLLAR_PLACES, 'ceil'),
    netUsd,
    cancellable: isCancellable(hedge),
  };
}

/** Nothing of it is signed yet, or the service may still be asked to end its order. */
export function isCancellable(hedge: HedgeRecord): boolean {
  if (isEnded(hedge)) return false;
  if (hedge.state === 'submitted') return hedge.cancel === 'no' && CANCELLABLE_STATUSES.has(hedge.orderStatus ?? '');
  return NOTHING_SIGNED.has(hedge.state) && hedge.pending === null;
}

/** A hedge with everything that happened to it. */
export function hedgeDetail(hedge: HedgeRecord, steps: WrittenStep[], netUsd: string | null): HedgeDetail {
  const { opened, transactions, state } = hedge;
  const { slippageBps, beneficiary, deadline, way } = opened;
  const { mode, ...terms } = way;
  return {
    ...hedgeRow(hedge, netUsd),
    ...{ slippageBps, beneficiary, deadline, transactions, steps },
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
