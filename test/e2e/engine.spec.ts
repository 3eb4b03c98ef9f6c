import { connectionTo } from '../desk/connection.ts';
import { cell, goTo, typeInto } from './console-pages.ts';
import { expect, keptTest as test } from './console-test.ts';
import { makerdesk } from './makerdesk.ts';
import { pageFaults } from './page-faults.ts';
import type { PracticeDesk } from './practice-desk.ts';

const PAIR = 'WETH/USDC';
const SIZES = [
  [1280, 800],
  [1920, 1080],
] as const;

test('a trader takes a pair over from an engine, publishes by hand, and gives it back; Service shows the engine first', async ({
  page,
  desk,
  openConsole,
}, info) => {
  const pictures = async (name: string) => {
    for (const [width, height] of SIZES) {
      await page.setViewportSize({ width, height });
      await page.screenshot({ path: info.outputPath(`${name}-${width}.png`) });
      expect(await pageFaults(page)).toEqual([]);
    }
    await page.setViewportSize({ width: 1280, height: 800 });
  };
  const engine = await engineOf(desk);
  try {
    await openConsole();
    await goTo(page, 'p');
    await expect(cell(page, 'Bid 1 price')).toBeVisible();
    await expect(page.getByText('Engine e2e')).toBeHidden();
    await engine.start();
    await expect(page.getByText('Engine e2e')).toBeVisible();
    await typeInto(page, 'Ask 1 size', '7');
    await expect(page.getByText('take it over to publish')).toBeVisible();
    await pictures('driven');

    await page.getByRole('button', { name: 'Take over' }).click();
    await expect(page.getByText('By hand', { exact: true })).toBeVisible();
    await expect.poll(engine.refused).toBe('taken_over');
    await expect(cell(page, 'Ask 1 size'), 'the draft is still there').toHaveText(/^7/);
    await page.getByRole('button', { name: 'Bring onto what is live' }).click();
    await expect(page.getByRole('button', { name: 'Bring onto what is live' })).toBeHidden();
    await page.getByRole('button', { name: `Publish ${PAIR}` }).click();
    await expect(page.getByText('The draft is what is live.')).toBeVisible();
    await pictures('by-hand');

    await page.getByRole('button', { name: 'Give back…' }).click();
    const asked = page.getByRole('dialog', { name: 'Give WETH/USDC back to its engine?' });
    await expect(asked).toContainText('the next prices that an engine pushes go live');
    await asked.getByRole('button', { name: 'Give it back' }).click();
    await expect(page.getByText('Engine e2e')).toBeVisible();
    await expect.poll(engine.refused).toBeNull();
    await page.setViewportSize({ width: 1280, height: 800 });
    await goTo(page, 's');
    await expect(page.getByText('Engine e2e')).toBeInViewport();
    await expect(page.getByText(`prices ${PAIR}`)).toBeInViewport();
    await pictures('service');
  } finally {
    await engine.stop();
  }
});

/** An engine in this process: it says where the middle of the pair is, a little higher each time. */
async function engineOf({ folder, prices }: PracticeDesk) {
  const { token } = JSON.parse(await makerdesk(folder, 'token', 'new', 'e2e', '--rights', 'prices'));
  const { chainId, middle } = await live(folder);
  const headers = { authorization: `Bearer ${token}` };
  let [isOver, sequence, refused]: [boolean, number, string | null] = [false, 0, null];
  let running = Promise.resolve();
  const run = async () => {
    while (!isOver) {
      sequence += 1;
      const mids = { [PAIR]: (middle * (1 + (sequence % 4) / 5_000)).toFixed(2) };
      const sent = { method: 'PUT', headers, body: JSON.stringify({ sequence, mids }) };
      const answer = await (await fetch(`${prices}/${chainId}`, sent)).json();
      refused = answer.refused?.[PAIR]?.code ?? answer.code ?? null;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };
  return {
    start: async () => {
      running = run();
    },
    /** Why the last prices were refused, or null. */
    refused: () => refused,
    stop: async () => {
      isOver = true;
      await running;
      await makerdesk(folder, 'token', 'revoke', 'e2e');
      await followAgain(folder, chainId);
    },
  };
}

/** The pair as whoever comes next expects it: a person's ladder that follows the reference. */
async function followAgain(folder: string, chainId: number): Promise<void> {
  const connection = await connectionTo(folder);
  const { ladders } = connection.desk;
  const about = { chainId, pair: PAIR };
  const edit = { kind: 'set', side: 'bids', level: 0, field: 'amount', value: '2.5' } as const;
  const { version } = await ladders.edit({ ...about, edits: [edit] });
  await ladders.publish({ ...about, version });
  await ladders.setHand({ ...about, on: false });
  await ladders.setFollow({ ...about, on: true });
  await connection.close();
}

async function live(folder: string): Promise<{ chainId: number; middle: number }> {
  const connection = await connectionTo(folder);
  const { desk } = await connection.desk.settings.get();
  const [chainId = 0] = desk.chains.map((chain) => chain.chainId);
  const { bids, asks } = (await connection.desk.ladders.published({ chainId, pair: PAIR })).ladder;
  await connection.close();
  return { chainId, middle: (Number(bids[0]?.[0]) + Number(asks[0]?.[0])) / 2 };
}
