import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import Database from 'better-sqlite3';
import type { Address, Hex } from '../protocol/address.ts';
import { DeskError } from '../protocol/desk-error.ts';
import { Opened } from '../protocol/opened.ts';
import type { SignedOrder } from '../protocol/wire.ts';
import type { Deployment } from './chain/deployment.ts';
import { type MarketChain, openMarketChain, portBeside } from './chain/market-chain.ts';
import type { ConsumerIntervals } from './consumer/consumer-intervals.ts';
import type { ConsumerMode, ConsumerStatus } from './consumer/maker-consumer.ts';
import { noFaults } from './consumer/surface-client.ts';
import { chainFaults, endTransferFees, giveBackAllowances } from './faults/chain-faults.ts';
import { type FaultBoard, openFaultBoard } from './faults/fault-board.ts';
import { FLEET_FAULTS, fleetFaults } from './faults/fleet-faults.ts';
import { serviceFaults } from './faults/service-faults.ts';
import { openPracticeFleet, type PracticeFleet, type PracticeFleetOptions } from './fleet/practice-fleet.ts';
import { RELAYERS, type RelayerKeys } from './intents/prepare-intents.ts';
import type { IntentAddresses } from './intents/settle/intent-chain.ts';
import { type MarketFile, namedKeys, readMarketFile, writeMarketFile } from './market-file.ts';
import { openMarketServices } from './market-services.ts';
import { openOrderService } from './orders/order-service.ts';
import { PLANNED_CHAINS, practiceDeskFile } from './practice-desk.ts';
import type { PracticeLog } from './practice-log.ts';
import { openReference } from './reference/reference.ts';
import { startArbitrage } from './router/arbitrage.ts';
import type { RouterAddresses } from './router/router-chain.ts';
import { contractTakersRoute } from './service/contract-takers.ts';
import { openService } from './service/service.ts';
import { HABITS, type Habit } from './takers/habits.ts';
import { DEFAULT_ASKS_PER_SECOND } from './takers/takers.ts';
import type { TakersStatus } from './takers/tally.ts';
import { startTrading, type Trading } from './trading.ts';

export interface PracticeMarketOptions {
  /** Keeps the chains' state, the keys and the addresses from one run to the next. */
  folder: string;
  /**
   * Ports of the chains' nodes and of the service; 0 takes a free one. A chain without one gets that beside the first chain's
   * when it is free, else any.
   */
  rpcPorts: readonly number[];
  servicePort: number;
  /** What the takers ask for and how the reference moves follow from it. */
  seed: number;
  now: () => number;
  log: PracticeLog;
  /** The maker is the key's own address, or an EIP-1271 wallet that the key owns. */
  maker?: 'key' | 'contract';
  /** How the service judges the maker; `strict` unless told. */
  mode?: ConsumerMode | undefined;
  /** What differs from the real service's. */
  intervals?: Partial<ConsumerIntervals> | undefined;
  /** Over all takers of a chain. */
  asksPerSecond?: number | undefined;
  /** A fleet server and surfaces of the desk beside the market; none without it. */
  fleet?: Pick<PracticeFleetOptions, 'surfaces' | 'port' | 'cli'> | undefined;
}

/** Where one chain of the market is. */
export interface MarketPlace {
  chainId: number;
  name: string;
  rpcUrl: string;
  addresses: Deployment & IntentAddresses & { market: RouterAddresses; maker: Address; signer: Address };
}

export interface PracticeMarket {
  /** The desk file of this market, with the counterparty's secret: what `makerdesk import` takes. */
  deskFile: Record<string, unknown>;
  makerPrivateKey: Hex;
  serviceUrl: string;
  /** In the order of the desk file. */
  chains: MarketPlace[];
  /** Whether no market stood in this folder before. */
  isNew: boolean;
  faults: FaultBoard;
  /** Null where none was asked for. */
  fleet: Pick<PracticeFleet, 'url' | 'startSurfaces'> | null;
  /** The service begins to consume the surfaces, in turn, and takers to ask. `surfaceUrls` are without the chains' base paths. */
  startTrading(where: { surfaceUrls: readonly string[] }): void;
  stopTrading(): Promise<void>;
  /** What the service thinks of the maker, a chain each; empty before it trades. */
  service(): ConsumerStatus[];
  /** What came of the users' wishes, in the same order. */
  takers(): TakersStatus[];
  speed(): number;
  setSpeed(asksPerSecond: number): void;
  close(): Promise<void>;
}

/**
 * Opens the other side of the wire in a folder: two chains with the contracts and funded accounts, the service's address,
 * and on demand its trading.
 * @throws DeskError `practice_in_use`, `practice_file`, `port_taken`, `anvil_missing`, `anvil_failed`, `nats_missing`, `nats_failed`
 */
