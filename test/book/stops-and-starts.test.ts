import { describe, expect, it } from 'vitest';
import type { Limits } from '../../electron/contract/limits.ts';
import {
  address,
  CHAIN,
  chain,
  configuredBook,
  folder,
  HOUR,
  NOON,
  openBook,
  refusal,
  USDC,
  USER,
  WETH,
} from './fixture.ts';

const NO_LIMITS: Limits = { maxQuote: {}, maxOutstanding: {}, quotesPerUserPerMinute: 0, ladderMaxAgeSeconds: 0 };
const LIMITS: Limits = {
  maxQuote: { WETH: '10' },
  maxOutstanding: {},
  quotesPerUserPerMinute: 5,
  ladderMaxAgeSeconds: 0,
};
const limited = (limits: Limits) => ({ version: 1, chains: [chain({ limits })] });

describe('A stop is in force before anything is written', () => {
  it('when a user is blacklisted', async () => {
    const { book } = await configuredBook();
    const blacklisting = book.blacklistAdd({ address: USER, actor: 'mara' });
    expect(book.chain(CHAIN)?.blacklistCode(USER, NOON)).toBe('blacklisted');
    expect(await blacklisting).toMatchObject({ durable: true });
    expect(book.chain(CHAIN)?.blacklistCode(USER, NOON)).toBe('blacklisted');
  });

  it('when a pair is retired', async () => {
    const { book } = await configuredBook();
    const retiring = book.retirePair(CHAIN, 'WETH/USDC', 'mara');
    expect(book.chain(CHAIN)?.market(WETH, USDC)?.pair).toMatchObject({
      bids: [],
      asks: [],
      retiredUntil: NOON + 24 * HOUR,
    });
    expect(await retiring).toMatchObject({ until: NOON + 24 * HOUR });
  });

  it('when a limit becomes stricter', async () => {
    const { book } = await configuredBook();
    const setting = book.setLimits(CHAIN, LIMITS, 'mara');
    expect(book.chain(CHAIN)?.config.limits).toEqual(LIMITS);
    await setting;
    expect(book.chain(CHAIN)?.config.limits).toEqual(LIMITS);
  });

  it('and is not loosened by who sets all limits anew and had others in view', async () => {
    const { book } = await configuredBook();
    const seen = book.chain(CHAIN)?.config.limits;
    const lowering = book.setLimits(CHAIN, LIMITS, 'ops', seen);
    const other = { ...NO_LIMITS, ladderMaxAgeSeconds: 60 };
    expect((await refusal(book.setLimits(CHAIN, other, 'mara', seen))).code).toBe('limits_changed');
    await lowering;
    expect((await refusal(book.setLimits(CHAIN, other, 'mara', seen))).code).toBe('limits_changed');
    expect(book.chain(CHAIN)?.config.limits).toEqual(LIMITS);
    await book.setLimits(CHAIN, { ...LIMITS, ladderMaxAgeSeconds: 60 }, 'mara', book.chain(CHAIN)?.config.limits);
    expect(book.chain(CHAIN)?.config.limits).toEqual({ ...LIMITS, ladderMaxAgeSeconds: 60 });
  });

  it('and stays in force when it cannot be written, and says so', async () => {
    const { book, journal } = await configuredBook();
    await journal.close();
    expect(await book.blacklistAdd({ address: USER, actor: 'mara' })).toEqual({ seq: 0, durable: false, before: [] });
    expect((await refusal(book.setLimits(CHAIN, LIMITS, 'mara'))).code).toBe('journal_closed');
    expect((await refusal(book.retirePair(CHAIN, 'WETH/USDC', 'mara'))).code).toBe('journal_closed');
    expect(book.chain(CHAIN)?.blacklistCode(USER, NOON)).toBe('blacklisted');
    expect(book.chain(CHAIN)?.config.limits).toEqual(LIMITS);
    expect(book.chain(CHAIN)?.market(WETH, USDC)?.pair.bids).toEqual([]);
  });

  it('and also when a listener fails', async () => {
    const { book } = await configuredBook();
    book.onChange(() => {
      throw new Error('a screen is gone');
    });
    expect(await book.blacklistAdd({ address: USER, actor: 'mara' })).toMatchObject({ durable: true });
  });
});

