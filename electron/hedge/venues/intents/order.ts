import { isDeepStrictEqual } from 'node:util';
import { countSchema } from '../../../chain/node-answers.ts';
import { resultOf } from '../../../chain/node-client.ts';
import type { HedgeStep } from '../../../contract/hedge-steps.ts';
import type { HedgeRecord } from '../../../journal/hedges/fold.ts';
import type { Hex } from '../../../protocol/address.ts';
import { fromRaw } from '../../../protocol/decimal.ts';
import { DeskError, isDeskError } from '../../../protocol/desk-error.ts';
import type { IntentBuildAnswer } from '../../../protocol/intent-build.ts';
import { ENDED_STATUSES, type IntentOrderRecord } from '../../../protocol/intent-order-record.ts';
import type { IntentPrice } from '../../../protocol/intent-wire.ts';
import { buildIntentOrder, findIntentOrder, intentOrder, submitIntentOrder } from '../../../service/intent-orders.ts';
import { isSame } from '../../../service/market-checks.ts';
import { nonsense } from '../../../service/service-connection.ts';
import { ServiceFault } from '../../../service/service-fault.ts';
import { spenderOf } from '../../../service/spender.ts';
import { carryOutApproval } from '../../carry-out-approval.ts';
import { partnerIn } from '../../hedge-partner.ts';
import { chainOf, sentenceOf } from '../../hedge-parts.ts';
import { HedgeOver, type HedgeRun, isAllowed, isFresh, mayGoOn, record, rest, sayHeld } from '../../hedge-run.ts';
import { lastStep } from '../../hedge-steps.ts';
import { isContractMaker, keyFor, signForMaker } from '../../maker-signature.ts';
import { claim } from '../../most-taken.ts';
import { furthestOf } from '../../reference-distance.ts';
import { WantedCancellation } from './cancellation.ts';
import { untilDue, untilLookedFor } from './follow-pause.ts';
import { signedLeft } from './order-left.ts';
import { orderOnChain } from './order-on-chain.ts';
import { intentPrice } from './price.ts';
import {
  buildFields,
  builtBounds,
  type IntentTerms,
  intentTerms,
  isSliced,
  leastArriving,
  limitOf,
  mostSpent,
  ownLogs,
} from './terms.ts';
import { type VerifiedOrder, verifyOrder } from './verified-amounts.ts';

const HELD_TOO_LONG = 'It was held until its price was too old, and was never handed over to the service.';
const NOT_TAKEN = 'The service did not take the order while its price was good.';
/** How long after its deadline an order that the service never had is given up, in seconds. */
const PATIENCE = 30;

