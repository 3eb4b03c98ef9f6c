import { encodeFunctionData, keccak256, maxUint256, stringToHex, type TestClient } from 'viem';
import type { Address, Hex } from '../../protocol/address.ts';
import {
  INTENT_BRIDGE_ESCROW,
  INTENT_SAVINGS,
  INTENT_SETTLEMENT,
  INTENT_SPLITTER,
  TEST_TOKEN,
} from '../chain/artifacts.ts';
import type { Deployment } from '../chain/deployment.ts';
import { areThere } from '../chain/preparation.ts';
import type { Sender } from '../chain/sender.ts';
import type { ChainFile } from '../market-file.ts';
import type { PlannedChain } from '../practice-desk.ts';
import type { PracticeLog } from '../practice-log.ts';
import type { RouterAddresses } from '../router/router-chain.ts';
import type { IntentAddresses } from './settle/intent-chain.ts';
import type { Solver } from './settle/relay.ts';

/** Who runs the relayer, and who fills its orders. */
export const RELAYERS = ['operator', 'north', 'harbour'] as const;
export type RelayerKeys = Readonly<Record<(typeof RELAYERS)[number], Hex>>;

/** The cheaper solver takes half of an order at once where its owner lets them. */
export function practiceSolvers({ north, harbour }: RelayerKeys): Solver[] {
  return [
    { name: 'north', key: north, spreadBps: 1, mostPercent: 50 },
    { name: 'harbour', key: harbour, spreadBps: 4 },
  ];
}

/**
 * Goes on with the intent contracts that the chain has kept in this version, or deploys them beside the market's: a chain from
 * before there were any gets them and keeps all it has.
 */
export async function prepareIntents(options: {
  bank: Sender;
  operator: Sender;
  solvers: readonly Sender[];
  control: TestClient<'anvil'>;
  plan: PlannedChain;
  contracts: Deployment;
  market: RouterAddresses;
  before: ChainFile['intents'];
  log: PracticeLog;
}): Promise<NonNullable<ChainFile['intents']>> {
  const { bank, operator, solvers, control, plan, contracts, market, before, log } = options;
  const codeHash = versionNow([operator, ...solvers], market);
  if (before?.codeHash === codeHash && (await areThere(bank.client, Object.values(before.addresses)))) return before;
  const tokens = Object.entries(contracts.tokens).map(([id, address]) => {
    return { address, decimals: plan.tokens[id]?.decimals ?? 18 };
  });
  const addresses = await deployIntents(bank, {
    market,
    operator: operator.address,
    solvers,
    tokens,
    async giveEther(address, wei) {
      await control.setBalance({ address, value: (await bank.client.getBalance({ address })) + wei });
    },
  });
  log.info(`chain ${plan.chainId}: intent contract ${addresses.intents} deployed, with ${solvers.length} solvers`);
  return { codeHash, addresses };
}

/** Of the contracts, and of those whom they let in. */
function versionNow(accounts: readonly Sender[], { wrappedNative, feeVault, permit2 }: RouterAddresses): Hex {
  const code = [INTENT_SETTLEMENT, INTENT_BRIDGE_ESCROW, INTENT_SPLITTER, INTENT_SAVINGS];
  const parts = [...code.map(({ bytecode }) => bytecode), ...accounts.map(({ address }) => address)];
  return keccak256(stringToHex([...parts, wrappedNative, feeVault, permit2].join()));
}

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
