import type { Browser, Page } from '@playwright/test';
import { startTestChain } from '../chain-fixture.ts';
import { connectionTo } from '../desk/connection.ts';
import { cell, takeAsKnown } from './console-pages.ts';
import { expect, test } from './console-test.ts';
import { startEmptyDesk } from './empty-desk.ts';
import { guideWalk } from './guide-walk.ts';
import { noticesOf } from './notices.ts';
import type { PracticeDesk } from './practice-desk.ts';
import { tradeUntil } from './results-page.ts';

const HALT = '#halt';
const SCOPE = {};

/** The console as mara has it: the pictures show her name and not the one of whoever runs the test. */
let marasConsole = '';

test.beforeAll(async ({ desk }) => {
  await tradeUntil(desk, 12);
  const owner = await connectionTo(desk.folder);
  marasConsole = (await owner.desk.tokens.create({ name: 'mara', rights: 'admin' })).console ?? '';
  await owner.close();
});

// The next file of this worker finds a desk on which nobody else has a token.
test.afterAll(async ({ desk }) => {
  const owner = await connectionTo(desk.folder);
  for (const name of ['mara', 'nils']) await owner.desk.tokens.revoke({ name }).catch(() => {});
  await owner.close();
});

test.beforeEach(async ({ page, openConsole }) => {
  await openConsole(); // what the test before published follows again
  await openAs(page, marasConsole, 'mara');
  await expect(page.getByRole('region', { name: 'Status' })).toContainText('LIVE');
  await expect(page.getByRole('region', { name: 'Pairs' }).getByText('WETH/USDC').first()).toBeVisible();
});

/** Opens a console by its address, and waits until the desk has said who this is. */
async function openAs(page: Page, address: string, name: string): Promise<void> {
  await page.goto('about:blank');
  await page.goto(address);
  await expect(page.getByRole('navigation', { name: 'Pages' })).toContainText(name);
}

/** Resumes the desk from beside the screen. */
async function resume({ folder }: PracticeDesk): Promise<void> {
  const connection = await connectionTo(folder);
  await connection.desk.trading.resume({ scope: SCOPE, reason: 'the walk is over' });
  await connection.close();
}

const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const dialog = (page: Page) => page.getByRole('dialog').last();
/** Until nothing on the page says that it is still being read. */
const read = (page: Page) =>
  expect(page.locator('main').getByRole('status', { name: 'Loading' })).toHaveCount(0, { timeout: 60_000 });

