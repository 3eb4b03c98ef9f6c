import { expect, test } from 'vitest';
import { sumTrades } from '../../electron/desk/sum-trades.ts';
import { type DirectJournal, openDirectly } from '../journal/fixture.ts';
import { saveSamples } from '../journal/reference-samples.ts';
import { addressOf, configured, fill, quote, START } from '../journal/sample-events.ts';

const WETH = 10n ** 18n;
const LATER = START + 3_600_000;

/** One pair in USDC and one in WETH; there is a reference for the first minute alone. */
function twoPairs(): DirectJournal {
  const journal = openDirectly();
  const token = (symbol: string, decimals: number) => {
    return { symbol, name: symbol, address: addressOf(symbol), decimals, type: 'ERC20' };
  };
  journal.write(
    configured({
      tokens: { WETH: token('WETH', 18), USDC: token('USDC', 6), LINK: token('LINK', 18) },
      pairs: {
        'WETH/USDC': { base: 'WETH', quote: 'USDC', liquidityUSD: 1000 },
        'LINK/WETH': { base: 'LINK', quote: 'WETH', liquidityUSD: 1000 },
      },
      prices: {},
    }),
  );
  for (let second = 0; second <= 60; second += 1) {
    saveSamples(journal.db, [[START + second * 1_000, '3410']]);
    saveSamples(journal.db, [[START + second * 1_000, '0.005']], 'LINK/WETH');
  }
  return journal;
}

/** So many LINK for so many WETH, sold by the desk. */
function link(links: bigint, weth: bigint) {
  const assets = { makerAsset: addressOf('LINK'), takerAsset: addressOf('WETH') };
  return { ...assets, makerAmount: `${links * WETH}`, takerAmount: `${weth * WETH}` };
}

async function sums({ queries }: DirectJournal, by: 'pair' | 'user') {
  const read: Parameters<typeof sumTrades>[0] = {
    tradedPart: async (which) => queries.tradedPart(which),
    askedPart: async (which) => queries.askedPart(which),
    logSpan: async (span) => queries.logSpan(span),
  };
  for await (const { result } of sumTrades(read, { since: 0, until: LATER, by }, LATER, undefined)) {
    if (result !== null) return result;
  }
  throw new Error('the sums ended early');
}

test('all of it is the same by pair and by user, where pairs have different quote tokens: its marks are in dollars', async () => {
  const journal = twoPairs();
  const sold = { makerAmount: `${WETH}`, takerAmount: '3412000000' }; // +2 dollars of 3,410
  const lost = link(10_000n, 49n); // -1 WETH of 50
  journal.write(quote(1, sold), quote(2, { ...lost, pair: 'LINK/WETH' }), fill(1, 10, sold), fill(2, 11, lost));
  // One that has an edge in WETH, and nothing says what that was worth in dollars.
  const young = START + 600_000;
  saveSamples(journal.db, [[young, '0.005']], 'LINK/WETH');
  const unknown = link(1_000n, 6n);
  journal.write(quote(3, { ...unknown, pair: 'LINK/WETH' }, young), fill(3, 600, unknown));

  const [byPair, byUser] = [await sums(journal, 'pair'), await sums(journal, 'user')];
  expect(byPair.rows.map(({ pair }) => pair).sort()).toEqual(['LINK/WETH', 'WETH/USDC']);
  expect(byPair.all).toEqual(byUser.all);
  // (2 − 3,410) / (3,410 + 170,500) is −195.96 bps, cut down.
  expect(byPair.all).toMatchObject({ edge: -1960, counts: { edge: 2 }, fills: 3, unpriced: 1, unit: 'USD' });
});

test('where all pairs have one quote token their marks are in it, in the sum as in the rows, also without dollars', async () => {
  const journal = twoPairs();
  const young = START + 600_000;
  saveSamples(journal.db, [[young, '0.005']], 'LINK/WETH');
  const gained = link(1_000n, 6n);
  journal.write(quote(1, { ...gained, pair: 'LINK/WETH' }, young), fill(1, 600, gained));
  const { rows, all } = await sums(journal, 'pair');
  expect(all).toMatchObject({ edge: 20_000, counts: { edge: 1 }, volume: '6', unit: 'WETH' });
  expect(rows).toEqual([{ chainId: rows[0]?.chainId, pair: 'LINK/WETH', user: null, ...all }]);
});
