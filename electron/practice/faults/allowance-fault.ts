import { encodeFunctionData } from 'viem';
import type { Address, Hex } from '../../protocol/address.ts';
import { TEST_TOKEN } from '../chain/artifacts.ts';
import type { MarketChain } from '../chain/market-chain.ts';
import { openControl } from '../chain/preparation.ts';
import { allowanceOf } from '../chain/read-amount.ts';
import type { Fault } from './fault-board.ts';

const ETHER = 10n ** 18n;

/**
 * Takes the maker's allowances away on chain and gives back what they were. They are kept by `save` until then, so that
 * a market that ended in between gives them back at its next start.
 */
export function allowanceFault(chain: MarketChain, save: () => void): Fault {
  const { plan, contracts, seen, kept } = chain;
  return {
    name: 'allowance-gone',
    says: `The maker's allowances on ${plan.name} are 0.`,
    once: false,
    async on() {
      const tokens = Object.values(contracts.tokens);
      const before = await Promise.all(
        tokens.map((token) => allowanceOf(seen.client, token, chain.maker, contracts.rfqContract)),
      );
      kept.taken = Object.fromEntries(tokens.map((token, index) => [token, `${before[index] ?? 0n}`]));
      save();
      await approve(
        chain,
        tokens.map((token) => [token, 0n]),
      );
      return `the maker's allowances on ${plan.name} are 0`;
    },
    async off() {
      await giveBackAllowances(chain, save);
      return `the maker's allowances on ${plan.name} are what they were`;
    },
  };
}

/** Gives back what the fault took away, now or in an earlier run; nothing when it took nothing. */
export async function giveBackAllowances(chain: MarketChain, save: () => void): Promise<void> {
  const { kept } = chain;
  const taken = Object.entries(kept.taken) as [Address, string][];
  if (taken.length === 0) return;
  await approve(
    chain,
    taken.map(([token, amount]) => [token, BigInt(amount)]),
  );
  kept.taken = {};
  save();
}

/** Approves in the maker's name. The node does it without a key, so that it works for a contract as well. */
async function approve({ rpcUrl, maker, contracts, bank }: MarketChain, amounts: [Address, bigint][]): Promise<void> {
  const control = openControl(rpcUrl);
  if ((await bank.client.getBalance({ address: maker })) < ETHER) {
    await control.setBalance({ address: maker, value: ETHER });
  }
  await control.impersonateAccount({ address: maker });
  try {
    const sent: Hex[] = [];
    for (const [token, amount] of amounts) {
      const args = [contracts.rfqContract, amount];
      const data = encodeFunctionData({ abi: TEST_TOKEN.abi, functionName: 'approve', args });
      sent.push(await control.sendUnsignedTransaction({ from: maker, to: token, data }));
    }
    await Promise.all(sent.map((hash) => bank.mined(hash)));
  } finally {
    await control.stopImpersonatingAccount({ address: maker });
  }
}
