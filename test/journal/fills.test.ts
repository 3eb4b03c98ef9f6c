import { expect, test } from 'vitest';
import { openDirectly } from './fixture.ts';
import { addressOf, CHAIN, cancel, fill, hashOf, quote, REFUSED, reverted, START } from './sample-events.ts';

test('fills are listed newest first with the quote they belong to', () => {
  const { queries, write } = openDirectly();
  write(quote(1), quote(2, { pair: 'DAI/USDC', side: 'bids' }), fill(1, 1), fill(2, 3), fill(99, 2));
  const rows = queries.fills({ limit: 10 });
  expect(rows.map(({ seq, quoteSeq, pair }) => ({ seq, quoteSeq, pair }))).toEqual([
    { seq: 4, quoteSeq: 2, pair: 'DAI/USDC' },
    { seq: 5, quoteSeq: null, pair: null },
    { seq: 3, quoteSeq: 1, pair: 'WETH/USDC' },
  ]);
  expect(rows.at(-1)).toEqual({
    seq: 3,
    time: START + 1_000,
    chainId: CHAIN,
    pair: 'WETH/USDC',
    side: 'asks',
    quoteSeq: 1,
    orderHash: hashOf('order 1'),
    userAddress: addressOf('user 1'),
    taker: addressOf('receiver'),
    makerAsset: addressOf('WETH'),
    takerAsset: addressOf('USDC'),
    makerAmount: '4000',
    takerAmount: '13648000',
    transactionHash: hashOf('transaction 1'),
    block: 101,
    reverted: false,
  });
  expect(queries.fill(3)).toEqual(rows.at(-1));
  expect(queries.fill(1)).toBeNull();
});

test('fills can be narrowed by time, chain and pair', () => {
  const { queries, write } = openDirectly();
  write(quote(1), quote(2, { pair: 'DAI/USDC' }), fill(1, 1), fill(2, 2), fill(1, 3));
  const seqs = (filter: object) => queries.fills({ limit: 10, ...filter }).map(({ seq }) => seq);
  expect(seqs({ pair: 'WETH/USDC' })).toEqual([5, 3]);
  expect(seqs({ since: START + 2_000 })).toEqual([5, 4]);
  expect(seqs({ until: START + 2_000 })).toEqual([4, 3]);
  expect(seqs({ chainId: 1 })).toEqual([]);
  expect(seqs({ chainId: CHAIN, limit: 1 })).toEqual([5]);
});

test('volume is what the maker bought and sold of the base token, without what was taken back', () => {
  const { queries, write } = openDirectly();
  const minute = 60_000;
  write(quote(1), quote(2, { side: 'bids' }), quote(3));
  write(fill(1, 1), fill(2, 2), fill(1, 3), fill(3, 61), fill(98, 4));
  write(reverted(6, 1));
  const bucket = Math.floor(START / minute) * minute;
  const pair = { chainId: CHAIN, pair: 'WETH/USDC' };
  expect(queries.volume({ since: START, until: START + 2 * minute, bucketMs: minute })).toEqual([
    { ...pair, bucket, fills: 2, boughtFills: 1, bought: '13648000', sold: '4000' },
    { ...pair, bucket: bucket + minute, fills: 1, boughtFills: 0, bought: '0', sold: '4000' },
  ]);
  expect(queries.volume({ since: START, until: START + 61_000, bucketMs: minute })).toHaveLength(1);
  expect(queries.pairCounts(START)).toMatchObject([{ ...pair, signed: 3, refused: 0, filled: 3 }]);
});

test('a pair’s volume is its quote token as signed and as filled, to the last unit, without what was refused or taken back', () => {
  const { queries, write } = openDirectly();
  const huge = '123456789012345678901234567890';
  const bought = { side: 'bids', makerAsset: addressOf('USDC'), takerAsset: addressOf('WETH') } as const;
  write(quote(1, { takerAmount: huge }), quote(2, { ...bought, makerAmount: '7' }), quote(3, { ...REFUSED }));
  const inQuote = { makerAsset: addressOf('USDC'), takerAsset: addressOf('WETH'), makerAmount: '5', takerAmount: '9' };
  write(fill(1, 1, { takerAmount: huge }), fill(2, 2, inQuote), fill(1, 3, { takerAmount: '1000' }));
  write(reverted(6, 1));
  const signed = `${BigInt(huge) + 7n}`;
  const [counts] = queries.pairCounts(START);
  expect(counts).toMatchObject({ signed: 2, refused: 1, filled: 2 });
  expect(counts?.volumes).toEqual([{ asset: addressOf('USDC'), signed, filled: `${BigInt(huge) + 5n}` }]);

  // A pair that got another quote token keeps a volume in each.
  write(quote(4, { takerAsset: addressOf('DAI'), takerAmount: '11' }));
  expect(queries.pairCounts(START)[0]?.volumes).toEqual([
    expect.objectContaining({ asset: addressOf('USDC'), signed }),
    { asset: addressOf('DAI'), signed: '11', filled: '0' },
  ]);
  // Within an hour the rows themselves are counted: the same to the unit.
  const before = queries.pairCounts(START);
  expect(queries.pairCounts(START - 1)).toEqual(before);
  expect(queries.pairCounts(START + 1)[0]).toMatchObject({ signed: 3, refused: 1, filled: 2 });
});

test('fills and cancels that stand are given from a block on, in the order they were seen', () => {
  const { queries, write } = openDirectly();
  write(quote(1), fill(1, 1), cancel(1, 5), fill(1, 3), fill(1, 4));
  write(reverted(4, 1));
  expect(queries.orderEvents(CHAIN, 102)).toEqual([
    {
      seq: 3,
      kind: 'cancel',
      orderHash: hashOf('order 1'),
      block: 105,
      blockHash: hashOf('block 105'),
      transactionHash: hashOf('transaction 5'),
      logIndex: 5,
      makerAmount: null,
      takerAmount: null,
    },
    expect.objectContaining({ seq: 5, kind: 'fill', block: 104 }),
  ]);
  expect(queries.orderEvents(1, 0)).toEqual([]);
});
