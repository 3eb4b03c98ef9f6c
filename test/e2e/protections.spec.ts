import { goTo } from './console-pages.ts';
import { expect, keptTest as test } from './console-test.ts';

test('a rule is added, trips over what the takers ask for, is reset with a reason, and is taken away again', async ({
  page,
  openConsole,
}) => {
  await openConsole();
  await expect(page.getByRole('region', { name: 'Status' })).toContainText('LIVE');
  await goTo(page, 'o');
  await expect(page.getByRole('heading', { name: 'Protections', level: 1 })).toBeVisible();
  await expect(page.getByText('No rule yet')).toBeVisible();
  await page.getByRole('button', { name: 'Add a rule…' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('For', { exact: true }).selectOption('each counterparty');
  await dialog.getByLabel('Then freezes for, s').fill('0');
  await dialog.getByRole('button', { name: 'Add rule' }).click();
  await expect(dialog.getByText('is missing').first(), 'a rule without a name and a limit is none').toBeVisible();
  await dialog.getByLabel('Name').fill('flow');
  await dialog.getByLabel('At most, quotes').fill('1');
  await expect(dialog).toContainText(
    'The quote that would pass that is refused, and freezes the counterparty until reset',
  );
  await expect(dialog, 'it says what the last day would have been').toContainText(/In the last 24 h it would/);
  await dialog.getByRole('button', { name: 'Add rule' }).click();
  await expect(dialog).toBeHidden();
  // The takers of the practice market go on asking: one quote in a minute is soon passed.
  const tripped = page.getByRole('alert').filter({ hasText: 'flow has tripped' });
  await expect(tripped).toContainText('more would have passed the limit of 1', { timeout: 90_000 });
  await expect(
    page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Protections' }),
  ).toContainText('1');
  await tripped.getByRole('button', { name: 'Reset…' }).click();
  await dialog.getByLabel(/Why is it safe/).fill('the test has seen it');
  await dialog.getByRole('button', { name: 'Reset', exact: true }).click();
  await expect(page.getByRole('region', { name: 'Trips and resets' })).toContainText('the test has seen it');
  await page.getByRole('button', { name: 'Change flow…' }).click();
  await dialog.getByRole('button', { name: 'Remove this rule…' }).click();
  await expect(dialog).toContainText('From now on only other rules and limits hold back');
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(page.getByText('No rule yet')).toBeVisible();
  await expect(tripped).toBeHidden();
});

test('what protects the desk without a rule stands with how it is set, and a desk that trades keeps its dead-man switch', async ({
  page,
  openConsole,
}) => {
  await openConsole();
  await goTo(page, 'o');
  const table = page.getByRole('region', { name: 'Rules and switches' });
  await expect(table.getByRole('row', { name: /Fence/ }).first()).toContainText('not set');
  await expect(table.getByRole('row', { name: /Tripwire/ }).first()).toContainText('0 fills');
  await table.getByRole('button', { name: /dead-man switch on people/ }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(/Halt without a sign of a person/).fill('1');
  await dialog.getByRole('button', { name: 'Change it' }).click();
  await expect(dialog.getByText(/2 to|at least 2|between 2/).first()).toBeVisible();
  await dialog.getByLabel(/Halt without a sign of a person/).fill('30');
  await dialog.getByRole('button', { name: 'Change it' }).click();
  // What was said of the first try stands until the second is on its way: the sentence is looked for by its words.
  await expect(dialog.getByRole('alert').filter({ hasText: /halt/i })).toBeVisible();
});
