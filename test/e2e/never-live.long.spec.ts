import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page, TestInfo } from '@playwright/test';
import type { DeskFile } from '../../electron/contract/desk-file.ts';
import { type Status, statusSchema } from '../../electron/contract/trading.ts';
import { CONTRACT_MAKER } from '../../electron/practice/chain/artifacts.ts';
import { claimPort } from '../../electron/practice/service/free-port.ts';
import type { Address } from '../../electron/protocol/address.ts';
import { type NodeProxy, openNodeProxy } from '../chain/node-proxy.ts';
import { startTestChain, type TestChain } from '../chain-fixture.ts';
import { armedFolder, deployDai, importUnseen, tokenOf, twoPairsFor } from '../desk/desk-on-chain.ts';
import {
  type CommandResult,
  PASSPHRASE,
  type RunningDesk,
  removeFolder,
  runCommand,
  startDesk,
} from '../desk/desk-process.ts';
import { takerClient } from '../desk/taker-client.ts';
import { goTo, takeAsKnown } from './console-pages.ts';
import { expect, test } from './console-test.ts';
import { test as appTest, openDesktop } from './desktop-test.ts';
import { dismissNotices, looker } from './looker.ts';
import { noticesOf } from './notices.ts';

const PAIRS = ['WETH/USDC', 'DAI/USDC'] as const;
type Pair = (typeof PAIRS)[number];

/** A desk that was LIVE with both pairs, the chain it is on, and a console in front of it. */
interface Stage {
  chain: TestChain;
  dai: Address;
  /** A contract that holds funds like any other maker, and belongs to another key than the desk's. */
  othersContract: Address;
  /** Between desk and node. */
  node: NodeProxy;
  folder: string;
  /** The desk file as it is right. */
  right: DeskFile;
  page: Page;
  surface: () => string;
  run: (...args: string[]) => Promise<CommandResult>;
  /** Ends the desk, does something while none runs, and starts it again, with the console on it. */
  restart: (between?: () => Promise<unknown>) => Promise<void>;
}

/** How a fault comes into a desk, and how it is taken out again by what the desk says of it. */
interface Way {
  bring: (stage: Stage) => Promise<void>;
  mend: (stage: Stage) => Promise<void>;
}

interface Fault {
  what: string;
  /** What it keeps closed: everything on the chain, or one pair. */
  closes: 'chain' | Pair;
  /** The check that names it, as the console calls it. */
  check: string;
  /** Why, as screen and terminal say it. */
  says: RegExp;
  /** What mends it. */
  mends: RegExp;
  /** By which ways it comes in here, the first with pictures: one fault by each, the others by what is their own. */
  by: readonly ('console' | 'terminal' | 'restart')[];
  console: Way;
  terminal: Way;
  restart: Way;
}

type Chain = DeskFile['chains'][number];

/** A desk file that is wrong in one field of its chain, which the console edits under Settings. */
function wrongField(fault: {
  what: string;
  label: string;
  wrong: (stage: Stage) => Pick<Chain, 'domainName'> | Pick<Chain, 'rfqContract'> | Pick<Chain, 'maker'>;
  check: string;
  says: RegExp;
  mends: RegExp;
  by: Fault['by'];
}): Fault {
  const { label, wrong } = fault;
  const wrongFile = (stage: Stage) => changed(stage, wrong(stage));
  const rightValue = (stage: Stage) => {
    const [field] = Object.keys(wrong(stage)) as (keyof Chain)[];
    return String(stage.right.chains[0]?.[field ?? 'name']);
  };
  const saveField = async ({ page }: Stage, value: string) => {
    await page.getByLabel(label, { exact: true }).fill(value);
    const told = await noticesOf(page);
    await page.getByRole('button', { name: 'Save Test' }).click();
    await expect.poll(told).toContain('Test is saved');
    await goTo(page, 'd');
  };
  /** The button beside the check that failed leads to the field. */
  const mendOnScreen = async (stage: Stage) => {
    await failedCheck(stage.page, fault.check).getByRole('button', { name: 'Open Settings' }).click();
    await saveField(stage, rightValue(stage));
    await resumeOnScreen(stage.page, 'it is set right');
    await expect(strip(stage.page)).toContainText('LIVE');
  };
  return {
    ...fault,
    closes: 'chain',
    console: {
      bring: async (stage) => {
        await haltOnScreen(stage.page);
        await goTo(stage.page, 'e');
        await saveField(stage, String(Object.values(wrong(stage))[0]));
      },
      mend: mendOnScreen,
    },
    terminal: {
      bring: async (stage) => {
        await well(stage.run('halt'));
        await importFile(stage, wrongFile(stage));
      },
      mend: async (stage) => {
        await importFile(stage, stage.right);
        await well(stage.run('resume', '--reason', 'it is set right'));
      },
    },
    restart: {
      bring: (stage) => stage.restart(() => importUnseen(stage.folder, wrongFile(stage))),
      mend: mendOnScreen,
    },
  };
}

