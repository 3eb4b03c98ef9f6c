import { expect, onTestFinished, test } from 'vitest';
import { openFolderClient } from '../../electron/desk/folder-client.ts';
import { CHAIN, chain, deskFile, folder } from '../book/fixture.ts';

/** The desk of a folder with this one chain, as the console speaks to it. */
async function deskWith(changes: Record<string, unknown>) {
  const { desk, close } = await openFolderClient(folder(), 'mara', async () => 'a passphrase');
  onTestFinished(close);
  await desk.desk.import({ desk: { ...deskFile(), chains: [chain(changes)] } });
  return desk;
}

test('what a page lists and sets up is read without a single ladder, however many there are', async () => {
  const levels = (from: number) => Array.from({ length: 200 }, (_, level) => [`${from - level}.123456`, '1.5']);
  const prices = { 'WETH/USDC': { bids: levels(3_000) }, 'DAI/USDC': { bids: levels(900) } };
  const desk = await deskWith({ prices });
  const read = JSON.stringify([await desk.listings.list({ chainId: CHAIN }), await desk.settings.get()]);
  expect(read).not.toContain('.123456');
  expect(read.length).toBeLessThan(4_000);
});

test('a page lists every token and pair, and the settings name and count them', async () => {
  const desk = await deskWith({ retireHours: 7 });
  const { tokens, pairs, retireHours } = chain({ retireHours: 7 }) as ReturnType<typeof chain> & {
    retireHours: number;
  };
  expect(await desk.listings.list({ chainId: CHAIN })).toEqual({ tokens, pairs, retireHours });
  const settings = await desk.settings.get();
  expect(settings.desk.chains).toMatchObject([{ name: 'Practice', tokenIds: ['WETH', 'USDC', 'DAI'], pairs: 2 }]);
  expect(settings.desk.counterparties).toEqual([{ domain: 'practice', signedPath: 'full' }]);
});

test('a retired pair stays on the page until it leaves the list', async () => {
  const desk = await deskWith({});
  await desk.listings.retirePair({ chainId: CHAIN, pair: 'DAI/USDC' });
  expect(Object.keys((await desk.listings.list({ chainId: CHAIN })).pairs)).toEqual(['WETH/USDC', 'DAI/USDC']);
});

test('a chain that is not of this desk is refused', async () => {
  const desk = await deskWith({});
  await expect(desk.listings.list({ chainId: 5 })).rejects.toMatchObject({ data: { code: 'unknown_chain' } });
});
