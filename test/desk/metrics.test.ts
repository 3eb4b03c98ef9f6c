import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { DeskFile } from '../../electron/contract/desk-file.ts';
import { openMetricsDoor } from '../../electron/desk/metrics-door.ts';
import { startTestChain, type TestChain } from '../chain-fixture.ts';
import { armedFolder, deskFileFor } from './desk-on-chain.ts';
import { haltCommand, type RunningDesk, runCommand, startDesk } from './desk-process.ts';
import { takerClient } from './taker-client.ts';

const RULES = new URL('../../resources/monitoring/alert-rules.yml', import.meta.url);
const BOARD = new URL('../../resources/monitoring/grafana-board.json', import.meta.url);

let chain: TestChain;
let file: DeskFile;
let folder: { folder: string; remove(): void };
let desk: RunningDesk;

beforeAll(async () => {
  chain = await startTestChain({ blockTimeSeconds: 1 });
  file = deskFileFor(chain);
  folder = await armedFolder(chain, file);
  desk = await startDesk(folder.folder, 'serve', ['--metrics-port', '0']);
  const client = takerClient(desk.ready.surface, file);
  await vi.waitFor(async () => expect((await client.get('/prices')).status).toBe(200));
});
afterAll(async () => {
  await desk?.stop();
  folder?.remove();
  await chain?.close();
});

const get = (path: string, init?: RequestInit) => fetch(`${desk.ready.metrics}${path}`, init);
const scraped = async () => (await get('/metrics')).text();
/** The value of a series, or undefined where it is not told. */
const valueIn = (text: string, series: string) =>
  text
    .split('\n')
    .find((line) => line.startsWith(`${series} `))
    ?.slice(series.length + 1);

describe('the figures of a desk', () => {
  test('tell its state, what it quotes, what became of firm requests, and what it has', async () => {
    const client = takerClient(desk.ready.surface, file);
    const of = `chain="${chain.chainId}"`;
    const amount = String(10n ** 15n);
    expect((await client.firm('asks', { makerAmount: amount })).json.order).toBeDefined();
    const refused = await client.firm('asks', { makerAmount: `1${'0'.repeat(40)}` });
    expect(refused.status).toBe(422);
    const text = await scraped();
    expect(valueIn(text, 'makerdesk_state{state="LIVE"}')).toBe('1');
    expect(valueIn(text, 'makerdesk_state{state="HALTED"}')).toBe('0');
    expect(valueIn(text, 'makerdesk_ready')).toBe('1');
    expect(valueIn(text, `makerdesk_pair_sides_quoted{${of},pair="WETH/USDC"}`)).toBe('2');
    expect(valueIn(text, `makerdesk_firm_requests_total{${of},outcome="signed"}`)).toBe('1');
    expect(valueIn(text, `makerdesk_firm_requests_total{${of},outcome="${refused.json.code}"}`)).toBe('1');
    expect(valueIn(text, `makerdesk_firm_seconds_count{${of}}`)).toBe('2');
    expect(valueIn(text, `makerdesk_exposure{${of},token="WETH"}`)).toBe('0.001');
    expect(valueIn(text, `makerdesk_balance{${of},token="WETH"}`)).toBe('10000');
    expect(Number(valueIn(text, 'makerdesk_journal_rows'))).toBeGreaterThan(3);
    expect(text).not.toContain(file.chains[0]?.takers[0] ?? 'a taker');
  });

  test('are refused to a name that is not of this machine, and nothing can be done by them', async () => {
    const { hostname, port } = new URL(desk.ready.metrics ?? '');
    const elsewhere = await new Promise<number | undefined>((resolve, reject) => {
      const asked = request({ hostname, port, path: '/metrics', headers: { host: 'evil.example' } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      asked.on('error', reject).end();
    });
    expect(elsewhere).toBe(403);
    expect((await get('/metrics', { method: 'POST', body: '{}' })).status).toBe(405);
    expect((await get('/rpc')).status).toBe(404);
  });

  test('are not given where they cannot be read, and the next who asks is answered again', async () => {
    let broken = true;
    const text = async () => {
      if (broken) throw new Error('a fault on purpose');
      return 'well\n';
    };
    const said: string[] = [];
    const log = { error: (line: string) => said.push(line) };
    const metrics = { text, readiness: () => ({ ready: false, reasons: [] }) };
    const door = await openMetricsDoor({ port: 0, metrics, log });
    try {
      const first = await fetch(`${door.url}/metrics`);
      expect([first.status, await first.text()]).toEqual([500, expect.not.stringContaining('on purpose')]);
      broken = false;
      expect(await (await fetch(`${door.url}/metrics`)).text()).toBe('well\n');
      expect(said).toEqual(['the metrics cannot be read']);
    } finally {
      await door.close();
    }
  });

  test('have every series that the alert rules and the board name', async () => {
    const text = await scraped();
    const told = new Set([...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name]) => name));
    const board: { panels: { targets: { expr: string }[] }[] } = JSON.parse(readFileSync(BOARD, 'utf8'));
    const expressions = [
      ...[...readFileSync(RULES, 'utf8').matchAll(/expr: (?:>-\n(?: {10}.*\n)+|.*)/g)].map(
        ([expression]) => expression,
      ),
      ...board.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
    ];
    const named = new Set(expressions.flatMap((one) => one.match(/\b(?:makerdesk|nodejs)_\w+/g) ?? []));
    const unknown = [...named].filter((name) => !told.has(name) && !told.has(name.replace(/_bucket$/, '')));
    expect(unknown).toEqual([]);
    expect(named.size).toBeGreaterThan(10);
  });

  test.skipIf(!hasPromtool())('are what promtool takes, as are the alert rules', async () => {
    const input = await scraped();
    execFileSync('promtool', ['check', 'metrics'], { input });
    execFileSync('promtool', ['check', 'rules', RULES.pathname]);
  });
});

test('a halted desk is healthy and not ready, and says why; resumed it is ready again', async () => {
  expect((await get('/readyz')).status).toBe(200);
  expect((await haltCommand(folder.folder, ['--reason', 'for lunch'])).code).toBe(0);
  const halted = await get('/readyz');
  expect([halted.status, await halted.json()]).toMatchObject([
    503,
    { ready: false, reasons: [expect.stringContaining('for lunch'), expect.anything()] },
  ]);
  expect((await get('/healthz')).status).toBe(200);
  expect(valueIn(await scraped(), 'makerdesk_state{state="HALTED"}')).toBe('1');
  expect((await runCommand(folder.folder, ['resume', '--reason', 'back'])).code).toBe(0);
  await vi.waitFor(async () => expect((await get('/readyz')).status).toBe(200));
});

test('a port that is taken is said, and how to choose another', async () => {
  const { port } = new URL(desk.ready.metrics ?? '');
  const metrics = { text: async () => '', readiness: () => ({ ready: true, reasons: [] }) };
  const log = { error: () => {} };
  await expect(openMetricsDoor({ port: Number(port), metrics, log })).rejects.toMatchObject({
    code: 'port_taken',
    remedy: expect.stringContaining('--metrics-port'),
  });
});

function hasPromtool(): boolean {
  try {
    execFileSync('promtool', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
