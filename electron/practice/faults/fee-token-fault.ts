import { encodeFunctionData } from 'viem';
import { TEST_TOKEN } from '../chain/artifacts.ts';
import type { MarketChain } from '../chain/market-chain.ts';
import { readAmount } from '../chain/read-amount.ts';
import type { Fault } from './fault-board.ts';

/** Twice what any taker puts up with, so that their transactions revert instead of giving them too little. */
const FEE_BPS = 200n;

/** The base token of the chain's first pair keeps a part of every transfer. */
export function feeTokenFault(chain: MarketChain): Fault {
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
    once: false,
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
