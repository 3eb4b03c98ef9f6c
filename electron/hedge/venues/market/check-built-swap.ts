import { decodeFunctionData, parseAbi } from 'viem';
import { type Address, type Hex, ZERO_ADDRESS } from '../../../protocol/address.ts';
import { WHOLE_BPS } from '../../../protocol/decimal.ts';
import { DeskError } from '../../../protocol/desk-error.ts';
import type { TransactionEnvelope } from '../../../protocol/market-transaction.ts';
import type { SwapSide } from '../../../protocol/market-wire.ts';
import { isNative } from '../../../protocol/route-token.ts';
import type { HedgeCall } from '../../hedge-node.ts';

/**
 * The router's two functions for any route (PROTOCOL 12.2, `contractMethod`). A hedge takes no other one: what is given, what comes
 * back and to whom stands at fixed places in them, and the router itself holds to it, whatever the route behind them does.
 */
const ROUTER = parseAbi([
  'struct GenericData { address srcToken; address destToken; uint256 fromAmount; uint256 toAmount; uint256 quotedAmount; bytes32 metadata; address beneficiary; }',
  'function swapExactAmountIn(address executor, GenericData swapData, uint256 partnerAndFee, bytes permit, bytes executorData) payable',
  'function swapExactAmountOut(address executor, GenericData swapData, uint256 partnerAndFee, bytes permit, bytes executorData) payable',
]);

/** The function that a hedge of this side is priced and built for. */
export const METHOD_OF = { SELL: 'swapExactAmountIn', BUY: 'swapExactAmountOut' } as const satisfies Record<
  SwapSide,
  string
>;

/** The fee of `partnerAndFee`, in bps; and what the router takes of those who have no name at the service. */
const FEE_BITS = 0x3fffn;
export const ANONYMOUS_BPS = 1n;

/** What was agreed: raw units, tokens as the wire spells them. */
export interface AgreedSwap {
  side: SwapSide;
  src: Address;
  dest: Address;
  /** Of the amount that is not fixed, by the route. */
  offered: bigint;
  /** Given at most, exactly for SELL; received at least, exactly for BUY. */
  most: bigint;
  least: bigint;
  /** The furthest from the reference that may come of a SELL once every fee is taken; null where nothing holds it. */
  furthest: bigint | null;
  maker: Address;
  beneficiary: Address | null;
  slippageBps: number;
}

/**
 * The call of an envelope of our router, once it is known to be the swap that was agreed. The router takes its fee of what a SELL
 * brings after it has compared that with the least (so no more than the slippage, or what it takes of the anonymous, and none that leaves
 * less than the furthest from the reference), and what goes better than `quotedAmount` may be kept by others (so that is as good as the offer). Throws DeskError `built_otherwise`.
 */
export function agreedCall({ to, value, data }: TransactionEnvelope, agreed: AgreedSwap): HedgeCall {
  const { side, src, dest, offered, most, least, furthest, maker, beneficiary, slippageBps } = agreed;
  const { functionName, args } = decoded(data);
  if (functionName !== METHOD_OF[side]) throw otherwise(`by ${functionName}, not by ${METHOD_OF[side]}`);
  const [, terms, partnerAndFee] = args;
  const isSame = (one: Address, other: Address) => one.toLowerCase() === other.toLowerCase();
  if (!isSame(terms.srcToken, src)) throw otherwise(`that gives ${terms.srcToken}, not ${src}`);
  if (!isSame(terms.destToken, dest)) throw otherwise(`that brings ${terms.destToken}, not ${dest}`);
  const isForUs =
    beneficiary === null
      ? isSame(terms.beneficiary, ZERO_ADDRESS) || isSame(terms.beneficiary, maker)
      : isSame(terms.beneficiary, beneficiary);
  if (!isForUs) throw otherwise(`that pays ${terms.beneficiary}`);
  const { fromAmount, toAmount, quotedAmount } = terms;
  if (fromAmount !== most) throw otherwise(`that takes ${fromAmount} raw units, not ${most}`);
  if (toAmount !== least) throw otherwise(`that brings ${toAmount} raw units at least, not ${least}`);
  if (side === 'SELL' ? quotedAmount < offered : quotedAmount > offered)
    throw otherwise(
      `that lets others keep what goes better than ${quotedAmount} raw units, where ${offered} were offered`,
    );
  if (side === 'SELL') {
    const fee = partnerAndFee & FEE_BITS;
    const allowed = BigInt(slippageBps) > ANONYMOUS_BPS ? BigInt(slippageBps) : ANONYMOUS_BPS;
    if (fee > allowed) throw otherwise(`with a fee of ${fee} of ${WHOLE_BPS}, more than the slippage of ${allowed}`);
    if (furthest !== null && toAmount * (WHOLE_BPS - fee) < furthest * WHOLE_BPS)
      throw otherwise(`with a fee of ${fee} of ${WHOLE_BPS}, which takes it further from the reference than it may be`);
  }
  if (BigInt(value) !== (isNative(src) ? most : 0n)) throw otherwise(`that takes ${value} wei along`);
  return { to: to.toLowerCase() as Address, value: BigInt(value), data };
}

function decoded(data: Hex) {
  try {
    return decodeFunctionData({ abi: ROUTER, data });
  } catch {
    throw otherwise(`by a call that is none of the router’s functions for any route (${data.slice(0, 10)})`);
  }
}

function otherwise(how: string): DeskError {
  return new DeskError('built_otherwise', `The service built a swap ${how}.`, { remedy: 'It was not signed.' });
}
