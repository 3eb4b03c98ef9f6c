import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { DraftEdit } from '../../electron/contract/book.ts';
import type { BuildForm, BuiltLadder } from '../../electron/contract/ladder-build.ts';
import { builtLadder, foundShape } from '../../electron/desk/ladder-builds.ts';
import { referencesOf } from '../../electron/desk/references-of.ts';
import { prepareLevels } from '../../electron/protocol/ladder.ts';
import { ladderDepth } from '../../electron/protocol/ladder-depth.ts';
import { buildStart, firstSize, readBuild } from '../../renderer/pages/prices/build-input.ts';
import { CHAIN, USDC, WETH } from '../book/fixture.ts';
import { DOLLAR, ETHER, firm, type OpenDesk, openDesk, request, seen } from '../quoting/open-desk.ts';

const PAIR = 'WETH/USDC';
const HERE = { chainId: CHAIN, pair: PAIR };
const noReference = () => null;
const reference = (mid: string) => () => ({ mid, time: 1, stale: false });
const FORM: BuildForm = {
  mid: { from: 'reference' },
  spreadBps: '10',
  step: { of: 'even', bps: '5' },
  levels: 2,
  size: { of: 'quote', amount: '6800' },
  shape: { kind: 'flat' },
};
const PAYABLE: BuildForm = { ...FORM, size: { of: 'payable' } };
type Reference = Parameters<typeof builtLadder>[1];
const built = (desk: OpenDesk, form: BuildForm = FORM, referenceOf: Reference = reference('3400')) =>
  builtLadder(desk, referenceOf, HERE, form);

/** The form that a page opens with on the pair. */
function opened(desk: OpenDesk): BuildForm {
  const { form } = readBuild(buildStart(foundShape(desk, CHAIN, PAIR), true));
  if (form === null) throw new Error('the form is faulty as it opens');
  return form;
}

test('a ladder is built around a reference that is fresh, from sizes in quote tokens, with the ticks of the one it finds', async () => {
  const desk = await openDesk();
  expect(built(desk).ladder).toEqual({
    bids: [
      ['3398.3', '2'],
      ['3396.6', '2'],
    ],
    asks: [
      ['3401.7', '2'],
      ['3403.4', '2'],
    ],
  });
  expect(built(desk, FORM, noReference)).toMatchObject({
    ladder: null,
    fault: 'The reference says nothing of this pair.',
  });
  expect(built(desk, FORM, () => ({ mid: '3400', time: 1, stale: true })).fault).toBe(
    'The reference of this pair is stale.',
  );
  expect(built(desk, FORM, referencesOf({ book: desk.book, now: Date.now })).ladder).toBeNull();
});

test('none is built around a reference that is held back, but where only the ladder does not follow it', async () => {
  const desk = await openDesk({ chain: { referenceUrl: 'http://127.0.0.1:1/reference' } });
  const around = (held: object) => {
    const heard = { mid: '3400', time: desk.now(), heldBack: null, ...held };
    desk.book.references.record(CHAIN, new Map([[PAIR, heard]]));
    return built(desk, FORM, referencesOf(desk));
  };
  const ladder = { bids: expect.anything(), asks: expect.anything() };
  expect(around({})).toMatchObject({ ladder, fault: null });
  expect(around({ heldBack: 'it moved 3.4 % within a minute', fenced: true })).toMatchObject({
    ladder: null,
    fault: 'The reference of this pair is not believed: it moved 3.4 % within a minute. Type a mid.',
  });
  expect(around({ heldBack: 'its sources are apart', unsure: 'apart' }).ladder).toBeNull();
  expect(around({ heldBack: 'its ladder is too far away', isBelieved: true })).toMatchObject({ ladder, fault: null });
});

test('as it opens, the form gives the draft that it finds, to the digit: sides of different lengths, steps and sizes', async () => {
  const desk = await openDesk();
  const { ladder } = desk.book.chain(CHAIN)?.pairs.get(PAIR)?.ladder ?? {};
  expect(foundShape(desk, CHAIN, PAIR)).toEqual({ bids: 2, asks: 1, spreadBps: '1.46', stepBps: '1.47' });
  expect(built(desk, opened(desk)).ladder).toEqual(ladder);
  const edits: DraftEdit[] = [
    { kind: 'set', side: 'bids', level: 0, field: 'price', value: '3412.10' },
    { kind: 'insert', side: 'asks', level: 1, price: '3419', amount: '0.750' },
  ];
  await desk.book.edit(CHAIN, PAIR, edits, 'mara');
  expect(built(desk, opened(desk)).ladder).toEqual({
    bids: [
      ['3412.10', '1'],
      ['3412', '2.5'],
    ],
    asks: [
      ['3413', '1'],
      ['3419', '0.750'],
    ],
  });
});

