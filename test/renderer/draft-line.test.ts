import { ORPCError } from '@orpc/client';
import { expect, test } from 'vitest';
import type { Draft, DraftEdit } from '../../electron/contract/book.ts';
import { DraftLine } from '../../renderer/pages/prices/draft-line.ts';
import { editedDraft } from '../../renderer/pages/prices/edited-draft.ts';

const cell = (value: string, editor: string | null = null) => ({ value, editor, baseRevision: 1, fault: null });
const draftOf = (version: number, prices: readonly string[], changes: Partial<Draft> = {}): Draft => ({
  chainId: 1,
  pair: 'WETH/USDC',
  version,
  baseRevision: 1,
  asks: [],
  faults: [],
  bids: prices.map((price) => ({ price: cell(price), amount: cell('1') })),
  ...changes,
});
const set = (level: number, value: string): DraftEdit[] => [
  { kind: 'set', side: 'bids', level, field: 'price', value },
];
const changed = () =>
  new ORPCError('REFUSED', {
    message: 'Jon changed this cell.',
    data: { code: 'draft_changed', remedy: '', faults: [] },
  });

/** A line to a desk whose answers a test gives one by one; `asked` are the edits it was asked for. */
function open(first: Draft) {
  const asked: { edits: DraftEdit[]; seen: number | undefined }[] = [];
  const answers: ((draft: Draft | Error) => void)[] = [];
  const notices: string[] = [];
  /** Those that stay until they are dismissed. */
  const staying: string[] = [];
  const details: (string | undefined)[] = [];
  const kept: boolean[] = [];
  const versions: number[] = [];
  const discarded: (number | undefined)[] = [];
  const state: { desk: Draft; follows: boolean; refusing: Error | null } = {
    desk: first,
    follows: false,
    refusing: null,
  };
  const line = new DraftLine({
    ladders: {
      edit: (input: { edits: DraftEdit[]; seen?: number }) => {
        asked.push({ edits: input.edits, seen: input.seen });
        return new Promise((resolve, reject) => {
          answers.push((draft) => (draft instanceof Error ? reject(draft) : resolve(draft)));
        });
      },
      draft: async () => state.desk,
      discard: async ({ seen }: { seen?: number }) => {
        discarded.push(seen);
        line.heard(state.desk, false); // the stream tells it before the answer does
        return state.desk;
      },
      publish: async ({ version, keepFollowing }: { version: number; keepFollowing: boolean }) => {
        kept.push(keepFollowing);
        versions.push(version);
        if (state.refusing !== null) throw state.refusing;
        return { revision: version };
      },
    } as unknown as ConstructorParameters<typeof DraftLine>[0]['ladders'],
    chainId: 1,
    pair: 'WETH/USDC',
    session: 's',
    actor: () => 'mara',
    follows: () => state.follows,
    notice: ({ title, detail, isKept }) => {
      if (isKept === true) staying.push(`${title}: ${detail}`);
      notices.push(title);
      details.push(detail);
    },
    onPublished: () => {},
  });
  line.heard(first, true);
  const answer = async (draft: Draft | Error) => {
    await new Promise((resolve) => setTimeout(resolve));
    answers.shift()?.(draft);
    await new Promise((resolve) => setTimeout(resolve));
  };
  const prices = () => line.state().draft?.bids.map(({ price }) => price.value);
  return { line, asked, answer, notices, staying, details, kept, versions, discarded, state, prices };
}

test('what is typed shows at once, and again as the desk has taken it', async () => {
  const { line, answer, prices } = open(draftOf(1, ['10', '9']));
  line.edit(() => set(0, '8'));
  line.edit(() => set(1, '7'));
  expect(prices()).toEqual(['8', '7']);
  await answer(draftOf(2, ['8', '9']));
  expect(prices()).toEqual(['8', '7']);
  await answer(draftOf(3, ['8', '7']));
  expect(prices()).toEqual(['8', '7']);
});

