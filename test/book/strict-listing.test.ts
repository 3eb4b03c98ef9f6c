import { describe, expect, it } from 'vitest';
import { strictBodiesOf } from '../../electron/desk/strict-bodies.ts';
import { STRICT_RULES } from '../../electron/practice/consumer/strict-rules.ts';
import { openDesk } from '../quoting/open-desk.ts';
import { address, CHAIN, chain } from './fixture.ts';

const SHARES = { symbol: 'SHARES', name: 'Whole shares', address: address('9'), decimals: 0, type: 'ERC20' };
const RICH = { base: 'DAI', quote: 'USDC', liquidityUSD: 1e16 };

/** A desk that lists a token without decimals, which no pair uses, and a pair of more dollars than a number holds. */
async function deskWith(changes: Record<string, unknown>) {
  const usual = chain();
  const desk = await openDesk({
    chain: { tokens: { ...usual.tokens, SHARES }, pairs: { ...usual.pairs, 'DAI/USDC': RICH }, ...changes },
  });
  const own = () => {
    const found = desk.book.chain(CHAIN);
    if (found === undefined) throw new Error('no chain');
    return found;
  };
  const { tokens, pairs, prices, blacklist } = desk.quoter.served(CHAIN);
  /** What the public adapter keeps of each body; null: it discarded all of it. */
  const taken = {
    tokens: STRICT_RULES.tokens({ tokens }).value,
    pairs: STRICT_RULES.pairs({ pairs }).value,
    prices: STRICT_RULES.prices({ prices }).value,
    blacklist: STRICT_RULES.blacklist({ blacklist }).value,
  };
  return { ...desk, own, taken };
}

describe('what strict counterparties discard whole', () => {
  it('is served as the specification allows, and each body is named with what is to blame, also a token of no pair', async () => {
    const { own, taken } = await deskWith({});
    expect(taken).toMatchObject({ tokens: null, pairs: null, blacklist: [] });
    const said = new Map(strictBodiesOf(own(), Date.now()).map(({ body, blame }) => [body, blame]));
    expect(said.get('tokens')).toEqual(['SHARES.decimals is 0']);
    expect(said.get('pairs')).toEqual(['DAI/USDC.liquidityUSD is too large a number']);
    expect([said.get('prices'), said.get('blacklist')]).toEqual([[], []]);
  });

  it('is left out with strictListing, so that everything else is taken; what is left out says why', async () => {
    const { own, taken } = await deskWith({ strictListing: true });
    expect(Object.keys(taken.tokens ?? {})).toEqual(['WETH', 'USDC', 'DAI']);
    expect(Object.keys(taken.pairs ?? {})).toEqual(['WETH/USDC']);
    expect(Object.keys(taken.prices ?? {})).toEqual(['WETH/USDC']);
    expect(own().setApart).toMatchObject([
      { kind: 'token', id: 'SHARES', fault: expect.stringContaining('What strict services refuse') },
    ]);
    expect(own().pairs.get('DAI/USDC')?.fault).toContain('discard all of /pairs');
    expect(strictBodiesOf(own(), Date.now()).every(({ blame }) => blame.length === 0)).toBe(true);
  });

  it('is refused at save with strictListing', async () => {
    const { book } = await deskWith({ strictListing: true });
    await expect(book.saveToken(CHAIN, 'NONE', { ...SHARES, address: address('8') }, 'mara')).rejects.toMatchObject({
      faults: [{ path: 'decimals' }],
    });
    await expect(
      book.savePair(CHAIN, 'WETH/USDC', { base: 'WETH', quote: 'USDC', liquidityUSD: 1e16 }, 'mara'),
    ).rejects.toMatchObject({ faults: [{ path: 'liquidityUSD' }] });
  });
});
