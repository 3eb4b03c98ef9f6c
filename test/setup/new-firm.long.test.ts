import { type ChildProcess, execFile, type StdioOptions, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Browser, chromium, type Page, expect as screen } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { deskFileSchema } from '../../electron/contract/desk-file.ts';
import { type Status, statusSchema } from '../../electron/contract/trading.ts';
import { type Caddy, freePort, noCaddy, startCaddy } from '../desk/caddy.ts';
import { temporaryFolder } from '../desk/desk-process.ts';
import { type TakerClient, takerClient } from '../desk/taker-client.ts';
import { endProcess, type ReadyLine, readyLine } from '../e2e/desk-process.ts';
import { PATIENCE } from '../how-long.ts';
import { type NetworkChain, startNetworkChain } from '../network-chain.ts';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const CHROMIUM = process.env.MAKERDESK_BROWSER ?? '/usr/bin/chromium';
const OFFLINE = /ENOTCACHED|ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ENETUNREACH|ETIMEDOUT/;
const PAIR = 'WETH/USDC';
const KEYS = { accessKey: randomBytes(16).toString('hex'), secretKey: randomBytes(32).toString('hex') };

/** Why a new firm cannot be played here; null where it can. */
const missing =
  noCaddy ??
  (existsSync(CHROMIUM) ? null : `there is no ${CHROMIUM}`) ??
  (spawnSync('python3', ['--version']).status === 0 ? null : 'there is no python3 on this machine');
if (missing !== null) console.warn(`SKIPPED: a desk as a new firm sets it up was NOT tried: ${missing}`);

