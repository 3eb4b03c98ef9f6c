import { encodeFunctionData } from 'viem';
import type { Address, Hex } from '../../protocol/address.ts';
import { TEST_TOKEN } from '../chain/artifacts.ts';
import type { MarketChain } from '../chain/market-chain.ts';
import { beginBlocks, DEEPEST_REORG, openControl } from '../chain/preparation.ts';
import { allowanceOf, readAmount } from '../chain/read-amount.ts';
import type { Fault } from './fault-board.ts';

const USUAL_DEPTH = 8;

/** Five times what any transaction of the market pays at most. */
const HIGH_BASE_FEE = 500_000_000_000n;
const USUAL_BASE_FEE = 1_000_000_000n;
/** More often than there are blocks. */
const RAISE_EVERY_MS = 250;

/** What can go wrong with a chain of the market. `save` keeps what is to be given back after a restart. */
export function chainFaults(chain: MarketChain, save: () => void): Fault[] {
  return [...nodeFaults(chain), allowanceFault(chain, save), feeTokenFault(chain)];
}

function nodeFaults({ node, rpcUrl, plan: { name }, seen: { client } }: MarketChain): Fault[] {
  const control = openControl(rpcUrl);
  const raise = () => control.setNextBlockBaseFeePerGas({ baseFeePerGas: HIGH_BASE_FEE });
  let raising: NodeJS.Timeout | undefined;
  return [
    {
      name: 'node-down',
      says: `The node of ${name} is gone; the other chain goes on.`,
      async on() {
        await node.takeAway();
        return `the node of ${name} is gone`;
      },
      async off() {
        await node.bringBack();
        await beginBlocks(rpcUrl);
        return `the node of ${name} is back with its state`;
      },
    },
    {
      name: 'reorg',
      says: `${name} takes back its newest blocks and whatever was in them, up to ${DEEPEST_REORG}.`,
      async on({ depth = USUAL_DEPTH }) {
        const height = Number(await client.getBlockNumber());
        const blocks = Math.min(depth, DEEPEST_REORG);
        await control.request({ method: 'anvil_reorg', params: [blocks, []] } as never);
        return `${name} took back ${blocks} blocks, down to ${height - blocks}`;
      },
    },
    {
      name: 'base-fee',
      says: `The base fee of ${name} is ${HIGH_BASE_FEE / 10n ** 9n} gwei, more than any taker pays.`,
      async on() {
        await raise();
        raising = setInterval(() => void raise().catch(() => {}), RAISE_EVERY_MS); // a node that is away has no fee
        return `the base fee of ${name} is ${HIGH_BASE_FEE / 10n ** 9n} gwei`;
      },
      async off() {
        clearInterval(raising);
        if (node.isUp()) await control.setNextBlockBaseFeePerGas({ baseFeePerGas: USUAL_BASE_FEE });
        return `the base fee of ${name} is ${USUAL_BASE_FEE / 10n ** 9n} gwei again`;
      },
    },
  ];
}

const ETHER = 10n ** 18n;

/**
 * Takes the maker's allowances away on chain and gives back what they were. They are kept by `save` until then, so that
 * a market that ended in between gives them back at its next start.
 */
function allowanceFault(chain: MarketChain, save: () => void): Fault {
  const { plan, contracts, seen, kept } = chain;
  return {
    name: 'allowance-gone',
    says: `The maker's allowances on ${plan.name} are 0.`,
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

/** Twice what any taker puts up with, so that their transactions revert instead of giving them too little. */
const FEE_BPS = 200n;

/** The base token of the chain's first pair keeps a part of every transfer. */
function feeTokenFault(chain: MarketChain): Fault {
  const { plan, contracts } = chain;
  const [pair] = Object.values(plan.pairs);
  const tokenId = pair?.base ?? '';
  const symbol = plan.tokens[tokenId]?.symbol ?? tokenId;
  const setFee = async (bps: bigint) => {
    const token = contracts.tokens[tokenId];
    if (token !== undefined) await setTransferFee(chain, token, bps);
  };
  return {
    name: 'fee-token',
    says: `${symbol} on ${plan.name} keeps ${FEE_BPS} bps of every transfer.`,
    async on() {
      await setFee(FEE_BPS);
      return `${symbol} on ${plan.name} keeps ${FEE_BPS} bps of every transfer`;
    },
    async off() {
      await setFee(0n);
      return `${symbol} on ${plan.name} arrives whole again`;
    },
  };
}

/** Ends every fee that an earlier run left on. */
export async function endTransferFees(chain: MarketChain): Promise<void> {
  for (const token of Object.values(chain.contracts.tokens)) {
    const fee = await readAmount(chain.seen.client, TEST_TOKEN, token, 'transferFeeBps', []);
    if (fee > 0n) await setTransferFee(chain, token, 0n);
  }
}

async function setTransferFee({ bank }: MarketChain, token: `0x${string}`, bps: bigint): Promise<void> {
  const data = encodeFunctionData({ abi: TEST_TOKEN.abi, functionName: 'setTransferFee', args: [bps] });
  await bank.mined(await bank.send({ to: token, data }));
}
