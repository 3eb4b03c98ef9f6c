import { setTimeout as sleep } from 'node:timers/promises';
import { openRooms } from '../../electron/desk/rooms.ts';
import { openHedging } from '../../electron/hedge/hedging.ts';
import { ServiceConnection } from '../../electron/service/service-connection.ts';
import { Turns } from '../../electron/service/turns.ts';
import { openSigner } from '../../electron/signer/signer.ts';

/**
 * Hedging on a folder, a node and a service until it is killed: takes up what ran, then places a hedge on the market and one by
 * intent, and prints `placed`. With `finish` it only takes up, and prints `done` when nothing runs any more.
 */
// Loaded once and ended by itself, it leaves its compiled code behind for those that are killed.
if (process.argv[2] === 'warm') process.exit(0);
const [folder = '', serviceUrl = '', key = '', srcToken = '', destToken = '', what = ''] = process.argv.slice(2);
const quiet = { info() {}, warn() {}, error() {} };
const now = Date.now;
const rooms = await openRooms({
  ...{ folder, log: quiet, now, monotonic: () => performance.now(), views: () => undefined },
  ...{ passphrase: async () => 'none', lockPatienceMs: 5_000 },
});
const { book, guard, journal, accounts } = rooms;
guard.trading.checksPassed();
const signer = openSigner(key as `0x${string}`);
// The practice service is asked as often as it likes to be: what waits for turns is not what is killed here.
const turns = new Turns({ now: () => performance.now() * 1_000, sleep: (milliseconds) => sleep(milliseconds / 1_000) });
const service = new ServiceConnection({ serviceUrl, turns, now });
const hedging = await openHedging(
  {
    ...{ book, guard, journal, accounts, now, log: quiet },
    signerFor: (address) => (address === signer.address ? signer : null),
    service: () => service,
  },
  { pollMs: 40 },
);
console.log('ready');
if (what === 'finish') {
  while (hedging.engine.log.all().length > 0) await sleep(30);
  console.log('done');
} else {
  const ask = { chainId: 31337, srcToken, destToken, side: 'SELL', amount: '0.01', slippageBps: 300 } as const;
  const wish = { ask, deadlineSeconds: 3_000, approval: 'approve', fillSeqs: [] } as never as object;
  for (const mode of ['market', 'intent'] as const) {
    await hedging.engine.place({ ...wish, way: { mode } } as never, { actor: 'trader', confirmed: false });
  }
  console.log('placed');
}
setInterval(() => {}, 60_000);