test('a level typed in two cells one after the other is one level', async () => {
  const { line, asked } = open(draftOf(1, ['10']));
  const write = (field: 'price' | 'amount', value: string) =>
    line.edit((now) =>
      now.bids.length === 1
        ? [{ kind: 'insert', side: 'bids', level: 1, price: '', amount: '', [field]: value }]
        : [{ kind: 'set', side: 'bids', level: 1, field, value }],
    );
  write('price', '9');
  write('amount', '3');
  await new Promise((resolve) => setTimeout(resolve));
  expect(asked[0]?.edits[0]?.kind).toBe('insert');
  expect(line.state().draft?.bids).toHaveLength(2);
});

test('a word of somebody else is not overwritten: it is refused, with what was wanted', async () => {
  const { line, answer, prices, state } = open(draftOf(1, ['10']));
  line.edit(() => set(0, '8'));
  state.desk = draftOf(2, ['11']);
  line.heard(state.desk, false);
  await answer(changed());
  expect(line.state().refusal?.sentence).toBe('Jon changed this cell. You wanted 8.');
  expect(prices()).toEqual(['11']);
});

test('a publish or a discard right behind an edit that is refused is not sent, and the refusal stays', async () => {
  for (const done of ['published', 'discarded'] as const) {
    const { line, answer, versions, discarded } = open(draftOf(10, ['10', '9', '8']));
    line.edit(() => set(0, '8'));
    line.edit(() => set(2, '7'));
    if (done === 'published') line.publish();
    else line.discard();
    // Somebody else made version 11, which the first edit would have made.
    line.heard(draftOf(11, ['11', '9', '8']), false);
    await answer(changed());
    await answer(draftOf(12, ['11', '9', '7']));
    await line.settled();
    expect([...versions, ...discarded]).toEqual([]);
    expect(line.state().refusal).toMatchObject({
      code: 'draft_changed',
      sentence: `Jon changed this cell. You wanted 8. The draft was not ${done}.`,
    });
    line.publish();
    await line.settled();
    expect(versions).toEqual([12]);
  }
});

test('a publish right behind an undo is of what the undo leaves, and is not sent where nothing could be undone', async () => {
  const { line, answer, versions } = open(draftOf(1, ['10', '9']));
  line.edit(() => set(0, '8'));
  await answer(draftOf(2, ['8', '9']));
  line.undo();
  line.publish();
  await answer(draftOf(3, ['10', '9']));
  await line.settled();
  expect(versions).toEqual([3]);

  const other = open(draftOf(1, ['10', '9']));
  other.line.edit(() => set(0, '8'));
  await other.answer(draftOf(2, ['8', '9']));
  other.line.heard(draftOf(3, ['7', '9']), false);
  other.line.undo();
  other.line.publish();
  await other.line.settled();
  expect(other.versions).toEqual([]);
  expect(other.line.state().refusal?.sentence).toBe(
    'Not undone: somebody has changed it since. The draft was not published.',
  );
});

test('what is published is the draft that the person was asked about, whatever came to it since', async () => {
  const { line, answer, versions, discarded } = open(draftOf(1, ['10', '9']));
  line.edit(() => set(0, '8'));
  const asked = line.seen();
  expect(line.overtaken(asked)).toBeNull();
  await answer(draftOf(2, ['8', '9']));
  expect(line.overtaken(asked)).toBeNull();
  line.heard(draftOf(3, ['8', '6']), false);
  expect(line.overtaken(asked)).toBe('The draft was changed after this was asked.');
  line.publish(false, asked);
  await line.settled();
  line.publish(true, asked);
  await line.settled();
  line.discard(asked);
  await line.settled();
  // The desk, which is at version 3, refuses these.
  expect([...versions, ...discarded]).toEqual([2, 2, 2]);
});

