import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';
import { implement } from '@orpc/server';
import { RPCHandler } from '@orpc/server/message-port';
import { marketContract } from './contract/market-channel.ts';
import { type Log, openDeskLog } from './desk/log.ts';
import { channelPort } from './desk/market-process.ts';
import { refusedError } from './desk/refused.ts';
import { openPracticeMarket, type PracticeMarket } from './practice/market.ts';
import { DeskError } from './protocol/desk-error.ts';

let log: Log | null = null;
let market: PracticeMarket | null = null;

process.umask(0o077); // whatever the market writes is for its own user

// The desk is gone, however it ended. All that is kept is on disk at any moment, and each node ends with this process.
process.on('disconnect', () => process.exit());
// Ctrl-C in a terminal reaches this process as well, and it is the desk that says when to close.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => void close().finally(() => process.exit()));
process.on('uncaughtException', (error) => {
  log?.error('the practice market broke off', { error: inspect(error).slice(0, 10_000) });
  process.exit(1);
});

const os = implement(marketContract);
const router = os
  .use(async ({ next }) => {
    try {
      return await next();
    } catch (error) {
      throw log === null ? error : refusedError(error, log);
    }
  })
  .router({
    open: os.open.handler(async ({ input }) => {
      const { folder, logForm, speed, forgiveSeconds, fleet, ...asked } = input;
      const marketLog = openDeskLog(folder, Date.now, logForm, 'market');
      log = marketLog;
      market = await openPracticeMarket({
        ...asked,
        folder: join(folder, 'market'),
        asksPerSecond: speed,
        fleet: fleet && withCli(fleet),
        intervals: forgiveSeconds === undefined ? undefined : forgivingAfter(forgiveSeconds * 1_000),
        now: Date.now,
        log: { info: (line) => marketLog.info(line), warn: (line) => marketLog.warn(line) },
      });
      const { deskFile, makerPrivateKey, serviceUrl, chains } = market;
      const rpcUrls = chains.map(({ rpcUrl }) => rpcUrl);
      return { deskFile, makerPrivateKey, serviceUrl, rpcUrls, fleetUrl: market.fleet?.url ?? null };
    }),
    startSurfaces: os.startSurfaces.handler(
      ({ input: { passphrase, ports } }) => opened().fleet?.startSurfaces(passphrase, ports) ?? [],
    ),
    trade: os.trade.handler(({ input }) => opened().startTrading(input)),
    stopTrading: os.stopTrading.handler(() => opened().stopTrading()),
    state: os.state.handler(() => {
      const { faults, speed, service, takers } = opened();
      return { faults: faults.states(), speed: speed(), service: service(), takers: takers() };
    }),
    fault: os.fault.handler(({ input: { name, on, depth } }) => opened().faults.switch(name, on, { depth })),
    speed: os.speed.handler(({ input }) => opened().setSpeed(input.asksPerSecond)),
    close: os.close.handler(close),
  });

new RPCHandler(router).upgrade(channelPort(process));

/** @throws DeskError `practice_ended` */
function opened(): PracticeMarket {
  if (market === null) throw new DeskError('practice_ended', 'The practice market is not open.');
  return market;
}

async function close(): Promise<void> {
  await market?.close();
}

/** The command line as it lies beside this program, which runs the surfaces. */
function withCli<T extends object>(fleet: T): T & { cli: string } {
  const name = import.meta.url.endsWith('.ts') ? './cli.ts' : './cli.js';
  return { ...fleet, cli: fileURLToPath(new URL(name, import.meta.url)) };
}

function forgivingAfter(ms: number) {
  return { restrictFor: ms, restrictAfterSilenceFor: ms, rest: ms, reconnectLast: ms };
}