const WRONG_DECIMALS: Fault = {
  what: 'wrong decimals of a token',
  by: ['console', 'terminal'],
  closes: 'DAI/USDC',
  check: 'Token DAI',
  says: /DAI has 18 decimals on chain, but it is listed with 6/,
  mends: /Correct the decimals/,
  console: {
    // A LIVE desk does not take them, unless its node does not answer just then.
    bring: async ({ page, node }) => {
      const form = await editDai(page);
      await expect(form.getByLabel('Decimals')).toHaveValue('18');
      await form.getByLabel('Decimals').fill('6');
      await expect(form.getByLabel('Decimals')).toHaveAccessibleDescription(/18 decimals on chain/);
      node.answer = ({ method }) =>
        method === 'eth_getCode' ? { error: { code: -32_005, message: 'too busy' } } : undefined;
      const told = await noticesOf(page);
      await form.getByRole('button', { name: 'Save DAI' }).click();
      await expect.poll(told).toContain('too busy');
      node.answer = () => undefined;
      await goTo(page, 'd');
    },
    mend: correctDecimals,
  },
  terminal: {
    bring: async (stage) => {
      await well(stage.run('halt'));
      await importFile(stage, sixDecimals(stage));
      await resumeInTerminal(stage, WRONG_DECIMALS);
    },
    mend: async (stage) => {
      await well(stage.run('halt'));
      await importFile(stage, stage.right);
      await well(stage.run('resume', '--reason', 'it is set right'));
    },
  },
  restart: {
    bring: (stage) => stage.restart(() => importUnseen(stage.folder, sixDecimals(stage))),
    mend: correctDecimals,
  },
};

