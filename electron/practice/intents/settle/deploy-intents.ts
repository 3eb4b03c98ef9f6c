import { encodeFunctionData, maxUint256 } from 'viem';
import type { Address } from '../../../protocol/address.ts';
import {
  INTENT_BRIDGE_ESCROW,
  INTENT_SAVINGS,
  INTENT_SETTLEMENT,
  INTENT_SPLITTER,
  TEST_TOKEN,
} from '../../chain/artifacts.ts';
import type { Sender } from '../../chain/sender.ts';
import type { RouterAddresses } from '../../router/router-chain.ts';
import type { IntentAddresses } from './intent-chain.ts';

const YEARLY_BPS = 500;
const ETHER = 10n ** 18n;
/** More than anybody practices with, so that nobody's inventory needs looking after. */
const STOCK = 1_000_000_000n;
const WRAPPED_STOCK = 1_000_000n;

/**
 * Deploys the intent contracts beside the market's, and funds them: each solver and this chain's end of the bridge have every
 * token, which anybody may mint, and solvers have approved the intent contract.
 */
export async function deployIntents(
  sender: Sender,
  options: {
    market: Pick<RouterAddresses, 'wrappedNative' | 'feeVault' | 'permit2'>;
    /** Runs the relayer: cancels, parks, and works the bridge. */
    operator: Address;
    /** Solvers on this chain. */
    solvers: readonly Sender[];
    tokens: readonly { address: Address; decimals: number }[];
    /** Gives an address so much more ether. */
    giveEther(address: Address, wei: bigint): Promise<unknown>;
  },
): Promise<IntentAddresses> {
  const { market, operator, solvers, tokens, giveEther } = options;
  const { wrappedNative, feeVault, permit2 } = market;
  const [escrow, handler] = await Promise.all([
    sender.deploy(INTENT_BRIDGE_ESCROW, [operator]),
    sender.deploy(INTENT_SPLITTER, []),
  ]);
  const traders = solvers.map(({ address }) => address);
  const intents = await sender.deploy(INTENT_SETTLEMENT, [
    ...[operator, traders, wrappedNative, feeVault, permit2],
    escrow,
  ]);
  const strategy = await sender.deploy(INTENT_SAVINGS, [intents, YEARLY_BPS]);

  const stocks = tokens.map(({ address, decimals }) => ({ token: address, amount: STOCK * 10n ** BigInt(decimals) }));
  const wrapped = { token: wrappedNative, amount: WRAPPED_STOCK * ETHER };
  const others = stocks.filter(({ token }) => token !== wrappedNative);
  // Minted, not wrapped: the ether must be there to be unwrapped, and as much again for interest.
  await giveEther(wrappedNative, wrapped.amount * BigInt(2 * traders.length));
  for (const address of [operator, ...traders]) await giveEther(address, 10_000n * ETHER);
  const call = (functionName: string, args: readonly unknown[]) =>
    encodeFunctionData({ abi: TEST_TOKEN.abi, functionName, args });
  const minted = [...others.flatMap((stock) => [...traders, escrow].map((to) => ({ ...stock, to })))];
  const all = [...minted, ...traders.map((to) => ({ ...wrapped, to }))];
  await Promise.all([
    ...all.map(async ({ token, amount, to }) => {
      await sender.mined(await sender.send({ to: token, data: call('mint', [to, amount]) }));
    }),
    ...solvers.flatMap((solver) =>
      [...others, wrapped].map(async ({ token }) => {
        await solver.mined(await solver.send({ to: token, data: call('approve', [intents, maxUint256]) }));
      }),
    ),
  ]);
  return { intents, escrow, handler, strategy };
}
