import { BigNumber } from 'bignumber.js';
import { encodeFunctionData } from 'viem';
import type { Address } from '../../protocol/address.ts';
import type { Token } from '../../protocol/wire.ts';
import { depthOf } from '../consumer/expected-amount.ts';
import type { CachedMaker } from '../consumer/maker-consumer.ts';
import type { PlannedChain } from '../practice-desk.ts';
import type { PracticeLog } from '../practice-log.ts';
import { TEST_TOKEN } from './artifacts.ts';
import { balanceOf } from './read-amount.ts';
import type { Sender } from './sender.ts';

/** Below `low` times the published depth an account is filled up to `full` times. */
const LEVELS = { maker: { low: 100, full: 200 }, taker: { low: 10, full: 100 } } as const;

export interface Holder {
  /** For the log: `maker`, or the name of the taker. */
  name: string;
  role: keyof typeof LEVELS;
  address: Address;
}

/** Mints what each holder lacks, measured per token on the larger of the practice grid and the grid that is served now. */
export async function restock(options: {
  bank: Sender;
  plan: Pick<PlannedChain, 'name' | 'tokens' | 'pairs' | 'prices'>;
  /** By token ID. */
  tokens: Readonly<Record<string, Address>>;
  holders: readonly Holder[];
  cached: CachedMaker | null;
  log: PracticeLog;
}): Promise<void> {
  const { bank, plan, tokens, holders, cached, log } = options;
  const depths = larger(depthPerToken({ ...plan, tokens: withAddresses(plan, tokens) }), cached);
  for (const { name, role, address: owner } of holders) {
    const brought = await Promise.all(
      Object.entries(plan.tokens).map(async ([id, { symbol, decimals }]) => {
        const token = tokens[id];
        const depth = token && depths.get(token);
        if (token === undefined || depth === undefined) return null;
        const raw = (times: number) => BigInt(depth.times(times).shiftedBy(decimals).toFixed(0));
        const balance = await balanceOf(bank.client, token, owner);
        // At the brim of `low` counts as low: as much as that is promised, and more.
        if (balance > raw(LEVELS[role].low)) return null;
        const amount = raw(LEVELS[role].full) - balance;
        const data = encodeFunctionData({ abi: TEST_TOKEN.abi, functionName: 'mint', args: [owner, amount] });
        await bank.mined(await bank.send({ to: token, data }));
        return `${new BigNumber(`${amount}`).shiftedBy(-decimals).toFormat(2)} ${symbol}`;
      }),
    );
    const all = brought.filter((amount) => amount !== null);
    if (all.length > 0) log.info(`${plan.name}: ${name} restocked with ${all.join(', ')}`);
  }
}

function withAddresses({ tokens }: Pick<PlannedChain, 'tokens'>, addresses: Readonly<Record<string, Address>>) {
  return Object.fromEntries(
    Object.keys(tokens).flatMap((id) => (addresses[id] === undefined ? [] : [[id, { address: addresses[id] }]])),
  );
}

/** How much of each token the deeper side of every pair promises, all pairs together, in token units by address. */
function depthPerToken({ tokens, pairs, prices }: Book): Map<Address, BigNumber> {
  const depths = new Map<Address, BigNumber>();
  for (const [id, { base, quote }] of Object.entries(pairs)) {
    const sides = [prices[id]?.bids ?? [], prices[id]?.asks ?? []].map(depthOf);
    for (const [token, unit] of [[tokens[base], 'base'] as const, [tokens[quote], 'quote'] as const]) {
      if (token === undefined) continue;
      const depth = BigNumber.maximum(...sides.map((side) => side[unit]));
      depths.set(token.address, depth.plus(depths.get(token.address) ?? 0));
    }
  }
  return depths;
}

interface Book {
  tokens: Readonly<Record<string, Pick<Token, 'address'>>>;
  pairs: CachedMaker['pairs'];
  prices: CachedMaker['prices'];
}

function larger(planned: Map<Address, BigNumber>, cached: CachedMaker | null): Map<Address, BigNumber> {
  if (cached === null) return planned;
  const served = depthPerToken(cached);
  return new Map([...planned].map(([token, depth]) => [token, BigNumber.maximum(depth, served.get(token) ?? 0)]));
}
