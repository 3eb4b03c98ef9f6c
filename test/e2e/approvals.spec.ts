import type { Browser, Locator, Page } from '@playwright/test';
import { limitsSchema } from '../../electron/contract/limits.ts';
import { connectionTo } from '../desk/connection.ts';
import { goTo } from './console-pages.ts';
import { expect, test } from './console-test.ts';
import { makerdesk, statusOf } from './makerdesk.ts';
import { noticesOf } from './notices.ts';
import { type PracticeDesk, startPracticeDesk } from './practice-desk.ts';

const CHAIN = 31337;
const ALL = ['resume', 'limits', 'keys', 'takers', 'networks'] as const;

let desk: PracticeDesk;
let owner: Awaited<ReturnType<typeof connectionTo>>;
/** Where each opens the console, by the token that was made for them. */
const links = new Map<string, string>();

test.beforeAll(async () => {
  desk = await startPracticeDesk(['--no-takers']);
  owner = await connectionTo(desk.folder, 'mara');
  for (const [name, rights] of [
    ['ada', 'admin'],
    ['tara', 'trade'],
    ['night', 'halt'],
  ] as const) {
    links.set(name, (await owner.desk.tokens.create({ name, rights })).console ?? '');
  }
});
test.afterAll(async () => {
  await owner?.close();
  await desk?.stop();
});

/** Somebody’s console, in a browser of their own; mara is the user who runs the desk. */
async function consoleOf(browser: Browser, name: 'mara' | 'ada' | 'tara' | 'night'): Promise<Page> {
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
  await page.goto(name === 'mara' ? `${desk.console}?actor=mara` : (links.get(name) ?? ''));
  await expect(page.getByRole('navigation', { name: 'Pages' })).toContainText(name);
  return page;
}

const close = (...pages: Page[]) => Promise.all(pages.map((page) => page.context().close()));
/** What waits, by its words; the page is that of approvals. */
const waitingFor = (page: Page, says: string | RegExp): Locator =>
  page.getByRole('region', { name: 'Waiting for a second person' }).getByRole('listitem').filter({ hasText: says });
const became = (page: Page, says: string): Locator =>
  page.getByRole('region', { name: 'What became of it' }).getByRole('row').filter({ hasText: says }).first();
/** What a person is told where they asked: by its words, for what was said before stands for a moment longer. */
const saysThatItWaits = (page: Page, says: string) =>
  expect(page.getByRole('alert').filter({ hasText: `This waits for a second person: ${says}` })).toBeVisible();