/** The part of a hedge by intent that takes its turn among the hedges of an account: price, approve, build, check, sign. */
export async function signIntentOrder(run: HedgeRun): Promise<void> {
  const { opened } = record(run);
  if (keyFor(run.parts, opened.chainId, opened.maker) === null) {
    throw new DeskError('no_key', 'An intent order is signed by the key of the maker, which this desk does not hold.', {
      remedy: 'Hedge on the market: the owner of the maker gets the calldata.',
    });
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
  const amount = mostSpent(opened, first.route, furthestIn(run, terms, first));
  const wish = { spender, mode: 'intent' as const, settlement: terms.settlement, amount, permitRequired };
  const { permit, sent } = await carryOutApproval(run, wish);
  let last = first;
  if (sent || !isFresh(run, pricedAt)) {
    pricedAt = parts.now();
    last = await price(run, terms);
  }
  const { route } = last;
  const furthest = furthestIn(run, terms, last);
  let built: IntentBuildAnswer;
  try {
    built = await buildIntentOrder(
      parts.service(chainId),
      {
        side: opened.side,
        route,
        owner: maker,
        deadline: opened.deadline,
        orderType: terms.orderType,
        ...(opened.beneficiary !== null && { beneficiary: opened.beneficiary }),
        ...(permit !== undefined && { permit }),
        ...partnerIn(chainOf(parts, chainId).config),
        ...buildFields(opened, route, furthest),
      },
      {
        spender: spender?.address ?? '',
        slippageBps: opened.slippageBps,
        dest: opened.dest,
        listed: new Map([...chainOf(parts, chainId).tokens.values()].map((one) => [one.address, one.decimals])),
      },
    );
  } catch (error) {
    const wantsPermit = !permitRequired && error instanceof ServiceFault && error.permitRequired;
    if (wantsPermit) return buildAndSign(run, terms, true);
    throw error;
  }
  const { toSign, orderHash } = built;
  const { orderType, type } = terms;
  const bounds = builtBounds(opened, toSign.value);
  claim(run, BigInt(bounds.most));
  await log.step(seq, {
    step: 'order_built',
    orderHash,
    orderType,
    spender: spender?.address ?? maker,
    nativeUsd: null,
    pricedAt,
    arrives: `${leastArriving(opened, terms, route)}`,
    ...bounds,
  });
  let since = await newestBlocks(run);
  while (await mayGoOn(run)) since = await newestBlocks(run);
  // It was held, or a node was silent, until its price was too old: once more from there.
  if (!isFresh(run, pricedAt)) return buildAndSign(run, terms, permitRequired);
  const signature = await signForMaker(run, { chainId, maker }, toSign);
  await log.step(seq, { step: 'order_signed', orderHash, order: toSign.value, signature, type, ...since });
}

/** The newest blocks of the chains of an order that is not signed yet: nothing of it lies before them. */
async function newestBlocks(run: HedgeRun): Promise<{ block: number; destBlock?: number }> {
  const { chainId, dest } = record(run).opened;
  const block = await newestBlock(run, chainId);
  return dest.chainId === chainId ? { block } : { block, destBlock: await newestBlock(run, dest.chainId) };
}

/** Waits for a node that is silent as long as the hedge may go on: nothing is signed without its block. Throws HedgeOver, DeskError `unknown_chain`. */
async function newestBlock(run: HedgeRun, chainId: number): Promise<number> {
  for (;;) {
    const { node } = run.node(chainId);
    try {
      const [answer] = await node.ask([{ method: 'eth_blockNumber', params: [] }]);
      return resultOf(node, 'eth_blockNumber', answer, countSchema);
    } catch (error) {
      run.signal.throwIfAborted();
      run.letPass();
      const { name } = chainOf(run.parts, chainId).config;
      await run.log.wait(run.seq, `Nothing is signed until the node of ${name} answers: ${sentenceOf(error)}`);
    }
    await rest(run, run.lookMs);
    await mayGoOn(run);
  }
}

/** The worst by the reference that this price, or the limit of a limit order, may come to. Throws DeskError `off_reference`, `no_reference`. */
function furthestIn(run: HedgeRun, { priced }: IntentTerms, { route }: IntentPrice): bigint | null {
  const { opened } = record(run);
  const { side } = opened;
  const offered = BigInt(side === 'SELL' ? route.destination.output.amount : route.origin.input.amount);
  return furthestOf(run, { ...opened, amount: `${priced}` }, limitOf(opened) ?? offered);
}

function price(run: HedgeRun, { priced }: IntentTerms): Promise<IntentPrice> {
  return intentPrice(run.parts, record(run).opened, priced);
}

/**
 * Hands the signed order to the service, and only once: whenever it is not known whether the service has it, the service is
 * asked by the order's hash before the same bytes are handed over again. A refusal ends it at once only where the service
 * cannot have it from before; otherwise it is looked for a while longer. One at a price of its moment is not handed over any more once
 * that is too old: whoever may fill it then does so only where the market has turned against us. `fresh`: it was signed just now.
 */
export async function submitOrder(run: HedgeRun, fresh: boolean): Promise<void> {
  const { parts, log, seq } = run;
  const { opened } = record(run);
  const { chainId, maker, deadline } = opened;
  const steps = await parts.journal.read.hedgeSteps(seq);
  const [signed, built] = [await log.last(seq, 'order_signed'), await log.last(seq, 'order_built')];
  if (signed === null) throw new Error(`hedge ${seq} has no signed order`);
  const signedAt = steps.findLast(({ step }) => step.step === 'order_signed')?.time ?? 0;
  const pricedAt = built?.pricedAt ?? signedAt;
  const isOfItsMoment = signed.type === 'MARKET' && !isSliced(opened);
  const service = parts.service(chainId);
  const since = parts.now();
  const orderHash = signed.orderHash as Hex;
  const known: { mayHaveIt: boolean; refusal: { sentence: string; until: number } | null } = {
    mayHaveIt: !fresh,
    refusal: null,
  };
  let [isHeld, isOffered] = [false, !fresh];
  const handOver = async (): Promise<IntentOrderRecord> => {
    const { order, signature, type } = signed;
    isOffered = true;
    try {
      const asItIs = isContractMaker(parts, maker);
      const partner = partnerIn(chainOf(parts, chainId).config);
      const taken = await submitIntentOrder(service, { chainId, order, signature, type, ...partner }, asItIs);
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
      if (run.givenUp() !== null && record(run).cancel === 'no') await log.step(seq, { step: 'cancel_wanted' });
      const isOff = record(run).cancel !== 'no';
      if (isOff && !known.mayHaveIt) throw new HedgeOver('cancelled', 'It was cancelled before it was handed over.');
      const { refusal: no } = known;
      if (isOfItsMoment && !isFresh(run, pricedAt)) {
        throw new HedgeOver('failed', no?.sentence ?? (isHeld && !isOffered ? HELD_TOO_LONG : NOT_TAKEN));
      }
      if (no !== null && parts.now() >= no.until) throw new HedgeOver('failed', no.sentence);
      if (no === null && isAllowed(run) && !isOff) return await submitted(run, await handOver());
      if (isOff) await log.wait(seq, 'It is cancelled, and whether the service has it is not known yet.');
      else if (no === null) {
        isHeld = true;
        await sayHeld(run, 'The order is signed, and is not handed over.', isOfItsMoment ? pricedAt : null);
      }
    } catch (error) {
      run.signal.throwIfAborted();
      if (error instanceof HedgeOver) throw error;
      await log.wait(seq, `The order is signed, and whether the service has it is not known: ${sentenceOf(error)}`);
    }
    await untilLookedFor(run, since);
  }
}

async function submitted({ log, seq }: HedgeRun, { id, status }: IntentOrderRecord): Promise<void> {
  await log.step(seq, { step: 'order_submitted', orderId: id, status });
}

/** After a look at the chain alone the next one comes so many looks at the service later. */
const CHAIN_LOOK_EVERY = 12;
/** How long past its deadline an order is that the service cannot be asked for before the chain alone settles it, in seconds. */
const SILENCE = 600;

/**
 * Follows an order that the service has to its end, and asks for its cancellation until it shows where a person wanted that. What
 * the service has forgotten, or cannot be asked for any more, is settled from the chain.
 */
export async function followOrder(run: HedgeRun): Promise<void> {
  const { log, seq } = run;
  const cancellation = new WantedCancellation();
  let chainLook = 0;
  for (let look = 0; ; look += 1) {
    try {
      const notCancelled = await cancellation.pursue(run);
      const order = await askedFor(run);
      if (order !== null) {
        const { unconfirmed, ...verified } = await verifyOrder(run, order);
        await tell(run, order.status, verified, unconfirmed === null && notCancelled === null);
        if (ENDED_STATUSES.has(order.status) && unconfirmed === null) return await endOf(run, order);
        if (unconfirmed !== null) await log.wait(seq, `No chain confirms yet what the service says: ${unconfirmed}.`);
        else if (notCancelled !== null) await log.wait(seq, notCancelled);
      } else if (look >= chainLook) {
        chainLook = look + CHAIN_LOOK_EVERY;
        if (await settledFromChain(run, 'The service does not know the order any more.', PATIENCE)) return;
      }
    } catch (error) {
      run.signal.throwIfAborted();
      const said = `What became of the order cannot be asked: ${sentenceOf(error)}`;
      if (look >= chainLook && run.parts.now() / 1_000 > record(run).opened.deadline + SILENCE) {
        chainLook = look + CHAIN_LOOK_EVERY;
        if (await settledFromChain(run, said, SILENCE).catch(() => false)) return;
      } else await log.wait(seq, said);
    }
    await untilDue(run);
  }
}

/** The order by its id, else by its hash on the list; null when the service has forgotten it. */
async function askedFor(run: HedgeRun): Promise<IntentOrderRecord | null> {
  const { opened, orderId, orderHash } = record(run);
  const service = run.parts.service(opened.chainId);
  try {
    return await intentOrder(service, orderId ?? '');
  } catch (error) {
    if (!isDeskError(error, 'unknown_order')) throw error;
    const { maker: owner, chainId } = opened;
    return findIntentOrder(service, { owner, chainId, orderHash: orderHash as Hex });
  }
}

/**
 * Tells what the source chain alone shows of the order, and ends the hedge where that is proof: all of it was filled, or a block
 * that is later than its deadline by `patience` seconds was seen. Anything else a person has to decide.
 */
async function settledFromChain(run: HedgeRun, why: string, patience: number): Promise<boolean> {
  const { opened, orderStatus } = record(run);
  const { side, amount, deadline, src, dest } = opened;
  const { newest, doubt, spent, received, transactions } = await orderOnChain(run);
  await tell(run, orderStatus ?? '', { spent, received, transactions, others: [] }, false);
  const isOver = newest > deadline + patience;
  const isFilled = doubt === null && (side === 'SELL' ? spent : received) >= BigInt(amount);
  if (isFilled) {
    await run.log.end(run.seq, 'done', `${why} The chain shows that it was filled.`);
    return true;
  }
  if (isOver && doubt === null) {
    const part = spent > 0n ? `a part was filled: ${spent} raw units of ${src.symbol}` : 'nothing of it was filled';
    await run.log.end(run.seq, 'failed', `${why} Its deadline is over, and the chain shows that ${part}.`);
    return true;
  }
  const until = isOver
    ? `Its deadline is over, and the chain does not prove what became of it: ${doubt ?? ''}. Look for ${dest.symbol}, then give it up.`
    : 'Until its deadline it may still be filled, so the chain is watched; it ends by that, or when you give it up.';
  await run.log.wait(run.seq, `${why} ${until}`);
  return false;
}

async function tell(
  run: HedgeRun,
  status: string,
  { spent, received, others, transactions }: Omit<VerifiedOrder, 'unconfirmed'>,
  isClear: boolean,
): Promise<void> {
  const { orderStatus, spent: before, received: got, note } = record(run);
  const last = await run.log.last(run.seq, 'order_status');
  const known = { others: last?.others ?? [], transactions: last?.transactions ?? [] };
  const same =
    orderStatus === status &&
    before === `${spent}` &&
    got === `${received}` &&
    isDeepStrictEqual(known, { others, transactions });
  if (same && (note === null || !isClear)) return;
  const amounts = { spent: `${spent}`, received: `${received}` };
  await run.log.step(run.seq, { step: 'order_status', status, ...amounts, others, transactions });
}

async function endOf(run: HedgeRun, { status }: IntentOrderRecord): Promise<void> {
  const { log, seq } = run;
  const hedge = log.running(seq);
  const { spent, opened } = hedge;
  const part = BigInt(spent) > 0n ? ' Part of it was filled.' : '';
  if (status === 'COMPLETED') {
    const steps = (await run.parts.journal.read.hedgeSteps(seq)).map(({ step }) => step);
    const { left } = signedLeft(hedge, steps) ?? { left: 0n };
    // What a purchase brings through somebody's handler no log of ours tells: that it was filled is all that is known.
    const isUntold = opened.side === 'BUY' && !ownLogs(opened).saidAmount && BigInt(spent) > 0n;
    if (left === 0n || isUntold) return void (await log.end(seq, 'done', shortfall(hedge, steps)));
    // Whoever calls it completed may fill the rest all the same: it goes on counting.
    const { symbol, decimals } = opened.src;
    const open = `up to ${fromRaw(left, decimals)} ${symbol} of it may still be taken`;
    await log.end(seq, 'failed', `The service calls it completed, and by the chain ${open}.${part}`);
  } else if (status === 'CANCELLED') await log.end(seq, 'cancelled', `The order was cancelled at the service.${part}`);
  else if (status === 'REFUNDED')
    await log.end(seq, 'failed', `The bridge did not deliver, and gave back ${gaveBack(run)}.`);
  else await log.end(seq, 'failed', `The service ended the order: ${status}.${part}`);
}

/** What is to be said of an order that brought less than was agreed for what it gave, on one chain; null where it did not. */
function shortfall({ opened, spent, received }: HedgeRecord, steps: readonly HedgeStep[]): string | null {
  const built = lastStep(steps, 'order_built');
  const { src, dest } = opened;
  if (built === null || src.chainId !== dest.chainId || !ownLogs(opened).saidAmount) return null;
  const least = (BigInt(built.least) * BigInt(spent)) / BigInt(built.most);
  if (BigInt(received) >= least) return null;
  const text = (raw: bigint) => `${fromRaw(raw, dest.decimals)} ${dest.symbol}`;
  return `It brought ${text(BigInt(received))}, and at least ${text(least)} was agreed. Look at the token, the node and the service before you hedge on.`;
}

/** What a bridge gave back beside the source, for a person. */
function gaveBack(run: HedgeRun): string {
  const { others = [] } = record(run);
  if (others.length === 0) return 'what it had';
  const amounts = others.map(({ chainId, token, amount }) => {
    const tokens = run.parts.book.chain(chainId)?.tokens.values() ?? [];
    const listed = [...tokens].find(({ address }) => address === token);
    return listed === undefined
      ? `${amount} raw units of ${token} on chain ${chainId}`
      : `${fromRaw(BigInt(amount), listed.decimals)} ${listed.symbol} on chain ${chainId}`;
  });
  return `${amounts.join(' and ')}: hedge that next`;
}