test('what is typed behind a press of Publish, while its draft is checked, is no part of what is published, and a draft after it', async () => {
  const { line, answer, asked, versions, prices, staying } = open(draftOf(1, ['10', '9']));
  line.edit(() => set(0, '8'));
  let check: (isReady: boolean) => void = () => {};
  const checked: string[] = [];
  line.publish(false, line.seen(), () => {
    checked.push(`after ${asked.length} edits`);
    return new Promise((resolve) => {
      check = resolve;
    });
  });
  line.edit(() => set(1, '7'));
  await answer(draftOf(2, ['8', '9']));
  expect([prices(), line.state().publishing]).toEqual([['8', '7'], true]);
  expect([checked, asked.length, versions]).toEqual([['after 1 edits'], 1, []]);
  check(true);
  await answer(draftOf(4, ['8', '7'], { baseRevision: 2 }));
  expect([asked.at(-1)?.edits, versions, line.state().publishing]).toEqual([set(1, '7'), [2], false]);
  expect([prices(), staying]).toEqual([['8', '7'], []]);

  // Where its check asks the person first, nothing is published, and what was typed goes on.
  line.publish(false, line.seen(), async () => false);
  line.edit(() => set(0, '6'));
  await answer(draftOf(5, ['6', '7'], { baseRevision: 2 }));
  expect([versions, line.state().publishing, staying]).toEqual([[2], false, []]);
});

test('that something was not published stays to be read, also once the next edit is taken, and whether that is known', async () => {
  const { line, answer, state, staying, versions } = open(draftOf(1, ['10', '9']));
  state.refusing = changed();
  line.publish();
  line.edit(() => set(0, '8'));
  await answer(draftOf(3, ['8', '6']));
  expect([versions, line.state().refusal]).toEqual([[1], null]);
  expect(staying).toEqual(['What you published of WETH/USDC was not taken: Jon changed this cell.']);

  state.refusing = new Error('the line broke');
  line.publish();
  await line.settled();
  expect(staying[1]).toMatch(/^It is not known whether WETH\/USDC was published: The desk did not answer\./);

  line.edit(() => set(0, '7'));
  line.publish();
  await answer(changed());
  await line.settled();
  expect(staying[2]).toBe('What you published of WETH/USDC was not taken: Jon changed this cell. You wanted 7.');
  expect(versions).toEqual([1, 3]);
});

test('an undo or a discard takes back a publish that waits for its check', async () => {
  const { line, answer, notices, versions, discarded, prices } = open(draftOf(1, ['10', '9']));
  let check: (isReady: boolean) => void = () => {};
  const publish = () =>
    line.publish(false, line.seen(), () => {
      return new Promise((resolve) => {
        check = resolve;
      });
    });
  line.edit(() => set(0, '8'));
  await answer(draftOf(2, ['8', '9']));
  publish();
  line.undo();
  await new Promise((resolve) => setTimeout(resolve));
  check(true);
  await answer(draftOf(3, ['10', '9']));
  expect([prices(), versions, line.state().publishing]).toEqual([['10', '9'], [], false]);
  expect(notices).toEqual(['WETH/USDC was not published']);

  publish();
  line.discard();
  await new Promise((resolve) => setTimeout(resolve));
  check(true);
  await line.settled();
  expect([versions, discarded]).toEqual([[], [3]]);
  // The next press is one of its own.
  line.publish();
  await line.settled();
  expect(versions).toHaveLength(1);
});

test('a publish that was carried out and whose answer is lost is told as published; of one that was never asked for it is known that it was not', async () => {
  const { line, answer, notices, staying, state, versions } = open(draftOf(1, ['10', '9']));
  state.refusing = new ORPCError('REFUSED', {
    message: 'This was carried out. Its answer is not kept any more.',
    data: { code: 'command_done', remedy: '', faults: [] },
  });
  line.publish();
  await line.settled();
  expect([notices, staying]).toEqual([['WETH/USDC is published'], []]);
  line.edit(() => set(0, '8'));
  line.publish();
  await answer(new Error('the line broke'));
  await line.settled();
  expect(versions).toEqual([1]);
  expect(staying).toEqual([expect.stringMatching(/^What you published of WETH\/USDC was not taken: /)]);
});

