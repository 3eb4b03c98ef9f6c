import type { Page } from '@playwright/test';
import { connectionTo } from '../desk/connection.ts';
import { goTo } from './console-pages.ts';
import { expect, test } from './console-test.ts';
import { dismissNotices, looker } from './looker.ts';
import type { PracticeDesk } from './practice-desk.ts';

const CHAIN = 31337;
const PAIR = 'WETH/USDC';

const past = (page: Page) => page.getByRole('region', { name: 'The desk as it was' });
const pairs = (page: Page) => page.getByRole('table', { name: 'Pairs then' });
const line = (page: Page) => pairs(page).locator(`tr[data-pair="${CHAIN} ${PAIR}"]`).first();

/** A person switches our bids of a pair off and on again; gives the rows of the two, which are two moments. */
async function switchBids({ folder }: PracticeDesk): Promise<{ off: number; on: number }> {
  const connection = await connectionTo(folder, 'Night desk');
  const { trading, journal } = connection.desk;
  const scope = { chainId: CHAIN, pair: PAIR, side: 'bids' } as const;
  const last = async () => {
    for await (const { rows } of await journal.find({ filter: { kinds: ['trading_state'] }, limit: 1 })) {
      const [row] = rows;
      if (row !== undefined) return row.seq;
    }
    throw new Error('nothing was written');
  };
  await trading.halt({ scope, reason: 'a look at the past' });
  const off = await last();
  await trading.resume({ scope, reason: 'looked' });
  const on = await last();
  await connection.close();
  return { off, on };
}

test('a moment is shown in grey, apart from what is live; a cell tells who changed it; two moments are compared; Esc goes back to now', async ({
  page,
  desk,
  openConsole,
}, info) => {
  const { off, on } = await switchBids(desk);
  await openConsole();
  await goTo(page, 'j');
  await page.getByRole('button', { name: 'Go to a moment…' }).click();
  const moment = page.getByLabel(/^Moment, /);
  await moment.fill('soon');
  await page.getByRole('button', { name: 'Go there', exact: true }).click();
  await expect(page.getByRole('dialog')).toContainText('or the number of a row');
  await moment.fill(`${off}`);
  await moment.press('Enter');

  await expect(past(page)).toContainText('PAST');
  await expect(page).toHaveURL(new RegExp(`#/journal/at/r${off}$`));
  await expect(line(page)).toContainText('we sell');
  const alerts = page.getByRole('list', { name: 'Open alerts then' });
  await expect(alerts.getByRole('listitem').filter({ hasText: 'a look at the past' })).toBeVisible();
  await expect(page.getByRole('list', { name: 'Events around the moment' })).toContainText('Night desk');
  // The past has neither switches nor anything that trades; the strip and HALT are beside it, and live.
  await expect(past(page).getByRole('switch')).toHaveCount(0);
  await expect(past(page).getByRole('button', { name: /halt|publish|resume|drain|cancel/i })).toHaveCount(0);
  await expect(past(page)).toHaveCSS('filter', 'grayscale(1)');
  await expect(page.getByRole('button', { name: /^HALT/ })).toBeEnabled();

  await line(page).getByTitle(`Who changed Bid 1 price of ${PAIR}`).click();
  await expect(page.getByRole('list', { name: 'Who changed Bid 1 price' }).getByRole('listitem').first()).toContainText(
    '→',
  );
  await dismissNotices(page);
  const { faults, inBoth } = looker(page, info, 'past');
  await inBoth('as-it-was');

  await page.goto(`${page.url().split('#')[0]}#/journal/at/r${off}/r${on}`);
  const changed = page.getByRole('table', { name: 'Changed from A to B' });
  const bids = changed.getByRole('row').filter({ hasText: 'We buy, switch' });
  await expect(bids).toContainText('off');
  await expect(bids).toContainText('Night desk');
  await inBoth('compared');
  expect(faults).toEqual([]);

  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(/#\/journal$/);
  await expect(past(page)).toBeHidden();
});

test('a moment is chosen on the lanes with the mouse and by keys, and the address keeps it', async ({
  page,
  desk,
  openConsole,
}) => {
  const { on } = await switchBids(desk);
  await openConsole();
  await page.goto(`${page.url().split('#')[0]}#/journal/at/r${on}`);
  await expect(line(page)).toContainText(/both|closed/); // closed where the machine was late with what a pair needs
  const flag = page.getByRole('slider', { name: 'Moment A' });
  const before = Number(await flag.getAttribute('aria-valuenow'));
  await flag.focus();
  await page.keyboard.press('ArrowLeft');
  await expect(flag).toHaveAttribute('aria-valuenow', `${before - 1_000}`);
  await expect(page).toHaveURL(new RegExp(`#/journal/at/${before - 1_000}$`));

  const lane = page.getByTitle(/^Half an hour: /);
  const box = await lane.boundingBox();
  if (box === null) throw new Error('there is no lane');
  await page.keyboard.down('Shift');
  await page.mouse.click(box.x + box.width / 2 - 1, box.y + 4);
  await page.keyboard.up('Shift');
  await expect(page.getByRole('slider', { name: 'Moment B' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Changed, A → B' })).toBeVisible();
  await expect(page).toHaveURL(/#\/journal\/at\/\d+\/\d+$/);
  await page.getByRole('button', { name: 'Back to now' }).click();
  await expect(page).toHaveURL(/#\/journal$/);
});

test('a moment before the journal begins, and an address that names none, say so', async ({
  page,
  openConsole,
}, info) => {
  await openConsole();
  await page.goto(`${page.url().split('#')[0]}#/journal/at/1000`);
  await expect(past(page)).toContainText('The journal begins after 1970-01-01 00:00:01 UTC.');
  await dismissNotices(page);
  const { faults, inBoth } = looker(page, info, 'past', [{ width: 1280, height: 800 }]);
  await inBoth('nothing');
  expect(faults).toEqual([]);
  await page.goto(`${page.url().split('#')[0]}#/journal/at/noon`);
  await expect(page.getByText('This address names no moment')).toBeVisible();
});