/** The commands of the README's way without a window, one by one, without what is said behind them. */
function readmeCommands(): string[] {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  const [, section = ''] = readme.split('## A real desk, step by step');
  const blocks = section.split('```sh\n').slice(1, 3);
  return blocks.flatMap((block) => {
    const [commands = ''] = block.split('```');
    const whole = commands.replaceAll(/\\\n\s*/g, '').split('\n');
    return whole.map((line) => line.replace(/\s+# .*$/, '')).filter((line) => line !== '');
  });
}

describe.skipIf(missing !== null)('a firm that has the README, the package and a machine of its own', () => {
  const { folder: home, remove } = temporaryFolder();
  /** Where everything is typed; the desk’s own folder is where the package puts it in a new home. */
  const machine = join(home, 'makerdesk');
  const ports = { console: 0, surface: 0, prices: 0, consoleOutside: 0, surfaceOutside: 0 };
  let network: NetworkChain;
  let environment: NodeJS.ProcessEnv = {};
  let server: ChildProcess | null = null;
  let engine: ChildProcess | null = null;
  let caddy: Caddy;
  let browser: Browser;
  let withoutRegistry = false;

  beforeAll(async () => {
    mkdirSync(machine);
    for (const name of Object.keys(ports) as (keyof typeof ports)[]) ports[name] = await freePort();
    network = await startNetworkChain();
    caddy = await startCaddy(ports.consoleOutside, `127.0.0.1:${ports.console}`, {
      port: ports.surfaceOutside,
      at: `127.0.0.1:${ports.surface}`,
    });
    browser = await chromium.launch({ executablePath: CHROMIUM });
    environment = { PATH: process.env.PATH, HOME: home };
  });
  afterAll(async () => {
    await browser?.close();
    for (const child of [engine, server]) if (child !== null) await endProcess(child);
    await caddy?.stop();
    await network?.chain.close();
    remove();
  });

  /** How this machine reaches a registry is no matter of the desk. What is compiled where there is no binary takes a compiler. */
  async function ofNpm(): Promise<NodeJS.ProcessEnv> {
    const setting = async (name: string) => (await run('npm', ['config', 'get', name])).stdout.trim();
    const [npm_config_userconfig, npm_config_cache] = [await setting('userconfig'), await setting('cache')];
    const kept = { npm_config_userconfig, npm_config_cache, npm_config_prefer_offline: 'true' };
    return { ...process.env, ...kept, npm_config_ignore_scripts: 'true', HOME: home };
  }

  /** A line of the README with what stands in it for what is one's own. */
  function own(line: string, token = ''): string {
    return line
      .replace('https://node.example', network.chain.rpcUrl)
      .replace('https://desk.example.com', `https://localhost:${ports.consoleOutside}`)
      .replace('TOKEN=…', `TOKEN=${token}`)
      .replace('http://127.0.0.1:8791', `http://127.0.0.1:${ports.prices}`)
      .replace(
        / serve /,
        ` serve --surface-port ${ports.surface} --console-port ${ports.console} --prices-port ${ports.prices} `,
      );
  }

  const inShell = (line: string, more: NodeJS.ProcessEnv = {}) =>
    run('/bin/sh', ['-c', line], { cwd: machine, env: { ...environment, ...more }, maxBuffer: 1 << 28 });
  const typed = async (line: string, more?: NodeJS.ProcessEnv) => (await inShell(own(line), more)).stdout;
  const begun = (line: string, stdio: StdioOptions) =>
    spawn('/bin/sh', ['-c', `exec ${line}`], { cwd: machine, env: environment, stdio });
  const status = async (): Promise<Status> => statusSchema.parse(JSON.parse(await typed('makerdesk status --json')));

  /** Ends the desk as a power cut does, and starts it as it was started. */
  async function killAndServe(line: string): Promise<void> {
    const { pid } = ready;
    process.kill(pid, 'SIGKILL');
    await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow());
    await serve(line);
  }
  let ready: ReadyLine;
  async function serve(line: string): Promise<void> {
    server = begun(own(line), ['ignore', 'pipe', 'pipe']);
    ready = await readyLine(server);
  }

  test('is LIVE behind a proxy by the README’s commands in their order: priced by an engine, watched from elsewhere, filled, killed, halted', async ({
    skip,
  }) => {
    const [pack = '', install = '', path = '', passphrase = '', ...commands] = readmeCommands();
    expect(pack).toBe('npm pack');
    // What is built is fresh already, and building it again would take it from under the other tests.
    await run('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', machine], { cwd: ROOT });
    try {
      await typed(install, await ofNpm());
    } catch (error) {
      if (!OFFLINE.test(String(error))) throw error;
      withoutRegistry = true;
    }
    skip(withoutRegistry, 'installing needs an npm registry, or its packages in the cache of npm');
    environment.PATH = await typed(`${path}; printf %s "$PATH"`);
    expect(passphrase).toBe('export MAKERDESK_PASSPHRASE=…');
    environment.MAKERDESK_PASSPHRASE = 'of a firm that is new';

    const next = (start: string): string => {
      const command = commands.shift() ?? '';
      expect(command.startsWith(start), `${command} begins with ${start}`).toBe(true);
      return command;
    };
    const maker = (await typed(next('makerdesk key new'))).trim() as `0x${string}`;
    await typed(next('makerdesk desk-file Ethereum desk.json'));
    nobodyAsksTheRealService();
    expect(JSON.parse(await typed(next('makerdesk import desk.json')))).toMatchObject({ imported: true, pairs: 1 });
    const [MAKERDESK_ACCESS_KEY, MAKERDESK_SECRET_KEY] = [KEYS.accessKey, KEYS.secretKey];
    await typed(next('makerdesk counterparty-keys add'), { MAKERDESK_ACCESS_KEY, MAKERDESK_SECRET_KEY });
    // A firm that is not funded yet is told so, and what mends it.
    await expect(typed('makerdesk check')).rejects.toMatchObject({ stdout: expect.stringMatching(/WETH|USDC/) });
    await network.fund(maker);
    await typed(next('makerdesk allowance WETH'));
    await typed(next('makerdesk allowance USDC'));
    await typed(next('makerdesk check'));
    const serving = next('makerdesk serve');
    await serve(serving);

    expect(next('export PATH=')).toBe(path);
    await typed(next('makerdesk resume'));
    await typed(next('makerdesk status'));
    await vi.waitFor(async () => expect((await status()).chains[0]?.pairs).toEqual({ [PAIR]: 'LIVE' }));
    const tara = JSON.parse(await typed(next('makerdesk token new tara')));
    expect(tara.console).toMatch(new RegExp(`^https://localhost:${ports.consoleOutside}/#`));
    const pricer = JSON.parse(await typed(next('makerdesk token new pricer')));
    expect(pricer.prices).toBe(`http://127.0.0.1:${ports.prices}`);
    const page = await consoleAt(tara.console);
    await screen(page.getByRole('region', { name: 'Status' })).toContainText('LIVE', { timeout: PATIENCE });

    engine = begun(`env ${own(next('TOKEN=…'), pricer.token)}`, 'ignore');
    await page.getByText('Edit prices').click();
    await screen(page.getByText('Engine pricer')).toBeVisible({ timeout: PATIENCE });
    await screen(page.getByRole('gridcell', { name: /^Bid 1 price: 3,?4\d\d/ })).toBeVisible({ timeout: PATIENCE });
    expect(commands).toEqual([]);

    const { user } = network.chain.accounts;
    await network.fundUser(user);
    const taker = await takerOutside(user.address);
    await buys(taker);
    await seesFill(page);

    await killAndServe(serving);
    expect(caddy.log(), 'what the proxy said while the desk was away').not.toContain(tara.token);
    await vi.waitFor(async () =>
      expect(await status()).toMatchObject({ state: 'LIVE', chains: [{ pairs: { [PAIR]: 'LIVE' } }] }),
    );
    await screen(page.getByRole('region', { name: 'Status' })).toContainText('LIVE', { timeout: PATIENCE });
    await seesFill(page);
    await buys(taker);

    await page.getByRole('button', { name: 'Halt all trading now' }).click();
    await screen(page.getByRole('heading', { name: 'HALTED' })).toBeVisible({ timeout: PATIENCE });
    expect(await taker.firm('asks', { makerAmount: '1000000000000' })).toMatchObject({
      status: 503,
      json: { code: 'halted' },
    });
    await killAndServe(serving);
    expect(await status()).toMatchObject({ state: 'HALTED', actor: 'tara' });
    expect(JSON.parse(await typed('makerdesk fills --json'))).toHaveLength(2);
    expect(JSON.parse(await typed('makerdesk verify'))).toMatchObject({ ok: true });
    expect(JSON.parse(await typed('makerdesk token --json')).map(({ name }: { name: string }) => name)).toEqual(
      expect.arrayContaining(['tara', 'pricer']),
    );
  });

  /** The service of the preset is somebody's real one, which no test asks. */
  function nobodyAsksTheRealService(): void {
    const file = join(machine, 'desk.json');
    const desk = JSON.parse(readFileSync(file, 'utf8'));
    desk.chains[0].serviceUrl = null;
    writeFileSync(file, JSON.stringify(desk));
  }

  /** The console of somebody at another computer, whose browser does not know the authority that Caddy made for this machine. */
  async function consoleAt(address: string): Promise<Page> {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ignoreHTTPSErrors: true });
    context.setDefaultTimeout(PATIENCE);
    const page = await context.newPage();
    onTestFinished(() => context.close());
    await page.goto(address);
    return page;
  }

  /** Whoever asks for quotes does so over TLS, at the name of the surface. */
  async function takerOutside(user: `0x${string}`): Promise<TakerClient> {
    const [chain] = deskFileSchema.parse(JSON.parse(await typed('makerdesk export'))).chains;
    if (chain === undefined) throw new Error('The desk has no chain.');
    const counterparties = [{ domain: 'router.example', signedPath: 'full' as const, ...KEYS }];
    const authority = readFileSync(caddy.authority, 'utf8');
    const desk = deskFileSchema.parse({ version: 1, chains: [chain], counterparties });
    return takerClient(`https://localhost:${ports.surfaceOutside}`, desk, user, authority);
  }

  /** A user of the service buys 0.5 WETH with a firm quote, on chain. */
  async function buys(taker: TakerClient): Promise<void> {
    const { chain, weth } = network;
    const { user } = chain.accounts;
    const bought = 5n * 10n ** 17n;
    const before = await chain.balanceOf(weth, user.address);
    const order = await vi.waitFor(async () => {
      const answer = await taker.firm('asks', { makerAmount: bought.toString() });
      expect(answer, JSON.stringify(answer.json)).toMatchObject({ status: 200 });
      return answer.json.order ?? {};
    });
    await network.fill(user, order);
    expect((await chain.balanceOf(weth, user.address)) - before).toBe(bought);
  }

  async function seesFill(page: Page): Promise<void> {
    await page.getByRole('navigation', { name: 'Pages' }).getByText('Fills', { exact: true }).click();
    await screen(page.locator('[data-rows="Fills"]').getByText(PAIR).first()).toBeVisible({ timeout: PATIENCE });
  }
});
