import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { BookPair, ChainBook } from '../../electron/book/chain-book.ts';
import { ReferenceFence } from '../../electron/book/reference-fence.ts';
import type { Ladder } from '../../electron/contract/desk-file.ts';
import type { PriceAnswer, PriceUpdate } from '../../electron/contract/prices.ts';
import { journalFile } from '../../electron/journal/open-database.ts';
import { howOften } from '../how-often.ts';
import {
  CHAIN,
  chain,
  configuredBook,
  deskFile,
  folder,
  importDesk,
  NOON,
  type OpenBook,
  openBook,
  refusal,
} from './fixture.ts';

const PAIR = 'WETH/USDC';
const OTHER = 'DAI/USDC';
const LADDER: Ladder = { bids: [['3410.1', '0.5']], asks: [['3411.3', '0.5']] };

const ladderOf = ({ book }: Pick<OpenBook, 'book'>, pair = PAIR) => book.chain(CHAIN)?.pairs.get(pair)?.ladder;
const push = ({ book }: Pick<OpenBook, 'book'>, update: PriceUpdate, token = 'alpha') =>
  book.pushed.push(token, CHAIN, update);

/** Keeps the journal of a folder from being written until it is let go: a disk that stands still. */
function holdDisk(at: string): () => void {
  const db = new Database(journalFile(at));
  db.exec('BEGIN IMMEDIATE');
  return () => void db.close();
}

/** Whether the pair may be quoted by what was pushed, at this moment; null where nobody pushed it. */
function isFresh({ book, clock }: Pick<OpenBook, 'book' | 'clock'>, pair = PAIR): boolean | null {
  const own = book.chain(CHAIN);
  const listed = own?.pairs.get(pair);
  if (own === undefined || listed === undefined) throw new Error('no such pair');
  const until = book.pushed.freshUntil(own, listed);
  return until === null ? null : clock.now <= until;
}

