import { readFileSync } from 'node:fs';
import { addressSchema } from '../../electron/protocol/address.ts';
import { connectionTo } from '../desk/connection.ts';
import { chainReader } from './chain-reader.ts';
import { goTo, orderFor, takerOf } from './console-pages.ts';
import { expect, keptTest as test } from './console-test.ts';

const user = `0x${'bad0'.repeat(10)}` as const;

test('a blacklisted user gets no order and is quoted again once removed; the history keeps both', async ({
  page,
  desk,
  openConsole,
}) => {
  const { taker } = await takerOf(desk, user);
  const amount = { takerAmount: String(10n ** 16n) };
  await openConsole();
  await goTo(page, 'b');
  const form = page.getByRole('form', { name: 'Add a user to the blacklist' });
  await form.getByLabel('Address').fill(user);
  await form.getByLabel('Reason').fill('asks a lot and pays badly');
  await form.getByLabel('Until, UTC').fill('24 h');
  await form.getByRole('button', { name: /^Blacklist on every chain until \d{4}-\d\d-\d\d \d\d:\d\d UTC$/ }).click();
  const list = page.getByRole('region', { name: 'On the list' });
  await expect(list).toContainText('asks a lot and pays badly');
  const answered = async () => {
    const { status, json } = await taker.firm('bids', amount);
    return [status, json.order];
  };
  await expect.poll(answered).toEqual([200, undefined]);
  await list.getByRole('button', { name: 'Remove…' }).click();
  await expect(page.getByRole('dialog')).toContainText('The service probably keeps the address for good');
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect(list).not.toContainText('asks a lot and pays badly');
  await orderFor(taker, 'bids', amount);
  const history = page.getByRole('region', { name: 'History' });
  await expect(history).toContainText('added');
  await expect(history).toContainText('removed');
});

test('the board says what a user’s fills were worth, and bars them for a time with that as the reason', async ({
  page,
  openConsole,
}) => {
  await openConsole();
  await goTo(page, 'b');
  const board = page.getByRole('region', { name: 'Who trades against us' });
  const bar = board.getByRole('button', { name: /^Blacklist 0x/ }).first();
  await bar.click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('The service may not take an address off again.');
  await expect(dialog.getByLabel('Reason')).toHaveValue(/^Markout 10 s .* asked, in 24 h$/);
  await dialog.getByRole('button', { name: 'Blacklist', exact: true }).click();
  await expect(dialog).toHaveCount(0);
  const list = page.getByRole('region', { name: 'On the list' });
  await expect(list).toContainText('Markout 10 s');
  await expect(board).toContainText('on the list');
  await list.getByRole('button', { name: 'Remove…' }).first().click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect(list).not.toContainText('Markout 10 s');
});

test('who is barred for good is not let in sooner by Blacklist… from a quote, which says what stands of them', async ({
  page,
  desk,
  openConsole,
}) => {
  const thief = `0x${'dead'.repeat(10)}` as const;
  const { taker } = await takerOf(desk, thief);
  await orderFor(taker, 'bids', { takerAmount: String(10n ** 16n) });
  const owner = await connectionTo(desk.folder, 'nora');
  const { desk: settings } = await owner.desk.settings.get();
  const listed = async () => {
    const lists = settings.chains.map(({ chainId }) => owner.desk.blacklist.list({ chainId }));
    return (await Promise.all(lists)).flat().filter(({ address }) => address === thief);
  };
  const [{ chainId } = { chainId: 0 }] = settings.chains;
  await openConsole();
  await goTo(page, 'b');
  const board = page.getByRole('region', { name: 'Who trades against us' });
  const bar = board.getByRole('button', { name: `Blacklist ${thief}…` });
  await expect(bar).toBeVisible();
  // On one chain only: on the other they are quoted, and the board offers to bar them there too.
  await owner.desk.blacklist.add({ chainId, address: thief, reason: 'a stolen key', onlyHere: true });
  await bar.click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('already, for good, by this desk only.');
  await expect(dialog).toContainText('By nora. Reason: a stolen key.');
  await dialog.getByRole('button', { name: 'Keep quoting' }).click();

  await goTo(page, 'l');
  await page.getByLabel('Hash, user, pair or code').fill(thief);
  await page.getByRole('row').filter({ hasText: '0xdead' }).first().click();
  await page.getByRole('button', { name: 'Blacklist…' }).click();
  await expect(dialog.getByRole('radio', { name: 'for good' })).toBeChecked();
  await expect(dialog.getByLabel('Reason')).toHaveValue('a stolen key');
  await dialog.getByRole('button', { name: 'Blacklist here only' }).click();
  await expect(dialog).toHaveCount(0);
  await expect
    .poll(listed)
    .toMatchObject(settings.chains.map(() => ({ until: null, reason: 'a stolen key', onlyHere: true })));
  await goTo(page, 'b');
  await expect(bar).toHaveCount(0);
  await owner.desk.blacklist.remove({ address: thief });
  await owner.close();
});