test('a second press of Publish while the first is under way publishes nothing twice, and says so of what was typed between them', async () => {
  const { line, answer, notices, versions } = open(draftOf(1, ['10', '9']));
  line.publish();
  line.publish();
  expect(notices).toEqual([]);
  line.edit(() => set(0, '8'));
  line.publish();
  await answer(draftOf(3, ['8', '9']));
  await line.settled();
  expect(versions).toEqual([1]);
  expect(notices).toContain('What you changed last in WETH/USDC was not published');
});

test('who was asked about an edit that was refused then is told why, and nothing is published', async () => {
  const { line, answer, versions } = open(draftOf(1, ['10']));
  line.edit(() => set(0, '8'));
  const asked = line.seen();
  line.heard(draftOf(2, ['11']), false);
  await answer(changed());
  expect(line.overtaken(asked)).toBe('Jon changed this cell. You wanted 8.');
  line.publish(false, asked);
  await line.settled();
  expect(versions).toEqual([]);
});

test('who begins to type while an edit is on its way has not seen what somebody writes before that is taken', async () => {
  const { line, answer, asked } = open(draftOf(1, ['10', '9']));
  line.edit(() => set(0, '8'));
  const begun = line.seen();
  await answer(draftOf(3, ['8', '6'])); // version 2 is somebody else's
  line.edit(() => set(1, '7'), begun);
  await answer(changed());
  expect(asked.map(({ seen }) => seen)).toEqual([1, 1]);
});

test('what goes on following is published over moves of the reference under an edit on its way, and over nothing else', async () => {
  const byJon: Partial<Draft> = { asks: [{ price: cell('12', 'jon'), amount: cell('1') }] };
  for (const [keepFollowing, changes, published] of [
    [true, {}, 5],
    [false, {}, 2],
    [true, byJon, 2],
  ] as const) {
    const { line, answer, state, versions } = open(
      draftOf(1, ['10'], { asks: [{ price: cell('12'), amount: cell('1') }] }),
    );
    state.follows = true;
    line.edit((now) => set(0, `${Number(now.bids[0]?.[0]) - 2}`));
    line.publish(keepFollowing);
    state.desk = draftOf(4, ['11'], { asks: [{ price: cell('12'), amount: cell('1') }], ...changes });
    await answer(changed());
    await answer({ ...state.desk, version: 5 });
    await line.settled();
    expect(versions).toEqual([published]);
  }
});

test('who is asked whether it goes on following is asked again over a word of somebody, not over a move of the reference', async () => {
  for (const [by, overtaken, published] of [
    [null, null, 3],
    ['jon', 'The draft was changed after this was asked.', 2],
  ] as const) {
    const { line, answer, state, versions } = open(draftOf(1, ['10', '9']));
    state.follows = true;
    line.edit(() => set(0, '8'));
    const asked = line.seen();
    // Version 2 came before the edit got there.
    const bids = [
      { price: cell('8', 'mara'), amount: cell('1') },
      { price: cell('9.5', by), amount: cell('1') },
    ];
    await answer(draftOf(3, [], { bids }));
    expect(line.overtaken(asked)).toBe(overtaken);
    line.publish(true, asked);
    await line.settled();
    expect(versions).toEqual([published]);
  }
});

test('where only the reference moved the figure meanwhile, the change is made of the new one', async () => {
  const { line, answer, asked, state } = open(draftOf(1, ['10']));
  state.follows = true;
  line.edit((now) => set(0, `${Number(now.bids[0]?.[0]) + 5}`));
  state.desk = draftOf(2, ['20'], { baseRevision: 2 });
  await answer(changed());
  expect(asked.map(({ edits }) => edits)).toEqual([set(0, '15'), set(0, '25')]);
  expect(asked[1]?.seen).toBe(2);
});

