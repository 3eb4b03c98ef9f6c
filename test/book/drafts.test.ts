import { describe, expect, it } from 'vitest';
import type { Book } from '../../electron/book/book.ts';
import type { Draft, DraftEdit } from '../../electron/contract/book.ts';
import type { Side } from '../../electron/protocol/side.ts';
import { CHAIN, chain, configuredBook, deskFile, folder, importDesk, openBook, refusal } from './fixture.ts';

const PAIR = 'WETH/USDC';
const set = (side: Side, level: number, field: 'price' | 'amount', value: string): DraftEdit => ({
  kind: 'set',
  side,
  level,
  field,
  value,
});
const edit = (book: Book, actor: string, ...edits: DraftEdit[]) => book.edit(CHAIN, PAIR, edits, actor);
const valuesOf = ({ bids, asks }: Draft) => [...bids, ...asks].map(({ price, amount }) => [price.value, amount.value]);

describe('A draft', () => {
  it('is as published until somebody edits it', async () => {
    const { book } = await configuredBook();
    const draft = book.draft(CHAIN, PAIR);
    expect(draft).toMatchObject({ version: 0, baseRevision: 1, faults: [] });
    expect(valuesOf(draft)).toEqual([
      ['3412.5', '1'],
      ['3412', '2.5'],
      ['3413', '1'],
    ]);
    expect(draft.bids[0]?.price).toEqual({ value: '3412.5', editor: null, baseRevision: 1, fault: null });
  });

  it('carries in each cell who changed it and on which revision', async () => {
    const { book } = await configuredBook();
    const draft = await edit(book, 'mara', set('bids', 1, 'amount', '3'));
    expect(draft).toMatchObject({ version: 1 });
    expect(draft.bids[1]).toMatchObject({
      price: { editor: null },
      amount: { value: '3', editor: 'mara', baseRevision: 1 },
    });
    expect((await edit(book, 'jon', set('bids', 1, 'amount', '2.5'))).bids[1]?.amount.editor).toBeNull();
  });

  it('holds no change any more once the same numbers stand in it again, however they are written', async () => {
    const { book } = await configuredBook();
    const none = (draft: Draft) => {
      const cells = [...draft.bids, ...draft.asks].flatMap(({ price, amount }) => [price, amount]);
      return cells.every(({ editor, fault }) => editor === null && fault === null);
    };
    const live = valuesOf(book.draft(CHAIN, PAIR));
    await edit(book, 'mara', set('bids', 0, 'price', '3411'));
    expect(none(await edit(book, 'mara', set('bids', 0, 'price', '3412.50')))).toBe(true);
    expect(none(await edit(book, 'mara', { kind: 'remove', side: 'bids', level: 1 }))).toBe(true);
    expect(book.draft(CHAIN, PAIR).bids).toHaveLength(1);
    const back = { kind: 'insert', side: 'bids', level: 1, price: '3412.0', amount: '2.50' } as const;
    const draft = await edit(book, 'mara', back);
    expect(none(draft)).toBe(true);
    expect(valuesOf(draft)).toEqual(live);
  });

  it('is told as what is live until anything of it is changed, a level that is gone too, and again once it is published', async () => {
    const { book } = await configuredBook();
    const isLive = () => book.draft(CHAIN, PAIR).isLive;
    expect(isLive()).toBe(true);
    await edit(book, 'mara', set('bids', 0, 'price', '3411'));
    expect(isLive()).toBeUndefined();
    await edit(book, 'mara', set('bids', 0, 'price', '3412.5'));
    expect(isLive()).toBe(true);
    const shorter = await edit(book, 'mara', { kind: 'remove', side: 'bids', level: 1 });
    expect([...shorter.bids, ...shorter.asks].every(({ price, amount }) => !price.editor && !amount.editor)).toBe(true);
    expect(shorter.isLive).toBeUndefined();
    await book.publish(CHAIN, PAIR, shorter.version, 'mara');
    expect(isLive()).toBe(true);
    expect(book.draft(CHAIN, PAIR).baseRevision).toBe(2);
  });

  it('takes new levels and gives up old ones', async () => {
    const { book } = await configuredBook();
    const insert: DraftEdit = { kind: 'insert', side: 'asks', level: 1, price: '3,414', amount: ' 2 ' };
    const draft = await edit(book, 'mara', insert, { kind: 'remove', side: 'bids', level: 0 });
    expect(valuesOf(draft)).toEqual([
      ['3412', '2.5'],
      ['3413', '1'],
      ['3414', '2'],
    ]);
    expect(draft.asks[1]?.price).toMatchObject({ value: '3414', editor: 'mara', fault: null });
  });

  it('takes what a person types, and says beside the cell what cannot be a number', async () => {
    const table = [
      ['3412.5', '3412.5', null],
      ['3,412.5', '3412.5', null],
      ['1,234,567', '1234567', null],
      ['3,4', '3,4', 'has a comma: 3.4 or 34?'],
      ['0,125', '0,125', 'has a comma: 0.125 or 125?'],
      ['3400,1.5', '3400,1.5', 'has a comma that does not separate thousands'],
      ['3.4e3', '3.4e3', 'must be written out, without an exponent'],
      ['1E-5', '1E-5', 'must be written out, without an exponent'],
      ['-1', '-1', 'must not be negative'],
      ['−1', '−1', 'must not be negative'],
      ['Infinity', 'Infinity', 'must be a number'],
      ['NaN', 'NaN', 'must be a number'],
      ['0', '0', 'must be above zero'],
      ['0.00', '0.00', 'must be above zero'],
      ['', '', 'is empty'],
      ['12a', '12a', 'must be a plain decimal number such as 3412.5'],
      ['.5', '0.5', null],
      ['0x10', '0x10', 'must be a plain decimal number such as 3412.5'],
    ];
    const { book } = await configuredBook();
    const found: (string | null)[][] = [];
    for (const [typed] of table) {
      const cell = (await edit(book, 'mara', set('bids', 1, 'amount', String(typed)))).bids[1]?.amount;
      found.push([String(typed), cell?.value ?? null, cell?.fault ?? null]);
    }
    expect(found).toEqual(table);
  });

  it('says beside the cell and of the ladder what is wrong between levels', async () => {
    const { book } = await configuredBook();
    const draft = await edit(book, 'mara', set('bids', 1, 'price', '3413'));
    expect(draft.bids[1]?.price.fault).toBe('must not be above 3412.5, the level before it: best price first');
    expect(draft.asks[0]?.price.fault).toMatch(/the book is crossed/);
    expect(draft.faults).toHaveLength(2);
    const huge = await edit(
      book,
      'mara',
      set('bids', 1, 'price', '3412'),
      set('asks', 0, 'amount', `1${'0'.repeat(60)}`),
    );
    expect(huge.asks[0]?.amount.fault).toMatch(/2\^256/);
  });

  it('makes all of the edits or none', async () => {
    const { book } = await configuredBook();
    const edits = [set('bids', 0, 'amount', '9'), set('bids', 7, 'amount', '9')];
    expect(await refusal(book.edit(CHAIN, PAIR, edits, 'mara'))).toMatchObject({
      code: 'no_such_level',
      message: 'The draft has no level 8 of bids.',
    });
    expect(book.draft(CHAIN, PAIR).version).toBe(0);
  });

  it('is told to everybody after each edit', async () => {
    const { book } = await configuredBook();
    const told: Draft[] = [];
    const stop = book.onDraft((draft) => told.push(draft));
    const edited = await edit(book, 'mara', set('bids', 0, 'amount', '9'));
    await book.discard(CHAIN, PAIR, 'mara');
    expect(told).toEqual([edited, book.draft(CHAIN, PAIR)]);
    stop();
    await edit(book, 'mara', set('bids', 0, 'amount', '9'));
    expect(told).toHaveLength(2);
  });

  it('outlives a restart, and what was made before it does not overwrite', async () => {
    const at = folder();
    const first = await configuredBook(deskFile(), at);
    const { version } = await edit(first.book, 'mara', set('bids', 1, 'amount', '3'));
    await first.close();
    const { book } = await openBook(at);
    const draft = book.draft(CHAIN, PAIR);
    expect(draft.bids[1]?.amount).toMatchObject({ value: '3', editor: 'mara', baseRevision: 1 });
    expect((await refusal(book.edit(CHAIN, PAIR, [set('bids', 1, 'amount', '4')], 'jon', version))).code).toBe(
      'draft_changed',
    );
    expect((await refusal(book.publish(CHAIN, PAIR, version, 'jon'))).code).toBe('draft_changed');
    expect(await book.publish(CHAIN, PAIR, draft.version, 'jon')).toMatchObject({ revision: 2 });
  });

  it('of an unlisted pair is refused, and leaves with its pair', async () => {
    const { book, journal } = await configuredBook();
    expect(() => book.draft(CHAIN, 'UNI/USDC')).toThrow('UNI/USDC is not a listed pair');
    await edit(book, 'mara', set('bids', 1, 'amount', '3'));
    await importDesk(book, { version: 1, chains: [chain({ pairs: {}, prices: {} })] });
    expect(() => book.draft(CHAIN, PAIR)).toThrow('WETH/USDC is not a listed pair');
    // Writes come one after another, so this one is answered after the draft is gone.
    await journal.put({ table: 'settings', key: 'any', value: 1 });
    expect(await journal.read.drafts()).toEqual([]);
  });
});

