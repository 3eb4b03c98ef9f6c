import { ZERO_ADDRESS } from '../protocol/address.ts';
import { DeskError } from '../protocol/desk-error.ts';
import type { BuildAsk, IntentBuildAnswer, OnChainOrderType } from '../protocol/intent-build.ts';
import {
  INTENT_ORDER_TYPES,
  MOST_FEE_BPS,
  ORDER_CANCELLATIONS_TYPES,
  unpackPartnerAndFee,
} from '../protocol/intent-order.ts';
import { primaryTypeOf, structHash, type ToSign, typedDataHash } from '../protocol/typed-data.ts';
import { type AgreedEnd, checkEnd } from './check-order-end.ts';
import { isSame } from './market-checks.ts';

/** Which amount is exact, as an order says it. */
const KINDS = { SELL: '0', BUY: '1' } as const;

/** The amounts that each kind cannot do without. The types of all but the plain order are published nowhere. */
const AMOUNTS: Record<OnChainOrderType, string[]> = {
  Order: ['srcAmount', 'destAmount'],
  ProductiveOrder: ['srcAmount', 'destAmount'],
  ExternalOrder: ['srcAmount', 'destAmount'],
  TWAPOrder: ['totalSrcAmount', 'destAmount'],
  TWAPBuyOrder: ['totalDestAmount', 'maxSrcAmount'],
};

/** Signed as they were asked for, wherever the type has them. */
const NUMBERS = ['nonce', 'interval', 'numSlices', 'totalSrcAmount', 'totalDestAmount', 'maxSrcAmount'] as const;
const BYTES = ['handler', 'data', 'strategy', 'metadata'] as const;

/** That the partner gets the surplus, and what those pay who have no name at the service. */
const TAKES_SURPLUS = 1;
const ANONYMOUS_BPS = 1;

/** What the desk holds an order to beside what it asked for: the intent contract of the price, the end, and the whole slippage that was allowed. */
export interface AgreedOrder extends AgreedEnd {
  spender: string;
  slippageBps: number;
}

/**
 * What the service wants signed is what was asked for, and for the intent contract of the price (PROTOCOL 14.4): kind, chain,
 * contract, owner, receiver, tokens, deadline, amounts within slippage, permit, bridge, and who gets what of it. Only what
 * the types name counts, since nothing else is signed. Throws DeskError `built_otherwise`, `bad_typed_data`.
 */
export function checkBuiltOrder({ toSign, orderHash }: IntentBuildAnswer, asked: BuildAsk, agreed: AgreedOrder): void {
  const { route, owner, beneficiary = owner, orderType } = asked;
  const source = route.origin.input.token;
  const type = primaryTypeOf(toSign.types);
  expectSame('type', type, orderType);
  if (orderType === 'Order') expectSame('type', fieldsOf(toSign.types), fieldsOf(INTENT_ORDER_TYPES));
  // By this name the order is looked for on chain: it is ours to say, as the whole of what is signed or as the order in it.
  const [whole, order] = [typedDataHash(toSign), structHash(toSign)];
  if (!isSame(orderHash, order)) expectSame('orderHash', orderHash, whole);
  expectSame('chainId', String(toSign.domain.chainId), String(source.chainId));
  expectSame('verifyingContract', toSign.domain.verifyingContract, agreed.spender);
  const signed = signedFields(toSign);
  expectSame('owner', signed.owner, owner);
  const receiver = signed.beneficiary === ZERO_ADDRESS ? owner : signed.beneficiary;
  expectSame('beneficiary', receiver, beneficiary);
  expectSame('srcToken', signed.srcToken, source.address);
  const { destToken } = signed;
  checkEnd({ destToken, bridge: 'bridge' in signed ? toSign.value.bridge : null }, route, agreed);
  expectSame('deadline', signed.deadline, String(asked.deadline));
  for (const field of AMOUNTS[orderType])
    if (signed[field] === undefined) throw otherwise(field, undefined, 'an amount');
  for (const field of [...NUMBERS, ...BYTES]) {
    const wanted = asked[field];
    if (wanted !== undefined && field in signed) expectSame(field, signed[field], String(wanted));
  }
  if ('kind' in signed) expectSame('kind', signed.kind, KINDS[asked.side ?? 'SELL']);
  if ('permit' in signed) expectSame('permit', signed.permit, asked.permit ?? '0x');
  if (orderType === 'TWAPOrder') checkSlice(signed, asked);
  else if (AMOUNTS[orderType].includes('destAmount')) checkAmounts(signed, asked);
  checkShares(signed, asked, agreed.slippageBps);
}

/** The fields of every struct, in their order, as one text. */
function fieldsOf(types: ToSign['types']): string {
  const { EIP712Domain: _, ...own } = types;
  const structs = Object.entries(own).sort(([one], [other]) => (one < other ? -1 : 1));
  return structs.map(([name, fields]) => `${name}(${fields.map((one) => `${one.type} ${one.name}`).join()})`).join('');
}

/**
 * Nobody gets more of it than was agreed: a fee within the slippage, or what those pay who have no name, beside what was asked for; no
 * surplus that was not; and what is expected is as good as what was offered, since others may keep what goes better than that.
 */
