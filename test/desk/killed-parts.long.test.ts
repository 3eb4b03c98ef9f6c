import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { DeskFile } from '../../electron/contract/desk-file.ts';
import { startTestChain, type TestChain } from '../chain-fixture.ts';
import { type CuttingProxy, cuttingProxy } from '../cutting-proxy.ts';
import { openSigningServer, type SigningServer } from '../signer/signing-server.ts';
import { program } from './alerts/alerting.ts';
import { freePort } from './caddy.ts';
import { deskFileFor } from './desk-on-chain.ts';
import { type RunningDesk, runCommand, startDesk, temporaryFolder } from './desk-process.ts';
import { takerClient } from './taker-client.ts';

const RULES = fileURLToPath(new URL('../../resources/monitoring/alert-rules.yml', import.meta.url));
const noPrometheus =
  spawnSync('prometheus', ['--version']).status === 0 ? null : 'there is no prometheus on this machine';
if (noPrometheus !== null) console.warn(`SKIPPED: the alert of a desk that is killed was NOT tested: ${noPrometheus}`);

/** Longer than any alert of these waits for before it is raised. */
const LONG = { timeout: 90_000, interval: 250 };

let alerts: ReturnType<typeof program>;
let chain: TestChain;
let node: CuttingProxy;
let signer: SigningServer;
let file: DeskFile;
let home: ReturnType<typeof temporaryFolder>;
let metricsPort: number;
let desk: RunningDesk;
let service: { die(): void; live(): void };

beforeAll(async () => {
  chain = await startTestChain({ blockTimeSeconds: 1 });
  node = await cuttingProxy(portOf(chain.rpcUrl));
  signer = await openSigningServer(chain.accounts.maker.privateKey);
  const { address } = chain.accounts.maker;
  const method = 'eth_signTypedData_v4';
  const remoteSigner = { kind: 'json-rpc', address, url: signer.url, timeoutMs: 5_000, method } as const;
  file = { ...deskFileFor(chain, { rpcUrl: `http://127.0.0.1:${node.port}` }), remoteSigner };
  home = temporaryFolder();
  alerts = program('', home.folder);
  writeFileSync(join(home.folder, 'import.json'), JSON.stringify(file));
  expect(await runCommand(home.folder, ['import', join(home.folder, 'import.json')])).toMatchObject({ code: 0 });
  metricsPort = await freePort();
  await start();
  // Of what is only to be looked at a program is told nothing unless somebody wants it.
  const told = await runCommand(home.folder, ['alert-ways', 'command', '--kinds', 'halt,stop,look']);
  expect(told).toMatchObject({ code: 0 });
});
afterAll(async () => {
  service?.die();
  await desk?.stop();
  home?.remove();
  await signer?.close();
  await node?.close();
  await chain?.close();
});

test('a node, a signer and a service that are killed each raise their alert once, and its end', async () => {
  const { chainId } = chain;
  const callsOf = (code: string) =>
    alerts
      .calls()
      .filter((call) => call.code === code)
      .map((call) => call.alert);
  const parts = [
    { code: `node ${chainId}`, die: () => cutOff(node), live: () => node.leadTo(portOf(chain.rpcUrl)) },
    { code: 'signer', die: () => signer.close(), live: () => signer.reopen() },
    { code: `unpolled ${chainId}`, die: () => service.die(), live: () => service.live() },
  ];
  for (const { code, die, live } of parts) {
    // A slow machine may have raised it before, for a moment in which nobody was heard.
    await vi.waitFor(() => expect(callsOf(code).at(-1)).not.toBe('raised'), LONG);
    const before = callsOf(code).length;
    const since = () => callsOf(code).slice(before);
    await die();
    if (code === 'signer') expect((await askFirm()).json.order).toBeUndefined();
    await vi.waitFor(() => expect(since()).toEqual(['raised']), LONG);
    await live();
    await vi.waitFor(() => expect(since()).toEqual(['raised', 'over']), LONG);
    await vi.waitFor(async () => expect((await askFirm()).json.order).toBeDefined(), LONG);
  }
  for (const code of new Set(alerts.calls().map((call) => call.code))) {
    const calls = callsOf(code);
    expect(calls, code).toEqual(calls.map((_, index) => (index % 2 === 0 ? 'raised' : 'over')));
  }
});

test.skipIf(noPrometheus !== null)(
  'a desk that is killed raises the alert of the monitoring beside it once, and its end',
  async () => {
    const prometheus = await startPrometheus(home.folder, metricsPort);
    try {
      const said: string[] = [];
      const look = async () => {
        const state = await prometheus.stateOf('DeskGone');
        if (said.at(-1) !== state) said.push(state);
        return state;
      };
      await vi.waitFor(async () => expect(await prometheus.isUp()).toBe(true), LONG);
      await desk.kill();
      await vi.waitFor(async () => expect(await look()).toBe('firing'), LONG);
      await start();
      await vi.waitFor(async () => expect(await look()).toBe('none'), LONG);
      expect(said.filter((state) => state === 'firing')).toHaveLength(1);
    } finally {
      await prometheus.stop();
    }
  },
);

/** LIVE, and asked for prices each second as a service does. */
async function start(): Promise<void> {
  const args = ['--alert-command', alerts.file, '--metrics-port', `${metricsPort}`];
  desk = await startDesk(home.folder, 'serve', args);
  const client = takerClient(desk.ready.surface, file);
  const live = () => runCommand(home.folder, ['resume', '--reason', 'everything was looked at']);
  await vi.waitFor(async () => expect(await live()).toMatchObject({ code: 0 }), LONG);
  let polls: NodeJS.Timeout | undefined;
  service = {
    die: () => clearInterval(polls),
    live: () => {
      polls = setInterval(() => void client.get('/prices').catch(() => {}), 1_000);
    },
  };
  service.live();
  await vi.waitFor(async () => expect((await client.get('/prices')).status).toBe(200), LONG);
}

const askFirm = () => takerClient(desk.ready.surface, file).firm('asks', { makerAmount: '1000000000000000' });
const portOf = (url: string) => Number(new URL(url).port);

function cutOff(proxy: CuttingProxy): void {
  proxy.leadTo(1); // where nothing listens
  proxy.cutAfter(0);
}

/** The real one, with the rules that are shipped; it asks each second. */
async function startPrometheus(folder: string, deskPort: number) {
  const port = await freePort();
  const config = {
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    rule_files: [RULES],
    scrape_configs: [{ job_name: 'makerdesk', static_configs: [{ targets: [`127.0.0.1:${deskPort}`] }] }],
  };
  const configFile = join(folder, 'prometheus.json'); // YAML is a superset of it
  writeFileSync(configFile, JSON.stringify(config));
  const child: ChildProcess = spawn(
    'prometheus',
    [
      `--config.file=${configFile}`,
      `--storage.tsdb.path=${join(folder, 'prometheus')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: 'ignore' },
  );
  const ended = new Promise((resolve) => child.once('close', resolve));
  const get = async (path: string) => (await (await fetch(`http://127.0.0.1:${port}/api/v1/${path}`)).json()).data;
  return {
    isUp: async () => (await get('query?query=up')).result[0]?.value[1] === '1',
    /** `pending`, `firing` or `none`. */
    stateOf: async (name: string): Promise<string> => {
      const { alerts: standing } = await get('alerts');
      const found = standing.find((alert: { labels: { alertname: string } }) => alert.labels.alertname === name);
      return found?.state ?? 'none';
    },
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