test('first day on the practice market', async ({ page }, info) => {
  const walk = guideWalk(page, 'first-day.md', info);
  await walk.opens('Desk');
  await walk.sees('We buy at', 'We sell at', 'Signed and still live', 'Needs attention');
  await walk.picture('first-day');
  await walk.opens('Prices');
  await walk.press('Both');
  await walk.press('Tighten');
  await walk.press('Publish WETH/USDC');
  await walk.press('Publish and keep following');
  await walk.sees('The draft is what is live.');
  await walk.opens('Firm log');
  // New quotes push the rows down meanwhile.
  await expect(async () => {
    await page.locator('[data-rows="Quotes"]').getByRole('row').filter({ hasText: 'Filled' }).first().click();
    await expect(page.getByLabel('X-ray').first()).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await walk.sees('X-ray');
  await walk.opens('Fills');
  await expect(page.locator('[data-rows="Fills"]').getByRole('row').first()).toBeVisible();
  await walk.opens('Practice');
  await page.getByRole('switch', { name: 'node-down' }).click();
  await expect(page.getByRole('switch', { name: 'node-down' })).toBeChecked();
  await page.getByRole('switch', { name: 'node-down' }).click();
  await expect(page.getByRole('switch', { name: 'node-down' })).not.toBeChecked();
  await walk.press('Call me to halt');
  await walk.press('HALT', page.locator(HALT));
  await expect(page.getByRole('heading', { name: 'HALTED' })).toBeVisible();
  await walk.opens('Desk');
  await walk.types('Why is it safe to trade again?', 'it was the drill');
  await takeAsKnown(page);
  await walk.press('Resume');
  // The word HALT stands on a desk that is halted too: whoever goes on before it trades leaves it halted.
  await expect(page.getByRole('region', { name: 'Status' })).toContainText('LIVE');
  await expect(page.locator(HALT)).toContainText('HALT');
  walk.ends(['Start practising']); // stands in the desktop app, see desktop-entrance.spec.ts
});

test('a real desk from nothing', async ({ page }, info) => {
  const chain = await startTestChain({ chainId: 1, blockTimeSeconds: 1 });
  const desk = await startEmptyDesk();
  const walk = guideWalk(page, 'real-desk.md', info);
  const step = (name: string) =>
    region(page, 'Steps')
      .getByRole('button', { name: new RegExp(`: ${name}`) })
      .click();
  try {
    await page.goto(desk.console);
    await page.getByRole('radio', { name: 'Real desk' }).click();
    await walk.sees(
      'Key',
      'Network',
      'Tokens',
      'Maker and approvals',
      'Pairs and first ladders',
      'Counterparty',
      'Takers',
    );
    await walk.sees('Missing before LIVE', 'Go live…');
    await step('Key');
    await walk.press('Make a key');
    await expect(page.getByText(/is here: a keystore/)).toBeVisible();
    await step('Network');
    await page.getByLabel('Network', { exact: true }).and(page.locator('select')).selectOption({ label: 'Ethereum' });
    await walk.types('Node', chain.rpcUrl);
    await page.getByLabel('RFQ contract', { exact: true }).fill(chain.rfqContract);
    await page.getByLabel('Domain name', { exact: true }).fill(chain.domainName);
    await walk.press('Take this network');
    await step('Tokens');
    await walk.types('Addresses of tokens', `${chain.weth} ${chain.usdc}`);
    await walk.press('Read from chain');
    await expect(page.getByRole('row', { name: /USDC/ }).first()).toBeVisible();
    await walk.picture('real-desk');
    await step('Counterparty');
    await page.getByLabel('Domain', { exact: true }).fill('service.example');
    await walk.types('Access key', 'the access key');
    await walk.types('Secret key', 'the secret key');
    await walk.press('Keep the credentials');
    await step('Pairs and first ladders');
    await page.getByLabel('Base', { exact: true }).selectOption('WETH');
    await page.getByLabel('Quote', { exact: true }).selectOption('USDC');
    await page.getByLabel('Liquidity, USD', { exact: true }).fill('1000000');
    await walk.press('Add pair');
    await walk.types('Mid', '3412');
    await walk.sees('Publish the first ladder');
    await step('Takers');
    await walk.sees('Take it…');
    await step('Go live');
    await walk.sees('Why is it safe to go live?', 'Go live');
  } finally {
    await desk.stop();
    await chain.close();
  }
  // Of the desktop app alone, or of a desk that lacks nothing: desktop-entrance.spec.ts and first-start.long.spec.ts press them.
  const inTheApp = ['Set up a real desk', 'Passphrase', 'Repeat it', 'Set the passphrase', 'Choose the keystore file…'];
  walk.ends([...inTheApp, 'Bring it in', 'Nothing is missing']);
});

test('change a price, or many', async ({ page }, info) => {
  const walk = guideWalk(page, 'prices.md', info);
  await walk.opens('Prices');
  await walk.sees('What the service would quote', 'Checks', '×0.8', '×1.25', 'Widen');
  await cell(page, 'Bid 1 price').click();
  await page.keyboard.type('+0.5bp');
  await page.keyboard.press('Enter');
  await walk.sees('Selection', 'Bids', 'Asks');
  await walk.press('Both');
  await walk.press('Tighten');
  await expect(page.getByText(/cells? changed/).first()).toBeVisible();
  await walk.picture('prices');
  await walk.press('Publish WETH/USDC');
  await walk.sees('Publish and stop following');
  await walk.press('Publish and keep following');
  await walk.sees('The draft is what is live.');
  await walk.press('Revisions');
  await walk.press('Reprice…');
  await dialog(page).getByRole('textbox').first().fill('WETH wider 2bp');
  await walk.sees('Reprice many pairs', 'Put into 4 drafts and check');
  await expect(dialog(page).getByRole('row', { name: /WETH\/USDC/ })).toContainText('→');
  await walk.picture('reprice', dialog(page));
  await page.keyboard.press('Escape');
  walk.ends();
});

test('who prices a pair', async ({ page }, info) => {
  const walk = guideWalk(page, 'who-prices.md', info);
  await walk.opens('Prices');
  await walk.press('All pairs');
  await walk.sees('Priced by');
  await walk.press('Ladder');
  await walk.sees('Follow the reference');
  await walk.press('Pricing');
  await walk.sees('Sources');
  await walk.press('Set a formula…');
  await walk.sees('Set the formula', 'Keep it as it is');
  await expect(region(page, 'Draft').getByRole('row', { name: /^Half spread/ })).toBeVisible();
  await walk.picture('who-prices');
  await walk.press('Keep it as it is');
  walk.ends(['Take over', 'Give back…']); // pricing.spec.ts presses them
});

test('stop everything', async ({ page, desk }, info) => {
  const walk = guideWalk(page, 'stop.md', info);
  await expect(page.getByRole('region', { name: 'Status' })).toContainText(/\d orders/);
  await walk.press('HALT', page.locator(HALT));
  await walk.sees('No signature leaves this desk. All pairs, all chains.', 'What is still live', 'Costs nothing.');
  await expect(page.getByRole('table', { name: 'Allowances' })).toContainText('RFQ contract');
  await walk.sees('Say why…', 'Copy for the others', 'Cancel intents…');
  await walk.picture('stop');
  await page.getByRole('button', { name: /^Cancel \d+ orders?…$/ }).click();
  await expect(dialog(page).getByRole('button', { name: /^Cancel \d+ orders?$/ })).toBeVisible();
  await page.keyboard.press('Escape');
  await walk.press('Allowances to zero…');
  await expect(dialog(page).getByText('may take nothing any more').first()).toBeVisible();
  await walk.sees('Set to zero');
  await page.keyboard.press('Escape');
  await resume(desk);
  walk.ends(['Cancel 12 orders…', 'Cancel 12 orders']); // as many as there are
});

test('go live again', async ({ page, desk }, info) => {
  const walk = guideWalk(page, 'go-live.md', info);
  const connection = await connectionTo(desk.folder, 'nils');
  await connection.desk.trading.halt({ scope: SCOPE, reason: 'the feed of WETH froze' });
  await connection.close();
  await walk.sees('Earlier stops', 'Check again', 'Self-check before the resume');
  await page.getByRole('navigation', { name: 'Pages' }).getByText('Fills', { exact: true }).click();
  await walk.press('What is live, and resume');
  await walk.opens('Desk');
  await walk.types('Why is it safe to trade again?', 'The feed is back, and agrees with two exchanges.');
  await takeAsKnown(page);
  await expect(page.getByText(/checks? passed/)).toBeVisible();
  await walk.picture('go-live');
  await walk.press('Resume');
  await expect(page.getByRole('region', { name: 'Status' })).toContainText('LIVE');
  await walk.sees('Needs attention');
  walk.ends();
});

test('somebody trades against us', async ({ page }, info) => {
  const walk = guideWalk(page, 'against-us.md', info);
  await walk.opens('Blacklist');
  await walk.sees('Who trades against us', 'On the list');
  await read(page);
  const row = region(page, 'Who trades against us').locator('tbody tr').first();
  await expect(row).toBeVisible();
  await walk.picture('against-us');
  await row.getByRole('button', { name: /^Blacklist 0x.*…$/ }).click();
  await walk.press('by this desk only', dialog(page));
  await walk.sees('Reason', 'on the public list');
  const told = await noticesOf(page);
  await dialog(page)
    .getByRole('button', { name: /^Blacklist here only$/ })
    .click();
  await expect.poll(told).toMatch(/This desk blacklists|is blacklisted/);
  await walk.press('Remove…', region(page, 'On the list'));
  await dialog(page).getByRole('button', { name: 'Remove', exact: true }).click();
  await walk.opens('Protections');
  await walk.press('Add a rule…');
  await walk.types('Name', 'flow', dialog(page));
  await dialog(page).getByLabel('At most, quotes').fill('100000');
  await walk.picture('protections', dialog(page));
  await walk.press('Add rule');
  await expect(page.getByRole('button', { name: 'Change flow…' })).toBeVisible();
  await page.getByRole('button', { name: 'Change flow…' }).click();
  await dialog(page).getByRole('button', { name: 'Remove this rule…' }).click();
  await dialog(page).getByRole('button', { name: 'Remove', exact: true }).click();
  walk.ends(['Blacklist…', 'Needs attention', 'Reset…']); // protections.spec.ts has a rule trip
});

test('did we make money', async ({ page, desk }, info) => {
  await tradeUntil(desk, 30);
  const walk = guideWalk(page, 'money.md', info);
  await walk.opens('Results');
  await walk.sees('Net and its parts', 'Today', 'Pick…', 'Edge earned', 'Markout to 10 s', 'Inventory since');
  await walk.sees('By pair', 'Pair', 'User', 'Counterparty', 'Export CSV');
  await page.getByRole('region', { name: 'By pair' }).locator('tbody').getByRole('button').first().click();
  await read(page);
  await walk.sees('Open in Fills');
  await walk.picture('money');
  await walk.press('Open in Fills');
  await walk.sees('▲ we bought', '▼ we sold');
  walk.ends();
});

test('hedge a position', async ({ page, desk }, info) => {
  await tradeUntil(desk, 20);
  const walk = guideWalk(page, 'hedge.md', info);
  await walk.opens('Hedge');
  await walk.sees('Net position', 'Unhedged fills', 'Market', 'Intent', 'Limit', 'Steps');
  await region(page, 'Net position')
    .getByRole('button', { name: /^(Sell|Buy) it/ })
    .first()
    .click();
  await expect(region(page, 'Hedge').getByRole('row', { name: /^Costs, all in/ })).toBeVisible();
  await walk.picture('hedge');
  walk.ends();
});

test('what changed, and when', async ({ page, desk }, info) => {
  const connection = await connectionTo(desk.folder, 'nils');
  const scope = { chainId: 31337, pair: 'WETH/USDC', side: 'bids' } as const;
  await connection.desk.trading.halt({ scope, reason: 'a look at the past' });
  await connection.desk.trading.resume({ scope, reason: 'looked' });
  await connection.close();
  const walk = guideWalk(page, 'what-changed.md', info);
  await walk.opens('Journal');
  await walk.sees('Kind', 'HALT');
  await walk.press('Go to a moment…');
  await page.getByLabel(/^Moment, /).fill('40');
  await walk.press('Go there');
  const past = page.getByRole('region', { name: 'The desk as it was' });
  await expect(past).toContainText('PAST');
  const day = page.getByTitle(/^Half an hour: /);
  const box = await day.boundingBox();
  if (box === null) throw new Error('there is no bar');
  await page.keyboard.down('Shift');
  await page.mouse.click(box.x + box.width - 2, box.y + 4);
  await page.keyboard.up('Shift');
  await walk.sees('Changed, A → B');
  await read(page);
  await walk.picture('what-changed');
  await walk.press('Back to now');
  walk.ends();
});

test('what if we had quoted otherwise', async ({ page, desk }, info) => {
  await tradeUntil(desk, 20);
  const walk = guideWalk(page, 'what-if.md', info);
  await walk.opens('What if');
  await walk.sees('Pick…', 'Shift both sides', 'Sizes ×', 'Change limits of Practice…', 'Try another rule…');
  await walk.types('Spread, each side +', '2');
  await walk.press('Price again');
  await expect(region(page, 'By pair').locator('tbody tr').first()).toBeVisible();
  await walk.sees('By pair', 'Make the prices the draft');
  await walk.picture('what-if');
  walk.ends(['Prices']);
});

test('people, rights and four eyes', async ({ page, desk }, info) => {
  const walk = guideWalk(page, 'people.md', info);
  await walk.opens('Settings');
  await walk.opens('People');
  await walk.press('Add somebody…');
  await walk.types('Name', 'lena');
  await walk.press('Make the token');
  await walk.press('It is handed over');
  const row = page.getByRole('row', { name: /^lena look/ });
  await walk.press('Rights…', row);
  await page.getByRole('checkbox', { name: /^trade/ }).check();
  await page.getByRole('button', { name: 'Set the rights of lena' }).click();
  await expect(page.getByRole('row', { name: /^lena look, trade/ })).toBeVisible();
  await walk.picture('people');
  await walk.press('Revoke…', page.getByRole('row', { name: /^lena/ }));
  await walk.press('Revoke lena');
  await walk.opens('Approvals');
  await walk.sees('Waiting for a second person');
  await page.getByRole('checkbox', { name: /^limits/ }).check();
  await walk.press('Save');
  const owner = await connectionTo(desk.folder);
  await expect.poll(async () => (await owner.desk.approvals.list({})).kinds).toEqual(['limits']);
  const limits = { maxQuote: { WETH: '5' }, maxOutstanding: {} };
  await owner.desk.limits.set({ chainId: 31337, limits }); // a lower limit waits for nobody
  await owner.desk.limits.set({ chainId: 31337, limits: { ...limits, maxQuote: { WETH: '8' } } }).catch(() => {});
  await walk.sees('Approve…', 'Refuse…');
  await walk.picture('approvals');
  await walk.press('Approve…');
  await dialog(page).getByRole('button', { name: 'Approve', exact: true }).click();
  await expect(page.getByText('Nothing waits')).toBeVisible();
  await owner.desk.approvals.set({ kinds: [], seen: ['limits'] }).catch(() => {});
  await page.getByRole('button', { name: 'Approve…' }).click();
  await dialog(page).getByRole('button', { name: 'Approve', exact: true }).click();
  await expect.poll(async () => (await owner.desk.approvals.list({})).kinds).toEqual([]);
  await owner.desk.limits.set({ chainId: 31337, limits: { maxQuote: {}, maxOutstanding: {} } });
  await owner.close();
  walk.ends();
});

/** Opens the console of somebody who may do no more than that. */
async function consoleOf(browser: Browser, desk: PracticeDesk, name: string, rights: string): Promise<Page> {
  const owner = await connectionTo(desk.folder);
  const { console: address } = await owner.desk.tokens.create({ name, rights });
  await owner.close();
  const context = await browser.newContext({ colorScheme: 'dark' });
  const page = await context.newPage();
  await openAs(page, address ?? '', name);
  return page;
}

test('a desk on another machine', async ({ browser, desk }, info) => {
  const page = await consoleOf(browser, desk, 'nils', 'halt');
  const walk = guideWalk(page, 'elsewhere.md', info);
  await walk.sees('HALT', 'New window');
  await walk.picture('elsewhere');
  await page.context().close();
  walk.ends();
});

test('alarms, and being woken', async ({ page }, info) => {
  const walk = guideWalk(page, 'alarms.md', info);
  await walk.opens('Desk');
  await walk.sees('Needs attention');
  await walk.opens('Settings');
  await walk.opens('Alerts');
  await walk.sees('Try', 'Add e-mail…', 'Quiet hours');
  await walk.press('Add a webhook…');
  await walk.types('Address', 'http://127.0.0.1:1/chat');
  await walk.types('After, min', '10');
  await walk.press('Keep it');
  const way = region(page, 'chat');
  await walk.press('Test…', way);
  await walk.sees('Send a test');
  await page.keyboard.press('Escape');
  await way.scrollIntoViewIfNeeded();
  await walk.picture('alarms');
  await way.getByRole('button', { name: 'Remove…' }).click();
  await dialog(page)
    .getByRole('button', { name: /^(Remove|Tell nothing)/ })
    .click();
  await walk.opens('Protections');
  // Of an alert that stands: people take one in alert-ways.spec.ts, an alarm in emergency.spec.ts, the switch in its own test.
  walk.ends(['I’ll look after it', 'I have looked…', 'Is anybody here?', 'I am here']);
});

test('backup, restore, archive, verify', async ({ page }, info) => {
  const walk = guideWalk(page, 'backup.md', info);
  await walk.opens('Settings');
  await walk.opens('Backups');
  await walk.sees('What is not in it', 'Archive now');
  await walk.types('Write it to', info.outputPath('desk.db'));
  await walk.press('Make the backup');
  await walk.sees('The backup is written.');
  await page.getByLabel('Write it to').fill('/mnt/backup/desk-2026-11-27.db');
  await walk.picture('backup', region(page, 'Make a backup'));
  await walk.opens('Firm log');
  await walk.press('Verify journal');
  await expect(page.getByText(/Journal (checked|unchanged) to row/).first()).toBeVisible();
  walk.ends(['Put a backup back…', 'Put it back']); // before the passphrase, in the app: first-start.long.spec.ts
});

test('change keys and credentials', async ({ page }, info) => {
  const walk = guideWalk(page, 'keys.md', info);
  await walk.opens('Settings');
  await walk.opens('Counterparties');
  await read(page);
  await walk.picture('keys');
  await walk.press('Change…');
  await walk.types('Access key', 'another');
  await walk.types('Secret key', 'another');
  await walk.sees('Save');
  await page.keyboard.press('Escape');
  walk.ends(['End the earlier keys…', 'End them']); // counterparty-keys.test.ts
});

test('hand over the day', async ({ page, desk }, info) => {
  const connection = await connectionTo(desk.folder, 'nils');
  const scope = { chainId: 31337, pair: 'DAI/USDC', side: 'bids' } as const;
  await connection.desk.trading.halt({ scope, reason: 'no more DAI' });
  await connection.desk.trading.resume({ scope, reason: 'a deposit came' });
  await connection.close();
  const walk = guideWalk(page, 'handover.md', info);
  await walk.opens('Desk');
  await walk.sees('Needs attention');
  await walk.opens('Prices');
  await walk.sees('Discard');
  await walk.opens('Hedge');
  await walk.sees('Net position');
  await walk.opens('Results');
  await walk.press('Today');
  await walk.opens('Desk');
  await walk.press('Stops');
  await expect(region(page, 'What was stopped').locator('tbody tr').first()).toBeVisible();
  await walk.opens('Handover');
  await walk.sees('The day before', 'Print…');
  await expect(
    page
      .getByRole('region', { name: /^Handover of / })
      .getByText('nils')
      .first(),
  ).toBeVisible();
  await read(page);
  await walk.picture('handover');
  walk.ends();
});
