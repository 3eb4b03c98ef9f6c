import { BigNumber } from 'bignumber.js';
import { encodeFunctionData } from 'viem';
import type { Address } from '../../protocol/address.ts';
import { type Artifact, SWAP_POOL, TEST_TOKEN } from '../chain/artifacts.ts';
import type { MarketChain } from '../chain/market-chain.ts';
import { readAmount } from '../chain/read-amount.ts';
import { MOST_FEE, type Sender } from '../chain/sender.ts';
import type { PracticeLog } from '../practice-log.ts';
import type { Reference } from '../reference/reference.ts';
import { startRounds } from '../rounds.ts';

const EVERY_MS = 5_000;

/** Keeps the pools of a chain where the reference is, as arbitrageurs do to real ones. */
export function startArbitrage(options: {
  chain: Pick<MarketChain, 'plan' | 'contracts' | 'router' | 'bank' | 'node'>;
  reference: Pick<Reference, 'mid'>;
  log: PracticeLog;
}): { stop(): Promise<void> } {
  const { chain, reference, log } = options;
  const { plan, contracts, router, bank, node } = chain;
  const idOf = new Map(Object.entries(contracts.tokens).map(([id, address]) => [address, id]));

  /** Raw units of the second token for a raw unit of the first; the wrapped native asset is one for one with its twin. */
  function priceOf([first, second]: readonly [Address, Address]): BigNumber | null {
    if (first === router.wrappedNative) return new BigNumber(1);
    const found = Object.entries(plan.pairs).find(([, { base, quote }]) => {
      return base === idOf.get(first) && quote === idOf.get(second);
    });
    const mid = found && reference.mid(plan.chainId, found[0]);
    if (!found || !mid) return null;
    const [, { base, quote }] = found;
    return new BigNumber(mid).shiftedBy((plan.tokens[quote]?.decimals ?? 0) - (plan.tokens[base]?.decimals ?? 0));
  }

  async function round(signal: AbortSignal): Promise<void> {
    const { baseFeePerGas } = await bank.client.getBlock();
    // What is not mined now would be mined later, when the price is another one.
    if ((baseFeePerGas ?? 0n) >= MOST_FEE) return;
    for (const { address, tokens } of router.pools) {
      const price = priceOf(tokens);
      if (price !== null && !signal.aborted) await followPrice(bank, address, price, signal);
    }
  }

  const tell = (fault: string) => log.warn(`${plan.name}: the pools do not follow the reference: ${fault}`);
  return startRounds({ everyMs: EVERY_MS, node, round, tell });
}

const WHOLE_BPS = 10_000;
/** Nearer than the fee of most pools: what a hedge costs is that fee, and not also what the price has not followed yet. */
const NEAR_BPS = 10;

/**
 * Does what arbitrageurs do to all pools of a market together: when the price of this one is further from `price` (raw units
 * of its second token per raw unit of its first) than a few basis points, trades it there, in one transaction: nobody else's
 * swap comes in between. The bank mints what it sells. Says whether it traded.
 */
export async function followPrice(
  bank: Sender,
  pool: Address,
  price: BigNumber,
  signal?: AbortSignal,
): Promise<boolean> {
  const read = (name: string) =>
    readAmount(bank.client, SWAP_POOL, pool, name, []).then((value) => new BigNumber(`${value}`));
  const [reserve0, reserve1] = await Promise.all([read('reserve0'), read('reserve1')]);
  const off = reserve1.dividedBy(reserve0).dividedBy(price).minus(1).times(WHOLE_BPS);
  if (off.abs().isLessThanOrEqualTo(NEAR_BPS)) return false;
  const product = reserve0.times(reserve1);
  const isDear = off.isPositive();
  const amount = isDear
    ? product.dividedBy(price).squareRoot().minus(reserve0)
    : product.times(price).squareRoot().minus(reserve1);
  const token = (await bank.client.readContract({
    address: pool,
    abi: SWAP_POOL.abi,
    functionName: isDear ? 'token0' : 'token1',
  })) as Address;
  const sold = BigInt(amount.toFixed(0, BigNumber.ROUND_DOWN));
  const call = (to: Address, { abi }: Artifact, functionName: string, args: readonly unknown[]) =>
    bank.send({ to, data: encodeFunctionData({ abi, functionName, args }) });
  const sent = await Promise.all([
    call(token, TEST_TOKEN, 'mint', [bank.address, sold]),
    call(token, TEST_TOKEN, 'approve', [pool, sold]),
    call(pool, SWAP_POOL, 'sell', [token, sold, bank.address]),
  ]);
  // By their nonces the last is mined after the others: only for that one there is something to wait for.
  for (const hash of sent.toReversed()) await bank.mined(hash, signal);
  return true;
}
