import { connectionTo } from '../desk/connection.ts';
import { PATIENCE } from '../how-long.ts';
import { chainReader } from './chain-reader.ts';
import { goTo } from './console-pages.ts';
import { expect, test } from './console-test.ts';
import {
  act,
  chooseWay,
  follow,
  followed,
  followedName,
  isDone,
  orderToItsEnd,
  place,
  pressUntil,
  quoted,
  refunds,
  said,
  says,
  steps,
  TENTH,
  ticket,
  tracker,
  typeTicket,
} from './hedge-page.ts';
import { looker } from './looker.ts';
import { makerdesk } from './makerdesk.ts';
import { type PracticeDesk, startPracticeDesk } from './practice-desk.ts';
import { type ServiceInBetween, serviceInBetween } from './service-in-between.ts';

/** An empty list of shares, as the practice handler reads it: the beneficiary gets all of it. */
const NO_SHARES = `0x${'20'.padStart(64, '0')}${'0'.repeat(64)}`;

test.describe('orders that take their time, on chains where nobody else trades', () => {
  let desk: PracticeDesk;
  test.beforeAll(async () => {
    desk = await startPracticeDesk(['--no-takers']);
  });
  test.afterAll(() => desk.stop());
  test.beforeEach(async ({ page }) => {
    await page.goto(desk.console);
    await goTo(page, 'h');
  });

  test('two TWAPs at once: one sells its slices, one an interval, the other buys and pays no more than was signed', async ({
    page,
  }) => {
    const chain = await chainReader(desk, 31337);
    const before = await chain.holdings('WETH', 'USDC', 'LINK', 'DAI');
    await chooseWay(page, 'TWAP');
    await typeTicket(page, { we: 'sell', amount: '0.9', token: 'WETH', other: 'USDC' });
    await place(page, /Sell 0\.9 WETH in 3 slices for USDC, each at most 0\.5 % under its price/);
    const selling = await followedName(page);
    await typeTicket(page, { we: 'buy', amount: '30', token: 'LINK', other: 'DAI' });
    const most = (await quoted(page, 'Intent', /^We pay/)) * 1.03;
    await ticket(page).getByLabel('For at most, DAI').fill(most.toFixed(0));
    await place(page, new RegExp(`Buy 30 LINK in 3 slices for at most ${most.toFixed(0)} DAI`));
    const buying = await followedName(page);
    // Nobody waits for minutes: once both have had their slice, the chain comes to the next one.
    for (const [sold, bought] of [
      ['0.3000 WETH', '10.00 LINK'],
      ['0.6000 WETH', '20.00 LINK'],
    ] as const) {
      await expect(steps(page)).toContainText(said(new RegExp(`got ${bought}`)));
      await follow(page, selling);
      await expect(steps(page)).toContainText(said(new RegExp(`ave ${sold}`)));
      await follow(page, buying);
      await chain.leap(60);
    }
    await isDone(page);
    await follow(page, selling);
    await isDone(page);
    const after = await chain.holdings('WETH', 'USDC', 'LINK', 'DAI');
    expect(before.WETH - after.WETH).toBe(9n * TENTH);
    await says(page, after.USDC - before.USDC, 1);
    expect(after.LINK - before.LINK).toBe(300n * TENTH);
    await says(page, after.LINK - before.LINK);
    const paid = before.DAI - after.DAI;
    expect(paid).toBeLessThanOrEqual(BigInt(most.toFixed(0)) * 10n * TENTH);
    await says(page, paid);
  });

  test('an order to another chain is delivered there', async ({ page }) => {
    const [here, there] = [await chainReader(desk, 31337), await chainReader(desk, 31338)];
    const before = { here: await here.holdings('WETH'), there: await there.holdings('WETH') };
    await chooseWay(page, 'Intent');
    await typeTicket(page, { we: 'sell', amount: '0.2', token: 'WETH', other: 'WETH on Practice Two' });
    await place(page, /Sell 0\.2 WETH for at least [\d.]+ WETH on Practice Two/);
    await isDone(page);
    expect(before.here.WETH - (await here.holdings('WETH')).WETH).toBe(2n * TENTH);
    await says(page, (await there.holdings('WETH')).WETH - before.there.WETH);
  });

  test('what the bridge does not deliver comes back', async ({ page }) => {
    const chain = await chainReader(desk, 31337);
    const before = await chain.holdings('WETH');
    await makerdesk(desk.folder, 'practice', 'fault', 'bridge-down', 'on');
    await chooseWay(page, 'Intent');
    await typeTicket(page, { we: 'sell', amount: '0.2', token: 'WETH', other: 'WETH on Practice Two' });
    await place(page, /Sell 0\.2 WETH/);
    await expect(steps(page)).toContainText('BRIDGING');
    await expect(steps(page)).toContainText('REFUNDED');
    await makerdesk(desk.folder, 'practice', 'fault', 'bridge-down', 'off');
    // What went into the bridge comes back: all but what the solver took for bringing it there.
    const lost = before.WETH - (await chain.holdings('WETH')).WETH;
    const [refund] = await refunds(desk, chain.maker);
    expect(lost).toBe(2n * TENTH - BigInt(refund?.amount ?? 0));
    expect(lost).toBeLessThan(TENTH / 100n);
  });

  const KINDS = [
    {
      name: 'a limit order',
      way: 'Limit',
      amount: '0.4',
      gives: 4n * TENTH,
      more: { 'For at least, USDC': 'limit' },
    },
    {
      name: 'an order that a handler settles',
      way: 'Handler',
      amount: '0.5',
      gives: 5n * TENTH,
      more: { 'Handler’s contract': 'handler', 'Handler’s data; 0x is none': NO_SHARES },
    },
    {
      name: 'a productive order',
      way: 'Productive',
      amount: '0.6',
      gives: 6n * TENTH,
      more: { 'Strategy’s contract': 'strategy' },
    },
  ] as const;
  for (const { name, ...kind } of KINDS) {
    test(`${name} is signed, filled and followed to the end, right to the last unit on the chain`, ({ page }) =>
      orderToItsEnd(page, desk, kind));
  }

  test('an order that waits for its price is cancelled by its owner, and nothing has moved', async ({ page }) => {
    const chain = await chainReader(desk, 31337);
    const before = await chain.holdings('WETH', 'USDC');
    await chooseWay(page, 'Limit');
    await typeTicket(page, { we: 'sell', amount: '0.1', token: 'WETH', other: 'USDC' });
    await ticket(page).getByLabel('For at least, USDC').fill('900,000');
    await place(page, /Sell 0\.1 WETH for at least 900,000 USDC/);
    await expect(steps(page)).toContainText('The service has the order.');
    await page.getByRole('region', { name: 'Hedges' }).getByRole('button', { name: 'Cancel…' }).first().click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel the hedge' }).click();
    await expect(tracker(page).getByRole('status')).toHaveText('cancelled');
    expect(await chain.holdings('WETH', 'USDC')).toEqual(before);
  });

  test('an order that was given up may still be filled: whoever would hedge the same again is asked first', async ({
    page,
  }, info) => {
    await chooseWay(page, 'By hand');
    await ticket(page).getByLabel('We', { exact: true }).selectOption('BUY');
    await ticket(page).getByLabel('Token').selectOption({ label: 'WBTC' });
    await ticket(page).getByLabel('With', { exact: true }).selectOption({ label: 'USDC' });
    await ticket(page).getByLabel('Amount').fill('0.2');
    await ticket(page).getByLabel('Gave, USDC').fill('13,000');
    await ticket(page).getByLabel('Where').fill('Kraken');
    await place(page, /Enter: bought 0\.2 WBTC for 13,000/);
    await chooseWay(page, 'Limit');
    const waits = async () => {
      await typeTicket(page, { we: 'sell', amount: '0.2', token: 'WBTC', other: 'USDC' });
      await ticket(page).getByLabel('For at least, USDC').fill('900,000');
    };
    await waits();
    await place(page, /Sell 0\.2 WBTC for at least 900,000 USDC/);
    await expect(steps(page)).toContainText('The service has the order.');
    const seq = Number(/\d+/.exec(await followedName(page))?.[0]);
    const connection = await connectionTo(desk.folder, 'mara');
    await connection.desk.hedge.giveUp({ seq, reason: 'a test' });
    await connection.close();
    await expect(tracker(page).getByRole('status')).toHaveText('failed');

    await waits();
    const said = `Hedge ${seq} has ended, but its signature is good until`;
    await expect(ticket(page)).toContainText(said);
    await expect(act(page)).toBeEnabled();
    const { faults, inBoth, look } = looker(page, info, 'covered');
    await inBoth('ticket');
    const question = page.getByRole('dialog', { name: 'This may be hedged already' });
    await pressUntil(page, question);
    await expect(question).toContainText(said);
    await look('question', 'light');
    await question.getByRole('button', { name: 'Send nothing' }).click();
    await expect(question).toHaveCount(0);
    await pressUntil(page, question);
    await question.getByRole('button', { name: 'Send it all the same' }).click();
    await expect(steps(page)).toContainText('The service has the order.');
    await expect(page.getByRole('region', { name: `Hedge ${seq}` })).toHaveCount(0);
    expect(faults).toEqual([]);
  });

  test.describe('from a service that answers badly', () => {
    let service: ServiceInBetween;
    test.beforeAll(async () => {
      service = await serviceInBetween(desk);
    });
    test.beforeEach(() => {
      service.answers = 'well';
    });
    test.afterAll(() => service.stop());

    test('no price comes but a sentence, and there is nothing to press', async ({ page }) => {
      const hedges = page.getByRole('region', { name: 'Hedges' }).getByRole('row');
      await typeTicket(page, { we: 'sell', amount: '0.7', token: 'WETH', other: 'USDC' });
      await expect(act(page)).toBeEnabled();
      const before = await hedges.count();
      const BAD = [
        { how: 'a web page', says: /not JSON: Back soon/ },
        { how: 'half an answer', says: /not JSON: \{/ },
        { how: 'nothing', says: /The service does not answer: / },
      ] as const;
      for (const [index, { how, says }] of BAD.entries()) {
        service.answers = how;
        await ticket(page)
          .getByLabel('Amount')
          .fill(`0.${index + 1}`);
        const note = ticket(page).getByRole('alert').filter({ hasText: 'There is no price' });
        await expect(note).toContainText(says);
        await expect(note).not.toContainText('<');
        await expect(act(page)).toBeDisabled();
        await page.keyboard.press('Control+Enter');
      }
      service.answers = 'well';
      await ticket(page).getByRole('button', { name: 'Ask again' }).first().click();
      await expect(act(page)).toBeEnabled();
      expect(await hedges.count()).toBe(before);
    });

    for (const way of ['Market', 'Intent']) {
      test(`${way}: a hedge that was placed before says why it failed, has sent nothing, and goes into the form again`, async ({
        page,
      }) => {
        const chain = await chainReader(desk, 31337);
        const before = await chain.holdings('WETH', 'USDC');
        // Where the price has just moved too far from the reference that is why it failed: then another one is placed.
        await expect(async () => {
          service.answers = 'well';
          await chooseWay(page, way);
          await typeTicket(page, { we: 'sell', amount: '0.3', token: 'WETH', other: 'USDC' });
          await expect(act(page)).toBeEnabled();
          service.answers = 'a web page';
          await page.keyboard.press('Control+Enter');
          await followed(page, { timeout: PATIENCE / 2 });
          await expect(tracker(page).getByRole('status')).toHaveText('failed');
          await expect(tracker(page).getByRole('alert')).not.toContainText(/bps under the reference/, {
            timeout: 2_000,
          });
        }).toPass();
        await expect(tracker(page).getByRole('alert')).toContainText(/not JSON: Back soon/);
        expect(await chain.holdings('WETH', 'USDC')).toEqual(before);
        await tracker(page).getByRole('button', { name: 'Copy into the form' }).click();
        await expect(ticket(page).getByLabel('Amount')).toHaveValue('0.3');
        await expect(ticket(page).getByRole('radio', { name: way, exact: true })).toBeChecked();
      });
    }
  });
});