test('Add a user shows what stands of somebody as they are typed, and lets them in sooner only after a question', async ({
  page,
  desk,
  openConsole,
}) => {
  const thief = `0x${'feed'.repeat(10)}` as const;
  const owner = await connectionTo(desk.folder, 'nora');
  const { desk: settings } = await owner.desk.settings.get();
  const ends = async () => {
    const lists = settings.chains.map(({ chainId }) => owner.desk.blacklist.list({ chainId }));
    return (await Promise.all(lists)).flat().flatMap(({ address, until }) => (address === thief ? [until] : []));
  };
  await owner.desk.blacklist.add({ address: thief, reason: 'a stolen key' });
  await openConsole();
  await goTo(page, 'b');
  const form = page.getByRole('form', { name: 'Add a user to the blacklist' });
  await form.getByLabel('Address').fill(thief);
  await expect(form).toContainText('already, for good.');
  await expect(form).toContainText('By nora. Reason: a stolen key. What you set here takes its place.');
  await form.getByLabel('Until, UTC').fill('24 h');
  const act = form.getByRole('button', { name: /^Blacklist on every chain until/ });
  await act.click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('by nora (“a stolen key”): yours would end sooner, so that one stays.');
  await dialog.getByRole('button', { name: 'Keep what stands' }).click();
  expect(await ends()).toEqual(settings.chains.map(() => null));
  await act.click();
  await dialog.getByRole('button', { name: 'Replace it' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(form.getByLabel('Address')).toHaveValue('');
  expect(await ends()).toEqual(settings.chains.map(() => expect.any(Number)));
  await owner.desk.blacklist.remove({ address: thief });
  await owner.close();
});

test('the dialog says what each bar costs; by this desk only, the user gets 422 and /blacklist does not name them', async ({
  page,
  desk,
  openConsole,
}) => {
  await openConsole();
  await goTo(page, 'b');
  const board = page.getByRole('region', { name: 'Who trades against us' });
  const bar = board.getByRole('button', { name: /^Blacklist 0x/ }).first();
  await bar.click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText(
    'The service probably keeps the address for good once it has read it from our list',
  );
  await dialog.getByRole('radio', { name: 'by this desk only' }).click();
  await expect(dialog).not.toContainText('The service probably keeps the address for good');
  await expect(dialog).toContainText('skips that pair for 15 minutes, in both directions');
  const blacklisted = addressSchema.parse(await dialog.locator('p.mono').textContent());
  await dialog.getByRole('button', { name: 'Blacklist here only' }).click();
  await expect(dialog).toHaveCount(0);
  const list = page.getByRole('region', { name: 'On the list' });
  await expect(list.getByRole('row', { name: /only here/ })).toBeVisible();
  await expect(page.getByRole('region', { name: 'History' })).toContainText('only here');
  const { taker } = await takerOf(desk, blacklisted);
  const answered = async () => {
    const { status, json } = await taker.firm('bids', { takerAmount: String(10n ** 16n) });
    return [status, json.code];
  };
  await expect.poll(answered).toEqual([422, 'user_barred']);
  expect((await taker.get('/blacklist')).json).toEqual({ blacklist: expect.not.arrayContaining([blacklisted]) });
  await list
    .getByRole('row', { name: /only here/ })
    .getByRole('button', { name: 'Remove…' })
    .click();
  await expect(dialog).toContainText('The service was not told of this entry');
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await expect(list.getByRole('row', { name: /only here/ })).toHaveCount(0);
});

test('a list is brought in after a look at it, and taken out again', async ({ page, openConsole }) => {
  await openConsole();
  await goTo(page, 'b');
  const list = page.getByRole('region', { name: 'On the list' });
  const one = `0x${'1a'.repeat(20)}`;
  const two = `0x${'2b'.repeat(20)}`;
  await list.getByRole('button', { name: 'Import…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog
    .getByLabel('Addresses')
    .fill(`address,reason,until\n${one},"bad, and slow",\nnobody\n${two},,2099-01-01\n`);
  await expect(dialog).toContainText('2 users to put on the list');
  await expect(dialog).toContainText('1 ends at 2099-01-01 00:00 UTC, the others never.');
  await expect(dialog).toContainText('Line 3: “nobody” is not an address.');
  await dialog.getByRole('button', { name: 'Blacklist 2 users' }).click();
  await expect(list).toContainText('bad, and slow');
  await list.getByRole('button', { name: 'Export' }).click();
  const coming = page.waitForEvent('download');
  await page.getByRole('button', { name: 'One address a line' }).click();
  const text = readFileSync(await (await coming).path(), 'utf8');
  expect(text.split('\n')).toEqual(expect.arrayContaining([one, two]));
});

test('an address that is none is refused beside its field', async ({ page, openConsole }) => {
  await openConsole();
  await goTo(page, 'b');
  const form = page.getByRole('form', { name: 'Add a user to the blacklist' });
  await expect(form.getByRole('alert')).toHaveCount(0);
  await form.getByLabel('Address').fill('0x12');
  await expect(form.getByRole('alert')).toContainText('The service may not take an address off again.');
  await form.getByRole('button', { name: 'Blacklist on every chain for good', exact: true }).click();
  await expect(form.getByLabel('Address')).toHaveAccessibleDescription(/40 hex/);
});

test('tokens and pairs that cannot be are refused with the reason beside the field', async ({ page, openConsole }) => {
  await openConsole();
  await goTo(page, 't');
  const token = page.getByRole('form', { name: 'Add a token' });
  await expect(page.getByRole('table', { name: 'Tokens' })).toBeVisible();
  await expect(token).toHaveCount(0);
  await page.getByRole('button', { name: 'Add a token…' }).click();
  // The form opens right below the rows that it adds to.
  const apart = async () => {
    const [last, first] = await Promise.all([
      page.getByRole('table', { name: 'Tokens' }).locator('tbody tr').last().boundingBox(),
      token.boundingBox(),
    ]);
    return (first?.y ?? 0) - (last?.y ?? 0) - (last?.height ?? 0);
  };
  await expect.poll(apart).toBeLessThan(12);
  await token.getByLabel('Symbol').fill('ABC');
  await token.getByLabel('Name').fill('A token');
  await token.getByLabel('Contract').fill('0x12');
  await token.getByLabel('Decimals').fill('many');
  await token.getByRole('button', { name: 'Add token' }).click();
  await expect(token.getByLabel('Decimals')).toHaveAccessibleDescription(/whole number/);
  await token.getByLabel('Decimals').fill('18');
  await token.getByRole('button', { name: 'Add token' }).click();
  await expect(token.getByLabel('Contract')).toHaveAccessibleDescription(/40 hex/);
  // What was typed stays, whatever else is pressed, until its own button closes it.
  await page.getByRole('button', { name: 'Add a token…' }).click();
  await expect(token.getByLabel('Contract')).toBeFocused();
  const weth = page.getByRole('region', { name: 'Tokens' }).getByRole('row', { name: /^WETH/ });
  await weth.getByRole('button', { name: 'Edit' }).click();
  await expect(token.getByLabel('Symbol')).toHaveValue('ABC');
  await token.getByRole('button', { name: 'Do not add' }).click();
  await expect(token).toHaveCount(0);
  await weth.getByRole('button', { name: 'Edit' }).click();
  await expect(page.getByRole('form', { name: 'Edit WETH' })).toBeVisible();
  await page.getByRole('button', { name: 'Leave it as it is' }).click();
  await page.getByRole('button', { name: 'Add a pair…' }).click();
  const pair = page.getByRole('form', { name: 'Add a pair' });
  await pair.getByLabel('Base').selectOption('USDC');
  await pair.getByLabel('Quote').selectOption('WETH');
  await pair.getByLabel('Liquidity, USD').fill('1,000');
  await pair.getByRole('button', { name: 'Add pair' }).click();
  await expect(pair.getByLabel('Pair ID')).toHaveAccessibleDescription(/the other direction/);
});

test('a token is taken as the chain says it is, its decimals filled in from there, and goes again', async ({
  page,
  openConsole,
  desk,
}) => {
  await openConsole();
  await goTo(page, 't');
  await page.getByRole('button', { name: 'Add a token…' }).click();
  const token = page.getByRole('form', { name: 'Add a token' });
  await token.getByLabel('Symbol').fill('XYZ');
  await token.getByLabel('Name').fill('Some token');
  await token.getByLabel('Contract').fill(`0x${'db'.repeat(20)}`);
  await token.getByLabel('Decimals').fill('6');
  await token.getByRole('button', { name: 'Add token' }).click();
  await expect(token.getByLabel('Contract')).toHaveAccessibleDescription(/no contract/);
  await token.getByLabel('Decimals').fill('');
  await token.getByLabel('Contract').fill(await (await chainReader(desk, 31337)).copyOf('WETH'));
  await expect(token.getByLabel('Decimals')).toHaveValue('18');
  await token.getByLabel('Decimals').fill('6');
  await token.getByRole('button', { name: 'Add token' }).click();
  await expect(token.getByLabel('Decimals')).toHaveAccessibleDescription(/18 decimals on chain/);
  await token.getByLabel('Decimals').fill('18');
  await token.getByRole('button', { name: 'Add token' }).click();
  const tokens = page.getByRole('region', { name: 'Tokens' });
  await expect(tokens.getByRole('row', { name: /XYZ/ })).toBeVisible();
  await expect(token).toHaveCount(0);
  await tokens.getByRole('row', { name: /XYZ/ }).getByRole('button', { name: 'Remove…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove XYZ' }).click();
  await expect(tokens.getByRole('row', { name: /XYZ/ })).toHaveCount(0);
});

test('a token with 0 decimals is saved only by somebody who was told what strict services then throw away', async ({
  page,
  openConsole,
  desk,
}, info) => {
  const address = `0x${'0d'.repeat(20)}`;
  // Answers 0 whatever it is asked.
  await (await chainReader(desk, 31337)).setCode(address, '0x600060005260206000f3');
  await openConsole();
  await goTo(page, 't');
  await page.getByRole('button', { name: 'Add a token…' }).click();
  const form = page.getByRole('form', { name: 'Add a token' });
  await form.getByLabel('Contract').fill(address);
  await expect(form.getByLabel('Decimals')).toHaveValue('0');
  await form.getByLabel('Decimals').fill('18');
  await expect(form.getByLabel('Decimals')).toHaveAccessibleDescription(/0 decimals on chain/);
  await form.getByLabel('Decimals').fill('0');
  await form.getByLabel('Symbol').fill('ZERO');
  await form.getByLabel('Name').fill('No decimals');
  await form.getByRole('button', { name: 'Add token' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('discard all of /tokens');
  await expect(dialog).toContainText('ZERO.decimals is 0');
  for (const [colorScheme, width, height] of [
    ['dark', 1280, 800],
    ['light', 1920, 1080],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.evaluate((theme) => {
      document.documentElement.dataset.theme = theme;
    }, colorScheme);
    await page.screenshot({ path: info.outputPath(`zero-decimals-${colorScheme}.png`) });
  }
  await dialog.getByRole('button', { name: 'Do not save' }).click();
  const row = page.getByRole('region', { name: 'Tokens' }).getByRole('row', { name: /ZERO/ });
  await expect(row).toHaveCount(0);
  await form.getByRole('button', { name: 'Add token' }).click();
  await dialog.getByRole('button', { name: 'Save anyway' }).click();
  await expect(row).toBeVisible();
  await goTo(page, 's');
  await expect(page.getByRole('region', { name: 'Self-check' })).toContainText('discard all of /tokens: ZERO.decimals');
  await goTo(page, 't');
  await row.getByRole('button', { name: 'Remove…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove ZERO' }).click();
  await expect(row).toHaveCount(0);
});