test('an edit of which nothing is left on what the reference brought counts for nothing, also not as one to take back', async () => {
  const { line, answer, asked, state, versions } = open(draftOf(1, ['10']));
  state.follows = true;
  line.edit((now) => (now.bids[0]?.[0] === '10' ? set(0, '11') : []));
  line.publish(false);
  state.desk = draftOf(2, ['11'], { baseRevision: 2 });
  await answer(changed());
  line.undo();
  await line.settled();
  expect(asked).toHaveLength(1);
  // Nobody has seen version 2: the desk refuses this.
  expect(versions).toEqual([1]);
});

test('a reference that moves with every try is followed until the change is taken; one that never rests is told', async () => {
  const { line, answer, asked, state, prices } = open(draftOf(1, ['10']));
  state.follows = true;
  line.edit((now) => set(0, `${Number(now.bids[0]?.[0]) + 5}`));
  for (const moves of [2, 3, 4]) {
    state.desk = draftOf(moves, [`${10 * moves}`], { baseRevision: moves });
    await answer(changed());
  }
  expect(asked.map(({ seen }) => seen)).toEqual([1, 2, 3, 4]);
  await answer(draftOf(5, ['45'], { baseRevision: 4 }));
  expect(prices()).toEqual(['45']);
  expect(line.state().refusal).toBeNull();
  line.edit(() => set(0, '8'));
  for (let tries = 0; tries < 100; tries++) {
    state.desk = draftOf(6 + tries, ['9'], { baseRevision: 6 });
    await answer(changed());
  }
  expect(asked.length).toBeLessThan(50);
  expect(line.state().refusal?.code).toBe('draft_changed');
});

test('a word of a person stands against it also while the ladder follows', async () => {
  const { line, answer, asked, state } = open(draftOf(1, ['10']));
  state.follows = true;
  line.edit(() => set(0, '8'));
  const [theirs] = set(0, '12');
  if (theirs !== undefined) state.desk = editedDraft(draftOf(2, ['10']), theirs, 'jon');
  await answer(changed());
  expect(asked).toHaveLength(1);
  expect(line.state().refusal?.code).toBe('draft_changed');
});

test('undo takes back our own word and leaves a later one of somebody else', async () => {
  const { line, answer, asked, notices } = open(draftOf(1, ['10', '9']));
  line.edit(() => set(0, '8'));
  await answer(draftOf(2, ['8', '9']));
  line.edit(() => set(1, '7'));
  await answer(draftOf(3, ['8', '7']));
  line.heard(draftOf(4, ['8', '6']), false);
  line.undo();
  await answer(draftOf(4, ['8', '6']));
  expect(notices).toEqual(['Not undone: somebody has changed it since']);
  line.undo();
  await answer(draftOf(5, ['10', '6']));
  expect(asked.at(-1)?.edits).toEqual(set(0, '10'));
});

test('an undo that the desk refused, or whose answer was lost, can be asked for again, and is not done a second time', async () => {
  const { line, answer, asked, notices, state, prices } = open(draftOf(1, ['10', '9']));
  line.edit(() => [{ kind: 'remove', side: 'bids', level: 1 }]);
  await answer(draftOf(2, ['10']));
  state.desk = draftOf(2, ['10']);
  line.undo();
  await answer(changed());
  expect([line.state().refusal?.code, prices()]).toEqual(['draft_changed', ['10']]);

  line.undo();
  await new Promise((resolve) => setTimeout(resolve));
  await answer(new Error('The connection was lost before the answer came.'));
  expect(line.state().refusal?.code).toBe('no_answer');
  const back = { edits: [{ kind: 'insert', side: 'bids', level: 1, price: '9', amount: '1' }], seen: 2 };
  expect(asked.slice(1)).toEqual([back, back]);

  // The desk had done it, and this window has not been told yet.
  state.desk = draftOf(3, ['10', '9']);
  line.undo();
  line.redo();
  await line.settled();
  expect(asked).toHaveLength(3);
  expect(notices).toEqual(['Not undone a second time: it was done before, or somebody has changed it since']);
  expect(prices()).toEqual(['10', '9']);
});