describe('Two editors', () => {
  it('do not overwrite what they have not seen', async () => {
    const { book } = await configuredBook();
    const { version } = book.draft(CHAIN, PAIR);
    await book.edit(CHAIN, PAIR, [set('bids', 0, 'amount', '7')], 'mara', version);
    const refused = await refusal(book.edit(CHAIN, PAIR, [set('bids', 0, 'amount', '8')], 'jon', version));
    expect(refused).toMatchObject({ code: 'draft_changed', message: 'mara changed this cell after you last saw it.' });
    expect(
      (await refusal(book.edit(CHAIN, PAIR, [{ kind: 'remove', side: 'bids', level: 0 }], 'jon', version))).code,
    ).toBe('draft_changed');
    expect((await refusal(book.discard(CHAIN, PAIR, 'jon', version))).code).toBe('draft_changed');
    expect(book.draft(CHAIN, PAIR).bids[0]?.amount).toMatchObject({ value: '7', editor: 'mara' });
  });

  it('work side by side in different cells', async () => {
    const { book } = await configuredBook();
    await Promise.all([
      book.edit(CHAIN, PAIR, [set('bids', 0, 'amount', '7')], 'mara', 0),
      book.edit(CHAIN, PAIR, [set('bids', 1, 'amount', '8')], 'jon', 0),
      book.edit(CHAIN, PAIR, [set('bids', 0, 'amount', '9')], 'mara', 0),
    ]);
    expect(valuesOf(book.draft(CHAIN, PAIR)).slice(0, 2)).toEqual([
      ['3412.5', '9'],
      ['3412', '8'],
    ]);
  });

  it('do not hit another level when one has moved them', async () => {
    const { book } = await configuredBook();
    await book.edit(CHAIN, PAIR, [{ kind: 'remove', side: 'bids', level: 0 }], 'mara', 0);
    const refused = await refusal(book.edit(CHAIN, PAIR, [set('asks', 0, 'amount', '8')], 'jon', 0));
    expect(refused.message).toBe('mara moved the levels of this draft after you last saw it.');
  });
});