async function approve(page: Page, says: string): Promise<void> {
  await waitingFor(page, says).getByRole('button', { name: 'Approve…' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('It is carried out at once, under the name of');
  await dialog.getByRole('button', { name: 'Approve', exact: true }).click();
  await expect(dialog).toBeHidden();
}

/** Sets what takes a second person, where it is not so yet. */
async function setAll(): Promise<void> {
  const { kinds } = await owner.desk.approvals.list({ limit: 0 });
  if (kinds.length < ALL.length) await owner.desk.approvals.set({ kinds: [...ALL], seen: kinds });
}

/** Sets the limit of a quote in WETH as the user who runs the desk does at the terminal. */
async function lower(amount: string): Promise<void> {
  await owner.desk.limits.set({ chainId: CHAIN, limits: limitsSchema.parse({ maxQuote: { WETH: amount } }) });
}

/** As the desk is to be before each: LIVE, with nothing that waits. Both people say so, at their own doors. */
async function untilLive(browser: Browser): Promise<void> {
  for (const { seq, token } of (await owner.desk.approvals.list({})).waiting) {
    if (token === null) await owner.desk.approvals.withdraw({ request: seq });
    else await owner.desk.approvals.refuse({ request: seq, reason: 'the test before it is over' });
  }
  if ((await statusOf(desk.folder)).state === 'LIVE') return;
  const asked = owner.desk.trading.resume({ scope: {}, reason: 'the next test' });
  await asked.catch(() => {});
  if ((await statusOf(desk.folder)).state === 'LIVE') return;
  const ada = await consoleOf(browser, 'ada');
  await goTo(ada, 'a');
  await approve(ada, 'the next test');
  await close(ada);
}
test.beforeEach(({ browser }) => untilLive(browser));

test('going live: one person asks, sees that it waits and cannot approve it, not in another browser either; the other sees what was and would be, approves, and the desk trades', async ({
  browser,
}) => {
  const mara = await consoleOf(browser, 'mara');
  await goTo(mara, 'a');
  await expect(mara.getByText('Nothing takes a second person on this desk.')).toBeVisible();
  for (const box of await mara.getByRole('checkbox').all()) await box.check();
  await mara.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(mara.getByText('What takes a second person stands here')).toBeVisible();
  expect((await owner.desk.approvals.list({})).kinds.toSorted()).toEqual([...ALL].toSorted());

  // A halt waits for nobody.
  const ada = await consoleOf(browser, 'ada');
  await ada.keyboard.press('Control+Shift+H');
  await expect.poll(async () => statusOf(desk.folder)).toMatchObject({ state: 'HALTED', actor: 'ada' });
  await goTo(mara, 'd');
  await mara.getByLabel('Why is it safe to trade again?').fill('checked twice');
  const resume = mara.getByRole('button', { name: 'Resume', exact: true });
  await expect(resume).toBeEnabled();
  await resume.click();
  await saysThatItWaits(mara, 'go live on the desk (checked twice)');
  expect((await statusOf(desk.folder)).state).toBe('HALTED');
  await mara.getByRole('link', { name: 'See what waits' }).click();
  const again = await consoleOf(browser, 'mara');
  await goTo(again, 'a');
  for (const page of [mara, again]) {
    await expect(waitingFor(page, 'checked twice')).toContainText('You asked for this.');
    await expect(page.getByRole('button', { name: 'Approve…' })).toHaveCount(0);
  }
  const shown = await makerdesk(desk.folder, 'approvals');
  expect(shown).toContain('mara: go live on the desk (checked twice); until ');
  expect(shown).toMatch(/the desk, Trading: HALTED since .* by ada.* → LIVE/);

  await expect(
    ada.getByText('mara asks for a second person: go live on the desk (checked twice)').first(),
  ).toBeVisible();
  await goTo(ada, 'a');
  const row = waitingFor(ada, 'checked twice').getByRole('row').filter({ hasText: 'Trading' });
  await expect(row).toContainText('HALTED since');
  await expect(row).toContainText('LIVE');
  const told = await noticesOf(mara);
  await approve(ada, 'checked twice');
  await expect.poll(async () => statusOf(desk.folder)).toMatchObject({ state: 'LIVE', actor: 'mara' });
  // Whoever asked is told, wherever they are.
  await expect.poll(told).toContain('done, approved by ada');
  await expect(became(mara, 'checked twice')).toContainText('done, approved by ada');
  await goTo(mara, 'j');
  await expect(mara.getByText('carried out, asked for by mara and approved by ada').first()).toBeVisible();
  await close(mara, again, ada);
});

test('limits: a first and a lower one count at once, a higher one waits; what was changed meanwhile is not done, what is refused is told with its reason', async ({
  browser,
}) => {
  await setAll();
  const [mara, ada] = [await consoleOf(browser, 'mara'), await consoleOf(browser, 'ada')];
  await goTo(ada, 'a');
  await goTo(mara, 'e');
  await mara.getByRole('link', { name: 'Limits' }).click();
  const field = mara.getByLabel('WETH, at most in one quote').first();
  const set = async (amount: string) => {
    await field.fill(amount);
    await mara.getByRole('button', { name: 'Set the limits of Practice', exact: true }).click();
  };
  const inForce = async () => (await owner.desk.settings.get()).desk.chains[0]?.limits.maxQuote.WETH;
  const told = await noticesOf(mara);
  await set('7');
  await expect.poll(told).toContain('Limits of Practice are in force');
  await lower('6');
  expect(await inForce()).toBe('6');
  expect((await owner.desk.approvals.list({})).waiting).toEqual([]);

  // What is in force now is what is seen from here on.
  await mara.reload();
  await set('9');
  await saysThatItWaits(mara, 'set the limits of Practice');
  expect(await inForce()).toBe('6');
  await expect(waitingFor(ada, 'the limits of Practice').getByRole('row').last()).toHaveText(
    /at most in one quote\s*6\sWETH\s*9\sWETH\s\+50\.0\s%/,
  );
  // Somebody lowers it at once: what was asked for was about something else.
  const toldOfChange = await noticesOf(mara);
  await lower('2');
  await expect(waitingFor(ada, 'the limits of Practice')).toHaveCount(0);
  await expect(became(ada, 'set the limits of Practice')).toContainText('what it would change was changed first');
  await expect.poll(toldOfChange).toContain('what it would change was changed first');

  await mara.reload();
  await set('9');
  await waitingFor(ada, 'the limits of Practice').getByRole('button', { name: 'Refuse…' }).click();
  await ada.getByLabel('Why not?').fill('no more than 5 tonight');
  const toldOfRefusal = await noticesOf(mara);
  await ada.getByRole('button', { name: 'Refuse it' }).click();
  await expect.poll(toldOfRefusal).toContain('refused by ada: “no more than 5 tonight”');
  await expect(mara.getByText('This no longer waits.')).toBeVisible();
  expect(await inForce()).toBe('2');

  await set('5');
  await saysThatItWaits(mara, 'set the limits of Practice');
  await expect(waitingFor(ada, 'the limits of Practice').getByRole('row').last()).toHaveText(
    /at most in one quote\s*2\sWETH\s*5\sWETH\s\+150\.0\s%/,
  );
  await approve(ada, 'the limits of Practice');
  await expect.poll(inForce).toBe('5');
  expect(await makerdesk(desk.folder, 'approvals')).toMatch(/mara: set the limits of Practice, approved by ada; done/);
  await close(mara, ada);
});

test('takers: one that is left out is taken again only by two; keys: who approves sees a fingerprint and no secret; both wait in their dialogs', async ({
  browser,
}) => {
  await setAll();
  const [mara, ada] = [await consoleOf(browser, 'mara'), await consoleOf(browser, 'ada')];
  await goTo(ada, 'a');
  await goTo(mara, 's');
  const dialog = mara.getByRole('dialog');
  await mara.getByRole('button', { name: 'Leave it out…' }).first().click();
  const address = (await dialog.locator('.mono').textContent()) ?? '';
  await dialog.getByRole('button', { name: 'Leave it out' }).click();
  await expect(dialog, 'leaving one out waits for nobody').toBeHidden();
  await mara.getByRole('button', { name: 'Take it…' }).first().click();
  await dialog.getByLabel('How do you know that it is the service’s?').fill('read from their page');
  await dialog.getByRole('button', { name: 'Take it' }).click();
  await saysThatItWaits(mara, `let orders on Practice name ${address.toLowerCase()}`);
  await dialog.getByRole('button', { name: 'Keep it out' }).click();
  const takers = async () => (await owner.desk.service.state({ chainId: CHAIN })).takers.list.length;
  const before = await takers();
  await expect(waitingFor(ada, 'let orders on Practice name').getByRole('row').last()).toContainText(
    address.toLowerCase(),
  );
  await approve(ada, 'let orders on Practice name');
  await expect.poll(takers).toBe(before + 1);

  await goTo(mara, 'e');
  await mara.getByRole('link', { name: 'Services' }).click();
  await mara.getByRole('button', { name: 'Set a key…' }).click();
  await mara.getByLabel('Key', { exact: true }).fill('canary-of-four-eyes');
  await mara.getByRole('button', { name: 'Keep it sealed' }).click();
  await saysThatItWaits(mara, `set the key to ${desk.service}`);
  await expect(waitingFor(ada, 'set the key to').getByRole('row').last()).toContainText(/[0-9a-f]{16}/);
  expect(await ada.content()).not.toContain('canary-of-four-eyes');
  await approve(ada, 'set the key to');
  await mara.keyboard.press('Escape');
  await mara.reload();
  await expect(mara.getByRole('region', { name: desk.service })).toContainText('key kept, fingerprint');
  await close(mara, ada);
});

test('network settings wait too, also by a desk file, which is no way around; who asked takes it back', async ({
  browser,
}) => {
  await setAll();
  const [mara, ada] = [await consoleOf(browser, 'mara'), await consoleOf(browser, 'ada')];
  await goTo(ada, 'a');
  await mara.keyboard.press('Control+Shift+H');
  await expect(mara.getByRole('heading', { name: 'HALTED' })).toBeVisible();
  await ada.getByRole('button', { name: 'Back to the page' }).click();
  await goTo(mara, 'e');
  await mara.getByLabel('Partner').first().fill('somebody');
  await mara.getByRole('button', { name: 'Save Practice', exact: true }).click();
  await saysThatItWaits(mara, 'save the settings of Practice');
  await expect(waitingFor(ada, 'save the settings of Practice').getByRole('row').last()).toContainText('somebody');
  await goTo(mara, 'a');
  await waitingFor(mara, 'save the settings of Practice').getByRole('button', { name: 'Take it back' }).click();
  await expect(waitingFor(ada, 'save the settings of Practice')).toHaveCount(0);
  await expect(became(ada, 'save the settings of Practice')).toContainText('taken back by mara');

  await lower('1');
  const file = JSON.parse(await makerdesk(desk.folder, 'export'));
  file.chains[0].limits.maxQuote = {};
  await goTo(mara, 'e');
  await mara.getByRole('link', { name: 'Desk file' }).click();
  await mara.locator('input[type="file"]').setInputFiles({
    name: 'desk.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify(file)),
  });
  await mara.getByRole('button', { name: 'Import it' }).click();
  await saysThatItWaits(mara, 'import a desk file');
  await expect(waitingFor(ada, 'import a desk file')).toContainText('WETH: at most in one quote');
  expect((await owner.desk.settings.get()).desk.chains[0]?.limits.maxQuote).toEqual({ WETH: '1' });
  await close(mara, ada);
});

test('a token that is revoked while what its person asked for waits: it waits no more, and their console is cut off', async ({
  browser,
}) => {
  await setAll();
  const pair = { chainId: CHAIN, pair: 'WETH/USDC' };
  await owner.desk.trading.halt({ scope: pair, reason: 'for a test' });
  const [ada, tara] = [await consoleOf(browser, 'ada'), await consoleOf(browser, 'tara')];
  await goTo(ada, 'a');
  await tara.getByRole('switch', { name: 'WETH/USDC pair' }).first().click();
  await tara.getByLabel('Why is it safe to trade again?').fill('it is quiet');
  await tara.getByRole('button', { name: 'Go live' }).click();
  await saysThatItWaits(tara, 'go live on WETH/USDC on Practice (it is quiet)');
  await expect(waitingFor(ada, 'it is quiet').getByRole('button', { name: 'Approve…' })).toBeEnabled();
  // The dialog is open while it goes.
  await waitingFor(ada, 'it is quiet').getByRole('button', { name: 'Approve…' }).click();
  await owner.desk.tokens.revoke({ name: 'tara' });
  await expect(waitingFor(ada, 'it is quiet')).toHaveCount(0);
  await expect(became(ada, 'it is quiet')).toContainText('whoever asked may not do it any more');
  await expect(tara.getByText('This screen has lost the desk, which may still be trading.')).toBeVisible();
  expect((await owner.desk.approvals.list({})).past[0]).toMatchObject({ token: 'tara', ended: { how: 'revoked' } });
  await close(ada, tara);
});

test('who may only halt sees nothing of it, and halts without anybody', async ({ browser }) => {
  await setAll();
  const night = await consoleOf(browser, 'night');
  await expect(night.getByRole('navigation', { name: 'Pages' }).getByRole('link')).toHaveText(['Desk']);
  await night.keyboard.press('Control+Shift+H');
  await expect.poll(async () => statusOf(desk.folder)).toMatchObject({ state: 'HALTED', actor: 'night' });
  await close(night);
});
