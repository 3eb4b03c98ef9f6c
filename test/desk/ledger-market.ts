import { createInterface } from 'node:readline';
import type { DeskFile } from '../../electron/contract/desk-file.ts';
import type { MakerConsumer } from '../../electron/practice/consumer/maker-consumer.ts';
import { openConsumer } from '../../electron/practice/consumer/open-consumer.ts';
import { noFaults } from '../../electron/practice/consumer/surface-client.ts';
import { startTakers, type Takers } from '../../electron/practice/takers/takers.ts';
import type { TakersStatus } from '../../electron/practice/takers/tally.ts';
import type { Address, Hex } from '../../electron/protocol/address.ts';
import { domainSeparator, fromWireOrder, orderHash } from '../../electron/protocol/order-hash.ts';
import { collectLog } from '../practice/collected-log.ts';
import { openTradingFloor } from '../practice/takers/trading-floor.ts';

/**
 * A market in a process of its own: a chain, the service's consumer and its users. Says where the chain is, then answers
 * each line of its input with a line; ends when its input does.
 */

/** The first line. */
export interface LedgerMarket {
  rpcUrl: string;
  rfqContract: Address;
  makerKey: Hex;
  deskFile: DeskFile;
}

/** An order that the service received, whatever it thought of it. */
export interface ReceivedOrder {
  orderHash: Hex;
  userAddress: Address;
  pair: string;
  makerAsset: Address;
  takerAsset: Address;
  makerAmount: string;
  takerAmount: string;
}

/** `begin` is answered when the users ask, `stop` when nothing of theirs is on its way any more. */
export type LedgerCommand =
  | { do: 'begin'; surfaceUrl: string; asksPerSecond: number }
  | { do: 'status' }
  | { do: 'stop' };

export interface LedgerAnswers {
  begin: null;
  status: TakersStatus;
  stop: { received: ReceivedOrder[]; lines: string[] };
}

/** A desk that was killed costs its pairs a second, not the real service's quarter of an hour; a slow machine nothing. */
const FORGIVING = {
  restrictFor: 1_000,
  restrictAfterSilenceFor: 1_000,
  rest: 1_000,
  reconnectLast: 1_000,
  firmPatience: 30_000,
  patience: 30_000,
  staleAfter: 30_000,
};

const floor = await openTradingFloor();
const { chain, seen } = floor;
const separator = domainSeparator(chain);
const received: ReceivedOrder[] = [];
const log = collectLog();
let consumer: MakerConsumer | null = null;
let takers: Takers | null = null;

function begin({ surfaceUrl, asksPerSecond }: Extract<LedgerCommand, { do: 'begin' }>): void {
  const [credentials] = floor.deskFile.counterparties;
  const { domain = '', accessKey = '', secretKey = '' } = credentials ?? {};
  consumer = openConsumer({
    chain: seen,
    surface: { surfaceUrls: [surfaceUrl], counterparty: { domain, accessKey, secretKey } },
    mode: 'strict',
    intervals: FORGIVING,
    faults: noFaults(),
    onOrder(order, { userAddress, pairId }) {
      const { makerAsset, takerAsset, makerAmount, takerAmount } = order;
      const hash = orderHash(separator, fromWireOrder(order));
      received.push({ orderHash: hash, userAddress, pair: pairId, makerAsset, takerAsset, makerAmount, takerAmount });
    },
    now: Date.now,
    log,
  });
  const { accounts, tokens } = floor;
  const quiet = { referenceMid: () => null, orderState: () => 'PENDING' as const, seed: 1, log };
  takers = startTakers({ chain: seen, consumer, accounts, executor: chain.executor, tokens, asksPerSecond, ...quiet });
}

async function answer(command: LedgerCommand): Promise<LedgerAnswers[LedgerCommand['do']]> {
  if (command.do === 'status') return takers?.status() ?? null;
  if (command.do === 'begin') {
    begin(command);
    return null;
  }
  takers?.setSpeed(0);
  while ((takers?.status().underWay ?? 0) > 0) await new Promise((resolve) => setTimeout(resolve, 50));
  await takers?.stop();
  await consumer?.close();
  return { received, lines: log.lines };
}

function say(line: unknown): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

const { rpcUrl, rfqContract, accounts } = chain;
say({ rpcUrl, rfqContract, makerKey: accounts.maker.privateKey, deskFile: floor.deskFile } satisfies LedgerMarket);
for await (const line of createInterface({ input: process.stdin })) say(await answer(JSON.parse(line)));
await chain.close();
process.exit();
