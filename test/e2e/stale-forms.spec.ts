import { connectionTo } from '../desk/connection.ts';
import { goTo, resume, takeAsKnown } from './console-pages.ts';
import { expect, keptTest as test } from './console-test.ts';
import { noticesOf } from './notices.ts';

const DRY_RUN = { on: true, dryRun: true, threshold: '5', capPerDay: '100', slippageBps: 50, mode: 'market' as const };

test('what a colleague saved meanwhile is not saved over: the forms say who it was and what it is now, and show it', async ({
  page,
  desk,
  openConsole,
}, info) => {
  const ops = await connectionTo(desk.folder, 'ops');
  const { settings, hedge, listings } = ops.desk;
  const { tokens, pairs } = await listings.list({ chainId: 31337 });
  const [dai, weth] = [tokens.DAI, pairs['WETH/USDC']];
  if (dai === undefined || weth === undefined) throw new Error('a token or a pair is missing');
  const about = { chainId: 31337, pair: 'WETH/USDC' };
  try {
    await openConsole();
    await page.keyboard.press('Control+Shift+H');
    await expect(page.getByRole('heading', { name: 'HALTED', exact: true })).toBeVisible();
    await goTo(page, 'e');
    const chain = page.getByRole('region', { name: 'Practice', exact: true });
    await chain.getByLabel('Overfill allowed, bps').fill('300');
    await settings.saveChain({ chain: { chainId: 31337, quoteLifetimeSeconds: 140 } });
    const save = chain.getByRole('button', { name: 'Save Practice', exact: true });
    await save.click();
    const told = chain.getByRole('alert').filter({ hasText: 'Practice was changed meanwhile by ops' });
    await expect(told).toContainText('so yours was not saved');
    await expect(chain.getByText('is 140 now')).toBeVisible();
    await page.screenshot({ path: info.outputPath('stale-chain.png') });
    await told.getByRole('button', { name: 'Show what it is now' }).click();
    await expect(chain.getByLabel('Quote lifetime, s')).toHaveValue('140');
    await chain.getByLabel('Quote lifetime, s').fill('150');
    const notices = await noticesOf(page);
    await save.click();
    await expect.poll(notices).toContain('Practice is saved');

    await goTo(page, 't');
    const listed = page.getByRole('region', { name: 'Tokens' });
    await listed.getByRole('row', { name: /^DAI/ }).getByRole('button', { name: 'Edit' }).click();
    const token = page.getByRole('form', { name: 'Edit DAI' });
    await token.getByLabel('Notes').fill('mine');
    await listings.saveToken({ chainId: 31337, tokenId: 'DAI', token: { ...dai, name: 'Dai of ops' } });
    await token.getByRole('button', { name: 'Save DAI' }).click();
    await expect(token.getByRole('alert').filter({ hasText: 'DAI was changed meanwhile by ops' })).toBeVisible();
    await expect(token.getByText('is Dai of ops now')).toBeVisible();
    await page.screenshot({ path: info.outputPath('stale-token.png') });
    await token.getByRole('button', { name: 'Show what it is now' }).click();
    await expect(token.getByLabel('Name')).toHaveValue('Dai of ops');
    await token.getByRole('button', { name: 'Leave it as it is' }).click();
    const rows = page.getByRole('region', { name: 'Pairs' });
    await rows
      .getByRole('row', { name: /^WETH\/USDC/ })
      .getByRole('button', { name: 'Edit' })
      .click();
    const pair = page.getByRole('form', { name: 'Edit WETH/USDC' });
    await pair.getByLabel('Liquidity, USD').fill('5');
    await listings.savePair({ ...about, definition: { ...weth, liquidityUSD: 7 } });
    await pair.getByRole('button', { name: 'Save WETH/USDC' }).click();
    await expect(pair.getByText('is 7 now')).toBeVisible();
    await page.screenshot({ path: info.outputPath('stale-pair.png') });
    await pair.getByRole('button', { name: 'Show what it is now' }).click();
    await expect(pair.getByLabel('Liquidity, USD')).toHaveValue('7');
    await pair.getByRole('button', { name: 'Leave it as it is' }).click();

    await goTo(page, 'h');
    await page.getByRole('button', { name: 'Automatic hedging is off…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Automatic hedging' });
    await dialog.getByRole('button', { name: 'Change WETH/USDC on Practice', exact: true }).click();
    const form = dialog.getByRole('form', { name: 'Automatic hedging of WETH/USDC on Practice', exact: true });
    await form.getByLabel('From, WETH').fill('1');
    await form.getByLabel('A day, WETH').fill('2');
    await hedge.setAuto({ ...about, settings: DRY_RUN });
    await form.getByRole('button', { name: 'Keep WETH/USDC on Practice by hand' }).click();
    const stale = form.getByRole('alert').filter({ hasText: 'was changed meanwhile by ops' });
    await expect(stale).toContainText('Hedges by itself: is yes now');
    await page.screenshot({ path: info.outputPath('stale-automatic-hedging.png') });
    await stale.getByRole('button', { name: 'Show what it is now' }).click();
    await expect(form.getByLabel('A day, WETH')).toHaveValue('100');
    await page.keyboard.press('Escape');
    await goTo(page, 'd');
    await resume(page);
  } finally {
    await hedge.setAuto({ ...about, settings: { ...DRY_RUN, on: false } });
    await listings.saveToken({ chainId: 31337, tokenId: 'DAI', token: dai });
    await listings.savePair({ ...about, definition: weth });
    await ops.close();
  }
});