describe('a pushed ladder', () => {
  it('is the next revision, under the name of its token, and is in force when it is acknowledged', async () => {
    const desk = await configuredBook();
    expect(isFresh(desk)).toBeNull();
    const answer = await push(desk, { sequence: 1, prices: { [PAIR]: LADDER } });
    expect(answer).toEqual({ sequence: 1, revisions: { [PAIR]: 2 }, refused: {} });
    expect(ladderOf(desk)).toMatchObject({ revision: 2, actor: 'prices:alpha', ladder: LADDER });
    expect(isFresh(desk)).toBe(true);
    const [newest] = await desk.journal.read.revisions(CHAIN, PAIR, 1);
    expect(newest).toEqual(ladderOf(desk));
    expect(ladderOf(desk, OTHER)?.revision).toBe(1);
  });

  it('that says what it said before is acknowledged with the revision that is live, and nothing is written', async () => {
    const desk = await configuredBook();
    await push(desk, { sequence: 1, prices: { [PAIR]: LADDER } });
    desk.clock.now += 4_000;
    expect((await push(desk, { sequence: 2, prices: { [PAIR]: LADDER } })).revisions).toEqual({ [PAIR]: 2 });
    desk.clock.now += 4_000;
    expect(isFresh(desk)).toBe(true);
    expect(await desk.journal.read.revisions(CHAIN, PAIR, 9)).toHaveLength(2);
  });

  it('is moved by mids as a reference moves it: exactly, each level at its distance, bids down and asks up', async () => {
    const desk = await configuredBook();
    await push(desk, { sequence: 1, mids: { [PAIR]: '3500' } });
    expect(ladderOf(desk)?.ladder).toEqual({
      bids: [
        ['3499.7', '1'],
        ['3499.2', '2.5'],
      ],
      asks: [['3500.3', '1']],
    });
    await push(desk, { sequence: 2, mids: { [PAIR]: '3480.07' } });
    await push(desk, { sequence: 3, mids: { [PAIR]: '3412.75' } });
    // Back at the published middle it is the published ladder: rounding does not add up.
    expect(ladderOf(desk)?.ladder).toMatchObject({ asks: [['3413.0', '1']] });
  });

  it('is written as a move where mids are said: one row for all pairs of a publish, which is read back as it was served', async () => {
    const at = folder();
    const desk = await configuredBook(deskFile(), at);
    const rows: string[] = [];
    desk.journal.onAppended((events) => rows.push(...events.map(({ actor, kind }) => `${kind} by ${actor}`)));
    await push(desk, { sequence: 1, mids: { [PAIR]: '3500', [OTHER]: '1.001' } });
    await push(desk, { sequence: 2, mids: { [PAIR]: '3480.07', [OTHER]: '1' } });
    expect(rows).toEqual(['ladders_moved by prices:alpha', 'ladders_moved by prices:alpha']);
    // A mid that is said of a ladder before that is written is part of it.
    await Promise.all([
      push(desk, { sequence: 3, prices: { [PAIR]: LADDER } }),
      push(desk, { sequence: 4, mids: { [PAIR]: '3421.15', [OTHER]: '1.002' } }),
    ]);
    expect(rows.slice(2).toSorted()).toEqual(['ladder_published by prices:alpha', 'ladders_moved by prices:alpha']);
    await push(desk, { sequence: 5, mids: { [PAIR]: '3430.05' } });
    expect(rows.slice(4)).toEqual(['ladders_moved by prices:alpha']);
    const served = [PAIR, OTHER].map((pair) => ladderOf(desk, pair));
    expect(served).toMatchObject([{ revision: 5, followed: { mid: '3430.05' } }, { revision: 4 }]);
    const read = await Promise.all([PAIR, OTHER].map((pair) => desk.journal.read.revisions(CHAIN, pair, 1)));
    expect(read.flat()).toEqual(served);
    await desk.close();
    const again = await openBook(at);
    expect([PAIR, OTHER].map((pair) => ladderOf(again, pair))).toEqual(served);
  });

  it('takes no other with it where its move is refused, because another ladder went live meanwhile', async () => {
    const desk = await configuredBook();
    // A row that memory has not heard of yet.
    const body = { chainId: CHAIN, pair: PAIR, revision: 2, baseRevision: 1, ladder: LADDER };
    await desk.journal.append({ time: NOON, actor: 'mara', kind: 'ladder_published', body });
    const { revisions, refused } = await push(desk, { sequence: 1, mids: { [PAIR]: '3500', [OTHER]: '1.001' } });
    expect(refused).toEqual({ [PAIR]: { code: 'ladder_moved', error: expect.stringContaining(PAIR) } });
    expect(revisions).toEqual({ [OTHER]: 2 });
    expect(ladderOf(desk, OTHER)).toMatchObject({ revision: 2, actor: 'prices:alpha', followed: { mid: '1.001' } });
    // What was in force for a moment is so no more, and the pair is theirs whose ladder it is.
    expect(ladderOf(desk)).toMatchObject({ revision: 2, actor: 'mara', ladder: LADDER });
    const { refused: again } = await push(desk, { sequence: 2, mids: { [PAIR]: '3500' } });
    expect(again[PAIR]).toEqual({ code: 'taken_over', error: expect.stringContaining('mara published revision 2') });
  });

  it('is in force while the disk stands still, as is each that comes after it, and acknowledged once it is written', async () => {
    const at = folder();
    const desk = await configuredBook(deskFile(), at);
    const order: string[] = [];
    const letGo = holdDisk(at);
    const answers: Promise<unknown>[] = [];
    for (const [index, mid] of ['3400', '3410', '3420'].entries()) {
      answers.push(
        push(desk, { sequence: index + 1, mids: { [PAIR]: mid } }).then((answer) => order.push('told') && answer),
      );
      await vi.waitFor(() => expect(ladderOf(desk)).toMatchObject({ revision: index + 2, followed: { mid } }));
      expect(isFresh(desk)).toBe(true);
      // Said again, it is not acknowledged before it is written either.
      if (index === 2) answers.push(push(desk, { sequence: 4, mids: { [PAIR]: mid } }).then(() => order.push('told')));
    }
    expect(await desk.journal.read.revisions(CHAIN, PAIR, 9), 'none of them is written').toHaveLength(1);
    order.push('let go');
    letGo();
    const told = await Promise.all(answers);
    expect(order).toEqual(['let go', 'told', 'told', 'told', 'told']);
    expect(told.slice(0, 3)).toMatchObject([2, 3, 4].map((revision) => ({ revisions: { [PAIR]: revision } })));
    const served = ladderOf(desk);
    expect(await desk.journal.read.revisions(CHAIN, PAIR, 1)).toEqual([served]);
    await desk.close();
    expect(ladderOf(await openBook(at))).toEqual(served);
  });

  it('that is on its way to the disk when a desk file is taken ends as the journal has it', async () => {
    const at = folder();
    const desk = await configuredBook(deskFile(), at);
    const letGo = holdDisk(at);
    const answers = [push(desk, { sequence: 1, prices: { [PAIR]: LADDER } })];
    await vi.waitFor(() => expect(ladderOf(desk)?.revision).toBe(2));
    const taken = importDesk(desk.book, deskFile());
    answers.push(push(desk, { sequence: 2, mids: { [PAIR]: '3420', [OTHER]: '1.001' } }));
    await vi.waitFor(() => expect(ladderOf(desk)?.revision).toBe(3));
    letGo();
    await taken;
    const [first, second] = await Promise.all(answers);
    expect(first?.revisions).toEqual({ [PAIR]: 2 });
    expect(second?.refused[PAIR]?.code).toBe('ladder_moved');
    for (const pair of [PAIR, OTHER]) {
      expect(await desk.journal.read.revisions(CHAIN, pair, 1)).toEqual([ladderOf(desk, pair)]);
    }
    const served = [PAIR, OTHER].map((pair) => ladderOf(desk, pair));
    await desk.close();
    const again = await openBook(at);
    expect([PAIR, OTHER].map((pair) => ladderOf(again, pair))).toEqual(served);
  });

  it('that is on its way to the disk is what a person publishes over, and the journal has both in that order', async () => {
    const at = folder();
    const desk = await configuredBook(deskFile(), at);
    const letGo = holdDisk(at);
    const pushed = push(desk, { sequence: 1, prices: { [PAIR]: LADDER } });
    await vi.waitFor(() => expect(ladderOf(desk)?.revision).toBe(2));
    const edits = [{ kind: 'set', side: 'asks', level: 0, field: 'price', value: '3412' }] as const;
    const edited = desk.book.edit(CHAIN, PAIR, [...edits], 'mara');
    const published = edited.then(({ version }) => desk.book.publish(CHAIN, PAIR, version, 'mara'));
    letGo();
    expect((await pushed).revisions).toEqual({ [PAIR]: 2 });
    await published;
    const [newest, before] = await desk.journal.read.revisions(CHAIN, PAIR, 2);
    expect([newest, before]).toMatchObject([
      { revision: 3, actor: 'mara', ladder: { bids: LADDER.bids, asks: [['3412', '0.5']] } },
      { revision: 2, actor: 'prices:alpha' },
    ]);
    expect(ladderOf(desk)).toEqual(newest);
    expect((await push(desk, { sequence: 2, mids: { [PAIR]: '3411' } })).refused[PAIR]?.code).toBe('taken_over');
  });

  it('waits while the pair is told to follow, and the journal has it that it does, as memory does', async () => {
    const at = folder();
    const follows = chain({ referenceUrl: 'http://127.0.0.1:1/reference' });
    const desk = await configuredBook({ ...deskFile(), chains: [follows] }, at);
    await push(desk, { sequence: 1, prices: { [PAIR]: LADDER } });
    const letGo = holdDisk(at);
    const following = desk.book.setFollow({ chainId: CHAIN, pair: PAIR, on: true, actor: 'mara' });
    const pushed = push(desk, {
      sequence: 2,
      prices: { [PAIR]: { bids: [['3411.1', '0.5']], asks: [['3412', '0.5']] } },
    });
    await sleep(60);
    letGo();
    await following;
    expect((await pushed).refused[PAIR]?.code).toBe('taken_over');
    const { follow } = desk.book.chain(CHAIN)?.config ?? {};
    expect(follow).toEqual([PAIR]);
    await desk.close();
    expect((await openBook(at)).book.chain(CHAIN)?.config.follow).toEqual(follow);
  });

  it('is the reference’s with the first word of that once the pair follows, also where nothing has to move', async () => {
    const follows = chain({ referenceUrl: 'http://127.0.0.1:1/reference' });
    const desk = await configuredBook({ ...deskFile(), chains: [follows] });
    await push(desk, { sequence: 1, mids: { [PAIR]: '3500' } });
    const pushed = ladderOf(desk)?.ladder;
    await desk.book.setFollow({ chainId: CHAIN, pair: PAIR, on: true, actor: 'mara' });
    desk.clock.now += 1_000;
    expect((await desk.book.follow(CHAIN, new Map([[PAIR, '3500']]))).get(PAIR)).toEqual({ kind: 'follows' });
    expect(ladderOf(desk)).toMatchObject({ actor: 'follow', revision: 3, ladder: pushed });
    desk.clock.now += 60_000;
    await desk.book.follow(CHAIN, new Map([[PAIR, '3500']]));
    expect(ladderOf(desk)?.revision, 'once').toBe(3);
  });

  it('is held with a sentence where it follows and cannot be moved, and keeps no other pair from its move', async () => {
    const follows = chain({ referenceUrl: 'http://127.0.0.1:1/reference', follow: [OTHER] });
    const desk = await configuredBook({ ...deskFile(), chains: [follows] });
    const deep: Ladder = { bids: [...LADDER.bids, ['0.01', '1']], asks: LADDER.asks };
    await push(desk, { sequence: 1, prices: { [PAIR]: deep } });
    await desk.book.setFollow({ chainId: CHAIN, pair: PAIR, on: true, actor: 'mara' });
    desk.clock.now += 1_000;
    const before = desk.journal.head().seq;
    const mids = new Map([
      [PAIR, '3410.65'],
      [OTHER, '1.01'],
    ]);
    const became = await desk.book.follow(CHAIN, mids);
    expect(became.get(PAIR)).toMatchObject({ kind: 'held', sentence: expect.stringMatching(/to zero or below/) });
    expect(became.get(OTHER)).toEqual({ kind: 'follows' });
    expect(desk.journal.head().seq, 'one row').toBe(before + 1);
  });

  it('is in hand once a person says which price they believe, and they are told so', async () => {
    const desk = await configuredBook();
    await push(desk, { sequence: 1, prices: { [PAIR]: LADDER } });
    const heard = { mid: '3800', time: desk.clock.now, heldBack: 'too far', fenced: true };
    desk.book.references.record(CHAIN, new Map([[PAIR, heard]]));
    const accepted = await desk.book.acceptReference({ chainId: CHAIN, pair: PAIR, mid: '3800' }, 'ana');
    expect(accepted).toMatchObject({ revision: 3, actor: 'ana', takenOver: true });
    expect((await push(desk, { sequence: 2, prices: { [PAIR]: LADDER } })).refused[PAIR]?.code).toBe('taken_over');
    expect(await desk.book.acceptReference({ chainId: CHAIN, pair: PAIR, mid: '3800' }, 'ana')).not.toHaveProperty(
      'takenOver',
    );
  });

  it('is off once it was not said again in time, and on again with the next', async () => {
    const desk = await configuredBook({ ...deskFile(), chains: [chain({ pricesMaxAgeSeconds: 2 })] });
    await push(desk, { sequence: 1, prices: { [PAIR]: LADDER } });
    desk.clock.now += 2_000;
    expect(isFresh(desk)).toBe(true);
    desk.clock.now += 1;
    expect(isFresh(desk)).toBe(false);
    const crossed = { bids: [['3412', '1']], asks: [['3411', '1']] };
    await push(desk, { sequence: 2, prices: { [PAIR]: crossed } });
    expect(isFresh(desk), 'what was refused refreshes nothing').toBe(false);
    await push(desk, { sequence: 3, mids: { [PAIR]: '3410.7' } });
    expect(isFresh(desk)).toBe(true);
  });

  it('is off after a restart until it is pushed again, and the count begins anew', async () => {
    const at = folder();
    const first = await configuredBook(deskFile(), at);
    await push(first, { sequence: 1, prices: { [PAIR]: LADDER } });
    await first.close();
    const desk = await openBook(at, { now: NOON + 1_000 });
    expect(isFresh(desk)).toBe(false);
    expect(await desk.book.pushed.where('alpha', CHAIN)).toEqual({ sequence: 0, revisions: { [PAIR]: 2 } });
    expect((await refusal(push(desk, { sequence: 2, prices: { [PAIR]: LADDER } }))).code).toBe('sequence_gap');
    await push(desk, { sequence: 1, prices: { [PAIR]: LADDER } });
    expect(isFresh(desk)).toBe(true);
  });
});

