import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { WebSocket } from 'ws';
import { CLI, runCommand } from '../desk/desk-process.ts';
import { takerClient } from '../desk/taker-client.ts';
import { type BenchDesk, deskFolder, startBenchDesk } from './bench-desk.ts';
import { benchDeskFile } from './bench-desk-file.ts';
import { openConsole } from './console.ts';
import { runCleanLoad } from './load.ts';
import { type Look, readLooks, trendOf } from './looks.ts';
import { publishAt, upAndDown } from './publish-at.ts';
import { firmRequests } from './requests.ts';
import { Bench } from './workbench.ts';

/**
 * `npm run test:soak`: a desk at the pace of a busy day, with one consumer of its feed that stays from beginning to end, for
 * MAKERDESK_SOAK_MINUTES, by default an hour. It is flat where what
 * the desk held over the last quarter of the time is no more than over the second (the first is for warming up): memory at most
 * a tenth more, descriptors at most two more, the event loop's lateness at most a quarter more, or up to 5 ms. Every quote has to
 * be answered with an order, the consumer to stay, and the journal to verify afterwards.
 */
const minutes = Number(process.env.MAKERDESK_SOAK_MINUTES ?? 60);
const QUOTES_PER_SECOND = 20;
const EDITS_PER_SECOND = 10;
/** Signatures of requests are good for 30 s. */
const LOAD_SECONDS = 20;
const CONNECTIONS = 4;
const LOOKING = ['--import', fileURLToPath(new URL('./looking-desk.ts', import.meta.url)), CLI];
const mb = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
const ms = (time: number) => `${time.toFixed(1)} ms`;
const FIGURES = [
  { figure: 'resident', name: 'memory of the process', shown: mb, most: (early: number) => early * 1.1 },
  { figure: 'heap', name: 'heap of the main thread', shown: mb, most: (early: number) => early * 1.1 },
  { figure: 'descriptors', name: 'descriptors', shown: String, most: (early: number) => early + 2 },
  {
    figure: 'loopP99',
    name: 'event loop late, p99 of each second',
    shown: ms,
    most: (early: number) => Math.max(early * 1.25, 5),
  },
] as const;

if (!(minutes >= 1)) {
  console.error('MAKERDESK_SOAK_MINUTES has to be a number from 1 on.');
  process.exit(1);
}
const say = (line: string) => process.stderr.write(`${line}\n`);
// What desks keep outside their folders goes to a place of its own, not to the home of whoever measures.
const state = mkdtempSync(join(tmpdir(), 'makerdesk-state-'));
process.env.MAKERDESK_STATE = state;
const bench = new Bench(false, 0, say);
try {
  if (!(await soak())) process.exitCode = 1;
} finally {
  await bench.close();
  rmSync(state, { recursive: true, force: true });
}

/** Runs it and prints the figures. Answers whether all is flat and nothing was lost. */
async function soak(): Promise<boolean> {
  const chain = await bench.chain();
  const file = benchDeskFile(chain);
  const { folder, remove } = await deskFolder(chain, file);
  bench.later(remove);
  const desk = await startBenchDesk(folder, file, LOOKING);
  let quotes = 0;
  let edits = 0;
  let messages = 0;
  let hasStayed = false;
  const consumer = feedOf(desk, () => {
    messages += 1;
  });
  const began = Date.now();
  try {
    const console = await openConsole(desk.ready.console);
    const publishing = publishAt(console, file, EDITS_PER_SECOND, upAndDown(chain.bases.length));
    const until = began + minutes * 60_000;
    for (let told = began; Date.now() < until; ) {
      quotes += await quoteFor(desk, Math.min(LOAD_SECONDS, Math.max(1, Math.ceil((until - Date.now()) / 1_000))));
      if (Date.now() - told < 60_000) continue;
      told = Date.now();
      say(`  ${Math.round((told - began) / 60_000)} of ${minutes} minutes: ${tell(readLooks(folder).at(-1))}`);
    }
    await publishing.stop();
    edits = publishing.at.length;
    console.close();
  } finally {
    hasStayed = consumer.readyState === WebSocket.OPEN;
    consumer.terminate();
    await desk.stop();
  }
  const looks = readLooks(folder, began);
  const { code, stdout, stderr } = await runCommand(folder, ['verify']);
  if (code !== 0) say(`The journal does not verify: ${stdout}${stderr}`);
  const flat = FIGURES.map(({ figure, name, shown, most }) => {
    const { early, late } = trendOf(looks, figure);
    const isFlat = late <= most(early);
    print(`${name}: ${shown(early)} → ${shown(late)}, ${isFlat ? 'flat' : `NOT FLAT, at most ${shown(most(early))}`}`);
    return isFlat;
  });
  const worst = Math.max(...looks.map(({ loopWorst }) => loopWorst));
  print(`event loop late, worst of all: ${ms(worst)}`);
  print(
    `${quotes.toLocaleString('en')} quotes and ${edits.toLocaleString('en')} edits in ${minutes} minutes, journal ${code === 0 ? 'verified' : 'FAULTY'}`,
  );
  print(`one consumer of the feed ${hasStayed ? 'stayed' : 'DID NOT STAY'}: ${messages.toLocaleString('en')} messages`);
  return flat.every((one) => one) && hasStayed && code === 0;
}

/** A consumer of the first chain's feed, told of each message. */
function feedOf({ ready, file }: BenchDesk, onMessage: () => void): WebSocket {
  const url = `${ready.surface.replace('http', 'ws')}${file.chains[0]?.basePath}/ws`;
  const socket = new WebSocket(url, {
    headers: takerClient(ready.surface, file).signed('/ws'),
    perMessageDeflate: false,
  });
  socket.on('message', onMessage);
  socket.on('error', () => {}); // told by its state in the end
  return socket;
}

async function quoteFor({ port, file }: BenchDesk, seconds: number): Promise<number> {
  const requests = firmRequests(file, QUOTES_PER_SECOND * seconds + 1);
  const load = { port, requests, connections: CONNECTIONS, seconds, rate: QUOTES_PER_SECOND };
  return (await runCleanLoad(load)).answers;
}

function tell(look: Look | undefined): string {
  if (look === undefined) throw new Error('the desk does not look at itself');
  return `${mb(look.resident)}, ${look.descriptors} descriptors, event loop ${ms(look.loopP99)} late`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
