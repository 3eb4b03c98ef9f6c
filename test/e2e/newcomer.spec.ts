import { expect, test } from './console-test.ts';
import { noticesOf } from './notices.ts';
import { type PracticeDesk, startPracticeDesk } from './practice-desk.ts';

/** What somebody may need who never saw it before. */
const MOST_STEPS = 25;

/** A newcomer's desk is new: nobody was blacklisted on it, and the service skips none of its pairs. */
let desk: PracticeDesk;
test.beforeAll(async () => {
  desk = await startPracticeDesk();
});
test.afterAll(() => desk.stop());

test('a newcomer changes a price, sees its fill, finds its signature, blacklists its user and halts, by what is written on the screen', async ({
  page,
}) => {
  let steps = 0;
  const step = async (what: string, act: () => Promise<unknown>) => {
    steps += 1;
    await test.step(`${steps}. ${what}`, act);
  };
  const press = (name: string | RegExp) => page.getByRole('button', { name }).first().click();
  const choose = (name: string) =>
    page.getByRole('navigation', { name: 'Pages' }).getByText(name, { exact: true }).click();
  const fills = page.locator('[data-rows="Fills"]');
  const quotes = page.locator('[data-rows="Quotes"]');

  await step('opens the console', () => page.goto(desk.console));
  await step('sees that the desk trades', () =>
    expect(page.getByRole('region', { name: 'Status' }).getByText('LIVE').first()).toBeVisible(),
  );
  await step('goes to the prices', () => page.getByText('Edit prices').click());
  await step('sees the ladder of a pair', () => expect(page.getByText('We buy WETH').first()).toBeVisible());
  await step('moves both sides closer', () => press('Tighten'));
  await step('reads that something changed', () => expect(page.getByText(/cells? changed/).first()).toBeVisible());
  await step('publishes it', () => press(/^Publish WETH\/USDC/));
  await step('lets it go on following the reference', () => press('Publish and keep following'));
  await step('reads that it is live', () => expect(page.getByText('The draft is what is live.')).toBeVisible());
  const published = Number(
    (
      await page
        .getByText(/Live · revision [\d,]+/)
        .first()
        .textContent()
    )?.replace(/\D/g, ''),
  );
  await step('goes to the fills', () => choose('Fills'));
  await step('sees fills of the pair', () => expect(fills.getByText(/WETH\/USDC/).first()).toBeVisible());
  await step('goes to the log', () => choose('Firm log'));
  await step('asks for what was filled', () => page.getByLabel('Hash, user, pair or code').fill('WETH/USDC'));
  // The takers come when they like: the newest quote of the pair is opened until it is one on the new ladder. Whoever reads a row
  // holds the list: it goes on once the drawer is closed and the pointer is off it.
  await step('opens a quote on the new prices that was filled', async () => {
    await expect(async () => {
      const close = page.getByLabel('X-ray').getByRole('button', { name: 'Close' });
      if (await close.isVisible()) await close.click({ timeout: 2_000 });
      await page.mouse.move(0, 0);
      await quotes.getByRole('row').filter({ hasText: 'Filled' }).first().click({ timeout: 5_000 });
      const revision = page
        .getByLabel('X-ray')
        .getByText(/^revision [\d,]+$/)
        .first();
      expect(Number((await revision.textContent({ timeout: 2_000 }))?.replace(/\D/g, ''))).toBeGreaterThanOrEqual(
        published,
      );
    }).toPass({ timeout: 180_000, intervals: [1_000] });
  });
  await step('finds what was signed', () =>
    expect(page.getByLabel('X-ray').getByText('Signature', { exact: true }).first()).toBeVisible(),
  );
  await step('blacklists its user', () => press('Blacklist…'));
  await step('says why', () => page.getByLabel('Reason').fill('asks a lot and pays badly'));
  const told = await noticesOf(page);
  await step('confirms it', () => press(/^Blacklist$/));
  await step('reads that it is so', () => expect.poll(told).toMatch(/is blacklisted/));
  await step('halts the desk', () => press('Halt all trading now'));
  await step('reads it from two metres', () => expect(page.getByRole('heading', { name: 'HALTED' })).toBeVisible());
  expect(steps).toBeLessThanOrEqual(MOST_STEPS);
});