test('whose changes are gone or live by somebody else’s doing is told so, and not of their own publish', async () => {
  const own = editedDraft(draftOf(1, ['10']), set(0, '8')[0] ?? never(), 'mara');
  const told = open(own);
  told.line.heard(draftOf(2, ['8'], { baseRevision: 2 }), false);
  expect(told.notices).toEqual(['Somebody published WETH/USDC: revision 2 is live with your changes']);
  const quiet = open(own);
  quiet.line.publish();
  await new Promise((resolve) => setTimeout(resolve));
  quiet.line.heard(draftOf(2, ['8'], { baseRevision: 1 }), false);
  expect(quiet.notices).toEqual(['WETH/USDC revision 1 published']);
});

function never(): never {
  throw new Error('there is no edit');
}

test('a publish that ends following says so, and one that keeps it says that it goes on', async () => {
  const { line, state, details, kept } = open(draftOf(1, ['10']));
  state.follows = true;
  line.publish();
  await line.settled();
  line.publish(true);
  await line.settled();
  state.follows = false;
  line.publish();
  await line.settled();
  expect(kept).toEqual([false, true, false]);
  expect(details[0]).toContain('does not follow the reference any more');
  expect(details[1]).toContain('goes on following');
  expect(details[2]).toBeUndefined();
});

test('a discard is not undone over what somebody else wrote since; what they wrote elsewhere stays beside it', async () => {
  const byJon = (level: number, value: string) => {
    const draft = draftOf(5, ['10', '9']);
    const bids = draft.bids.map((one, index) => (index === level ? { ...one, price: cell(value, 'jon') } : one));
    return { ...draft, bids };
  };
  const discarded = async () => {
    const opened = open(draftOf(1, ['10', '9']));
    opened.line.edit(() => set(0, '11'));
    await opened.answer(draftOf(2, ['11', '9']));
    opened.state.desk = draftOf(3, ['10', '9']);
    opened.line.discard();
    await opened.line.settled();
    expect(opened.prices()).toEqual(['10', '9']);
    return opened;
  };
  const same = await discarded();
  same.line.heard(byJon(0, '7'), false);
  same.line.undo();
  await same.answer(changed()); // where it were asked
  await same.line.settled();
  expect(same.notices.at(-1)).toBe('Not undone: somebody has changed it since');
  expect([same.prices(), same.asked.length]).toEqual([['7', '9'], 1]);

  const elsewhere = await discarded();
  elsewhere.line.heard(byJon(1, '7'), false);
  elsewhere.line.undo();
  await elsewhere.answer(draftOf(6, ['11', '7']));
  await elsewhere.line.settled();
  expect(elsewhere.asked.at(-1)).toEqual({ edits: set(0, '11'), seen: 5 });

  const longer = await discarded();
  longer.line.heard(draftOf(5, ['12', '10', '9']), false);
  longer.line.undo();
  await longer.answer(changed()); // where it were asked
  await longer.line.settled();
  expect(longer.notices.at(-1)).toBe('Not undone: somebody has changed it since');
});

test('a discard is undone on a ladder that moved with the reference: what people wrote comes back, and no figure that nobody wrote', async () => {
  const { line, answer, asked, notices, details, state } = open(draftOf(1, ['10', '9']));
  state.follows = true;
  line.edit(() => set(0, '11'));
  const written = { price: cell('11', 'mara'), amount: cell('1') };
  await answer(draftOf(2, [], { bids: [written, { price: cell('9'), amount: cell('1') }] }));
  // The ladder had moved under the draft, and moves on after it was discarded.
  state.desk = draftOf(3, ['10.5', '9.5'], { baseRevision: 5 });
  line.discard();
  await line.settled();
  expect(details.at(-1)).toMatch(/ in the ladder brings it back\.$/);
  line.heard(draftOf(4, ['10.7', '9.7'], { baseRevision: 6 }), false);
  line.undo();
  // It moves once more before the undo gets there.
  state.desk = draftOf(5, ['10.8', '9.8'], { baseRevision: 7 });
  await answer(changed());
  await answer(draftOf(6, ['11', '9.8'], { baseRevision: 7 }));
  await line.settled();
  expect(asked.slice(1)).toEqual([
    { edits: set(0, '11'), seen: 4 },
    { edits: set(0, '11'), seen: 5 },
  ]);
  expect(notices).toEqual(['Draft of WETH/USDC discarded']);
  line.redo();
  await answer(draftOf(7, ['10.8', '9.8'], { baseRevision: 7 }));
  await line.settled();
  expect(asked.at(-1)).toEqual({ edits: set(0, '10.8'), seen: 6 });
});

