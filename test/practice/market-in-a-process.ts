/** Opens a practice market in the folder of its first argument, says so, and waits to be killed. */
import { openPracticeMarket } from '../../electron/practice/market.ts';
import { collectLog } from './collected-log.ts';

const [, , folder = ''] = process.argv;
const market = await openPracticeMarket({
  folder,
  rpcPorts: [0],
  servicePort: 0,
  seed: 1,
  now: Date.now,
  log: collectLog(),
});
const { serviceUrl, chains } = market;
process.stdout.write(`${JSON.stringify({ serviceUrl, chains })}\n`);
setInterval(() => {}, 1_000);