describe('A start is in force only once it is written', () => {
  it('when a limit is loosened or taken away', async () => {
    const { book } = await configuredBook(limited(LIMITS));
    const setting = book.setLimits(CHAIN, NO_LIMITS, 'mara');
    expect(book.chain(CHAIN)?.config.limits).toEqual(LIMITS);
    await setting;
    expect(book.chain(CHAIN)?.config.limits).toEqual(NO_LIMITS);
  });

  it('when some limits become stricter and others looser: each goes its own way', async () => {
    const { book } = await configuredBook(limited(LIMITS));
    const mixed: Limits = { ...NO_LIMITS, maxQuote: { WETH: '20', USDC: '7' }, quotesPerUserPerMinute: 2 };
    const setting = book.setLimits(CHAIN, mixed, 'mara');
    expect(book.chain(CHAIN)?.config.limits).toEqual({ ...mixed, maxQuote: { WETH: '10', USDC: '7' } });
    await setting;
    expect(book.chain(CHAIN)?.config.limits).toEqual(mixed);
  });

  it('when a user is let in again', async () => {
    const { book } = await configuredBook({ version: 1, chains: [chain({ blacklist: [USER] })] });
    const removing = book.blacklistRemove({ address: USER, actor: 'mara' });
    expect(book.chain(CHAIN)?.blacklistCode(USER, NOON)).toBe('blacklisted');
    await removing;
    expect(book.chain(CHAIN)?.blacklistCode(USER, NOON)).toBe(null);
  });

  it('when a ladder is published', async () => {
    const { book } = await configuredBook();
    const { version } = await book.edit(CHAIN, 'WETH/USDC', [{ kind: 'remove', side: 'bids', level: 0 }], 'mara');
    const publishing = book.publish(CHAIN, 'WETH/USDC', version, 'mara');
    await Promise.resolve();
    expect(book.chain(CHAIN)?.pairs.get('WETH/USDC')?.ladder.revision).toBe(1);
    expect((await publishing).revision).toBe(2);
    expect(book.chain(CHAIN)?.pairs.get('WETH/USDC')).toMatchObject({ ladder: { revision: 2 }, bids: [{}] });
  });

  it('and not at all when it cannot be written', async () => {
    const { book, journal } = await configuredBook(limited(LIMITS));
    await journal.close();
    const before = book.chain(CHAIN);
    const token = { symbol: 'UNI', name: 'Uniswap', address: address('9'), decimals: 18, type: 'ERC20' };
    expect((await refusal(book.saveToken(CHAIN, 'UNI', token, 'mara'))).code).toBe('journal_closed');
    expect((await refusal(book.publish(CHAIN, 'WETH/USDC', 0, 'mara'))).code).toBe('journal_closed');
    expect(book.chain(CHAIN)).toBe(before);
  });
});

describe('Memory and journal', () => {
  it('agree after many stops and starts at once', async () => {
    const at = folder();
    const { book, close, clock } = await configuredBook(limited(LIMITS), at);
    const limits = [...Array(20).keys()].map((count) =>
      book.setLimits(CHAIN, { ...NO_LIMITS, quotesPerUserPerMinute: (count * 7) % 5 }, 'mara'),
    );
    const blacklisting = [...Array(9).keys()].map((digit) =>
      book.blacklistAdd({ address: address(String(digit + 1)), actor: 'mara' }),
    );
    await Promise.all([...limits, ...blacklisting, book.retirePair(CHAIN, 'DAI/USDC', 'mara')]);
    await book.blacklistRemove({ address: address('3'), actor: 'mara' });
    const memory = book.chain(CHAIN);
    await close();
    const { book: reread } = await openBook(at, clock);
    expect(reread.chain(CHAIN)?.config).toEqual(memory?.config);
    expect(reread.chain(CHAIN)?.blacklisted).toEqual(memory?.blacklisted);
    expect(reread.chain(CHAIN)?.pairs).toEqual(memory?.pairs);
  });
});
