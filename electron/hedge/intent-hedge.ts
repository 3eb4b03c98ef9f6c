import { isDeepStrictEqual } from 'node:util';
import type { Hex } from '../protocol/address.ts';
import { DeskError } from '../protocol/desk-error.ts';
import type { IntentBuildAnswer } from '../protocol/intent-build.ts';
import { ENDED_STATUSES, type IntentOrderRecord } from '../protocol/intent-order-record.ts';
import type { IntentPrice } from '../protocol/intent-wire.ts';
import {
  buildIntentOrder,
  cancelIntentOrders,
  findIntentOrder,
  intentOrder,
  submitIntentOrder,
} from '../service/intent-orders.ts';
import { intentPrices } from '../service/intent-prices.ts';
import { isSame } from '../service/market-checks.ts';
import { nonsense } from '../service/service-connection.ts';
import { ServiceFault } from '../service/service-fault.ts';
import { spenderOf } from '../service/spender.ts';
import { carryOutApproval } from './carry-out-approval.ts';
import { sentenceOf } from './hedge-parts.ts';
import { HedgeOver, type HedgeRun, isAllowed, isFresh, mayGoOn, record, rest, sayHeld } from './hedge-run.ts';
import { wireToken } from './hedge-tokens.ts';
import { type VerifiedOrder, verifyOrder } from './intent-amounts.ts';
import { buildFields, builtBounds, type IntentTerms, intentTerms, mostSpent } from './intent-terms.ts';
import { signTypedData } from './sign-transaction.ts';

/** How long after its deadline an order that the service never had is given up, in seconds. */
const PATIENCE = 30;
const NEEDS_PERMIT = /Permit \/ Permit2 required/;

/** The part of a hedge by intent that takes its turn among the hedges of an account: price, approve, build, check, sign. */
export async function signIntentOrder(run: HedgeRun): Promise<void> {
  const { opened } = record(run);
  if (run.parts.signerFor(opened.maker) === null) {
    throw new DeskError(
      'contract_maker',
      'An intent order is signed with the key of the maker, and this desk does not hold it: a contract cannot sign.',
      { remedy: 'Hedge on the market: the owner of the maker gets the calldata.' },
    );
  }
  const terms = intentTerms(opened, Math.floor(run.parts.now() / 1_000));
  await buildAndSign(run, terms, false);
}

async function buildAndSign(run: HedgeRun, terms: IntentTerms, permitRequired: boolean): Promise<void> {
  const { parts, log, seq } = run;
  const { opened } = record(run);
  const { chainId, maker } = opened;
  let pricedAt = parts.now();
  const first = await price(run, terms);
  const spender = spenderOf({ intent: first });
  const amount = mostSpent(opened, first.route);
  const wish = { spender, mode: 'intent' as const, settlement: terms.settlement, amount, permitRequired };
  const { permit, sent } = await carryOutApproval(run, wish);
  let { route } = first;
  if (sent || !isFresh(run, pricedAt)) {
    pricedAt = parts.now();
    ({ route } = await price(run, terms));
  }
  let built: IntentBuildAnswer;
  try {
    built = await buildIntentOrder(
      parts.service(chainId),
      {
        ...{ side: opened.side, route, owner: maker, deadline: opened.deadline, orderType: terms.orderType },
        ...(opened.beneficiary !== null && { beneficiary: opened.beneficiary }),
        ...(permit !== undefined && { permit }),
        ...buildFields(opened, route),
      },
      spender?.address ?? '',
    );
  } catch (error) {
    const wantsPermit = !permitRequired && error instanceof ServiceFault && NEEDS_PERMIT.test(error.message);
    if (wantsPermit) return buildAndSign(run, terms, true);
    throw error;
  }
  const { toSign, orderHash } = built;
  const { orderType, type } = terms;
  await log.step(seq, {
    ...{ step: 'order_built', orderHash, orderType, spender: spender?.address ?? maker, nativeUsd: null },
    ...builtBounds(opened, toSign.value),
  });
  await mayGoOn(run);
  // It was held until its price was too old: once more from there.
  if (!isFresh(run, pricedAt)) return buildAndSign(run, terms, permitRequired);
  const signer = parts.signerFor(maker);
  if (signer === null) throw new DeskError('no_key', `The key of ${maker} is not held by this desk.`);
  const signature = signTypedData(signer, toSign);
  await log.step(seq, { step: 'order_signed', orderHash, order: toSign.value, signature, type });
}

function price(run: HedgeRun, { priced }: IntentTerms): Promise<IntentPrice> {
  const { chainId, src, dest, side, maker, beneficiary } = record(run).opened;
  return intentPrices(run.parts.service(chainId), {
    ...{ chainId, srcToken: wireToken(src), destToken: wireToken(dest), amount: `${priced}`, side, userAddress: maker },
    ...{ srcDecimals: src.decimals, destDecimals: dest.decimals },
    ...(dest.chainId !== chainId && { destChainId: dest.chainId }),
    ...(beneficiary !== null && { beneficiary }),
  });
}

/**
 * Hands the signed order to the service, and only once: whenever it is not known whether the service has it, the service is
 * asked by the order's hash before the same bytes are handed over again. A refusal ends it at once only where the service
 * cannot have it from before; otherwise it is looked for a while longer. `fresh`: it was signed just now.
 */