describe('Publishing', () => {
  it('makes the next revision and begins the draft anew on it', async () => {
    const { book, journal } = await configuredBook();
    const { version } = await edit(book, 'mara', set('bids', 1, 'amount', '3'));
    const published = await book.publish(CHAIN, PAIR, version, 'jon');
    expect(published).toMatchObject({
      revision: 2,
      actor: 'jon',
      ladder: {
        bids: [
          ['3412.5', '1'],
          ['3412', '3'],
        ],
      },
    });
    expect(book.chain(CHAIN)?.pairs.get(PAIR)?.ladder).toEqual(published);
    expect(await journal.read.revisions(CHAIN, PAIR, 5)).toMatchObject([published, { revision: 1 }]);
    expect(book.draft(CHAIN, PAIR)).toMatchObject({
      baseRevision: 2,
      bids: [{}, { amount: { value: '3', editor: null, baseRevision: 2 } }],
    });
  });

  it('leaves the other pairs of the snapshot as they were', async () => {
    const { book } = await configuredBook();
    const before = book.chain(CHAIN)?.pairs.get('DAI/USDC');
    await book.publish(CHAIN, PAIR, 0, 'jon');
    expect(book.chain(CHAIN)?.pairs.get('DAI/USDC')).toBe(before);
  });

  it('is refused for a draft that was changed since', async () => {
    const { book } = await configuredBook();
    const seen = await edit(book, 'mara', set('bids', 1, 'amount', '3'));
    await edit(book, 'jon', set('bids', 0, 'amount', '4'));
    expect((await refusal(book.publish(CHAIN, PAIR, seen.version, 'mara'))).code).toBe('draft_changed');
    const both = [book.publish(CHAIN, PAIR, 2, 'mara'), book.publish(CHAIN, PAIR, 2, 'jon')].map((each) =>
      each.then(
        () => 'published',
        () => 'refused',
      ),
    );
    expect(await Promise.all(both)).toEqual(['published', 'refused']);
  });

  it('is refused, with the path of every fault, while something is wrong', async () => {
    const { book } = await configuredBook();
    const { version } = await edit(book, 'mara', set('bids', 0, 'price', '1e3'), set('asks', 0, 'price', '3412'));
    expect(await refusal(book.publish(CHAIN, PAIR, version, 'mara'))).toMatchObject({
      code: 'draft_faulty',
      faults: [
        'bids[0].price: must be written out, without an exponent',
        expect.stringMatching(/^asks\[0\]\.price: .*crossed/),
      ],
    });
  });

  it('is refused for a draft begun on a revision that is not live any more; the draft stays', async () => {
    const { book } = await configuredBook();
    await edit(book, 'mara', set('bids', 1, 'amount', '3'));
    await importDesk(book, { version: 1, chains: [chain({ prices: { [PAIR]: { asks: [['4000', '1']] } } })] });
    const stale = book.draft(CHAIN, PAIR);
    expect(stale).toMatchObject({ baseRevision: 1, faults: ['Revision 2 went live after this draft was begun.'] });
    expect((await refusal(book.publish(CHAIN, PAIR, stale.version, 'mara'))).code).toBe('ladder_moved');
    const fresh = await book.discard(CHAIN, PAIR, 'mara');
    expect(valuesOf(fresh)).toEqual([['4000', '1']]);
    expect(await book.publish(CHAIN, PAIR, fresh.version, 'mara')).toMatchObject({ revision: 3 });
  });

  it('takes a draft nobody changed along when another ladder goes live', async () => {
    const { book } = await configuredBook();
    const told: Draft[] = [];
    const before = book.draft(CHAIN, PAIR);
    book.onDraft((draft) => told.push(draft));
    await importDesk(book, { version: 1, chains: [chain({ prices: { [PAIR]: { asks: [['4000', '1']] } } })] });
    expect(told.map(valuesOf)).toEqual([[['4000', '1']]]);
    expect((await refusal(book.publish(CHAIN, PAIR, before.version, 'mara'))).code).toBe('draft_changed');
  });
});

