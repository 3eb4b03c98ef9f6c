import { BigNumber } from 'bignumber.js';
import type { Address } from '../../protocol/address.ts';
import type { MarketChain } from '../chain/market-chain.ts';
import { MOST_FEE } from '../chain/sender.ts';
import { describeFailure } from '../consumer/surface-client.ts';
import { pause } from '../pause.ts';
import type { PracticeLog } from '../practice-log.ts';
import type { Reference } from '../reference/reference.ts';
import { followPrice } from './follow-price.ts';

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
  const ending = new AbortController();

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

  async function round(): Promise<void> {
    const { baseFeePerGas } = await bank.client.getBlock();
    // What is not mined now would be mined later, when the price is another one.
    if ((baseFeePerGas ?? 0n) >= MOST_FEE) return;
    for (const { address, tokens } of router.pools) {
      const price = priceOf(tokens);
      if (price !== null && !ending.signal.aborted) await followPrice(bank, address, price, ending.signal);
    }
  }

  async function keep(): Promise<void> {
    let fault = '';
    while (!ending.signal.aborted) {
      await pause(EVERY_MS, ending.signal);
      if (ending.signal.aborted || !node.isUp()) continue;
      const before = fault;
      fault = await round().then(
        () => '',
        (error: unknown) => describeFailure(error).split('\n')[0] ?? '',
      );
      const isNews = fault !== '' && fault !== before && !ending.signal.aborted;
      if (isNews) log.warn(`${plan.name}: the pools do not follow the reference: ${fault}`);
    }
  }

  const kept = keep();
  return {
    async stop() {
      ending.abort();
      await kept;
    },
  };
}