describe('a pair', () => {
  it('leaves what a person published last as what the reference is held to, and is not held to that itself', async () => {
    const at = folder();
    const desk = await configuredBook(deskFile(), at);
    let mid = 3_412.75;
    for (let sequence = 1; mid < 5_000; sequence += 1) {
      desk.clock.now += 4 * 3_600_000;
      mid = Math.round(mid * 1.04);
      const whole = { bids: [[`${mid - 1}`, '1']], asks: [[`${mid + 1}`, '1']] } as Ladder;
      const pushed = sequence % 3 === 0 ? { mids: { [PAIR]: `${mid}` } } : { prices: { [PAIR]: whole } };
      expect((await push(desk, { sequence, ...pushed })).refused).toEqual({});
    }
    const live = ladderOf(desk);
    expect(live?.anchor).toBe('3412.75');
    expect((await desk.journal.read.revisions(CHAIN, PAIR, 1))[0]).toEqual(live);
    const fence = new ReferenceFence();
    const [own, listed] = [desk.book.chain(CHAIN) as ChainBook, desk.book.chain(CHAIN)?.pairs.get(PAIR) as BookPair];
    const known = { low: '4900', high: '5000', last: '5000' };
    fence.begin(CHAIN, listed, known, desk.clock.now);
    expect(fence.judge(own, listed, '5000', desk.clock.now)).toContain('2500 bps from 3412.75, around which a person');
    await desk.close();
    expect(ladderOf(await openBook(at, { now: desk.clock.now }))).toEqual(live);
  });

  it('that follows the reference is taken over by a push, of a ladder or of a mid', async () => {
    const follows = chain({ referenceUrl: 'http://127.0.0.1:1/reference', follow: [PAIR, OTHER] });
    const desk = await configuredBook({ ...deskFile(), chains: [follows] });
    await push(desk, { sequence: 1, prices: { [PAIR]: LADDER } });
    expect(desk.book.chain(CHAIN)?.config.follow).toEqual([OTHER]);
    await push(desk, { sequence: 2, mids: { [OTHER]: '1.001' } });
    expect(desk.book.chain(CHAIN)?.config.follow).toEqual([]);
    desk.clock.now += 1_000;
    await desk.book.follow(CHAIN, new Map([[PAIR, '3412']]));
    expect(ladderOf(desk)?.actor).toBe('prices:alpha');
  });

  it('that a person takes over stays theirs, also where the engine begins anew, until they give it back: then its count goes on', async () => {
    const at = folder();
    const desk = await configuredBook(deskFile(), at);
    await push(desk, { sequence: 1, mids: { [PAIR]: '3412', [OTHER]: '1' } });
    const edits = [{ kind: 'set', side: 'asks', level: 0, field: 'amount', value: '7' }] as const;
    const held = await desk.book.edit(CHAIN, PAIR, [...edits], 'mara');
    await push(desk, { sequence: 2, mids: { [PAIR]: '3420' } });
    const overtaken = desk.book.draft(CHAIN, PAIR);
    expect(overtaken.asks[0]?.amount, 'a draft that somebody changed stays').toMatchObject({
      value: '7',
      editor: 'mara',
    });
    const early = await refusal(desk.book.publish(CHAIN, PAIR, held.version, 'mara'));
    expect(early.code).toBe('ladder_moved');

    await desk.book.setHand({ chainId: CHAIN, pair: PAIR, on: true, actor: 'mara' });
    const byHand = { code: 'taken_over', error: `${PAIR} is priced by hand until a person gives it back.` };
    const third = await push(desk, { sequence: 3, mids: { [PAIR]: '3421', [OTHER]: '1.001' } });
    expect(third).toEqual({ sequence: 3, revisions: { [OTHER]: 3 }, refused: { [PAIR]: byHand } });
    expect(isFresh(desk), 'what was pushed last is good until it is too old').toBe(true);
    const brought = await desk.book.rebase(CHAIN, PAIR, 'mara', desk.book.draft(CHAIN, PAIR).version);
    await desk.book.publish(CHAIN, PAIR, brought.version, 'mara');
    expect(ladderOf(desk)).toMatchObject({ revision: 4, actor: 'mara', ladder: { asks: [['3420.3', '7']] } });
    expect((await push(desk, { sequence: 1, mids: { [PAIR]: '3422' } })).refused).toEqual({ [PAIR]: byHand });
    await desk.close();

    const again = await openBook(at);
    expect((await push(again, { sequence: 1, mids: { [PAIR]: '3423' } })).refused).toEqual({ [PAIR]: byHand });
    await again.book.setHand({ chainId: CHAIN, pair: PAIR, on: false, actor: 'mara' });
    expect(again.book.chain(CHAIN)?.config.byHand).toEqual([]);
    expect((await push(again, { sequence: 2, mids: { [PAIR]: '3424' } })).revisions).toEqual({ [PAIR]: 5 });
    expect(isFresh(again)).toBe(true);
  });

  it('that is given back and taken over in one moment is what was asked last, also after a restart', async () => {
    const at = folder();
    const desk = await configuredBook(deskFile(), at);
    const hand = (on: boolean) => desk.book.setHand({ chainId: CHAIN, pair: PAIR, on, actor: 'mara' });
    const isTaken = () => desk.book.chain(CHAIN)?.config.byHand?.includes(PAIR);
    await hand(true);
    await Promise.all([hand(false), hand(true)]);
    expect(isTaken()).toBe(true);
    await Promise.all([hand(true), hand(false)]);
    expect(isTaken()).toBe(false);
    await Promise.all([hand(true), hand(false), hand(true)]);
    expect(isTaken()).toBe(true);
    await desk.close();
    expect((await openBook(at)).book.chain(CHAIN)?.config.byHand).toEqual([PAIR]);
  });

  it('that nobody has taken is given back without a row', async () => {
    const desk = await configuredBook();
    const back = () => desk.book.setHand({ chainId: CHAIN, pair: PAIR, on: false, actor: 'mara' });
    expect(await back()).toEqual({ seq: 0, on: false });
    await desk.book.setHand({ chainId: CHAIN, pair: PAIR, on: true, actor: 'mara' });
    expect((await back()).seq).toBeGreaterThan(0);
    expect(await back()).toEqual({ seq: 0, on: false });
  });

  it('that nobody has taken goes on being priced by its engine when it is given back', async () => {
    const desk = await configuredBook();
    await push(desk, { sequence: 1, prices: { [PAIR]: LADDER } });
    expect(await desk.book.setHand({ chainId: CHAIN, pair: PAIR, on: false, actor: 'mara' })).toEqual({
      seq: 0,
      on: false,
    });
    expect(isFresh(desk), 'nothing was changed, so nothing is off').toBe(true);
    expect((await push(desk, { sequence: 1, mids: { [PAIR]: '3411' } }, 'beta')).refused[PAIR]?.code).toBe(
      'other_token',
    );
    expect((await push(desk, { sequence: 2, mids: { [PAIR]: '3420' } })).revisions).toEqual({ [PAIR]: 3 });
  });

  it('that a person publishes over an engine is taken over by that', async () => {
    const desk = await configuredBook();
    await push(desk, { sequence: 1, prices: { [PAIR]: LADDER } });
    const edits = [{ kind: 'set', side: 'asks', level: 0, field: 'price', value: '3412' }] as const;
    const draft = await desk.book.edit(CHAIN, PAIR, [...edits], 'mara');
    await desk.book.publish(CHAIN, PAIR, draft.version, 'mara');
    const { refused } = await push(desk, { sequence: 2, mids: { [PAIR]: '3411' } });
    expect(refused[PAIR]).toMatchObject({ code: 'taken_over', error: expect.stringContaining('by hand') });
    expect(isFresh(desk), 'a person answers for it').toBeNull();
    expect(desk.book.chain(CHAIN)?.config.byHand).toEqual([PAIR]);
    await desk.book.setHand({ chainId: CHAIN, pair: PAIR, on: false, actor: 'mara' });
    expect((await push(desk, { sequence: 3, mids: { [PAIR]: '3411.2' } })).refused).toEqual({});
    expect(ladderOf(desk)?.actor).toBe('prices:alpha');
  });

  it('is priced by one token at a time: another takes it once the first has been silent too long', async () => {
    const desk = await configuredBook();
    await push(desk, { sequence: 1, prices: { [PAIR]: LADDER } });
    const second = await push(desk, { sequence: 1, mids: { [PAIR]: '3411', [OTHER]: '1.0005' } }, 'beta');
    expect(second.refused).toEqual({ [PAIR]: { code: 'other_token', error: expect.stringContaining('alpha') } });
    expect(second.revisions).toEqual({ [OTHER]: 2 });
    desk.clock.now += 5_001;
    expect((await push(desk, { sequence: 2, mids: { [PAIR]: '3411' } }, 'beta')).revisions).toEqual({ [PAIR]: 3 });
    const { refused } = await push(desk, { sequence: 2, mids: { [PAIR]: '3412' } });
    expect(refused[PAIR]?.code).toMatch(/^(other_token|taken_over)$/);
  });

  it('whose price was refused beyond the hard fence is not held to that price afterwards', async () => {
    const fenced = chain({ referenceUrl: 'http://127.0.0.1:1/reference', fenceHardBps: 100, referenceMinuteBps: 500 });
    const desk = await configuredBook({ ...deskFile(), chains: [fenced] });
    const reference = { mid: '3412.75', time: desk.clock.now, heldBack: null };
    desk.book.references.record(CHAIN, new Map([[PAIR, reference]]));
    const { refused } = await push(desk, { sequence: 1, mids: { [PAIR]: '3550' } });
    expect(refused[PAIR]).toEqual({ code: 'fenced', error: expect.stringContaining('nothing is signed beyond 100') });
    // Within every limit of what the desk believes, and 503 bps from what it refused.
    expect((await push(desk, { sequence: 2, mids: { [PAIR]: '3380' } })).refused).toEqual({});
    expect(ladderOf(desk)).toMatchObject({ actor: 'prices:alpha', followed: { mid: '3380' } });
  });

  it('whose token is revoked is off at once', async () => {
    const desk = await configuredBook();
    await push(desk, { sequence: 1, prices: { [PAIR]: LADDER } });
    desk.book.pushed.revoke('alpha');
    expect(isFresh(desk)).toBe(false);
    expect(desk.book.pushed.lines()).toEqual([]);
  });
});