test('a rule, a counterparty and what somebody may do are saved over what was in view when the form was opened, whatever is read behind it', async ({
  page,
  desk,
  openConsole,
}, info) => {
  const ops = await connectionTo(desk.folder, 'ops');
  const { settings, protections, tokens } = ops.desk;
  const { counterparties, chains } = (await settings.get()).desk;
  const [party] = counterparties;
  if (party === undefined) throw new Error('no counterparty');
  const limitQuotes = (maxQuote: Record<string, string>) =>
    Promise.all(chains.map(({ chainId, limits }) => ops.desk.limits.set({ chainId, limits: { ...limits, maxQuote } })));
  const rule = { name: 'wide', counts: 'signed' as const, per: 'desk' as const, windowSeconds: 60, freezeSeconds: 600 };
  const [loose, strict] = [
    { ...rule, limit: '1000000' },
    { ...rule, limit: '900000' },
  ];
  try {
    await protections.set({ protections: [loose], seen: [] });
    await openConsole();
    await goTo(page, 'o');
    await page.getByRole('button', { name: 'Change wide…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Warn from, % of that').fill('90');
    await protections.set({ protections: [strict], seen: [loose] });
    await expect(page.locator('tr', { hasText: 'wide' })).toContainText('900,000'); // the page behind has read it
    await dialog.getByRole('button', { name: 'Change rule' }).click();
    const stale = dialog.getByRole('alert').filter({ hasText: 'Somebody changed the protections meanwhile' });
    await expect(stale).toBeVisible();
    await page.screenshot({ path: info.outputPath('stale-rule.png') });
    await stale.getByRole('button', { name: 'Show what it is now' }).click();
    expect((await protections.list()).map((row) => row.rule)).toEqual([strict]);

    await goTo(page, 'e');
    await page.getByRole('link', { name: 'Counterparties' }).click();
    const section = page.locator(`section[aria-label="${party.domain}"]`);
    await section.getByRole('button', { name: 'Change…' }).click();
    await settings.saveCounterparty({ counterparty: { ...party, addresses: ['127.0.0.0/8'] }, seen: party });
    await expect(async () => {
      // As a window does that comes to the front again: what it shows is read anew.
      await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
      await expect(section).toContainText('from 127.0.0.0/8', { timeout: 2_000 });
    }).toPass();
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(dialog.getByText('is 127.0.0.0/8 now')).toBeVisible();
    await page.screenshot({ path: info.outputPath('stale-counterparty.png') });
    await page.keyboard.press('Escape');

    await page.getByRole('link', { name: 'Limits' }).click();
    const quoteOf = (name: string) =>
      page.getByRole('region', { name: `Limits of ${name}`, exact: true }).getByLabel('WETH, at most in one quote');
    await quoteOf('Practice').fill('7');
    await limitQuotes({ WETH: '6' });
    await expect(async () => {
      await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
      await expect(quoteOf('Practice Two')).toHaveValue('6', { timeout: 2_000 });
    }).toPass();
    await expect(quoteOf('Practice'), 'what is typed stays').toHaveValue('7');
    await page.getByRole('button', { name: 'Set the limits of Practice', exact: true }).click();
    await page.getByRole('button', { name: 'Show what it is now' }).click();
    await expect(quoteOf('Practice')).toHaveValue('6');

    await tokens.create({ name: 'rita', rights: 'look' });
    await page.getByRole('link', { name: 'People' }).click();
    await page.getByRole('row', { name: /^rita/ }).getByRole('button', { name: 'Rights…' }).click();
    await page.getByRole('checkbox', { name: /^trade/ }).check();
    await tokens.setRights({ name: 'rita', rights: 'halt' });
    await dialog.getByRole('button', { name: 'Set the rights of rita' }).click();
    await expect(dialog.getByText('The token of rita was changed meanwhile')).toBeVisible();
    await page.screenshot({ path: info.outputPath('stale-rights.png') });
    await dialog.getByRole('button', { name: 'Show what it is now' }).click();
    await expect(page.getByRole('row', { name: /^rita halt/ })).toBeVisible();
  } finally {
    await protections.set({ protections: [], seen: (await protections.list()).map((row) => row.rule) });
    await settings.saveCounterparty({ counterparty: party });
    for (const { chainId, limits } of chains) await ops.desk.limits.set({ chainId, limits });
    await tokens.revoke({ name: 'rita' }).catch(() => {});
    await ops.close();
  }
});

test('while the whole desk is halted, a reason that comes while somebody writes theirs is in sight, and said at the field', async ({
  page,
  desk,
  openConsole,
}) => {
  const ops = await connectionTo(desk.folder, 'ops');
  try {
    await openConsole();
    await page.setViewportSize({ width: 1280, height: 700 });
    await page.keyboard.press('Control+Shift+H');
    const why = page.getByLabel('Why is it safe to trade again?');
    await why.fill('it was a slip');
    await takeAsKnown(page); // the stops are read: what comes now is news
    await ops.desk.trading.explain({ scope: {}, reason: 'the key leaked' });
    await expect(why).toHaveAccessibleDescription(/^Not yet: it was stopped meanwhile/);
    const told = page.getByRole('alert').filter({ hasText: 'Stopped meanwhile' });
    await expect(told).toContainText('the key leaked');
    await expect(told.getByRole('button', { name: 'I have read it' })).toBeInViewport({ ratio: 1 });
    await resume(page);
  } finally {
    await ops.close();
  }
});

test('a stop that comes while somebody writes why it is safe is read before it is resumed', async ({
  page,
  desk,
  openConsole,
}, info) => {
  const ops = await connectionTo(desk.folder, 'ops');
  const scope = { chainId: 31337, pair: 'WETH/USDC', side: 'asks' as const };
  try {
    await ops.desk.trading.halt({ scope, reason: 'maintenance' });
    await openConsole();
    const asks = page.getByRole('switch', { name: 'WETH/USDC asks' });
    await expect(asks).toHaveAttribute('aria-checked', 'false');
    await asks.click();
    const dialog = page.getByRole('dialog');
    await expect(dialog).toContainText(/WETH\/USDC asks: HALTED since .* by ops\. maintenance/);
    await dialog.getByLabel('Why is it safe to trade again?').fill('maintenance is done');
    const live = dialog.getByRole('button', { name: 'Go live' });
    await expect(live).toBeEnabled();
    await ops.desk.trading.halt({ scope, reason: 'the key leaked' });
    const told = dialog.getByRole('alert').filter({ hasText: 'Stopped meanwhile' });
    await expect(told).toContainText('the key leaked');
    await expect(live).toBeDisabled();
    await page.screenshot({ path: info.outputPath('stopped-meanwhile.png') });
    await told.getByRole('button', { name: 'I have read it' }).click();
    await live.click();
    await expect(asks).toHaveAttribute('aria-checked', 'true');
  } finally {
    await ops.desk.trading.resume({ scope, reason: 'the test is over' }).catch(() => {});
    await ops.close();
  }
});
