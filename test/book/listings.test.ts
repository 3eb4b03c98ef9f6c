import { describe, expect, it } from 'vitest';
import {
  address,
  CHAIN,
  chain,
  configuredBook,
  DAI,
  deskFile,
  folder,
  HOUR,
  NOON,
  openBook,
  refusal,
  USDC,
  WETH,
} from './fixture.ts';

const UNI = { symbol: 'UNI', name: 'Uniswap', address: address('9'), decimals: 18, type: 'ERC20' };
const WETH_USDC = { base: 'WETH', quote: 'USDC', liquidityUSD: 100_000 };

describe('A token', () => {
  it('can be listed, corrected and taken off', async () => {
    const { book } = await configuredBook();
    await book.saveToken(CHAIN, 'UNI', UNI, 'mara');
    await book.saveToken(CHAIN, 'UNI', { ...UNI, name: 'Uniswap token' }, 'mara');
    expect(book.chain(CHAIN)?.tokens.get('UNI')?.name).toBe('Uniswap token');
    await book.removeToken(CHAIN, 'UNI', 'mara');
    expect(book.chain(CHAIN)?.tokens.has('UNI')).toBe(false);
  });

  it('is refused with the reason beside the field', async () => {
    const { book } = await configuredBook();
    const save = (token: unknown) => refusal(book.saveToken(CHAIN, 'UNI', token, 'mara'));
    expect(await save({ ...UNI, address: '0x1', decimals: -1 })).toMatchObject({
      code: 'token_refused',
      faults: ['address: must be 0x followed by 40 hex characters', 'decimals: must be at least 0'],
    });
    expect((await save({ ...UNI, address: WETH })).faults).toEqual(['address: is the address of WETH too']);
    expect((await save({ ...UNI, address: address('0') })).faults).toEqual(['address: must not be the zero address']);
  });

  it('is not listed anew by an ID that looks like another one; one that is listed already can be corrected', async () => {
    const likeUsdc = 'USDC\u200b';
    const { book } = await configuredBook();
    for (const id of [likeUsdc, 'UNI\u202e', '\u2066UNI', 'U\u00adNI', 'UNI\ud800']) {
      expect((await refusal(book.saveToken(CHAIN, id, UNI, 'mara'))).faults, JSON.stringify(id)).toEqual([
        'tokenId: has characters that cannot be shown',
      ]);
    }
    await book.saveToken(CHAIN, 'ÜNI 🦄', UNI, 'mara');
    const input = chain();
    const before = await configuredBook({
      ...deskFile(),
      chains: [{ ...input, tokens: { ...input.tokens, [likeUsdc]: UNI } }],
    });
    await before.book.saveToken(CHAIN, likeUsdc, { ...UNI, name: 'Another name' }, 'mara');
    expect(before.book.chain(CHAIN)?.tokens.get(likeUsdc)?.name).toBe('Another name');
  });

  it('cannot be corrected so that a pair could not be quoted any more', async () => {
    const ladder = { asks: [['3413', `1${'0'.repeat(50)}`]] };
    const { book } = await configuredBook({ version: 1, chains: [chain({ prices: { 'WETH/USDC': ladder } })] });
    const refused = await refusal(book.saveToken(CHAIN, 'WETH', { ...UNI, address: WETH, decimals: 30 }, 'mara'));
    expect(refused.faults).toEqual([
      expect.stringMatching(/^pairs\["WETH\/USDC"\]: could not be quoted any more: .*2\^256/),
    ]);
  });

  it('stays while a pair, a limit or the reserve names it', async () => {
    const { book } = await configuredBook({
      version: 1,
      chains: [chain({ reserve: { DAI: '1' }, pairs: {}, prices: {} })],
    });
    await book.setLimits(
      CHAIN,
      { maxQuote: { WETH: '1' }, maxOutstanding: {}, quotesPerUserPerMinute: 0, ladderMaxAgeSeconds: 0 },
      'mara',
    );
    expect(await refusal(book.removeToken(CHAIN, 'WETH', 'mara'))).toMatchObject({
      code: 'token_in_use',
      message: 'WETH is in use by the limits.',
    });
    expect((await refusal(book.removeToken(CHAIN, 'DAI', 'mara'))).message).toBe('DAI is in use by the reserve.');
    await book.savePair(CHAIN, 'USDC/DAI', { base: 'USDC', quote: 'DAI', liquidityUSD: 1 }, 'mara');
    expect((await refusal(book.removeToken(CHAIN, 'USDC', 'mara'))).message).toBe(
      'USDC is in use by the pair USDC/DAI.',
    );
    expect((await refusal(book.removeToken(CHAIN, 'UNI', 'mara'))).code).toBe('unknown_token');
  });
});