describe('Several drafts', () => {
  const OTHER = 'DAI/USDC';
  const drafted = async () => {
    const opened = await configuredBook();
    const { book } = opened;
    const first = await edit(book, 'mara', set('bids', 0, 'price', '3412.4'));
    const second = await book.edit(CHAIN, OTHER, [set('asks', 0, 'amount', '500')], 'mara');
    const request = (pair: string, { version }: Draft) => ({ chainId: CHAIN, pair, version, keepFollowing: false });
    const revisions = () => [PAIR, OTHER].map((pair) => book.chain(CHAIN)?.pairs.get(pair)?.ladder.revision);
    return { ...opened, requests: [request(PAIR, first), request(OTHER, second)], revisions };
  };

  it('are published together, each as a row of its own', async () => {
    const { book, requests, revisions } = await drafted();
    const published = await book.publishSeveral(requests, 'mara');
    expect(published.map(({ pair, revision, actor }) => [pair, revision, actor])).toEqual([
      [PAIR, 2, 'mara'],
      [OTHER, 2, 'mara'],
    ]);
    expect(revisions()).toEqual([2, 2]);
    expect(book.chain(CHAIN)?.pairs.get(OTHER)?.ladder.ladder.asks[0]).toEqual(['1.0001', '500']);
  });

  it('are none of them published where one was changed or cannot be, and the refusal names it', async () => {
    const { book, requests, revisions } = await drafted();
    await book.edit(CHAIN, OTHER, [set('asks', 0, 'amount', '600')], 'jon');
    const changed = await refusal(book.publishSeveral(requests, 'mara'));
    expect(changed).toMatchObject({ code: 'draft_changed', message: expect.stringMatching(/^DAI\/USDC: /) });
    const { version } = await book.edit(CHAIN, OTHER, [set('asks', 0, 'price', '0.5')], 'jon');
    const faulty = requests.map((one) => (one.pair === OTHER ? { ...one, version } : one));
    expect(await refusal(book.publishSeveral(faulty, 'mara'))).toMatchObject({
      code: 'draft_faulty',
      message: expect.stringMatching(/^DAI\/USDC: /),
      faults: [expect.stringContaining('crossed')],
    });
    expect(revisions()).toEqual([1, 1]);
    expect(book.draft(CHAIN, PAIR).bids[0]?.price.value).toBe('3412.4');
  });

  it('wait for each other without end in neither order', async () => {
    const { book, requests, revisions } = await drafted();
    const both = await Promise.allSettled([
      book.publishSeveral(requests, 'mara'),
      book.publishSeveral(requests.toReversed(), 'jon'),
    ]);
    expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect(revisions()).toEqual([2, 2]);
  });
});
