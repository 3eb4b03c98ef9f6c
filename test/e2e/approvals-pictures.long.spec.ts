import { limitsSchema } from '../../electron/contract/limits.ts';
import { connectionTo } from '../desk/connection.ts';
import { goTo } from './console-pages.ts';
import { expect, test } from './console-test.ts';
import { dismissNotices, looker, setTheme, THEMES } from './looker.ts';
import { startPracticeDesk } from './practice-desk.ts';

const CHAIN = 31337;
const LONG =
  'Both venues agree again to 2 bps; balances and allowances checked by two, and the desk of the other shift was told by telephone.';

test('approvals with what waits, what became of it, and its questions: nothing clipped, readable by everybody', async ({
  page,
}, info) => {
  const desk = await startPracticeDesk(['--no-takers']);
  const owner = await connectionTo(desk.folder, 'mara');
  try {
    const { console: link } = await owner.desk.tokens.create({ name: 'ada', rights: 'admin' });
    const set = (amounts: Record<string, string>) =>
      owner.desk.limits.set({ chainId: CHAIN, limits: limitsSchema.parse({ maxQuote: amounts }) });
    await set({ WETH: '5', USDC: '20000' });
    await owner.desk.trading.halt({ scope: { chainId: CHAIN, pair: 'WETH/USDC' }, reason: 'a venue was silent' });
    await owner.desk.approvals.set({ kinds: ['resume', 'limits', 'takers'], seen: [] });
    await page.goto(link ?? '');
    const asked = [
      () => set({ WETH: '5', USDC: '30000' }),
      () => set({ WETH: '8.125', USDC: '25000' }),
      () => owner.desk.trading.resume({ scope: { chainId: CHAIN, pair: 'WETH/USDC' }, reason: LONG }),
    ];
    for (const ask of asked) await expect(ask()).rejects.toThrow('This waits for a second person');
    await goTo(page, 'a');
    const waits = page.getByRole('region', { name: 'Waiting for a second person' }).getByRole('listitem');
    await waits.first().getByRole('button', { name: 'Refuse…' }).click();
    await page.getByLabel('Why not?').fill(LONG);
    await page.getByRole('button', { name: 'Refuse it' }).click();
    await expect(page.getByRole('region', { name: 'What became of it' })).toContainText('refused by ada');
    await expect(waits).toHaveCount(2);
    const { faults, look } = looker(page, info, 'approvals');
    for (const theme of THEMES) {
      await setTheme(page, theme);
      await dismissNotices(page);
      await look('waiting', theme);
      for (const question of ['Approve…', 'Refuse…']) {
        await waits.first().getByRole('button', { name: question }).click();
        await expect(page.getByRole('dialog')).toBeVisible();
        await look(question === 'Approve…' ? 'approve' : 'refuse', theme);
        await page.keyboard.press('Escape');
      }
    }
    expect(faults).toEqual([]);
  } finally {
    await owner.close();
    await desk.stop();
  }
});
