import { keccak256, stringToHex, type TestClient } from 'viem';
import type { Hex } from '../../protocol/address.ts';
import { INTENT_BRIDGE_ESCROW, INTENT_SAVINGS, INTENT_SETTLEMENT, INTENT_SPLITTER } from '../chain/artifacts.ts';
import type { Deployment } from '../chain/deployment.ts';
import { areThere } from '../chain/preparation.ts';
import type { Sender } from '../chain/sender.ts';
import type { ChainFile } from '../market-file.ts';
import type { PlannedChain } from '../practice-desk.ts';
import type { PracticeLog } from '../practice-log.ts';
import type { RouterAddresses } from '../router/router-chain.ts';
import { deployIntents } from './settle/deploy-intents.ts';
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