const NO_APPROVAL: Fault = {
  what: 'a missing approval',
  by: ['console'],
  closes: 'DAI/USDC',
  check: 'Allowance DAI',
  says: /DAI is not approved for the RFQ contract/,
  mends: /makerdesk allowance DAI AMOUNT/,
  console: {
    // After an emergency that took every allowance back, not everything was approved again.
    bring: async ({ page }) => {
      await haltOnScreen(page);
      await page.getByRole('button', { name: 'Allowances to zero…' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Set to zero' }).click();
      await dialog.getByRole('button', { name: 'Close' }).click();
      for (const token of ['WETH', 'USDC']) {
        await approve(page, token, failedCheck(page, `Allowance ${token}`));
      }
      const told = await noticesOf(page);
      await resumeOnScreen(page, 'approved again');
      await expect.poll(told).toContain('DAI/USDC stays closed');
    },
    mend: approveDai,
  },
  terminal: {
    bring: async ({ run }) => void (await well(run('allowance', 'DAI', '0'))),
    mend: async ({ run }) => void (await well(run('allowance', 'DAI', '250000'))),
  },
  restart: {
    bring: (stage) => stage.restart(() => well(stage.run('allowance', 'DAI', '0'))),
    mend: approveDai,
  },
};

const FAULTS: readonly Fault[] = [
  wrongField({
    what: 'a wrong domain name',
    by: ['console', 'terminal', 'restart'],
    label: 'Domain name',
    wrong: () => ({ domainName: 'TEST RFQ 2' }),
    check: 'RFQ signature',
    says: /under the domain name "TEST RFQ 2"/,
    mends: /Correct the domain name/,
  }),
  wrongField({
    what: 'a token as the RFQ contract',
    by: ['console'],
    label: 'RFQ contract',
    wrong: ({ chain }) => ({ rfqContract: chain.weth }),
    check: 'RFQ signature',
    says: /does not refuse a wrong signature as an RFQ contract does|does not fill an order that is signed well/,
    mends: /put in the address of the RFQ contract/,
  }),
  wrongField({
    what: 'a maker whose signature the contract refuses',
    by: ['restart'],
    label: 'Maker',
    wrong: ({ othersContract }) => ({ maker: othersContract }),
    check: 'Maker',
    says: /does not accept signatures of/,
    mends: /or correct the maker/,
  }),
  WRONG_DECIMALS,
  NO_APPROVAL,
];

const strip = (page: Page) => page.getByRole('region', { name: 'Status' });
/** What needs attention, while the desk trades; the self-check before a resume, while it is halted. */
const attention = (page: Page) => page.getByRole('region', { name: 'Needs attention' });
const selfCheck = (page: Page) => page.getByRole('region', { name: 'Self-check before the resume' });
const failedCheck = (page: Page, name: string) =>
  selfCheck(page)
    .getByRole('listitem')
    .filter({ has: page.getByText(name, { exact: true }) });

async function haltOnScreen(page: Page): Promise<void> {
  await goTo(page, 'd');
  await page.keyboard.press('Control+Shift+H');
  await expect(page.getByRole('heading', { name: 'HALTED' })).toBeVisible();
}

/** Presses Resume, with whatever else is wrong ticked as known. */
async function resumeOnScreen(page: Page, reason: string): Promise<void> {
  await expect(selfCheck(page)).toContainText(/checks? passed/);
  await page.getByLabel('Why is it safe to trade again?').fill(reason);
  await takeAsKnown(page);
  await page.getByRole('button', { name: 'Resume', exact: true }).click();
}

async function editDai(page: Page): Promise<Locator> {
  await goTo(page, 't');
  const tokens = page.getByRole('region', { name: 'Tokens' });
  await tokens.getByRole('row', { name: /^DAI/ }).getByRole('button', { name: 'Edit' }).click();
  return page.getByRole('form', { name: 'Edit DAI' });
}

async function correctDecimals({ page }: Stage): Promise<void> {
  await attention(page).getByRole('button', { name: 'Correct DAI…' }).click();
  const form = page.getByRole('form', { name: 'Edit DAI' });
  await expect(form.getByLabel('Decimals')).toHaveAccessibleDescription(/18 decimals on chain/);
  await form.getByLabel('Decimals').fill('18');
  await form.getByRole('button', { name: 'Save DAI' }).click();
  await expect(form).toHaveCount(0);
}

async function approveDai({ page }: Stage): Promise<void> {
  await approve(page, 'DAI', attention(page));
}

async function approve(page: Page, token: string, where: Locator): Promise<void> {
  await where.getByRole('button', { name: `Approve ${token}…` }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: `Approve ${token}`, exact: true }).click();
  // It goes by itself with the row that it was asked from, once the chain shows the approval.
  const close = dialog.getByRole('button', { name: 'Close' });
  await expect(async () => {
    if ((await close.count()) > 0) await close.click({ timeout: 1_000 });
    await expect(dialog).toHaveCount(0, { timeout: 1_000 });
  }).toPass();
}

/** The right desk file with something of its chain changed. */
function changed({ right }: Stage, changes: Partial<Chain>): DeskFile {
  return { ...right, chains: right.chains.map((one) => ({ ...one, ...changes })) };
}

function sixDecimals(stage: Stage): DeskFile {
  const tokens = stage.right.chains[0]?.tokens;
  return changed(stage, { tokens: { ...tokens, DAI: tokenOf('DAI', stage.dai, 6) } });
}

async function importFile({ folder, run }: Stage, file: DeskFile): Promise<void> {
  const path = join(folder, 'next.json');
  await writeFile(path, JSON.stringify(file));
  await well(run('import', path));
}

async function well(command: Promise<CommandResult>): Promise<CommandResult> {
  const result = await command;
  expect(result.code, result.stderr).toBe(0);
  return result;
}

async function statusOf({ run }: Stage): Promise<Status> {
  return statusSchema.parse(JSON.parse((await well(run('status', '--json'))).stdout));
}

/** What the service gets when it asks for each side of a pair. */
async function firm({ surface, right }: Stage, pair: Pair) {
  const [only] = right.chains;
  const definition = only?.pairs[pair];
  if (only === undefined || definition === undefined) throw new Error(`${pair} is not listed`);
  const taker = takerClient(surface(), { ...right, chains: [{ ...only, pairs: { [pair]: definition } }] });
  const amount = pair === 'WETH/USDC' ? '1000000000000' : '1000000000000000000';
  return [await taker.firm('asks', { makerAmount: amount }), await taker.firm('bids', { takerAmount: amount })];
}

const prices = ({ surface, right }: Stage) => takerClient(surface(), right).get('/prices');

const closedPairs = ({ closes }: Fault): readonly Pair[] => (closes === 'chain' ? PAIRS : [closes]);

/** Nothing that the fault closes is quoted or called LIVE; what it does not close is. */
async function isNotLive(stage: Stage, fault: Fault): Promise<void> {
  await expect.poll(async () => (await prices(stage)).status).toBe(fault.closes === 'chain' ? 503 : 200);
  await expect
    .poll(async () => {
      const served = (await prices(stage)).json.prices;
      return PAIRS.filter((pair) => (served?.[pair]?.asks ?? served?.[pair]?.bids) !== undefined);
    })
    .toEqual(PAIRS.filter((pair) => !closedPairs(fault).includes(pair)));
  for (const pair of closedPairs(fault)) {
    for (const answer of await firm(stage, pair)) {
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.json).toEqual({ code: expect.any(String), error: expect.any(String) });
    }
  }
  const [own] = (await statusOf(stage)).chains;
  expect(own?.state === 'LIVE').toBe(fault.closes !== 'chain');
  for (const pair of PAIRS) expect(own?.pairs[pair] === 'LIVE').toBe(!closedPairs(fault).includes(pair));
}

