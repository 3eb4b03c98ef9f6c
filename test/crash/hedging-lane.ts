import { setTimeout as sleep } from 'node:timers/promises';
import { encodeFunctionData, type Hex, maxUint256, parseEther } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { DeskConnection } from '../../electron/commands/client.ts';
import type { DeskFile } from '../../electron/contract/desk-file.ts';
import type { HedgeWay } from '../../electron/contract/hedge-terms.ts';
import { TEST_TOKEN } from '../../electron/practice/chain/artifacts.ts';
import { openSender } from '../../electron/practice/chain/sender.ts';
import type { Address } from '../../electron/protocol/address.ts';
import { connectionTo } from '../desk/connection.ts';
import { armedFolder } from '../desk/desk-on-chain.ts';
import { type RunningDesk, runCommand, startDesk } from '../desk/desk-process.ts';
import { hedgeDeskFile } from '../hedge/hedging-desk.ts';
import type { IntentMarket } from '../practice/intents/intent-market.ts';
import { type KillPoint, openTrap, type Trap } from './trap.ts';

/** How long a desk is left alive at most: a hedge takes three questions to the service, one a second, and a block. */
const LONGEST_LIFE_MS = 6_000;
/** More that run at once only wait for their questions. */
const MOST_RUNNING = 3;

type Point = KillPoint & { name: string; at: 'node' | 'service' };

const point = (name: string, at: Point['at'], request: RegExp): Point[] =>
  (['before', 'after'] as const).map((when) => ({ name: `${when} ${name}`, at, request, when }));