test('one figure changed changes that figure only: wider, or more levels that go on as the last ones', async () => {
  const desk = await openDesk();
  const start = opened(desk);
  const wider = built(desk, { ...start, spreadBps: '10' }).ladder;
  expect(wider?.bids.map(([, amount]) => amount)).toEqual(['1', '2.5']);
  expect(wider).toMatchObject({
    bids: [
      ['3411', '1'],
      ['3410.5', '2.5'],
    ],
    asks: [['3414.5', '1']],
  });
  const more = built(desk, { ...start, levels: 3 });
  expect(more.ladder?.bids).toEqual([
    ['3412.5', '1'],
    ['3412', '2.5'],
    ['3411.5', '2.5'],
  ]);
  expect(more.fault).toBeNull();
});

test('a draft with a fault is not built from: what is live is', async () => {
  const desk = await openDesk();
  await desk.book.edit(CHAIN, PAIR, [{ kind: 'set', side: 'bids', level: 0, field: 'price', value: 'x' }], 'mara');
  expect(foundShape(desk, CHAIN, PAIR).spreadBps).toBe('1.46');
});

test('on a pair without a ladder the sizes are what can be paid of each token, after what is live, reserves and limits', async () => {
  const desk = await openDesk({
    chain: { prices: {}, limits: { maxQuote: { USDC: '30600' } }, reserve: { WETH: '1' } },
  });
  expect(opened(desk)).toMatchObject({ size: { of: 'payable' }, mid: { from: 'reference' }, levels: 10 });
  desk.chain.view = seen(desk.now(), { [WETH]: 11n * ETHER });
  // 30,600 after the 2 % that the service asks for beyond what it fills are 30,000; 10 WETH less one unit are 9.8039…
  expect(built(desk, PAYABLE).ladder).toEqual({
    bids: [
      ['3398.3', '4.415'],
      ['3396.6', '4.415'],
    ],
    asks: [
      ['3401.7', '4.901'],
      ['3403.4', '4.901'],
    ],
  });
  desk.chain.view = seen(desk.now(), { [WETH]: ETHER });
  expect(built(desk, PAYABLE)).toMatchObject({ ladder: null, fault: 'Nothing of WETH can be paid now: type a size.' });
  const { balances } = desk.chain.view;
  const unapproved = { balance: DOLLAR, allowance: 0n };
  desk.chain.view = { ...desk.chain.view, balances: new Map([...balances, [USDC, unapproved]]) };
  expect(built(desk, PAYABLE).fault).toBe('USDC is not approved yet: type a size.');
  desk.chain.view = undefined;
  expect(built(desk, PAYABLE).fault).toBe('What can be paid of USDC is not seen yet: type a size.');
});

test('whatever is held, approved and live, sizes of what can be paid never come to more, and fall short by little', async () => {
  const desk = await openDesk();
  await firm(desk, request());
  const held = fc.bigInt({ min: 0n, max: 10n ** 27n });
  const shapes = fc.oneof(
    fc.constantFrom<BuildForm['shape']>({ kind: 'flat' }, { kind: 'linear' }),
    fc.integer({ min: 1, max: 400 }).map((n): BuildForm['shape'] => ({ kind: 'factor', factor: (n / 100).toFixed(2) })),
  );
  const forms = fc.record({
    levels: fc.integer({ min: 1, max: 30 }),
    shape: shapes,
    spreadBps: fc.integer({ min: 1, max: 500 }).map(String),
    mid: fc.integer({ min: 1, max: 10 ** 7 }).map((n) => ({ from: 'typed' as const, price: (n / 1_000).toFixed(3) })),
  });
  let ladders = 0;
  fc.assert(
    fc.property(held, held, held, forms, (base, quote, approved, changes) => {
      const view = seen(desk.now());
      const hold = (balance: bigint) => ({ balance, allowance: balance < approved ? balance : approved });
      desk.chain.view = {
        ...view,
        balances: new Map([
          [WETH, hold(base)],
          [USDC, hold(quote / 10n ** 12n)],
        ]),
      };
      const { ladder } = built(desk, { ...PAYABLE, ...changes });
      if (ladder === null) return;
      ladders += 1;
      const book = desk.book.chain(CHAIN);
      if (book === undefined) throw new Error('the chain is gone');
      const given = {
        [USDC]: ladderDepth(prepareLevels(ladder.bids, 18, 6), 'quote'),
        [WETH]: ladderDepth(prepareLevels(ladder.asks, 18, 6), 'base'),
      };
      for (const [token, depth] of Object.entries(given)) {
        const asked = (depth * 10_200n + 9_999n) / 10_000n;
        const most = desk.guard.quotable(book, token as typeof USDC);
        expect(asked).toBeLessThanOrEqual(most);
        // Four digits of the smallest size are kept.
        if (most > 10n * DOLLAR) expect(asked * 1_000n).toBeGreaterThan(most * 990n);
      }
    }),
  );
  expect(ladders).toBeGreaterThan(10);
});

test('a size to type begins with the smaller first size of what was built', () => {
  const one: BuiltLadder = {
    ...HERE,
    mid: '3400',
    ladder: { bids: [['3398.3', '4.415']], asks: [['3401.7', '4.9']] },
    fault: null,
  };
  expect([firstSize(one, 'base'), firstSize(one, 'quote')]).toEqual(['4.415', '15011']);
  expect(firstSize({ ...one, mid: null, ladder: null }, 'quote')).toBe('');
});