export async function submitOrder(run: HedgeRun, fresh: boolean): Promise<void> {
  const { parts, log, seq } = run;
  const { opened } = record(run);
  const { chainId, maker, deadline } = opened;
  const signed = await log.last(seq, 'order_signed');
  if (signed === null) throw new Error(`hedge ${seq} has no signed order`);
  const service = parts.service(chainId);
  const orderHash = signed.orderHash as Hex;
  const known: { mayHaveIt: boolean; refusal: { sentence: string; until: number } | null } = {
    ...{ mayHaveIt: !fresh, refusal: null },
  };
  const handOver = async (): Promise<IntentOrderRecord> => {
    const { order, signature, type } = signed;
    try {
      const taken = await submitIntentOrder(service, { chainId, order, signature, type });
      if (!taken.orderHash || isSame(taken.orderHash, orderHash)) return taken;
      throw nonsense(`order ${taken.orderHash} where ${orderHash} was handed over`);
    } catch (error) {
      const isNo = error instanceof ServiceFault && error.fate === 'refused' && error.status !== 429;
      if (isNo && !known.mayHaveIt) throw new HedgeOver('failed', sentenceOf(error));
      if (isNo) known.refusal = { sentence: sentenceOf(error), until: parts.now() + PATIENCE * 1_000 };
      known.mayHaveIt ||= !(error instanceof ServiceFault) || error.fate === 'unknown';
      throw error;
    }
  };
  for (let look = fresh ? 0 : 1; ; look += 1) {
    try {
      const found = look === 0 ? null : await findIntentOrder(service, { owner: maker, chainId, orderHash });
      if (found !== null) return await submitted(run, found);
      if (parts.now() / 1_000 > deadline + PATIENCE) {
        throw new HedgeOver('failed', 'The service never had the order, and its deadline is over.');
      }
      const { refusal: no } = known;
      if (no !== null && parts.now() >= no.until) throw new HedgeOver('failed', no.sentence);
      if (no === null && isAllowed(run)) return await submitted(run, await handOver());
      if (no === null) await sayHeld(run, 'The order is signed, and is not handed over.');
    } catch (error) {
      run.signal.throwIfAborted();
      if (error instanceof HedgeOver) throw error;
      await log.wait(seq, `The order is signed, and whether the service has it is not known: ${sentenceOf(error)}`);
    }
    await rest(run, run.pollMs);
  }
}

async function submitted({ log, seq }: HedgeRun, { id, status }: IntentOrderRecord): Promise<void> {
  await log.step(seq, { step: 'order_submitted', orderId: id, status });
}

/** Follows an order that the service has to its end, and asks for its cancellation where a person wanted that. */
export async function followOrder(run: HedgeRun): Promise<void> {
  const { parts, log, seq } = run;
  const { chainId } = record(run).opened;
  for (;;) {
    try {
      await askForCancel(run);
      const order = await intentOrder(parts.service(chainId), record(run).orderId ?? '');
      const { unconfirmed, ...verified } = await verifyOrder(run, order);
      await tell(run, order, verified, unconfirmed === null);
      if (ENDED_STATUSES.has(order.status) && unconfirmed === null) return await endOf(run, order);
      if (unconfirmed !== null) await log.wait(seq, `No chain confirms yet what the service says: ${unconfirmed}.`);
    } catch (error) {
      run.signal.throwIfAborted();
      await log.wait(seq, `What became of the order cannot be asked: ${sentenceOf(error)}`);
    }
    // All orders together ask as often as one: a person who wants a quote has to get his turn too.
    await rest(run, run.pollMs * log.all().filter(({ state }) => state === 'submitted').length);
  }
}

async function tell(
  run: HedgeRun,
  { status }: IntentOrderRecord,
  { spent, received, transactions }: Omit<VerifiedOrder, 'unconfirmed'>,
  isClear: boolean,
): Promise<void> {
  const { orderStatus, spent: before, received: got, note } = record(run);
  const known = (await run.log.last(run.seq, 'order_status'))?.transactions ?? [];
  const same =
    orderStatus === status && before === `${spent}` && got === `${received}` && isDeepStrictEqual(known, transactions);
  if (same && (note === null || !isClear)) return;
  const amounts = { spent: `${spent}`, received: `${received}` };
  await run.log.step(run.seq, { step: 'order_status', status, ...amounts, transactions });
}

async function endOf({ log, seq }: HedgeRun, { status }: IntentOrderRecord): Promise<void> {
  const { spent } = log.running(seq);
  const part = BigInt(spent) > 0n ? ' Part of it was filled.' : '';
  if (status === 'COMPLETED') await log.end(seq, 'done', null);
  else if (status === 'CANCELLED') await log.end(seq, 'cancelled', `The order was cancelled.${part}`);
  else if (status === 'REFUNDED')
    await log.end(seq, 'failed', 'The bridge did not deliver, and gave back what it had.');
  else await log.end(seq, 'failed', `The service ended the order: ${status}.${part}`);
}

/** A cancellation that was signed and of which nobody knows whether the service was asked is asked for again. */
async function askForCancel({ parts, log, seq }: HedgeRun): Promise<void> {
  const { cancel, orderId, opened } = log.running(seq);
  if (cancel !== 'signed' || orderId === null) return;
  const signed = await log.last(seq, 'cancel_signed');
  if (signed === null) return;
  try {
    await cancelIntentOrders(parts.service(opened.chainId), [orderId], signed.signature);
  } catch (error) {
    // A plain no is an answer too: the order's own status tells the rest.
    if (!(error instanceof ServiceFault) || error.fate !== 'refused') throw error;
  }
  if (log.running(seq).cancel === 'signed') await log.step(seq, { step: 'cancel_asked' });
}