export async function openPracticeMarket(options: PracticeMarketOptions): Promise<PracticeMarket> {
  const { now, log, seed } = options;
  const folder = resolve(options.folder);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const opened = new Opened();
  const closeAll = () => opened.close();
  try {
    opened.push(takeMarketLock(folder).release);
    const { market, isNew } = readMarketFile(folder);
    const takers = namedKeys<Habit>(market.privateKeys.takers, HABITS);
    const relayers = namedKeys(market.privateKeys.relayers, RELAYERS);
    const keys = { ...market.privateKeys, takers, relayers };
    market.privateKeys = keys;
    const save = () => writeMarketFile(folder, market);
    const fleet =
      options.fleet === undefined
        ? null
        : await openPracticeFleet({ ...options.fleet, folder: join(folder, 'fleet'), log });
    if (fleet !== null) opened.push(fleet.close);
    const { rpcPorts, maker = 'key' } = options;
    const chains = await openChains({ folder, market, rpcPorts, keys, maker, opened, save, now, log });

    const faults = noFaults();
    const reference = openReference({ plans: PLANNED_CHAINS, seed, now });
    const orders = openOrderService({
      file: join(folder, 'orders.db'),
      chains: chains.map(({ seen }) => seen),
      now,
      log,
    });
    opened.push(orders.close);
    let trading: Trading[] = [];
    const consumer = (index: number) => trading[index]?.consumer ?? null;
    const services = openMarketServices({ folder, chains, relayers, reference, consumer, now, log });
    opened.push(services.close);
    const takersRoute = contractTakersRoute(
      chains.map(({ seen }) => seen),
      log,
    );
    const routes = [takersRoute, reference.route, orders.route, ...services.routes];
    const service = await openService({ port: options.servicePort, routes, faults, log });
    opened.push(service.close);
    const { counterparty } = market;
    const board = openFaultBoard({
      faults: [
        ...serviceFaults(faults, service.hangUp, services),
        // Drills of a chain are held on the first one; the others show that chains are separate.
        ...chains.slice(0, 1).flatMap((chain) => chainFaults(chain, save)),
        ...(fleet === null ? [] : fleetFaults(fleet)),
      ],
      ofSurfaces: fleet === null ? FLEET_FAULTS : [],
      now,
      log,
    });
    opened.push(board.close);
    if (fleet !== null) opened.push(fleet.close); // first, so that a surface that is down is not started once more

    let asksPerSecond = options.asksPerSecond ?? DEFAULT_ASKS_PER_SECOND;
    const stopTrading = async () => {
      const stopping = trading;
      trading = [];
      await Promise.all(stopping.map((one) => one.stop()));
    };
    opened.push(stopTrading);
    const arbitrage = chains.map((chain) => startArbitrage({ chain, reference, log }));
    opened.push(() => Promise.all(arbitrage.map((one) => one.stop())).then(() => {}));
    return {
      deskFile: practiceDeskFile({ chains, serviceUrl: service.url, counterparty }),
      makerPrivateKey: market.privateKeys.maker,
      serviceUrl: service.url,
      chains: chains.map(({ plan, rpcUrl, contracts, router: market, intents, maker, signer }) => {
        const addresses = { ...contracts, market, ...intents, maker, signer };
        return { chainId: plan.chainId, name: plan.name, rpcUrl, addresses };
      }),
      isNew,
      faults: board,
      fleet,
      startTrading({ surfaceUrls }) {
        if (trading.length > 0) return;
        const { mode = 'strict', intervals = {} } = options;
        const common = { surfaceUrls, counterparty, mode, intervals, faults, reference, accounts: takers, now, log };
        trading = chains.map((chain, index) => {
          const onOrder = (order: SignedOrder) => orders.store(chain.plan.chainId, order);
          const orderState = (hash: Hex) => orders.state(chain.plan.chainId, hash);
          return startTrading({ ...common, chain, seed: seed + index, asksPerSecond, onOrder, orderState });
        });
      },
      stopTrading,
      service: () => trading.map((one) => one.service()),
      takers: () => trading.map((one) => one.takers()),
      speed: () => asksPerSecond,
      setSpeed(wanted) {
        asksPerSecond = wanted;
        for (const one of trading) one.setSpeed(wanted);
        log.info(`takers ask ${wanted} times a second on each chain`);
      },
      close: closeAll,
    };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

/**
 * Opens all chains side by side, and has each kept in the market's file as soon as it stands. What was opened is in `opened`,
 * also when another one fails.
 */
async function openChains(options: {
  folder: string;
  market: MarketFile;
  rpcPorts: readonly number[];
  keys: { bank: Hex; maker: Hex; takers: Readonly<Record<Habit, Hex>>; relayers: RelayerKeys };
  maker: 'key' | 'contract';
  opened: Opened;
  save: () => void;
  now: () => number;
  log: PracticeLog;
}): Promise<MarketChain[]> {
  const { market, rpcPorts, opened, save, ...common } = options;
  const opening = PLANNED_CHAINS.map(async (plan, index) => {
    const port = rpcPorts[index] ?? (await portBeside(rpcPorts[0] ?? 0, index));
    const chain = await openMarketChain({ ...common, port, plan, before: market.chains[plan.chainId] });
    opened.push(chain.close);
    market.chains[plan.chainId] = chain.kept;
    save();
    await giveBackAllowances(chain, save);
    await endTransferFees(chain);
    await chain.begin();
    return chain;
  });
  await Promise.allSettled(opening);
  return Promise.all(opening);
}

/** The market of a desk that was killed notices a moment later; the next one waits so long for it. */
const LOCK_PATIENCE_MS = 5_000;

/**
 * Makes this process the only practice market of the folder. SQLite's lock is the operating system's: it is free again
 * after kill -9.
 * @throws DeskError `practice_in_use`
 */
function takeMarketLock(folder: string): { release(): void } {
  const database = new Database(join(folder, 'practice.lock'), { timeout: LOCK_PATIENCE_MS });
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (cause) {
    database.close();
    throw new DeskError('practice_in_use', `Another practice market is running in ${folder}.`, {
      remedy: 'End it first, or choose another folder with --data.',
      cause,
    });
  }
  return { release: () => database.close() };
}