describe('a count', () => {
  it.each([
    [4, 'left out'],
    [2, 'used again'],
  ])(
    'with number %i %s refuses the update whole, and the pairs of the token are off until it begins anew',
    async (sequence) => {
      const desk = await configuredBook();
      await push(desk, { sequence: 1, prices: { [PAIR]: LADDER } });
      await push(desk, { sequence: 2, mids: { [PAIR]: '3411' } });
      const broken = await refusal(push(desk, { sequence, mids: { [PAIR]: '3412', [OTHER]: '1.001' } }));
      expect(broken.code).toBe('sequence_gap');
      expect(ladderOf(desk, OTHER)?.revision).toBe(1);
      expect(isFresh(desk)).toBe(false);
      expect((await refusal(push(desk, { sequence: 3, mids: { [PAIR]: '3411' } }))).code).toBe('sequence_gap');
      expect(isFresh(desk)).toBe(false);
      expect((await desk.book.pushed.where('alpha', CHAIN)).sequence).toBe(0);
      await push(desk, { sequence: 1, mids: { [PAIR]: '3411' } });
      expect(isFresh(desk)).toBe(true);
    },
  );

  it('of one chain and token says nothing of another', async () => {
    const desk = await configuredBook({ ...deskFile(), chains: [chain(), chain({ chainId: 1, basePath: '/1' })] });
    await push(desk, { sequence: 1, prices: { [PAIR]: LADDER } });
    await desk.book.pushed.push('alpha', 1, { sequence: 1, prices: { [PAIR]: LADDER } });
    expect((await refusal(desk.book.pushed.push('alpha', 1, { sequence: 7, mids: {} }))).code).toBe('sequence_gap');
    expect(isFresh(desk)).toBe(true);
    expect((await push(desk, { sequence: 2, mids: { [PAIR]: '3411' } })).refused).toEqual({});
  });
});

