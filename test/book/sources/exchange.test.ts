import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { exchange } from '../../../electron/book/sources/exchange/source.ts';
import { answering, json, saying } from '../../service/http-answers.ts';
import { hearSource, NOW } from './hear-source.ts';

const PAIR = 'WETH/USDC';
const isInstalled = (() => {
  try {
    return createRequire(import.meta.url).resolve('ccxt') !== '';
  } catch {
    return false;
  }
})();

const MARKETS = {
  error: [],
  result: {
    ETHUSDC: {
      altname: 'ETHUSDC',
      wsname: 'ETH/USDC',
      base: 'XETH',
      quote: 'USDC',
      pair_decimals: 2,
      lot_decimals: 8,
      fees: [[0, 0.26]],
      fees_maker: [[0, 0.16]],
      ordermin: '0.01',
      status: 'online',
    },
  },
};
const ASSETS = {
  error: [],
  result: {
    XETH: { altname: 'ETH', decimals: 10, status: 'enabled' },
    USDC: { altname: 'USDC', decimals: 8, status: 'enabled' },
  },
};

/** An exchange that speaks the public REST form of Kraken, and says this book; `answers` is called before it does. */
async function kraken(book: string, answers: () => void = () => {}) {
  const state = { book };
  const server = await answering((request, response) => {
    const path = (request.url ?? '').split('?')[0];
    if (path === '/0/public/AssetPairs') json(MARKETS)(request, response);
    else if (path === '/0/public/Assets') json(ASSETS)(request, response);
    else {
      answers();
      saying(state.book)(request, response);
    }
  });
  return Object.assign(state, { url: server.url, asked: server.asked });
}
const bookOf = (bids: unknown[][], asks: unknown[][]) =>
  JSON.stringify({ error: [], result: { ETHUSDC: { bids, asks } } });
const settings = (url: string) => ({ exchange: 'kraken', url, everySeconds: 1, pairs: { [PAIR]: 'ETH/USDC' } });

describe.skipIf(!isInstalled)('an exchange’s order book', () => {
  it('is asked for where its address says, and its best prices are found whatever their order, to the last digit', async () => {
    const bids = [
      ['999.5', '1', 1],
      ['3410.123456789012345678', '2', 1],
      ['3409', '1', 1],
    ];
    const exchangeHere = await kraken(
      bookOf(bids, [
        ['10000.1', '1', 1],
        ['3411.100', '1', 1],
      ]),
    );
    const { heard, line } = hearSource(exchange, settings(exchangeHere.url));
    await expect
      .poll(() => heard.of(PAIR) ?? line().fault)
      .toEqual({ bid: '3410.123456789012345678', ask: '3411.100', time: NOW });
    expect(exchangeHere.asked.some(({ path }) => path.startsWith('/0/public/Depth'))).toBe(true);
  });

  it('that has no time of its own is of when it was asked for, however long its answer took', async () => {
    let now = NOW;
    const exchangeHere = await kraken(bookOf([['3410', '1', 1]], [['3411', '1', 1]]), () => {
      now = NOW + 7_000;
    });
    const once = { ...settings(exchangeHere.url), everySeconds: 3_600 };
    const { heard, line } = hearSource(exchange, once, { now: () => now });
    await expect.poll(() => heard.of(PAIR)?.time ?? line().fault).toBe(NOW);
  });

  it('that is crossed, has one side, or a level that is no price, is told with its pair; what was said before stays', async () => {
    const exchangeHere = await kraken(bookOf([['3410', '1', 1]], [['3411', '1', 1]]));
    const { heard, line } = hearSource(exchange, settings(exchangeHere.url));
    await expect.poll(() => heard.of(PAIR)?.bid ?? line().fault).toBe('3410');
    for (const [book, why] of [
      [bookOf([['3412', '1', 1]], [['3411', '1', 1]]), 'its bid 3412 is over its ask 3411'],
      [bookOf([], [['3411', '1', 1]]), 'its order book has one side only'],
      [bookOf([['-3410', '1', 1]], [['3411', '1', 1]]), 'a level of its order book is no price: -3410'],
    ] as const) {
      exchangeHere.book = book;
      await expect.poll(() => line().pairs[PAIR]?.fault).toBe(why);
    }
    expect(heard.of(PAIR)?.bid).toBe('3410');
  });

  it('that is not there, is refused, or is an exchange that nobody knows, is a sentence', async () => {
    const exchangeHere = await kraken('{"error":["EService:Unavailable"]}');
    const refused = hearSource(exchange, settings(exchangeHere.url));
    await expect
      .poll(() => refused.line().fault)
      .toMatch(/^The source feed says nothing of WETH\/USDC: .*EService:Unavailable/);
    const gone = hearSource(exchange, settings('http://127.0.0.1:1'));
    await expect.poll(() => gone.line().fault).toMatch(/^The source feed says nothing of WETH\/USDC: /);
    const unknown = hearSource(exchange, { ...settings(exchangeHere.url), exchange: 'constructor' });
    await expect
      .poll(() => unknown.line().fault)
      .toBe('The source feed cannot be heard: ccxt knows no exchange constructor.');
  });
});

it.skipIf(isInstalled)('without its library an exchange is a sentence that says how to get it', async () => {
  const { line } = hearSource(exchange, settings('http://127.0.0.1:1'));
  await expect
    .poll(() => line().fault)
    .toBe(
      'The source feed cannot be heard: the library ccxt is not installed: npm install --no-save ccxt@4, beside the desk.',
    );
});
