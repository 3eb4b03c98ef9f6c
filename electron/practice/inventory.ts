import { BigNumber } from 'bignumber.js';
import { encodeFunctionData } from 'viem';
import type { Address } from '../protocol/address.ts';
import type { PriceEntry } from '../protocol/wire.ts';
import { TEST_TOKEN } from './artifacts.ts';
import type { Deployment } from './deployment.ts';
import { depthOf } from './expected-amount.ts';
import type { CachedMaker } from './grid-poll.ts';
import { PRACTICE_GRID } from './practice-desk.ts';
import type { PracticeLog } from './practice-log.ts';
import { balanceOf } from './read-amount.ts';
import type { Sender } from './sender.ts';

/** Below `low` times the published depth an account is filled up to `full` times. */
const LEVELS = { maker: { low: 100, full: 200 }, taker: { low: 10, full: 100 } } as const;

/** Mints what maker and taker lack, measured on the larger of the practice grid and the grid that is served now. */
export async function restock(options: {
  sender: Sender;
  contracts: Deployment;
  maker: Address;
  taker: Address;
  cached: CachedMaker | null;
  log: PracticeLog;
}): Promise<void> {
  const { sender, contracts, cached, log } = options;
  const served = servedEntry(cached, contracts);
  const tokens = [
    { address: contracts.weth, symbol: 'WETH', decimals: 18, unit: 'base' },
    { address: contracts.usdc, symbol: 'USDC', decimals: 6, unit: 'quote' },
  ] as const;
  for (const role of ['maker', 'taker'] as const) {
    for (const { address: token, symbol, decimals, unit } of tokens) {
      const owner = options[role];
      const depth = deepest(unit, served);
      const raw = (times: number) => BigInt(depth.times(times).shiftedBy(decimals).toFixed(0));
      const balance = await balanceOf(sender.client, token, owner);
      // At the brim of `low` counts as low: as much as that is promised, and more.
      if (balance > raw(LEVELS[role].low)) continue;
      const amount = raw(LEVELS[role].full) - balance;
      const data = encodeFunctionData({ abi: TEST_TOKEN.abi, functionName: 'mint', args: [owner, amount] });
      await sender.mined(await sender.send({ to: token, data }));
      const brought = new BigNumber(`${amount}`).shiftedBy(-decimals).toFormat(2);
      log.info(`${role} restocked with ${brought} ${symbol}`);
    }
  }
}

function deepest(unit: 'base' | 'quote', served: PriceEntry | undefined): BigNumber {
  const sides = [PRACTICE_GRID.bids, PRACTICE_GRID.asks, served?.bids ?? [], served?.asks ?? []];
  return BigNumber.maximum(...sides.map((levels) => depthOf(levels)[unit]));
}

function servedEntry(cached: CachedMaker | null, { weth, usdc }: Deployment): PriceEntry | undefined {
  if (cached === null) return undefined;
  const { tokens, pairs, prices } = cached;
  const id = Object.keys(pairs).find((pairId) => {
    const pair = pairs[pairId];
    return pair && tokens[pair.base]?.address === weth && tokens[pair.quote]?.address === usdc;
  });
  return id === undefined ? undefined : prices[id];
}