function checkShares(
  signed: Record<string, string>,
  { route, orderType, limitAmount, ...asked }: BuildAsk,
  slippageBps: number,
) {
  const { feeBps, flags } = unpackPartnerAndFee(BigInt(signed.partnerAndFee ?? 0));
  const { partnerFeeBps = 0, partnerTakesSurplus = false } = asked;
  // A limit is what is left after every fee.
  const most = limitAmount === undefined ? Math.max(slippageBps, ANONYMOUS_BPS) + partnerFeeBps : MOST_FEE_BPS;
  if (feeBps > most) throw otherwise('fee', `${feeBps} bps`, `at most ${most} bps`);
  if ((flags & TAKES_SURPLUS) !== 0 && !partnerTakesSurplus)
    throw otherwise('partnerAndFee', 'one that takes the surplus', 'without it');
  if (signed.expectedAmount === undefined) return;
  const expected = BigInt(signed.expectedAmount);
  const isBuy = orderType === 'TWAPBuyOrder' || (orderType !== 'TWAPOrder' && asked.side === 'BUY');
  if (isBuy) {
    const offered = BigInt(route.origin.input.amount) * BigInt(asked.numSlices ?? 1);
    const worst = limitAmount !== undefined && BigInt(limitAmount) > offered ? BigInt(limitAmount) : offered;
    if (expected > worst) throw otherwise('expectedAmount', `${expected}`, `at most ${worst}`);
    return;
  }
  const offered = BigInt((route.bridge ? route.origin.output : undefined)?.amount ?? route.destination.output.amount);
  const limit = limitAmount === undefined ? offered : beforeBridge(route, BigInt(limitAmount));
  const least = ((limit < offered ? limit : offered) * BigInt(10_000 - feeBps)) / 10_000n;
  if (expected < least) throw otherwise('expectedAmount', `${expected}`, `at least ${least}`);
}

/** What the service wants signed cancels these orders, on their chain, and nothing else. Throws DeskError `built_otherwise`, `bad_typed_data`. */
export function checkBuiltCancellation(toSign: ToSign, chainId: number, orderIds: readonly string[]): void {
  typedDataHash(toSign);
  expectSame('chainId', String(toSign.domain.chainId), String(chainId));
  const { OrderCancellations: wanted } = ORDER_CANCELLATIONS_TYPES;
  expectSame('type', JSON.stringify(toSign.types[primaryTypeOf(toSign.types)]), JSON.stringify(wanted));
  expectSame('orderIds', JSON.stringify(toSign.value.orderIds), JSON.stringify(orderIds));
}

/** The fixed amount is the route's; the other one is within the slippage, or the limit, of what the route says. */
function checkAmounts(signed: Record<string, string>, { side = 'SELL', route, slippage = 0, limitAmount }: BuildAsk) {
  const source = BigInt(route.origin.input.amount);
  const destination = BigInt(route.destination.output.amount);
  const { srcAmount = '', destAmount = '' } = signed;
  if (side === 'SELL') {
    expectSame('srcAmount', srcAmount, source.toString());
    const wanted =
      limitAmount === undefined ? (destination * BigInt(10_000 - slippage)) / 10_000n : BigInt(limitAmount);
    const least = beforeBridge(route, wanted);
    if (BigInt(destAmount) < least) throw otherwise('destAmount', destAmount, `at least ${least}`);
    return;
  }
  const bought = (route.bridge ? route.origin.output : undefined) ?? route.destination.output;
  expectSame('destAmount', destAmount, bought.amount);
  if (BigInt(destAmount) < beforeBridge(route, destination)) {
    throw otherwise('destAmount', destAmount, `enough for ${destination} behind the bridge`);
  }
  const most =
    limitAmount === undefined ? (source * BigInt(10_000 + slippage) + 9_999n) / 10_000n : BigInt(limitAmount);
  if (BigInt(srcAmount) > most) throw otherwise('srcAmount', srcAmount, `at most ${most}`);
}

/**
 * An amount behind the bridge in units of what goes into it, which is what the order's own amounts count: tokens of two chains
 * may differ in decimals.
 */
function beforeBridge({ bridge }: BuildAsk['route'], amount: bigint): bigint {
  const scaling = bridge?.contractParams?.scalingFactor ?? 0;
  const scale = 10n ** BigInt(Math.abs(scaling));
  return scaling < 0 ? amount * scale : (amount + scale - 1n) / scale;
}

/** Each slice brings at least what the route, which is of one slice, says less the slippage. */
function checkSlice({ destAmount = '' }: Record<string, string>, { route, slippage = 0 }: BuildAsk) {
  const wanted = (BigInt(route.destination.output.amount) * BigInt(10_000 - slippage)) / 10_000n;
  const least = beforeBridge(route, wanted);
  if (BigInt(destAmount) < least) throw otherwise('destAmount', destAmount, `at least ${least} a slice`);
}

/** The fields of the outer struct that are signed: whole numbers in decimal digits, everything else as text. */
function signedFields({ types, value }: ToSign): Record<string, string> {
  const fields = types[primaryTypeOf(types)] ?? [];
  return Object.fromEntries(fields.map(({ name, type }) => [name, textOf(type, value[name])]));
}

function textOf(type: string, given: unknown): string {
  if (/^u?int[0-9]*$/.test(type)) return BigInt(given as string).toString();
  return typeof given === 'string' ? given : JSON.stringify(given);
}

function expectSame(field: string, built: string | undefined, wanted: string): void {
  if (built === undefined || !isSame(built, wanted)) throw otherwise(field, built, wanted);
}

function otherwise(field: string, built: string | undefined, wanted: string): DeskError {
  const said = `The service built something else than was asked: ${field} is ${built ?? 'missing'}, not ${wanted}.`;
  return new DeskError('built_otherwise', said, { remedy: 'It was not signed.' });
}
