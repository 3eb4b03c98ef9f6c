import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Address, Hex } from '../protocol/address.ts';
import { PRACTICE_CHAIN_ID } from './anvil.ts';
import type { Deployment } from './deployment.ts';
import type { CachedMaker } from './grid-poll.ts';
import { restock } from './inventory.ts';
import { readMarketFile, writeMarketFile } from './market-file.ts';
import { takeMarketLock } from './market-lock.ts';
import { PRACTICE_BASE_PATH, PRACTICE_DOMAIN_NAME, practiceDeskFile } from './practice-desk.ts';
import type { PracticeLog } from './practice-log.ts';
import { startPracticeNode } from './practice-node.ts';
import { beginBlocks, prepareChain } from './preparation.ts';
import { openSender } from './sender.ts';
import { openService } from './service.ts';
import { openSurfaceClient } from './surface-client.ts';
import { startTaker, type Taker } from './taker.ts';

export interface PracticeMarketOptions {
  /** Keeps the chain's state, the keys and the addresses from one run to the next. */
  folder: string;
  /** Ports of the node and of the service; 0 takes a free one. */
  rpcPort: number;
  servicePort: number;
  /** What the taker asks for follows from it. */
  seed: number;
  now: () => number;
  log: PracticeLog;
  /** The maker is the key's own address, or an EIP-1271 wallet that the key owns. */
  maker?: 'key' | 'contract';
  /** How often the taker asks for a firm quote. */
  askEveryMs?: number;
}

export interface PracticeMarket {
  /** The desk file of this market, with the counterparty's secret: what `makerdesk import` takes. */
  deskFile: Record<string, unknown>;
  makerPrivateKey: Hex;
  rpcUrl: string;
  serviceUrl: string;
  chainId: number;
  addresses: Deployment & { maker: Address; signer: Address; user: Address };
  /** Whether no market stood in this folder before. */
  isNew: boolean;
  /** `surfaceUrl` is the surface's root, without the chain's base path. */
  startTakers(where: { surfaceUrl: string }): void;
  stopTakers(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens the other side of the wire in a folder: a node, the contracts on it, funded accounts, the service's address,
 * and on demand a taker.
 * @throws DeskError `practice_in_use`, `practice_file`, `port_taken`, `anvil_missing`, `anvil_failed`
 */
export async function openPracticeMarket(options: PracticeMarketOptions): Promise<PracticeMarket> {
  const { now, log } = options;
  const folder = resolve(options.folder);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const opened: (() => void | Promise<void>)[] = [];
  const closeAll = async () => {
    for (const close of opened.splice(0).reverse()) await close();
  };
  try {
    opened.push(takeMarketLock(folder).release);
    const market = readMarketFile(folder);
    const node = await startPracticeNode({ folder, port: options.rpcPort, now, log });
    opened.push(node.close);
    const { rpcUrl } = node;
    const { sender: bank, deployed } = await prepareChain(rpcUrl, market, PRACTICE_DOMAIN_NAME, log);
    writeMarketFile(folder, { ...market, deployed });
    const { contracts } = deployed;
    const user = openSender(rpcUrl, market.privateKeys.user);
    const signer = openSender(rpcUrl, market.privateKeys.maker).address;
    const maker = options.maker === 'contract' ? contracts.contractMaker : signer;
    const stock = (cached: CachedMaker | null) =>
      restock({ sender: bank, contracts, maker, taker: user.address, cached, log });
    await stock(null);
    await beginBlocks(rpcUrl);
    const service = await openService({ port: options.servicePort, takers: [contracts.executor] });
    opened.push(service.close);
    const { counterparty } = market;
    const facts = { rpcUrl, serviceUrl: service.url, contracts, maker, signer, counterparty };

    let taker: Taker | null = null;
    const stopTakers = async () => {
      const stopping = taker;
      taker = null;
      await stopping?.stop();
    };
    opened.push(stopTakers);

    const { rfqContract, executor } = contracts;
    const context = {
      client: user.client,
      chainId: PRACTICE_CHAIN_ID,
      domainName: PRACTICE_DOMAIN_NAME,
      rfqContract,
      executor,
      user: user.address,
      now,
    };
    return {
      deskFile: practiceDeskFile(facts),
      makerPrivateKey: market.privateKeys.maker,
      rpcUrl,
      serviceUrl: service.url,
      chainId: PRACTICE_CHAIN_ID,
      addresses: { ...contracts, maker, signer, user: user.address },
      isNew: market.deployed === null,
      startTakers({ surfaceUrl }) {
        taker ??= startTaker({
          surface: openSurfaceClient({ surfaceUrl, basePath: PRACTICE_BASE_PATH, counterparty, now }),
          context,
          sender: user,
          tokens: [contracts.weth, contracts.usdc],
          restock: stock,
          seed: options.seed,
          everyMs: options.askEveryMs ?? 3_000,
          log,
        });
      },
      stopTakers,
      close: closeAll,
    };
  } catch (error) {
    await closeAll();
    throw error;
  }
}
