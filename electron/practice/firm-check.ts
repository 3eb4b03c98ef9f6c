import { type PublicClient, recoverAddress } from 'viem';
import type { Address, Hex } from '../protocol/address.ts';
import { unpackNonceAndMeta } from '../protocol/nonce-and-meta.ts';
import { domainSeparator, type OrderFields, orderHash } from '../protocol/order-hash.ts';
import type { SignedOrder } from '../protocol/wire.ts';
import { CONTRACT_MAKER } from './artifacts.ts';
import type { PlannedSwap } from './planned-swap.ts';
import { allowanceOf, balanceOf } from './read-amount.ts';

const MINIMAL_LIFE_SECONDS = 120;
const EIP1271_VALID = '0x1626ba7e';

/** How much worse than the cached grid a firm quote may be, in basis points. */
export const SLIPPAGE_BPS = 50n;
const WHOLE_BPS = 10_000n;

export interface FirmContext {
  client: PublicClient;
  chainId: number;
  domainName: string;
  rfqContract: Address;
  executor: Address;
  user: Address;
  now: () => number;
}

/** The order as it is hashed and as the contract takes it. */
export function fieldsOf(order: SignedOrder): OrderFields {
  const { makerAsset, takerAsset, maker, taker, expiry } = order;
  const amounts = { makerAmount: BigInt(order.makerAmount), takerAmount: BigInt(order.takerAmount) };
  return { nonceAndMeta: BigInt(order.nonceAndMeta), expiry, makerAsset, takerAsset, maker, taker, ...amounts };
}

/** What is wrong with a firm quote in the service's eyes, as a sentence, or null (spec 4.3, response rules 1 to 3). */
export async function firmFault(order: SignedOrder, swap: PlannedSwap, context: FirmContext): Promise<string | null> {
  const fields = fieldsOf(order);
  const { user } = unpackNonceAndMeta(fields.nonceAndMeta);
  if (fields.makerAsset !== swap.makerToken.address) return 'the maker asset is not the one asked for';
  if (fields.takerAsset !== swap.takerToken.address) return 'the taker asset is not the one asked for';
  if (fields.taker !== context.executor) return 'the taker is not the execution contract';
  if (user !== context.user) return 'the user embedded in nonceAndMeta is another';
  if (fields.expiry < context.now() / 1000 + MINIMAL_LIFE_SECONDS) return 'it expires in less than two minutes';
  return (
    amountFault(fields, swap) ??
    (await signatureFault(fields, order.signature, context)) ??
    (await fundsFault(fields, context))
  );
}

function amountFault(
  { makerAmount, takerAmount }: OrderFields,
  { exact, asked, wanted, expected }: PlannedSwap,
): string | null {
  if (makerAmount === 0n || takerAmount === 0n) return 'an amount is zero';
  if ((exact === 'in' ? takerAmount : makerAmount) !== asked) return 'the amount is not the one asked for';
  const isWorse =
    exact === 'in'
      ? makerAmount * wanted * WHOLE_BPS < expected * takerAmount * (WHOLE_BPS - SLIPPAGE_BPS)
      : takerAmount * wanted * WHOLE_BPS > expected * makerAmount * (WHOLE_BPS + SLIPPAGE_BPS);
  return isWorse ? `the price is more than ${SLIPPAGE_BPS} bps worse than the grid` : null;
}

async function signatureFault(fields: OrderFields, signature: Hex, context: FirmContext): Promise<string | null> {
  const hash = orderHash(domainSeparator(context), fields);
  const signer = await recoverAddress({ hash, signature }).catch(() => null);
  if (signer?.toLowerCase() === fields.maker) return null;
  const answer = await context.client
    .readContract({
      address: fields.maker,
      abi: CONTRACT_MAKER.abi,
      functionName: 'isValidSignature',
      args: [hash, signature],
    })
    .catch(() => null);
  return answer === EIP1271_VALID ? null : 'the signature is not the maker’s';
}

/** Strictly more than the amount, as the public adapter has it. */
async function fundsFault(
  { maker, makerAsset, makerAmount }: OrderFields,
  context: FirmContext,
): Promise<string | null> {
  const [balance, allowance] = await Promise.all([
    balanceOf(context.client, makerAsset, maker),
    allowanceOf(context.client, makerAsset, maker, context.rfqContract),
  ]);
  if (balance <= makerAmount) return 'the maker’s balance is not above the amount';
  return allowance <= makerAmount ? 'the maker’s allowance is not above the amount' : null;
}
