import type { CancelledIntents } from '../../../contract/still-live.ts';
import type { Address } from '../../../protocol/address.ts';
import { DeskError } from '../../../protocol/desk-error.ts';
import { MOST_CANCELLED } from '../../../protocol/intent-build.ts';
import { CANCELLABLE_STATUSES, ENDED_STATUSES, type IntentStatus } from '../../../protocol/intent-order-record.ts';
import { buildIntentCancellation, cancelIntentOrders, intentOrders } from '../../../service/intent-orders.ts';
import { ServiceFault } from '../../../service/service-fault.ts';
import { chainOf, sentenceOf } from '../../hedge-parts.ts';
import { isContractMaker, signForMaker } from '../../maker-signature.ts';
import type { CancellingAll } from '../venue.ts';

const LIST_LIMIT = 1_000;
const MOST_PAGES = 20;

/** For the orders of which maker. */
interface Cancelling extends CancellingAll {
  maker: Address;
}

/**
 * Has the service cancel every intent order of a chain that may be cancelled: those of hedges that run, and whatever else it
 * lists for the maker. As many as fit are signed together (PROTOCOL 18). Orders that the service refuses together are asked for in
 * halves, so that one that has settled meanwhile keeps no other. Throws DeskError `unknown_chain`, `no_service`.
 */
export async function cancelIntents(all: CancellingAll): Promise<CancelledIntents[]> {
  const { parts, log, chainId, dryRun } = all;
  parts.service(chainId);
  const found: CancelledIntents[] = [];
  const ours = log.all().filter(({ opened }) => opened.chainId === chainId);
  const makers = new Set([chainOf(parts, chainId).config.maker, ...ours.map(({ opened }) => opened.maker)]);
  for (const maker of makers) {
    const asking = { ...all, maker };
    const orderIds = new Set(
      ours.flatMap(({ opened, state, orderId, orderStatus }) => {
        const isOpen = state === 'submitted' && orderId !== null && !ENDED_STATUSES.has(orderStatus ?? '');
        return isOpen && opened.maker === maker ? [orderId] : [];
      }),
    );
    try {
      for (const id of await listed(asking)) orderIds.add(id);
    } catch (error) {
      const reason = `What else the service has of ${maker} is not known: ${sentenceOf(error)}`;
      found.push({ chainId, orderIds: [], outcome: 'failed', reason });
    }
    const ids = [...orderIds];
    for (let from = 0; from < ids.length; from += MOST_CANCELLED) {
      const some = ids.slice(from, from + MOST_CANCELLED);
      if (dryRun) found.push({ chainId, orderIds: some, outcome: 'dry_run', reason: null });
      else found.push(...(await askFor(asking, some)));
    }
  }
  return found;
}

/** The ids of what the service has of the maker and still lets be cancelled. */
async function listed({ parts, chainId, maker }: Cancelling): Promise<string[]> {
  const status = [...CANCELLABLE_STATUSES] as IntentStatus[];
  const ids: string[] = [];
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const asked = { userAddress: maker, chainId: [chainId], status, page, limit: LIST_LIMIT };
    const { data, hasMore } = await intentOrders(parts.service(chainId), asked);
    for (const { id, status: is } of data) if (CANCELLABLE_STATUSES.has(is)) ids.push(id);
    if (!hasMore) break;
  }
  return ids;
}

/** Whatever kept it from being asked, each order of ours is asked for by itself until it shows its end. */
async function wanted({ log, actor }: Cancelling, orderIds: readonly string[]): Promise<void> {
  for (const { seq, state, orderId, cancel } of log.all()) {
    const isOne = state === 'submitted' && cancel === 'no' && orderIds.includes(orderId ?? '');
    if (isOne) await log.step(seq, { step: 'cancel_wanted' }, actor);
  }
}

async function askFor(asking: Cancelling, orderIds: string[]): Promise<CancelledIntents[]> {
  const { parts, node, log, chainId, maker, actor } = asking;
  const service = parts.service(chainId);
  try {
    const toSign = await buildIntentCancellation(service, chainId, orderIds);
    const signature = await signForMaker({ parts, node }, { chainId, maker }, toSign);
    const about = new Set(orderIds);
    const running = () =>
      log.all().filter(({ state, orderId }) => state === 'submitted' && orderId !== null && about.has(orderId));
    await Promise.all(running().map(({ seq }) => log.step(seq, { step: 'cancel_signed', signature, orderIds }, actor)));
    const cancelled = await cancelIntentOrders(service, orderIds, signature, isContractMaker(parts, maker));
    const taken = new Set(cancelled);
    for (const { seq, orderId, cancel } of running()) {
      if (cancel === 'signed' && taken.has(orderId ?? '')) await log.step(seq, { step: 'cancel_asked' }, actor);
    }
    return [{ chainId, orderIds: cancelled, outcome: 'asked', reason: null }];
  } catch (error) {
    const isRefused = error instanceof ServiceFault && error.fate === 'refused' && error.status !== 429;
    // One of them ended between the question and its signature.
    const isOver = error instanceof DeskError && error.code === 'hedge_ended';
    if (!(isRefused || isOver) || orderIds.length === 1) {
      await wanted(asking, orderIds);
      return [{ chainId, orderIds, outcome: 'failed', reason: sentenceOf(error) }];
    }
    const half = Math.ceil(orderIds.length / 2);
    return [...(await askFor(asking, orderIds.slice(0, half))), ...(await askFor(asking, orderIds.slice(half)))];
  }
}
