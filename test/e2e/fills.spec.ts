import { readFileSync } from 'node:fs';
import type { Locator, Page } from '@playwright/test';
import { goTo } from './console-pages.ts';
import { expect, keptTest as test, test as testAlone } from './console-test.ts';
import { tradeUntil } from './results-page.ts';

/** The axis of a young desk begins as one bar, which no brush narrows. */
const untilBars = (slider: Locator) =>
  expect.poll(async () => Number(await slider.getAttribute('aria-valuemax'))).toBeGreaterThan(0);

/** So far back that no fill leaves as others come, however long this desk has run. Over days a bar is an hour long, and a brush leaves all or nothing. */
const lookBack = (page: Page, time: '1 h' | '30 d') => page.getByRole('radio', { name: time, exact: true }).click();

test('fills arrive on the chart, in the table and in the sums of their pair, and a brush narrows all of them', async ({
  page,
  openConsole,
}) => {
  await openConsole();
  await goTo(page, 'f');
  await lookBack(page, '30 d');
  await expect(page.getByText('Fills of all pairs', { exact: true })).toBeVisible();
  const chart = page.getByRole('region', { name: 'Fills over time' }).getByRole('img', { name: /over the prices/ });
  const drawn = async () => Number(await chart.getAttribute('data-fills'));
  await expect.poll(drawn).toBeGreaterThan(0);
  const before = await drawn();
  await expect.poll(drawn).toBeGreaterThan(before);
  const table = page.getByRole('region', { name: 'Fills', exact: true });
  await expect(table.locator('[data-seq]').first()).toContainText('/');
  const sums = page.getByRole('region', { name: 'By pair' });
  await expect(sums.getByRole('row', { name: /All/ })).toContainText(/[1-9]/);

  // A young desk's fills are not squeezed into a corner: the axis holds them and little more.
  await expect(page.getByText(/no fill before .*: the axis begins there/)).toBeVisible();

  // By keyboard: the first bar alone. More than a page of fills are counted only as far as they are read.
  const count = async () =>
    Number(/(\d[\d,]*) (?:fill|read)/.exec(await table.innerText())?.[1]?.replaceAll(',', '') ?? 0);
  await expect.poll(count).toBeGreaterThan(1);
  const all = await count();
  const whole = await drawn();
  const end = page.getByRole('slider', { name: 'End of what is shown' });
  await untilBars(end);
  await end.focus();
  await page.keyboard.press('Home');
  await expect(end).not.toHaveAttribute('aria-valuetext', 'now');
  await expect.poll(count).toBeLessThan(all);
  await expect.poll(drawn).toBeLessThanOrEqual(whole);
  await page.keyboard.press('Escape');
  await expect(end).toHaveAttribute('aria-valuetext', 'now');
  await expect(table.locator('[data-seq]').first()).toBeVisible();

  // By keys: less time, earlier, and all of it again.
  await expect(chart).toHaveAttribute('data-drawn', 'true');
  // A chart that could not be read for a moment has lost the focus.
  await chart.press('+');
  await expect(page.getByRole('button', { name: /show all of it again/ })).toBeVisible();
  await chart.press('Escape');
  await expect(page.getByRole('button', { name: /show all of it again/ })).toHaveCount(0);

  // By the wheel over the chart a part of it, all of it again by a double press.
  await chart.hover({ position: { x: 100, y: 60 } });
  await page.mouse.wheel(0, -600);
  await expect(page.getByRole('button', { name: /show all of it again/ })).toBeVisible();
  await chart.dblclick({ position: { x: 100, y: 60 } });
  await expect(page.getByRole('button', { name: /show all of it again/ })).toHaveCount(0);
});