test('what a discard says of its undo is true where a draft had other levels than a ladder that moves', async () => {
  const inserted = {
    price: { ...cell('11', 'mara'), published: null },
    amount: { ...cell('1', 'mara'), published: null },
  };
  const draft = draftOf(2, [], { bids: [inserted, { price: cell('10'), amount: cell('1') }] });
  const still = open(draft);
  still.state.follows = true;
  still.state.desk = draftOf(3, ['10']);
  still.line.discard();
  await still.line.settled();
  expect(still.details.at(-1)).toContain('brings it back, until the ladder moves with the reference.');

  const moved = open(draft);
  moved.state.follows = true;
  moved.state.desk = draftOf(3, ['10.5'], { baseRevision: 5 });
  moved.line.discard();
  await moved.line.settled();
  expect(moved.details.at(-1)).toContain('cannot be brought back');
  moved.line.undo();
  await moved.line.settled();
  expect(moved.asked).toEqual([]);
});

test('who discards a draft is not told that somebody took the changes in it', async () => {
  const { line, state, answer, notices } = open(draftOf(1, ['10']));
  line.edit(() => set(0, '8'));
  await answer(draftOf(2, ['8'], { bids: [{ price: cell('8', 'mara'), amount: cell('1') }] }));
  state.desk = draftOf(3, ['10']);
  line.discard();
  await line.settled();
  expect(notices).toEqual(['Draft of WETH/USDC discarded']);
});

test('once the ladder has moved, what was typed before that is not taken back, and that is said once', async () => {
  const { line, answer, asked, notices, prices } = open(draftOf(1, ['10', '9']));
  line.edit(() => set(0, '8'));
  await answer(draftOf(2, ['8', '9']));
  line.edit(() => set(0, '10'));
  await answer(draftOf(3, ['10', '9']));
  line.heard(draftOf(4, ['11', '10'], { baseRevision: 2 }), false);
  for (const replay of [() => line.undo(), () => line.undo(), () => line.redo()]) replay();
  await line.settled();
  expect(notices).toEqual(['Not undone: the ladder has moved since']);
  expect(asked).toHaveLength(2);
  expect(prices()).toEqual(['11', '10']);
});

test('what was told as live stays so while somebody types over it, and goes on with the newest that is told', async () => {
  const { line, answer } = open(draftOf(1, ['10'], { baseRevision: 7, isLive: true }));
  const live = () => [line.state().live?.revision, line.state().live?.values.bids[0]?.[0]];
  expect(live()).toEqual([7, '10']);
  line.edit(() => set(0, '8'));
  expect(line.state().draft?.isLive).toBeUndefined();
  expect(live()).toEqual([7, '10']);
  await answer(draftOf(2, ['8'], { baseRevision: 7 }));
  expect(live()).toEqual([7, '10']);
  line.heard(draftOf(3, ['8'], { baseRevision: 9 }), false);
  expect(live(), 'what is live now was not told').toEqual([7, '10']);
  line.heard(draftOf(4, ['12'], { baseRevision: 9, isLive: true }), false);
  expect(live()).toEqual([9, '12']);
  // A revision that was pushed and then refused gives its number to another ladder.
  line.heard(draftOf(5, ['13'], { baseRevision: 9, isLive: true }), false);
  expect(live()).toEqual([9, '13']);
});
