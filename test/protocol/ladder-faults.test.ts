import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { prepareLevels } from '../../electron/protocol/ladder.ts';
import { ladderFaults } from '../../electron/protocol/ladder-faults.ts';
import type { Level } from '../../electron/protocol/wire.ts';
import { isLess, read } from './grid-oracle.ts';
import { ladderSide } from './ladder-arbitrary.ts';

const paths = (bids: Level[], asks: Level[]) => ladderFaults({ bids, asks }).map(({ path }) => path);

describe('the faults of a ladder', () => {
  it('has none when prices run from best to worst and the book is not crossed', () => {
    expect(
      paths(
        [
          ['10', '1'],
          ['10', '2'],
          ['9.5', '1'],
        ],
        [
          ['10.1', '1'],
          ['11', '1'],
        ],
      ),
    ).toEqual([]);
    expect(paths([], [])).toEqual([]);
  });

  it.each([
    '0',
    '0.000',
    '-1',
    '+1',
    'Infinity',
    'NaN',
    '1e3',
    '1E3',
    '',
    ' 1',
    '1 ',
    '.5',
    '5.',
    '1,5',
    '0x1',
    '٣',
    '01',
    `3.${'1'.repeat(110)}`,
    '9'.repeat(79),
  ])('names a price or an amount of %j', (text) => {
    expect(paths([[text, '1']], [])).toEqual(['bids[0].price']);
    expect(
      paths(
        [],
        [
          ['1', '1'],
          ['2', text],
        ],
      ),
    ).toEqual(['asks[1].amount']);
  });

  it('names a level that is better than the one before it', () => {
    expect(
      paths(
        [
          ['9', '1'],
          ['10', '1'],
        ],
        [],
      ),
    ).toEqual(['bids[1].price']);
    expect(
      paths(
        [],
        [
          ['10', '1'],
          ['9', '1'],
        ],
      ),
    ).toEqual(['asks[1].price']);
  });

  it.each(['10', '10.0', '9.99'])('names the crossed book when the best bid is 10 and the best ask %s', (ask) => {
    const faults = ladderFaults({ bids: [['10', '1']], asks: [[ask, '1']] });
    expect(faults).toHaveLength(1);
    expect(faults[0]?.path).toBe('asks[0].price');
    expect(faults[0]?.message).toContain('crossed');
  });

  it('finds a crossed book wherever the best prices stand', () => {
    expect(
      paths(
        [
          ['5', '1'],
          ['12', '1'],
        ],
        [
          ['20', '1'],
          ['11', '1'],
        ],
      ),
    ).toEqual(['bids[1].price', 'asks[1].price', 'asks[1].price']);
  });

  it('is crossed exactly when the oracle says that the best ask is not above the best bid', () => {
    fc.assert(
      fc.property(ladderSide('bids'), ladderSide('asks'), (bids, asks) => {
        const bid = read(bids[0]?.[0] ?? '0');
        const ask = read(asks[0]?.[0] ?? '0');
        expect(paths(bids, asks)).toEqual(isLess(bid, ask) ? [] : ['asks[0].price']);
      }),
    );
  });

  it('keeps a level of zero out of raw units as well', () => {
    expect(() => prepareLevels([['0', '1']], 18, 6)).toThrow(/not above zero/);
    expect(() => prepareLevels([['1', '0.0']], 18, 6)).toThrow(/not above zero/);
  });
});
