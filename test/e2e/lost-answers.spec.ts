import { cuttingProxy } from '../cutting-proxy.ts';
import { connectionTo } from '../desk/connection.ts';
import { goTo } from './console-pages.ts';
import { expect, test } from './console-test.ts';
import { statusOf } from './makerdesk.ts';
import { startPracticeDesk } from './practice-desk.ts';

/** After so many bytes the line is cut: before the command is out, within it, within its answer, after it. */
const CUTS = [0, 40, 120, 200, 280, 360, 500, 700, 1_000, 2_000];

test('whenever the line is cut, what a person pressed is carried out once, and the screen says so by itself', async ({
  page,
}) => {
  const desk = await startPracticeDesk(['--no-takers']);
  const address = new URL(desk.console);
  const line = await cuttingProxy(Number(address.port));
  try {
    address.port = String(line.port);
    await page.goto(address.href);
    await goTo(page, 'b');
    const form = page.getByRole('form', { name: 'Add a user to the blacklist' });
    const list = page.getByRole('region', { name: 'On the list' });
    for (const [i, bytes] of CUTS.entries()) {
      await expect(page.getByText('This screen has lost the desk')).toBeHidden();
      await form.getByLabel('Address').fill(userOf(i));
      await form.getByLabel('Reason').fill(`cut after ${bytes} bytes`);
      line.cutAfter(bytes);
      await form.getByRole('button', { name: /^Blacklist .*for good$/ }).click();
      await expect(list).toContainText(`cut after ${bytes} bytes`);
      await expect(form.getByLabel('Reason')).toHaveValue('');
    }
    const owner = await connectionTo(desk.folder);
    const { desk: settings } = await owner.desk.settings.get();
    const [{ chainId } = { chainId: 0 }] = settings.chains;
    const history = await owner.desk.blacklist.history({ chainId });
    await owner.close();
    const added = (address: string) => history.filter((row) => row.address === address).length;
    expect(CUTS.map((_, i) => added(userOf(i)))).toEqual(CUTS.map(() => 1));

    line.cutAfter(60);
    await page.keyboard.press('Control+Shift+H');
    await expect(page.getByRole('heading', { name: 'HALTED' })).toBeVisible();
    expect(await statusOf(desk.folder)).toMatchObject({ state: 'HALTED' });
  } finally {
    await line.close();
    await desk.stop();
  }
});

function userOf(i: number): string {
  return `0x${'c0de'.repeat(9)}${String(i).padStart(4, '0')}`;
}