/** The screen calls nothing LIVE that is not, and says why and what mends it; a press on Resume changes nothing. */
async function isSaidOnScreen({ page }: Stage, fault: Fault): Promise<void> {
  await goTo(page, 'd');
  if (fault.closes === 'chain') {
    await expect(strip(page)).not.toContainText('LIVE');
    await resumeOnScreen(page, 'insists');
    const panel = page.getByRole('region', { name: 'Resume', exact: true });
    await expect(panel).toContainText('Not resumed.');
    const failed = failedCheck(page, fault.check);
    await expect(failed).toContainText(fault.says);
    await expect(failed).toContainText(fault.mends);
    await expect(failed).toContainText('Keeps its whole chain closed');
    await expect(strip(page)).not.toContainText('LIVE');
    return;
  }
  const row = page.getByRole('region', { name: 'Pairs' }).getByRole('row', { name: new RegExp(fault.closes) });
  await expect(row).toContainText('closed');
  await expect(row.getByRole('cell').nth(3)).toHaveText('—');
  await expect(row.getByRole('cell').nth(4)).toHaveText('—');
  await expect(attention(page)).toContainText(fault.says);
  await expect(attention(page)).toContainText(fault.mends);
  await expect(attention(page)).toContainText(`${fault.closes} is closed`);
  const button = attention(page).getByRole('button', { name: /^(Correct|Approve) DAI…$/ });
  await expect(button).toBeVisible();
}

async function isSaidInTerminal(stage: Stage, fault: Fault): Promise<void> {
  const { run } = stage;
  const said = await well(run('status'));
  expect(said.stdout).toMatch(fault.says);
  const check = await run('check');
  expect(check.code).toBe(1);
  expect(check.stdout).toMatch(fault.says);
  expect(check.stdout).toMatch(fault.mends);
  if (fault.closes === 'chain') await resumeInTerminal(stage, fault);
  else {
    const resumed = await run('resume', '--chain', '31337', '--pair', fault.closes, '--reason', 'insists');
    expect(resumed.code).toBe(1);
    expect(resumed.stderr).toMatch(fault.says);
    expect(resumed.stderr).toMatch(fault.mends);
  }
}

/** Resumes the desk: refused where nothing of it may go LIVE, else what stays closed is named. */
async function resumeInTerminal({ run }: Stage, fault: Fault): Promise<void> {
  const resumed = await run('resume', '--reason', 'insists');
  expect(resumed.code).toBe(fault.closes === 'chain' ? 1 : 0);
  expect(resumed.stderr).toMatch(fault.says);
  expect(resumed.stderr).toMatch(fault.mends);
  if (fault.closes !== 'chain') expect(resumed.stderr).toContain(`${fault.closes} of chain 31337 stays closed`);
}

/** Everything is LIVE wherever one looks, and both sides of both pairs are signed. */
async function isLive(stage: Stage): Promise<void> {
  const { page } = stage;
  const live = Object.fromEntries(PAIRS.map((pair) => [pair, 'LIVE']));
  await expect
    .poll(async () => (await statusOf(stage)).chains[0])
    .toMatchObject({ state: 'LIVE', closed: null, pairs: live });
  await expect.poll(async () => Object.keys((await prices(stage)).json.prices ?? {})).toEqual(PAIRS);
  for (const pair of PAIRS) {
    for (const { status, json } of await firm(stage, pair))
      expect([status, json.order]).toEqual([200, expect.anything()]);
  }
  await goTo(page, 'd');
  await expect(strip(page)).toContainText('LIVE');
  for (const pair of PAIRS) {
    const row = page.getByRole('region', { name: 'Pairs' }).getByRole('row', { name: new RegExp(pair) });
    // What was refused while it was closed costs a pair a quarter of an hour at the service, and its row says so.
    await expect(row).toContainText(/both|skipped/);
  }
  expect((await stage.run('check')).code).toBe(0);
}

