import type { PublicClient } from 'viem';
import type { Address } from '../../protocol/address.ts';
import { DeskError } from '../../protocol/desk-error.ts';
import { unpackNonceAndMeta } from '../../protocol/nonce-and-meta.ts';
import { domainSeparator, fromWireOrder, type OrderFields, orderHash } from '../../protocol/order-hash.ts';
import { firmResponseSchema, type SignedOrder } from '../../protocol/wire.ts';
import { WHOLE_BPS } from '../basis-points.ts';
import { allowanceOf, balanceOf } from '../chain/read-amount.ts';
import { signatureBinds } from '../orders/maker-signature.ts';
import type { PracticeChain } from '../practice-chain.ts';
import type { PracticeLog } from '../practice-log.ts';
import { firstIssue, isSuccess, readErrorAnswer } from './answer-rules.ts';
import type { Complaints } from './complaints.ts';
import type { ConsumerIntervals } from './consumer-intervals.ts';
import { describeFailure, firstLineOf, isChainAway, printable } from './failures.ts';
import type { ConsumerMode, FirmAsk, FirmOutcome } from './maker-consumer.ts';
import type { Restrictions } from './restrictions.ts';
import type { ConsumerFaults, SurfaceAnswer, SurfaceClient } from './surface-client.ts';
import type { UserBlacklist } from './user-blacklist.ts';

/** Takes an order that the service received with a good hash and signature, usable or not. */
export type OnOrder = (order: SignedOrder, quote: { userAddress: Address; pairId: string }) => unknown;

export interface FirmQuotesOptions {
  chain: PracticeChain;
  client: SurfaceClient;
  mode: ConsumerMode;
  intervals: ConsumerIntervals;
  faults: ConsumerFaults;
  blacklist: UserBlacklist;
  restrictions: Restrictions;
  complaints: Complaints;
  onOrder: OnOrder;
  now: () => number;
  log: PracticeLog;
}

/**
 * How the service asks for firm quotes: once each, with its patience and for a little more than is wanted, and with the
 * public adapter's consequences for the pair and the user. Nothing it is answered makes it throw.
 */
export function openFirmQuotes(
  options: FirmQuotesOptions,
): (ask: FirmAsk, signal: AbortSignal) => Promise<FirmOutcome> {
  const { chain, client, mode, intervals, faults, blacklist, restrictions, complaints, onOrder, now, log } = options;
  const separator = domainSeparator(chain);
  let count = 0;

  function restrict({ pairId }: FirmAsk, why: string, forMs = intervals.restrictFor): void {
    restrictions.restrict(pairId, forMs, why);
  }

  function unusable(ask: FirmAsk, why: string): FirmOutcome {
    complaints.add(`/firm for ${ask.pairId}: ${why}`);
    restrict(ask, why);
    return { kind: 'unusable', why };
  }

  function unanswered(ask: FirmAsk, error: unknown): FirmOutcome {
    const why = describeFailure(error);
    complaints.add(`/firm for ${ask.pairId}: ${why}`);
    if (!(error instanceof DeskError)) restrict(ask, `no answer, ${why}`);
    else if (error.code === 'no_answer') restrict(ask, why, intervals.restrictAfterSilenceFor);
    else return unusable(ask, why);
    return { kind: 'no_answer' };
  }

  function refused(ask: FirmAsk, { status, body }: SurfaceAnswer): FirmOutcome {
    const { code, sentence, isWellFormed } = readErrorAnswer(body);
    if (!isWellFormed) complaints.add(`/firm for ${ask.pairId}: ${status} ${sentence}`);
    if (status === 403) {
      blacklist.banned(ask.userAddress);
      return { kind: 'blacklisted' };
    }
    restrict(ask, `refused with ${status}, ${code === null ? '' : `${code}: `}${sentence}`);
    return { kind: 'refused', status, code, sentence };
  }

  async function judge(ask: FirmAsk, asked: bigint, askedAt: number, body: unknown): Promise<FirmOutcome> {
    if (body === undefined) return unusable(ask, 'the answer is not JSON');
    const parsed = firmResponseSchema.safeParse(body);
    if (!parsed.success) return unusable(ask, `the answer is malformed: ${firstIssue(parsed.error)}`);
    const { order, message } = parsed.data;
    if (message !== undefined) log.info(printable(`/firm says: ${message}`));
    if (order === undefined && mode === 'strict') return unusable(ask, 'the answer has no order');
    if (order === undefined) {
      blacklist.unserved(ask.userAddress);
      return { kind: 'blacklisted' };
    }
    const fields = fromWireOrder(order);
    const hash = orderHash(separator, fields);
    if (!(await signatureBinds(chain.client, { maker: fields.maker, hash, signature: order.signature }))) {
      return unusable(ask, 'the signature is not the maker’s');
    }
    await store(order, ask);
    const fault = fieldFault(fields, ask, asked, askedAt) ?? (await fundsFault(fields, chain));
    if (fault !== null) return unusable(ask, fault);
    return priced(fields, ask) ?? { kind: 'order', order, hash };
  }

  /** A price that the user would not take costs nobody anything. */
  function priced(fields: OrderFields, ask: FirmAsk): FirmOutcome | null {
    if (!isWorseThanSlippage(fields, ask)) return null;
    return { kind: 'unusable', why: `the price is more than ${ask.slippageBps} bps worse than the grid` };
  }

  async function store(order: SignedOrder, { userAddress, pairId }: FirmAsk): Promise<void> {
    try {
      await onOrder(order, { userAddress, pairId });
    } catch (error) {
      log.warn(printable(`an order was not stored: ${describeFailure(error)}`));
    }
  }

  return async (ask, signal) => {
    if (faults.down) return { kind: 'not_asked', why: 'the service is down' };
    if (blacklist.current().has(ask.userAddress)) return { kind: 'blacklisted' };
    const restriction = restrictions.find(ask.pairId);
    if (restriction !== null) return { kind: 'not_asked', why: `the pair is left alone: ${restriction.why}` };
    const asked = askedAmount(ask);
    const askedAt = now();
    let answer: SurfaceAnswer;
    try {
      count += 1;
      const body = firmBody(ask, asked, count);
      answer = await client.call('/firm', { patienceMs: intervals.firmPatience, signal, body });
    } catch (error) {
      return signal.aborted ? { kind: 'no_answer' } : unanswered(ask, error);
    }
    if (!isSuccess(answer.status)) return refused(ask, answer);
    try {
      return await judge(ask, asked, askedAt, answer.body);
    } catch (error) {
      return { kind: 'unusable', why: `it could not be checked: ${firstLineOf(error)}` };
    }
  };
}