describe('A pair', () => {
  it('is listed without prices until a ladder is published', async () => {
    const { book } = await configuredBook();
    await book.savePair(CHAIN, 'WETH/DAI', { base: 'WETH', quote: 'DAI', liquidityUSD: 5 }, 'mara');
    expect(book.chain(CHAIN)?.market(DAI, WETH)).toMatchObject({
      side: 'bids',
      pair: { bids: [], ladder: { revision: 0 } },
    });
  });

  it('is refused with the reason beside the field', async () => {
    const { book } = await configuredBook();
    const save = (id: string, definition: object) => refusal(book.savePair(CHAIN, id, definition, 'mara'));
    expect((await save('A', { base: 'A', quote: 'USDC', liquidityUSD: 1 })).faults).toEqual([
      'base: "A" is not a listed token',
    ]);
    expect((await save('A', { base: 'DAI', quote: 'DAI', liquidityUSD: 1 })).faults).toEqual([
      'quote: must not be the base token',
    ]);
    expect((await save('A', { base: 'DAI', quote: 'WETH', liquidityUSD: -1 })).faults).toEqual([
      'liquidityUSD: must be at least 0',
    ]);
    expect((await save('USDC/WETH', { base: 'USDC', quote: 'WETH', liquidityUSD: 1 })).faults).toEqual([
      ': is the other direction of "WETH/USDC": two tokens make one pair, quoted in one direction',
    ]);
    expect((await save('WETH/USDC', { base: 'WETH', quote: 'DAI', liquidityUSD: 1 })).faults).toEqual([
      'quote: is USDC and stays so: its prices are in it. List another pair',
    ]);
  });

  it('keeps its ladder when its liquidity changes', async () => {
    const { book } = await configuredBook();
    await book.savePair(CHAIN, 'WETH/USDC', { ...WETH_USDC, liquidityUSD: 7 }, 'mara');
    expect(book.chain(CHAIN)?.market(WETH, USDC)?.pair).toMatchObject({
      definition: { liquidityUSD: 7 },
      ladder: { revision: 1 },
      bids: [{}, {}],
    });
  });
});

describe('A retired pair', () => {
  it('has no prices for retireHours, also after a restart, and then leaves the list', async () => {
    const at = folder();
    const before = await configuredBook(deskFile(), at);
    await before.book.retirePair(CHAIN, 'WETH/USDC', 'mara');
    await before.close();
    const { book, clock } = await openBook(at);
    expect(book.chain(CHAIN)?.pairs.get('WETH/USDC')).toMatchObject({
      bids: [],
      asks: [],
      retiredUntil: NOON + 24 * HOUR,
    });
    clock.now = NOON + 24 * HOUR - 1;
    await book.tick();
    expect(book.chain(CHAIN)?.pairs.has('WETH/USDC')).toBe(true);
    clock.now += 1;
    await Promise.all([book.tick(), book.tick()]);
    expect([...(book.chain(CHAIN)?.pairs.keys() ?? [])]).toEqual(['DAI/USDC']);
    expect(book.chain(CHAIN)?.market(WETH, USDC)).toBeUndefined();
  });

  it('leaves by one row in the journal', async () => {
    const { book, journal, clock } = await configuredBook({ version: 1, chains: [chain({ retireHours: 0 })] });
    const kinds: string[] = [];
    journal.onAppended((events) => kinds.push(...events.map(({ kind, actor }) => `${kind} by ${actor}`)));
    await book.retirePair(CHAIN, 'WETH/USDC', 'mara');
    clock.now += 1;
    await Promise.all([book.tick(), book.tick()]);
    await book.tick();
    expect(kinds).toEqual(['pair_retired by mara', 'pair_removed by desk']);
  });

  it('cannot be retired again nor be given a ladder', async () => {
    const { book } = await configuredBook();
    const retiring = book.retirePair(CHAIN, 'WETH/USDC', 'mara');
    expect((await refusal(book.retirePair(CHAIN, 'WETH/USDC', 'jon'))).code).toBe('already_retired');
    await retiring;
    expect((await refusal(book.publish(CHAIN, 'WETH/USDC', 0, 'mara'))).code).toBe('pair_retired');
    expect((await refusal(book.retirePair(CHAIN, 'UNI/USDC', 'mara'))).code).toBe('unknown_pair');
  });

  it.each([
    ['while it retires', 0],
    ['after it has left', 24 * HOUR],
  ])('comes back %s with an empty ladder, whose revision goes on', async (_, wait) => {
    const at = folder();
    const { book, clock, close } = await configuredBook(deskFile(), at);
    await book.retirePair(CHAIN, 'WETH/USDC', 'mara');
    clock.now += wait;
    await book.tick();
    await book.savePair(CHAIN, 'WETH/USDC', WETH_USDC, 'jon');
    const back = book.chain(CHAIN)?.pairs.get('WETH/USDC');
    expect(back).toMatchObject({
      retiredUntil: null,
      bids: [],
      asks: [],
      ladder: { revision: 2, ladder: { bids: [], asks: [] } },
    });
    await close();
    const reread = await openBook(at);
    expect(reread.book.chain(CHAIN)?.pairs.get('WETH/USDC')).toEqual(back);
  });
});