const level = (price: unknown, amount: unknown = '1') => ({ bids: [[price, amount]], asks: [['3413', '1']] });
const HOSTILE: [what: string, update: Omit<PriceUpdate, 'sequence'>, code: string, says: RegExp][] = [
  [
    'a crossed ladder',
    { prices: { [PAIR]: { bids: [['3413', '1']], asks: [['3412', '1']] } } },
    'ladder_faulty',
    /crossed/,
  ],
  ['NaN', { prices: { [PAIR]: level('NaN') } }, 'ladder_faulty', /bids\[0\]\[0\]: must be a plain decimal/],
  ['a number that is no text', { prices: { [PAIR]: level(3412) } }, 'ladder_faulty', /written as a string/],
  ['a negative price', { prices: { [PAIR]: level('-3412') } }, 'ladder_faulty', /plain decimal/],
  ['a negative amount', { prices: { [PAIR]: level('3412', '-1') } }, 'ladder_faulty', /bids\[0\]\[1\]/],
  ['an exponent', { prices: { [PAIR]: level('3.4e3') } }, 'ladder_faulty', /plain decimal/],
  ['zero', { prices: { [PAIR]: level('0') } }, 'ladder_faulty', /above zero/],
  ['more than an order can carry', { prices: { [PAIR]: level('3412', '9'.repeat(70)) } }, 'ladder_faulty', /2\^256/],
  [
    '10,000 levels',
    { prices: { [PAIR]: { bids: Array.from({ length: 10_000 }, () => ['3412', '1']) } } },
    'ladder_faulty',
    /at most 200 levels/,
  ],
  [
    'a field nobody knows',
    { prices: { [PAIR]: { ...level('3412'), mid: '1' } } },
    'ladder_faulty',
    /not a known field/,
  ],
  ['no ladder at all', { prices: { [PAIR]: null } }, 'ladder_faulty', /must be/],
  [
    'ten times the price',
    { prices: { [PAIR]: { bids: [['34120', '1']], asks: [['34130', '1']] } } },
    'fenced',
    /500 bps/,
  ],
  ['a tenth of the price', { prices: { [PAIR]: { bids: [['341', '1']], asks: [['342', '1']] } } }, 'fenced', /500 bps/],
  ['a mid that is none', { mids: { [PAIR]: '1e3' } }, 'ladder_faulty', /plain decimal above zero/],
  ['a mid of zero', { mids: { [PAIR]: '0' } }, 'ladder_faulty', /above zero/],
  ['a mid ten times off', { mids: { [PAIR]: '34127' } }, 'no_middle', /10 % at once/],
  ['a mid beyond what is believed', { mids: { [PAIR]: '3600' } }, 'fenced', /500 bps/],
  ['a pair nobody listed', { mids: { 'A/B': '1' } }, 'unknown_pair', /not a listed pair/],
];