/** The hop before may deliver more than was thought, so the service asks for a little more (PROTOCOL 4.3.12). */
const OVER_ASK = { in: { n: 101n, d: 100n }, out: { n: 10_001n, d: 10_000n } };

/** Every so many requests come through a partner, and every so many are special. */
const PARTNER_EVERY = 3;
const SPECIAL_EVERY = 7;

/** What is asked of the maker for a wanted amount: floor of 1.01 times a sell, of 1.0001 times a buy. */
function askedAmount({ exact, amount }: Pick<FirmAsk, 'exact' | 'amount'>): bigint {
  const { n, d } = OVER_ASK[exact];
  return (amount * n) / d;
}

/** The body of the service's `count`-th `POST /firm` (PROTOCOL 4.3), with what the public adapter adds to it. */
function firmBody(ask: FirmAsk, asked: bigint, count: number): object {
  return {
    makerAsset: ask.makerToken.address,
    takerAsset: ask.takerToken.address,
    ...(ask.exact === 'in' ? { takerAmount: `${asked}` } : { makerAmount: `${asked}` }),
    userAddress: ask.userAddress,
    takerAddress: ask.takerAddress,
    special: count % SPECIAL_EVERY === 0,
    ...(count % PARTNER_EVERY === 0 ? { partner: 'practice-partner' } : {}),
  };
}

const MINIMAL_LIFE_SECONDS = 120;

/**
 * What is wrong with the fields of a firm order, half a sentence, or null (PROTOCOL 4.3.11 and 2.4.2). `asked`
 * is the amount that was asked for, `now` Unix milliseconds at which the question left.
 */
function fieldFault(order: OrderFields, ask: FirmAsk, asked: bigint, now: number): string | null {
  if (order.makerAsset !== ask.makerToken.address) return 'the maker asset is not the one asked for';
  if (order.takerAsset !== ask.takerToken.address) return 'the taker asset is not the one asked for';
  if (order.taker !== ask.takerAddress) return 'the taker is not the execution contract';
  if (unpackNonceAndMeta(order.nonceAndMeta).user !== ask.userAddress) return 'the user in nonceAndMeta is another';
  if (order.expiry < now / 1000 + MINIMAL_LIFE_SECONDS) return 'it expires in less than two minutes';
  if (order.makerAmount === 0n || order.takerAmount === 0n) return 'an amount is zero';
  if (amountNamed(order, ask) !== asked) return 'the amount is not the one asked for';
  return null;
}

/** Strictly more than the amount, as the public adapter has it. @throws when the node does not answer */
async function fundsFault(
  { maker, makerAsset, makerAmount }: OrderFields,
  { client, rfqContract }: { client: PublicClient; rfqContract: Address },
): Promise<string | null> {
  try {
    const [balance, allowance] = await Promise.all([
      balanceOf(client, makerAsset, maker),
      allowanceOf(client, makerAsset, maker, rfqContract),
    ]);
    if (balance <= makerAmount) return 'the maker’s balance is not above the amount';
    return allowance <= makerAmount ? 'the maker’s allowance is not above the amount' : null;
  } catch (error) {
    if (isChainAway(error)) throw error;
    return 'the maker asset tells no balance and allowance';
  }
}

/** Whether the price is worse than the expected one by more than the slippage. */
function isWorseThanSlippage({ makerAmount, takerAmount }: OrderFields, ask: FirmAsk): boolean {
  const { exact, amount, expected } = ask;
  const slippage = BigInt(ask.slippageBps);
  return exact === 'in'
    ? makerAmount * amount * WHOLE_BPS < expected * takerAmount * (WHOLE_BPS - slippage)
    : takerAmount * amount * WHOLE_BPS > expected * makerAmount * (WHOLE_BPS + slippage);
}

function amountNamed({ makerAmount, takerAmount }: OrderFields, { exact }: FirmAsk): bigint {
  return exact === 'in' ? takerAmount : makerAmount;
}
