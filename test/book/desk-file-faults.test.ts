import { describe, expect, it } from 'vitest';
import { parseDesk } from '../../electron/book/parse-desk.ts';
import { address, chain, deskFile } from './fixture.ts';

/** The faults of a desk file, as the command line prints them. */
function faultsOf(desk: unknown): string[] {
  try {
    parseDesk(desk);
    return [];
  } catch (error) {
    return (error as { faults: { path: string; message: string }[] }).faults.map(
      ({ path, message }) => `${path}: ${message}`,
    );
  }
}

const withChain = (changes: Record<string, unknown>) => ({ version: 1, chains: [chain(changes)] });
const withLadder = (ladder: unknown) => withChain({ prices: { 'WETH/USDC': ladder } });
const withLevel = (...level: unknown[]) => withLadder({ bids: [['3412', '1'], level] });
const CELL = 'chains[0].prices["WETH/USDC"].bids[1]';

describe('A desk file', () => {
  it('without a fault is taken, with its defaults and its addresses in lower case', () => {
    const parsed = parseDesk(withChain({ maker: `0x${'D'.repeat(40)}` })).desk;
    expect(parsed.deadlineMs).toBe(3_000);
    expect(parsed.chains[0]).toMatchObject({ maker: address('d'), quoteLifetimeSeconds: 150, takers: [], off: {} });
  });

  it('gives its secrets apart from what may be written down', () => {
    const { desk, secrets } = parseDesk(deskFile());
    expect(secrets).toEqual([{ domain: 'practice', accessKey: 'open sesame', secretKey: 'never written down' }]);
    expect(JSON.stringify(desk)).not.toMatch(/sesame|never written/);
    expect(desk.counterparties).toEqual([{ domain: 'practice', signedPath: 'full' }]);
  });

  it('is refused with all of its faults at once, each with its path', () => {
    const desk = {
      version: 2,
      surprise: true,
      chains: [
        chain({
          rpcUrl: 'no url',
          prices: {
            'WETH/USDC': {
              bids: [
                ['3412', '1'],
                ['-1', '0'],
              ],
            },
          },
        }),
        chain({ pairs: { 'WETH/EURC': { base: 'WETH', quote: 'EURC', liquidityUSD: -1 } }, prices: {} }),
        'no chain',
      ],
      counterparties: [{ domain: '' }],
    };
    expect(faultsOf(desk).map((fault) => fault.split(': ')[0])).toEqual([
      'version',
      'surprise',
      'chains[0].prices["WETH/USDC"].bids[1][0]',
      'chains[0].prices["WETH/USDC"].bids[1][1]',
      'chains[0].rpcUrl',
      'chains[1].pairs["WETH/EURC"].liquidityUSD',
      'chains[2]',
      'chains[1].chainId',
      'chains[1].basePath',
      'counterparties[0].domain',
    ]);
  });

  it.each<[string, unknown, string[]]>([
    ['nothing at all', undefined, [': is missing']],
    ['no chains', { version: 1 }, ['chains: is missing']],
    ['a chain without a maker', withChain({ maker: undefined }), ['chains[0].maker: is missing']],
    ['an unknown field', withChain({ feees: 1 }), ['chains[0].feees: is not a known field']],
    ['a zero maker', withChain({ maker: address('0') }), ['chains[0].maker: must not be the zero address']],
    [
      'a list of tokens',
      withChain({ tokens: [], pairs: {}, prices: {} }),
      ['chains[0].tokens: must be an object of named entries'],
    ],
  ])('with %s is refused', (_, desk, faults) => {
    expect(faultsOf(desk)).toEqual(faults);
  });

  it.each<[string, unknown, string]>([
    ['a price of zero', withLevel('0', '1'), `${CELL}[0]: must be above zero`],
    ['a price of zero with decimals', withLevel('0.000', '1'), `${CELL}[0]: must be above zero`],
    ['an amount of zero', withLevel('3411', '0'), `${CELL}[1]: must be above zero`],
    ['a negative price', withLevel('-3411', '1'), `${CELL}[0]: must be a plain decimal number such as 3412.5`],
    ['an infinite price', withLevel('Infinity', '1'), `${CELL}[0]: must be a plain decimal number such as 3412.5`],
    ['a price with an exponent', withLevel('3.4e3', '1'), `${CELL}[0]: must be a plain decimal number such as 3412.5`],
    ['a price that is a number', withLevel(3411, '1'), `${CELL}[0]: must be a decimal number written as a string`],
    ['a level of one number', withLevel('3411'), `${CELL}: must be [price, amount]`],
    [
      'a better price after a worse one',
      withLevel('3413', '1'),
      `${CELL}[0]: must not be above 3412, the level before it: best price first`,
    ],
    [
      'a crossed ladder',
      withLadder({ bids: [['3413', '1']], asks: [['3413', '1']] }),
      'chains[0].prices["WETH/USDC"].asks[0][0]: must be above the best bid 3413: the book is crossed at 3413',
    ],
    [
      'more base than a uint256 can say',
      withLevel('3411', `1${'0'.repeat(60)}`),
      `${CELL}[1]: the depth up to here is 2^256 raw units of the base token or more, which no order can carry`,
    ],
    [
      'more quote than a uint256 can say',
      withLadder({ bids: [], asks: [[`1${'0'.repeat(72)}`, '1']] }),
      'chains[0].prices["WETH/USDC"].asks[0][1]: the depth up to here is 2^256 raw units of the quote token or more, which no order can carry',
    ],
    [
      'a pair of an unlisted token',
      withChain({ pairs: { 'WETH/EURC': { base: 'WETH', quote: 'EURC', liquidityUSD: 1 } }, prices: {} }),
      'chains[0].pairs["WETH/EURC"].quote: "EURC" is not a listed token',
    ],
    [
      'a pair of a token with itself',
      withChain({ pairs: { 'WETH/WETH': { base: 'WETH', quote: 'WETH', liquidityUSD: 1 } }, prices: {} }),
      'chains[0].pairs["WETH/WETH"].quote: must not be the base token',
    ],
    [
      'the other direction of a pair',
      withChain({ pairs: { ...chain().pairs, 'USDC/WETH': { base: 'USDC', quote: 'WETH', liquidityUSD: 1 } } }),
      'chains[0].pairs["USDC/WETH"]: is the other direction of "WETH/USDC": two tokens make one pair, quoted in one direction',
    ],
    [
      'a second pair of the same tokens',
      withChain({ pairs: { ...chain().pairs, again: { base: 'WETH', quote: 'USDC', liquidityUSD: 1 } } }),
      'chains[0].pairs.again: has the same tokens as "WETH/USDC": two tokens make one pair, quoted in one direction',
    ],
    [
      'one address under two token IDs, however it is spelt',
      withChain({
        tokens: {
          ...chain().tokens,
          ETH: { symbol: 'ETH', name: 'Ether', address: `0x${'A'.repeat(40)}`, decimals: 18, type: 'ERC20' },
        },
      }),
      'chains[0].tokens.ETH.address: is the address of "WETH" too',
    ],
    [
      'prices of an unlisted pair',
      withChain({ prices: { 'UNI/USDC': {} } }),
      'chains[0].prices["UNI/USDC"]: is not a listed pair',
    ],
    [
      'an unlisted pair switched off',
      withChain({ off: { 'UNI/USDC': ['bids'] } }),
      'chains[0].off["UNI/USDC"]: is not a listed pair',
    ],
    [
      'a limit on an unlisted token',
      withChain({ limits: { maxQuote: { UNI: '1' } } }),
      'chains[0].limits.maxQuote.UNI: is not a listed token',
    ],
    [
      'a reserve of an unlisted token',
      withChain({ reserve: { UNI: '1' } }),
      'chains[0].reserve.UNI: is not a listed token',
    ],
    [
      'a limit beyond uint256',
      withChain({ limits: { maxOutstanding: { WETH: `1${'0'.repeat(60)}` } } }),
      'chains[0].limits.maxOutstanding.WETH: is 2^256 raw units or more, which no order can carry',
    ],
    [
      'a token that every object has',
      withChain({ tokens: JSON.parse('{"__proto__": {}}'), pairs: {}, prices: {} }),
      'chains[0].tokens.__proto__: cannot be a name',
    ],
    [
      'a base path that climbs',
      withChain({ basePath: '/a/..' }),
      'chains[0].basePath: must not have . or .. as a segment',
    ],
    [
      'an address twice on the blacklist',
      withChain({ blacklist: [address('1'), { address: address('1') }] }),
      'chains[0].blacklist[1]: is the address of entry [0] too',
    ],
    [
      'no address on the blacklist',
      withChain({ blacklist: ['nobody'] }),
      'chains[0].blacklist[0]: must be 0x followed by 40 hex characters',
    ],
    [
      'an unknown field on the blacklist',
      withChain({ blacklist: [{ address: address('1'), why: 'x' }] }),
      'chains[0].blacklist[0].why: is not a known field',
    ],
  ])('with %s is refused, naming the place', (_, desk, fault) => {
    expect(faultsOf(desk)).toEqual([fault]);
  });

  it.each([
    ['/eth', '/eth', 'is the base path of chains[0] too'],
    ['/eth', '/eth/main', 'overlaps "/eth" of chains[0]'],
    ['/eth/main', '/eth', 'overlaps "/eth/main" of chains[0]'],
    ['', '/eth', 'overlaps "" of chains[0]'],
  ])('with chains below %j and %j is refused', (first, second, message) => {
    const chains = [chain({ basePath: first }), chain({ chainId: 1, basePath: second })];
    expect(faultsOf({ version: 1, chains })).toEqual([`chains[1].basePath: ${message}`]);
  });

  it('with chains below /eth and /ether is taken: one path only begins like the other', () => {
    const chains = [chain({ basePath: '/eth' }), chain({ chainId: 1, basePath: '/ether' })];
    expect(faultsOf({ version: 1, chains })).toEqual([]);
  });

  it('with a chain id, a domain or half a credential too much is refused', () => {
    const counterparties = [{ domain: 'a', accessKey: 'k' }, { domain: 'a' }];
    expect(faultsOf({ version: 1, chains: [chain(), chain({ basePath: '/other' })], counterparties })).toEqual([
      'chains[1].chainId: is the chain id of chains[0] too',
      'counterparties[0].secretKey: is missing: the two keys come together or not at all',
      'counterparties[1].domain: is the domain of counterparties[0] too',
    ]);
  });
});
