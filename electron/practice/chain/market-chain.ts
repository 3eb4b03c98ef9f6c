import { join } from 'node:path';
import type { Hex } from '../../protocol/address.ts';
import type { CachedMaker } from '../consumer/maker-consumer.ts';
import { practiceSolvers, prepareIntents, type RelayerKeys } from '../intents/prepare-intents.ts';
import type { ChainFile } from '../market-file.ts';
import type { PracticeChain } from '../practice-chain.ts';
import type { PlannedChain, StandingChain } from '../practice-desk.ts';
import type { PracticeLog } from '../practice-log.ts';
import { prepareRouter } from '../router/prepare-router.ts';
import type { RouterAddresses } from '../router/router-chain.ts';
import { claimPort } from '../service/free-port.ts';
import type { Deployment } from './deployment.ts';
import { type FolderNode, startPracticeNode } from './folder-node.ts';
import { type Holder, restock } from './inventory.ts';
import { beginBlocks, buryPreparation, openControl, prepareChain } from './preparation.ts';
import { openClient, openSender, type Sender } from './sender.ts';

/** One chain of the market: its node, the contracts on it, and the funded accounts. */
export interface MarketChain extends StandingChain {
  /** As service and takers see it. */
  seen: PracticeChain;
  node: FolderNode;
  /** Mints and sets what only practice tokens let anybody set. */
  bank: Sender;
  /** What the market's file keeps of it. */
  kept: ChainFile;
  /** Brings back what maker and takers lack, measured on the practice grid and on what is served now. */
  restock(cached: CachedMaker | null): Promise<void>;
  /** A block comes every second from now on, and no reorganisation reaches further back. */
  begin(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Starts a chain in its folder and goes on with the state it kept. Every transaction makes a block at once until it begins.
 * @throws DeskError `port_taken`, `anvil_missing`, `anvil_failed`
 */
export async function openMarketChain(options: {
  folder: string;
  port: number;
  plan: PlannedChain;
  before: ChainFile | undefined;
  keys: { bank: Hex; maker: Hex; takers: Readonly<Record<string, Hex>>; relayers: RelayerKeys };
  /** The maker is the key's own address, or an EIP-1271 wallet that the key owns. */
  maker: 'key' | 'contract';
  now: () => number;
  log: PracticeLog;
}): Promise<MarketChain> {
  const { plan, before, keys, now, log } = options;
  const { chainId } = plan;
  const folder = join(options.folder, `${chainId}`);
  const node = await startPracticeNode({ folder, chainId, port: options.port, now, log });
  try {
    const { rpcUrl } = node;
    const open = (key: Hex) => openSender(rpcUrl, key, chainId);
    const bank = open(keys.bank);
    const key = open(keys.maker);
    const takers = Object.entries(keys.takers).map(([name, taker]) => ({ name, sender: open(taker) }));
    const accounts = { bank, maker: key, takers: takers.map(({ sender }) => sender) };
    const prepared = await prepareChain({ rpcUrl, plan, before, accounts, log });
    const { contracts } = prepared;
    const control = openControl(rpcUrl);
    const router = await prepareRouter({ bank, control, plan, contracts, before: prepared.router, log });
    const [operator, ...solvers] = [
      open(keys.relayers.operator),
      ...practiceSolvers(keys.relayers).map((one) => open(one.key)),
    ];
    const intents = await prepareIntents({
      bank,
      operator,
      solvers,
      control,
      plan,
      contracts,
      market: router.addresses,
      before: prepared.intents,
      log,
    });
    const kept = { ...prepared, router, intents };
    const maker = options.maker === 'contract' ? contracts.contractMaker : key.address;
    const holders: Holder[] = [
      { name: 'maker', role: 'maker', address: maker },
      ...takers.map(({ name, sender }) => ({ name, role: 'taker' as const, address: sender.address })),
    ];
    const stock = (cached: CachedMaker | null) =>
      restock({ bank, plan, tokens: contracts.tokens, holders, cached, log });
    await stock(null);
    const seen = chainAsSeen(plan, rpcUrl, contracts, router.addresses);
    const places = { contracts, router: router.addresses, intents: intents.addresses };
    const standing = { plan, rpcUrl, ...places, maker, signer: key.address };
    const begin = async () => {
      await buryPreparation(rpcUrl);
      await beginBlocks(rpcUrl);
    };
    return { ...standing, seen, node, bank, kept, restock: stock, begin, close: node.close };
  } catch (error) {
    await node.close();
    throw error;
  }
}

function chainAsSeen(
  { chainId, name, basePath, domainName }: PlannedChain,
  rpcUrl: string,
  { rfqContract, executor }: Deployment,
  { router }: RouterAddresses,
): PracticeChain {
  const takers = [executor, router];
  return { chainId, name, basePath, domainName, rfqContract, takers, client: openClient(rpcUrl) };
}

/** The port beside the first chain's when it is free, else any: only the first chain's port was asked for. */
export async function portBeside(first: number, index: number): Promise<number> {
  if (first === 0) return 0;
  return claimPort(first + index, 'another practice chain').catch(() => 0);
}