/** Pictures of what a person sees of it: the Desk, and the self-check on the Service page. */
async function pictures({ page }: Stage, fault: Fault, info: TestInfo): Promise<void> {
  const { faults, inBoth } = looker(page, info, fault.what.replaceAll(' ', '-'));
  await dismissNotices(page);
  await inBoth('desk');
  await goTo(page, 's');
  const panel = page.getByRole('region', { name: 'Self-check', exact: true });
  await expect(panel).toContainText(fault.says);
  await expect(panel).toContainText(fault.mends);
  await inBoth('service');
  await page.setViewportSize({ width: 1280, height: 800 });
  await goTo(page, 'd');
  expect(faults).toEqual([]);
}

let shared: Pick<Stage, 'chain' | 'dai' | 'othersContract' | 'node'> | undefined;

/** One chain for all tests of a worker: each sets right again what it had wrong. */
async function chainOf(): Promise<NonNullable<typeof shared>> {
  if (shared !== undefined) return shared;
  const chain = await startTestChain({ blockTimeSeconds: 1 });
  const { maker, other } = chain.accounts;
  const dai = await deployDai(chain);
  const othersContract = await maker.deploy(CONTRACT_MAKER, [other.address]);
  const node = await openNodeProxy(() => chain.rpcUrl);
  shared = { chain, dai, othersContract, node };
  return shared;
}
const closeChain = async () => {
  await shared?.node.down();
  await shared?.chain.close();
  shared = undefined;
};
test.afterAll(closeChain);
appTest.afterAll(closeChain);

/** A folder whose desk goes LIVE with both pairs when it is started. */
async function liveFolder() {
  const parts = await chainOf();
  const right = twoPairsFor(parts.chain, parts.dai, { rpcUrl: parts.node.url });
  const { folder } = await armedFolder(parts.chain, right);
  return { ...parts, right, folder, run: (...args: string[]) => runCommand(folder, args) };
}

for (const fault of FAULTS) {
  for (const by of fault.by) {
    const what = fault.closes === 'chain' ? 'the chain is never LIVE' : `${fault.closes} is never LIVE`;
    test(`${fault.what}, by ${by}: ${what}, screen and terminal say why and what mends it, and mended it signs`, async ({
      page,
    }, info) => {
      const parts = await liveFolder();
      let desk: RunningDesk = await startDesk(parts.folder, 'serve');
      const stage: Stage = {
        ...parts,
        page,
        surface: () => desk.ready.surface,
        restart: async (between) => {
          await desk.stop();
          await between?.();
          desk = await startDesk(parts.folder, 'serve');
          await page.goto(desk.ready.console);
        },
      };
      try {
        await page.goto(desk.ready.console);
        await expect(strip(page)).toContainText('LIVE');
        await fault[by].bring(stage);
        await isNotLive(stage, fault);
        await isSaidOnScreen(stage, fault);
        await isSaidInTerminal(stage, fault);
        if (by === fault.by[0]) await pictures(stage, fault, info);
        if (by === 'restart') {
          await stage.restart();
          await isNotLive(stage, fault);
          await isSaidOnScreen(stage, fault);
        }
        await fault[by].mend(stage);
        await isLive(stage);
      } finally {
        await desk.stop();
        removeFolder(parts.folder);
      }
    });
  }
}

/** The app's page is the browser's: one fault that closes a chain and one that closes a pair show that it tells them as well. */
for (const fault of FAULTS.filter(({ what }) => ['a wrong domain name', 'a missing approval'].includes(what))) {
  appTest(`${fault.what}, in the desktop app: the same`, async () => {
    const parts = await liveFolder();
    const port = await claimPort(0, 'the surface');
    const desktop = await openDesktop(parts.folder, ['--surface-port', String(port)], { passphrase: PASSPHRASE });
    const stage: Stage = {
      ...parts,
      page: desktop.page,
      surface: () => `http://127.0.0.1:${port}`,
      restart: () => Promise.reject(new Error('the app is started once')),
    };
    try {
      await expect(strip(desktop.page)).toContainText('LIVE');
      await fault.console.bring(stage);
      await isNotLive(stage, fault);
      await isSaidOnScreen(stage, fault);
      await isSaidInTerminal(stage, fault);
      await fault.console.mend(stage);
      await isLive(stage);
    } finally {
      await desktop.close();
      removeFolder(parts.folder);
    }
  });
}