test('a pointer over the prices is told ask, reference and bid of its moment, and a drag moves the time that is shown', async ({
  page,
  desk,
  openConsole,
}) => {
  await tradeUntil(desk, 12);
  await openConsole();
  await goTo(page, 'f');
  await lookBack(page, '1 h');
  const panel = page.getByRole('region', { name: 'Fills over time' });
  const chart = panel.getByRole('img', { name: /over the prices/ });
  await expect(chart).toHaveAttribute('data-drawn', 'true');
  const box = await chart.boundingBox();
  const [middle, y] = [(box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + 60];
  const values = panel.getByText(/^\d\d:\d\d:\d\d [\d,.—]+ [\d,.—]+ [\d,.—]+$/);
  /** What is told at a place: only a pointer that moves is told anything. */
  const told = async (x: number) => {
    await page.mouse.move(x, y - 1);
    await page.mouse.move(x, y);
    const [clock = '', ...prices] = ((await values.textContent()) ?? '').split(/\s+/);
    const [hours = 0, minutes = 0, seconds = 0] = clock.split(':').map(Number);
    return { clock: hours * 3_600 + minutes * 60 + seconds, prices };
  };
  // Where a side was closed for a moment it has no price there.
  let step = 0;
  await expect(async () => {
    step += 7;
    const { prices } = await told(middle + (step % 100));
    const [ask = 0, reference = 0, bid = 0] = prices.map((price) => Number(price.replaceAll(',', '')));
    expect(bid).toBeGreaterThan(0);
    expect(ask).toBeGreaterThan(bid);
    expect(Math.abs(reference - bid)).toBeLessThan(bid / 10);
  }).toPass();
  await page.mouse.move(0, 0);
  await expect(values).toHaveCount(0);

  // So small a part of it that the hand comes to neither end of the axis.
  const when = page.getByRole('region', { name: 'By pair' }).locator('header');
  await page.mouse.move(middle, y);
  for (let turn = 0; turn < 10; turn += 1) await page.mouse.wheel(0, -200);
  await expect(page.getByRole('button', { name: /show all of it again/ })).toBeVisible();
  const zoomed = await when.innerText();
  const from = middle - 60;
  const before = await told(from);
  await page.mouse.down();
  await page.mouse.move(from + 120, y, { steps: 8 });
  await page.mouse.up();
  await expect(when).not.toHaveText(zoomed);
  await expect.poll(async () => (await told(from)).clock).toBeLessThan(before.clock);
  await chart.dblclick({ position: { x: 100, y: 60 } });
  await expect(page.getByRole('button', { name: /show all of it again/ })).toHaveCount(0);
});

test('a user is chosen in the sums: the table and the file have their fills alone, and a time of its own has none', async ({
  page,
  openConsole,
}) => {
  await openConsole();
  await goTo(page, 'f');
  await page.getByRole('radio', { name: 'User', exact: true }).click();
  const sums = page.getByRole('region', { name: 'By user' });
  await expect(sums.getByRole('row').nth(1)).toContainText('0x');
  const name = (await sums.getByRole('row').nth(1).locator('.mono').innerText()).trim();
  // Fills come all the time, and may bring another one to its place.
  await sums.getByRole('row').filter({ hasText: name }).click();
  await expect(page.getByRole('button', { name: new RegExp(`User.*${name.slice(-4)}`) })).toBeVisible();
  const rows = page.locator('[data-rows="Fills"] [data-seq]');
  await expect(rows.first()).toContainText(name.slice(-4));
  for (const row of await rows.all()) await expect(row).toContainText(name.slice(-4));

  const table = page.getByRole('region', { name: 'Fills', exact: true });
  const coming = page.waitForEvent('download');
  await table.getByRole('button', { name: 'Export CSV' }).click();
  const file = readFileSync(await (await coming).path(), 'utf8');
  const [head, ...lines] = file.trimEnd().split('\r\n');
  expect(head).toMatch(/^seq,time,chainId,pair,side,userAddress,/);
  expect(lines.length).toBeGreaterThan(0);
  const user = new RegExp(`,${name.slice(0, 6)}[0-9a-f]{32}${name.slice(-4)},`);
  expect(lines.filter((line) => !user.test(line))).toEqual([]);

  await page.getByRole('button', { name: 'Pick…' }).click();
  await page.getByLabel('From, UTC').fill('2020-01-01');
  await page.getByLabel('To, UTC').fill('2020-01-02');
  await page.keyboard.press('Enter');
  await expect(table).toContainText('No fills in this time');
});

test('the markout curve tells averages with their counts, and a brush narrows it', async ({ page, openConsole }) => {
  await openConsole();
  await goTo(page, 'f');
  await lookBack(page, '1 h');
  await page.getByRole('radio', { name: 'Curve' }).click();
  const markout = page.getByRole('region', { name: 'Markout by pair' });
  const curve = markout.getByRole('img');
  await expect(curve).toHaveAccessibleName(/All when quoted: [+−]?[\d,]+\.\d bps, [\d,]+ fills/);
  await expect(markout.locator('[data-count]').first()).toContainText(/[\d,]+ fills?/);
  // A stretch of which nothing is known has no number there.
  const counted = async () => {
    const text = (await markout.locator('[data-count]').first().textContent()) ?? '';
    return Number(/^[\d,]+/.exec(text)?.[0].replaceAll(',', '') ?? 0);
  };
  await expect.poll(counted).toBeGreaterThan(3);
  const whole = await counted();
  const begin = page.getByRole('slider', { name: 'Start of what is shown' });
  await untilBars(begin);
  await begin.focus();
  await page.keyboard.press('End');
  await expect.poll(async () => ((await curve.count()) === 0 ? 0 : counted())).toBeLessThan(whole);
  await page.keyboard.press('Escape');
  await expect.poll(counted).toBeGreaterThanOrEqual(whole);
});

testAlone(
  'the page is there at once and its brush works, also while the chart library is on its way',
  async ({ page, openConsole }) => {
    let letThrough = () => {};
    const held = new Promise<void>((resolve) => {
      letThrough = resolve;
    });
    await page.route('**/fill-bars-*.js', async (route) => {
      await held;
      await route.continue();
    });
    await openConsole();
    await goTo(page, 'f');
    const table = page.getByRole('region', { name: 'Fills', exact: true });
    await expect(table.locator('[data-seq]').first()).toContainText('/');
    await expect(page.getByRole('region', { name: 'By pair' }).getByRole('row', { name: /All/ })).toContainText(
      /[1-9]/,
    );
    const end = page.getByRole('slider', { name: 'End of what is shown' });
    await untilBars(end);
    await end.focus();
    await page.keyboard.press('ArrowLeft');
    await expect(end).not.toHaveAttribute('aria-valuetext', 'now');
    await page.keyboard.press('Escape');
    const bars = page.getByRole('region', { name: 'Fills over time' }).locator('.recharts-bar-rectangle');
    await expect(bars).toHaveCount(0);
    letThrough();
    await expect(bars.first()).toBeVisible();
  },
);

testAlone(
  'another pair is not shown over the prices of the one before: the chart waits for its own',
  async ({ page, openConsole }) => {
    let hold = false;
    const held: (() => void)[] = [];
    await page.routeWebSocket(/\/rpc/, (socket) => {
      const server = socket.connectToServer();
      server.onMessage((message) => socket.send(message));
      socket.onMessage((message) => {
        // A line on which nothing is heard for some seconds is given up, which is another case: the desk goes on to be watched.
        if (hold && !/\/watch/.test(message.toString())) held.push(() => server.send(message));
        else server.send(message);
      });
    });
    await openConsole();
    await goTo(page, 'f');
    const chart = page.getByRole('region', { name: 'Fills over time' });
    const drawn = chart.getByRole('img', { name: /over the prices/ });
    await expect(drawn).toHaveAttribute('data-drawn', 'true');
    await expect(chart.getByRole('status', { name: 'Loading' })).toHaveCount(0);
    const before = await drawn.getAttribute('aria-label');
    hold = true;
    const other = before?.startsWith('LINK/WETH') ? 'DAI/USDC Practice' : 'LINK/WETH Practice';
    await page.getByLabel('Pair', { exact: true }).selectOption({ label: other });
    await expect(chart.getByRole('status', { name: 'Loading' })).toBeVisible();
    await expect(chart.locator('canvas').first()).toBeHidden();
    // Nor do sums of pairs stand under the head of users.
    await page.getByRole('radio', { name: 'User', exact: true }).click();
    const sums = page.getByRole('region', { name: 'By user' });
    await expect(sums.getByRole('status', { name: 'Loading' })).toBeVisible();
    await expect(sums.getByRole('row')).toHaveCount(0);
    hold = false;
    for (const release of held.splice(0)) release();
    await expect(drawn).toHaveAttribute('aria-label', new RegExp(`^${other.split(' ')[0]}:`));
    await expect(drawn).toHaveAttribute('data-drawn', 'true');
    await expect(chart.getByRole('status', { name: 'Loading' })).toHaveCount(0);
    await expect(chart.getByText(`Fills of ${other.split(' ')[0]}`, { exact: true })).toBeVisible();
  },
);
