import { connectionTo } from '../desk/connection.ts';
import { goTo, resume } from './console-pages.ts';
import { expect, test } from './console-test.ts';

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
    await save.click();
    await expect(page.getByText('Practice is saved')).toBeVisible();

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
    const form = dialog.getByRole('form', { name: 'Automatic hedging of WETH/USDC' });
    await form.getByLabel('From, WETH').fill('1');
    await form.getByLabel('At most a UTC day, WETH').fill('2');
    await hedge.setAuto({ ...about, settings: DRY_RUN });
    await form.getByRole('button', { name: 'Keep WETH/USDC by hand' }).click();
    const stale = form.getByRole('alert').filter({ hasText: 'was changed meanwhile by ops' });
    await expect(stale).toContainText('Hedges by itself: is yes now');
    await page.screenshot({ path: info.outputPath('stale-automatic-hedging.png') });
    await stale.getByRole('button', { name: 'Show what it is now' }).click();
    await expect(form.getByLabel('At most a UTC day, WETH')).toHaveValue('100');
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