it.each(HOSTILE)(
  '%s is refused with the reason, and takes no other pair with it',
  async (_what, update, code, says) => {
    const desk = await configuredBook();
    await push(desk, { sequence: 1, prices: { [PAIR]: LADDER } });
    const before = ladderOf(desk);
    const other = update.prices === undefined ? { mids: { ...update.mids, [OTHER]: '1.0005' } } : update;
    const { revisions, refused } = await push(desk, { sequence: 2, ...other });
    const [[pair, said] = []] = Object.entries(refused);
    expect(said).toEqual({ code, error: expect.stringMatching(says) });
    expect(pair).toBe(code === 'unknown_pair' ? 'A/B' : PAIR);
    expect(revisions).toEqual(update.prices === undefined ? { [OTHER]: 2 } : {});
    expect(ladderOf(desk)).toEqual(before);
    expect(isFresh(desk), 'the last ladder stays until it is stale').toBe(true);
  },
);

it('whatever the order in which updates come, each pair ends at the last that was accepted, every revision that was acknowledged exists, and the journal says what memory does', async () => {
  const at = folder();
  const desk = await configuredBook(deskFile(), at);
  const ladder = fc.integer({ min: 0, max: 200 }).map((ticks) => {
    const low = 34_000 + ticks;
    return { bids: [[`${low / 10}`, '1']], asks: [[`${(low + 5) / 10}`, '1']] };
  });
  const crossed = { bids: [['3413', '1']], asks: [['3412', '1']] };
  const wrong = fc.constant(crossed);
  const mid = fc.integer({ min: 34_000, max: 34_200 }).map((ticks) => `${ticks / 10}`);
  const step = fc.record({
    said: fc.oneof(
      { weight: 3, arbitrary: ladder.map((prices) => ({ prices: { [PAIR]: prices } })) },
      { weight: 1, arbitrary: wrong.map((prices) => ({ prices: { [PAIR]: prices } })) },
      { weight: 3, arbitrary: mid.map((middle) => ({ mids: { [PAIR]: middle } })) },
    ),
    isAwaited: fc.boolean(),
    isDiskHeld: fc.integer({ min: 0, max: 5 }).map((chance) => chance === 0),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      const answers: Promise<PriceAnswer>[] = [];
      for (const [index, { said, isAwaited, isDiskHeld }] of steps.entries()) {
        const letGo = isDiskHeld ? holdDisk(at) : null;
        const answer = push(desk, { sequence: index + 1, ...said });
        answers.push(answer);
        if (letGo !== null) await sleep(60);
        letGo?.();
        if (isAwaited) await answer;
      }
      const told = await Promise.all(answers);
      const live = ladderOf(desk);
      const revisions = await desk.journal.read.revisions(CHAIN, PAIR, 500);
      let last = -1;
      for (const [index, { sequence, revisions: by, refused }] of told.entries()) {
        expect(sequence).toBe(index + 1);
        expect(Object.keys(by).length + Object.keys(refused).length).toBe(1);
        const { [PAIR]: revision } = by;
        const said = steps[index]?.said;
        const isWrong = said !== undefined && 'prices' in said && said.prices[PAIR] === crossed;
        expect(revision === undefined, 'what is wrong is refused, and takes nothing with it that waits').toBe(isWrong);
        if (revision === undefined) continue;
        expect(revisions.some((one) => one.revision === revision)).toBe(true);
        expect(revision).toBeGreaterThanOrEqual(last);
        last = revision;
      }
      if (last < 0) return;
      expect(live?.revision).toBe(last);
      const accepted = steps.filter((_step, index) => told[index]?.revisions[PAIR] !== undefined).at(-1)?.said;
      if (accepted !== undefined && 'prices' in accepted) expect(live?.ladder).toEqual(accepted.prices[PAIR]);
      if (accepted !== undefined && 'mids' in accepted) {
        const [bid, ask] = [Number(live?.ladder.bids[0]?.[0]), Number(live?.ladder.asks[0]?.[0])];
        expect(Math.abs((bid + ask) / 2 - Number(accepted.mids[PAIR]))).toBeLessThanOrEqual(0.4);
      }
    }),
    { numRuns: howOften(6, 50) },
  );
  const served = ladderOf(desk);
  const [newest] = await desk.journal.read.revisions(CHAIN, PAIR, 1);
  expect(newest).toEqual(served);
  await desk.close();
  expect(ladderOf(await openBook(at))).toEqual(served);
});

