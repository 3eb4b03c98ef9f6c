import type { PublicClient } from 'viem';
import type { Address } from '../../protocol/address.ts';
import { unpackNonceAndMeta } from '../../protocol/nonce-and-meta.ts';
import type { OrderFields } from '../../protocol/order-hash.ts';
import { allowanceOf, balanceOf } from '../chain/read-amount.ts';
import { isChainAway } from './chain-away.ts';
import type { FirmAsk } from './firm-ask.ts';

const MINIMAL_LIFE_SECONDS = 120;
const WHOLE_BPS = 10_000n;

/**
 * What is wrong with the fields of a firm order, half a sentence, or null (PROTOCOL 4.3.11 and 2.4.2). `asked`
 * is the amount that was asked for, `now` Unix milliseconds at which the question left.
 */
export function fieldFault(order: OrderFields, ask: FirmAsk, asked: bigint, now: number): string | null {
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
export async function fundsFault(
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
export function isWorseThanSlippage({ makerAmount, takerAmount }: OrderFields, ask: FirmAsk): boolean {
  const { exact, amount, expected } = ask;
  const slippage = BigInt(ask.slippageBps);
  return exact === 'in'
    ? makerAmount * amount * WHOLE_BPS < expected * takerAmount * (WHOLE_BPS - slippage)
    : takerAmount * amount * WHOLE_BPS > expected * makerAmount * (WHOLE_BPS + slippage);
}

function amountNamed({ makerAmount, takerAmount }: OrderFields, { exact }: FirmAsk): bigint {
  return exact === 'in' ? takerAmount : makerAmount;
}