const SEND = point('its transaction is sent', 'node', /eth_sendRawTransaction/);
const MARKET_POINTS = [
  ...point('it is priced', 'service', /^GET \/prices/),
  ...point('it is built', 'service', /^POST \/transactions/),
  ...point('it is tried', 'node', /eth_estimateGas/),
  ...SEND,
  ...SEND,
  ...point('its receipt is read', 'node', /eth_getTransactionReceipt/),
];
const INTENT_POINTS = [
  ...point('the order is priced', 'service', /^GET \/v2\/intent\/prices/),
  ...point('the order is built', 'service', /^POST \/v2\/intent\/orders\/build/),
  ...point('the order is handed over', 'service', /^POST \/v2\/intent\/orders \{/),
  ...point('the order is handed over', 'service', /^POST \/v2\/intent\/orders \{/),
  ...point('the order is asked for', 'service', /^GET \/v2\/intent\/orders/),
  ...point('its cancellation is built', 'service', /^POST \/v2\/intent\/orders\/cancel\/build/),
  ...point('its cancellation is asked for', 'service', /^POST \/v2\/intent\/orders\/cancel \{/),
];
/** A hundredth of a WETH is worth 34 USDC, so a limit of 30 is met at once and one of 50 waits. */
const WAYS: HedgeWay[] = [
  { mode: 'market' },
  { mode: 'market' },
  { mode: 'intent' },
  { mode: 'limit', limitAmount: '30' },
  { mode: 'limit', limitAmount: '50' },
];

const oneOf = <T>(of: readonly T[]): T => of[Math.floor(Math.random() * of.length)] as T;

/** A desk that hedges for a maker of its own on a shared market, and is killed again and again. */
export interface HedgingLane {
  maker: Address;
  folder: string;
  /** What of a hedge was under way at each kill. */
  killedAt: string[];
  /** A life of the desk: it takes up what ran, places hedges, and ends with a kill -9 at one of its steps. */
  liveAndDie(places: boolean): Promise<void>;
  /** Starts it once more, waits until nothing runs, hedges once undisturbed, and ends it in peace. */
  finish(): Promise<void>;
  close(): Promise<void>;
}

export async function openLane(
  market: IntentMarket,
  { key, rfqContract }: { key: Hex; rfqContract: Address },
): Promise<HedgingLane> {
  const maker = privateKeyToAccount(key).address.toLowerCase() as Address;
  await market.floor.control.setBalance({ address: maker, value: parseEther('100') });
  await mint(market, maker);
  await approve(market, key, rfqContract);
  const traps = { node: await openTrap(market.floor.rpcUrl), service: await openTrap(market.url) };
  const home = await armedFolder(
    { accounts: { maker: { privateKey: key } } },
    deskFile(market, maker, { rfqContract, traps }),
  );
  const { folder } = home;
  const killedAt: string[] = [];
  let running: RunningDesk | null = null;

  async function start(): Promise<DeskConnection> {
    running = await startDesk(folder, 'serve');
    const connection = await connectionTo(folder, 'trader');
    return connection;
  }

  async function kill(): Promise<void> {
    await running?.kill();
    running = null;
  }

  return {
    maker,
    folder,
    killedAt,
    async liveAndDie(places) {
      const { desk } = await start();
      const way = oneOf(WAYS);
      const life = sleep(Math.random() * LONGEST_LIFE_MS).then(() => 'at any time');
      // Most die at a step, some at any time.
      const { at, name, ...where } = oneOf(way.mode === 'market' ? MARKET_POINTS : INTENT_POINTS);
      const trap = traps[at].set(where, kill).then(() => name);
      // Whatever it is told while it dies, nobody hears the answer.
      if (places) void place(desk, market, way).catch(() => {});
      const patience = sleep(LONGEST_LIFE_MS).then(() => 'at any time');
      killedAt.push(await Promise.race([trap, Math.random() < 0.2 ? life : patience]));
      traps[at].unset();
      await kill();
    },
    async finish() {
      const { desk, close } = await start();
      const calledBack = new Set<number>();
      for (let isPlaced = false; ; ) {
        const { rows } = await desk.hedge.list({ open: true });
        if (rows.length === 0) {
          if (isPlaced) break;
          isPlaced = true;
          await place(desk, market, { mode: 'market' });
        }
        for (const { seq, mode, state, cancellable } of rows) {
          // Of those with a limit, some are never met; others end in the moment in which they are called back.
          if (mode !== 'limit' || state !== 'submitted' || !cancellable || calledBack.has(seq)) continue;
          calledBack.add(seq);
          await desk.hedge.cancel({ seq }).catch(() => {});
        }
        await sleep(100);
      }
      await close();
      await running?.stop();
      running = null;
      const verified = await runCommand(folder, ['verify']);
      if (verified.code !== 0) throw new Error(`the journal is not whole: ${verified.stdout}${verified.stderr}`);
    },
    async close() {
      await kill();
      await Promise.all([traps.node.close(), traps.service.close()]);
      home.remove();
    },
  };
}

/** Sells a hundredth of a WETH; an order that waits is called back after a while, others at times. */
async function place(desk: DeskConnection['desk'], market: IntentMarket, way: HedgeWay): Promise<void> {
  const { rows } = await desk.hedge.list({ open: true });
  for (const { seq, cancellable, time } of rows) {
    if (cancellable && time < Date.now() - LONGEST_LIFE_MS) await desk.hedge.cancel({ seq });
  }
  if (rows.length >= MOST_RUNNING) return;
  const [srcToken, destToken] = [market.token('WETH'), market.token('USDC')];
  const ask = { chainId: 31337, srcToken, destToken, side: 'SELL', amount: '0.01', slippageBps: 300 } as const;
  const approval = oneOf(['approve', 'permit'] as const);
  const { seq } = await desk.hedge.place({ ask, way, approval, deadlineSeconds: 3_000, fillSeqs: [] });
  if (way.mode === 'market' || Math.random() < 0.7) return;
  await sleep(Math.random() * LONGEST_LIFE_MS);
  await desk.hedge.cancel({ seq });
}

function deskFile(
  market: IntentMarket,
  maker: Address,
  { rfqContract, traps }: { rfqContract: Address; traps: Record<'node' | 'service', Trap> },
): DeskFile {
  const file = hedgeDeskFile(market, maker);
  const [rpcUrl, serviceUrl] = [traps.node.url, traps.service.url];
  const takers: Address[] = [`0x${'7a'.repeat(20)}`];
  return { ...file, chains: file.chains.map((chain) => ({ ...chain, rpcUrl, serviceUrl, rfqContract, takers })) };
}

async function mint({ floor }: IntentMarket, maker: Address): Promise<void> {
  await floor.call(floor.owner, TEST_TOKEN, floor.token('WETH'), 'mint', [maker, parseEther('100')]);
}

/** Without an allowance for what its pair pays a desk may not be armed. */
async function approve({ floor, token }: IntentMarket, key: Hex, rfqContract: Address): Promise<void> {
  const sender = openSender(floor.rpcUrl, key);
  const data = encodeFunctionData({ abi: TEST_TOKEN.abi, functionName: 'approve', args: [rfqContract, maxUint256] });
  for (const symbol of ['WETH', 'USDC']) await sender.mined(await sender.send({ to: token(symbol), data }));
}