it('whatever an engine pushes while a person has the pair follow or not, the journal says what memory does', async () => {
  const step = fc.record({
    does: fc.oneof(
      fc.constantFrom('follow', 'leave' as const).map((what) => ({ kind: what }) as const),
      fc.integer({ min: 0, max: 200 }).map((ticks) => ({ kind: 'push', ticks }) as const),
    ),
    isDiskHeld: fc.boolean(),
  });
  const follows = chain({ referenceUrl: 'http://127.0.0.1:1/reference' });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 8 }), async (steps) => {
      const at = folder();
      const desk = await configuredBook({ ...deskFile(), chains: [follows] }, at);
      const under: Promise<unknown>[] = [];
      let [isHeld, letGo] = [false, () => {}];
      for (const { does, isDiskHeld } of steps) {
        if (!isDiskHeld || !isHeld) letGo();
        if (isDiskHeld && !isHeld) letGo = holdDisk(at);
        isHeld = isDiskHeld;
        if (does.kind === 'push') {
          const low = 34_000 + does.ticks;
          const ladder = { bids: [[`${low / 10}`, '1']], asks: [[`${(low + 5) / 10}`, '1']] };
          // Each begins the count anew, so that it takes the pair over.
          under.push(push(desk, { sequence: 1, prices: { [PAIR]: ladder } }));
          await sleep(20);
        } else {
          const on = does.kind === 'follow';
          under.push(desk.book.setFollow({ chainId: CHAIN, pair: PAIR, on, actor: 'mara' }));
        }
      }
      letGo();
      await Promise.all(under);
      const here = [desk.book.chain(CHAIN)?.config.follow, ladderOf(desk)];
      await desk.close();
      const again = await openBook(at);
      expect([again.book.chain(CHAIN)?.config.follow, ladderOf(again)]).toEqual(here);
      await again.close();
    }),
    {
      numRuns: howOften(6, 50),
      examples: [
        [
          [
            { does: { kind: 'follow' }, isDiskHeld: true },
            { does: { kind: 'push', ticks: 7 }, isDiskHeld: true },
          ],
        ],
      ],
    },
  );
});

it('a thousand updates that come together are a few revisions, each answered with one that holds it or a newer one', async () => {
  const desk = await configuredBook();
  const answers = Array.from({ length: 1_000 }, (_, index) =>
    push(desk, { sequence: index + 1, mids: { [PAIR]: `${3_400 + (index % 50) / 2}`, [OTHER]: '1' } }),
  );
  const told = await Promise.all(answers);
  const acknowledged = new Set(told.map(({ revisions }) => revisions[PAIR]));
  expect(acknowledged.has(undefined)).toBe(false);
  const written = await desk.journal.read.revisions(CHAIN, PAIR, 500);
  expect(written.length).toBeLessThan(100);
  expect(Math.max(...written.map(({ revision }) => revision))).toBe(ladderOf(desk)?.revision);
  expect(told.at(-1)?.revisions[PAIR]).toBe(ladderOf(desk)?.revision);
});
