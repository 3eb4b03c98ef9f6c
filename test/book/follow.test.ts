import { describe, expect, it } from 'vitest';
import { CHAIN, chain, configuredBook, deskFile, folder, NOON, type OpenBook, openBook, refusal } from './fixture.ts';

const PAIR = 'WETH/USDC';
const OTHER = 'DAI/USDC';

function followingDesk(changes: Record<string, unknown> = {}) {
  const own = chain({ referenceUrl: 'http://127.0.0.1:1/reference', follow: [PAIR], ...changes });
  return { ...deskFile(), chains: [own] };
}

const ladderOf = ({ book }: Pick<OpenBook, 'book'>, pair = PAIR) => book.chain(CHAIN)?.pairs.get(pair)?.ladder;
const followed = ({ book }: Pick<OpenBook, 'book'>) => book.chain(CHAIN)?.config.follow;
/** The reference says this a second later. */
async function hear(desk: Pick<OpenBook, 'book' | 'clock'>, mid: string, pair = PAIR) {
  desk.clock.now += 1_000;
  return (await desk.book.follow(CHAIN, new Map([[pair, mid]]))).get(pair);
}

describe('following the reference', () => {
  it('publishes the moved ladder as a revision of its own, under the name follow', async () => {
    const desk = await configuredBook(followingDesk());
    expect(await hear(desk, '3500')).toEqual({ kind: 'follows' });
    expect(ladderOf(desk)).toMatchObject({ revision: 2, actor: 'follow', followed: { mid: '3500' } });
    expect(ladderOf(desk)?.ladder).toEqual({
      bids: [
        ['3499.7', '1'],
        ['3499.2', '2.5'],
      ],
      asks: [['3500.3', '1']],
    });
    const [newest] = await desk.journal.read.revisions(CHAIN, PAIR, 1);
    expect(newest).toEqual(ladderOf(desk));
  });

  it('moves all pairs of a tick in one row of the journal', async () => {
    const desk = await configuredBook(followingDesk({ follow: [PAIR, OTHER] }));
    const before = desk.journal.head().seq;
    desk.clock.now += 1_000;
    const mids = new Map([
      [PAIR, '3500'],
      [OTHER, '1.01'],
    ]);
    expect([...(await desk.book.follow(CHAIN, mids)).values()]).toEqual([{ kind: 'follows' }, { kind: 'follows' }]);
    expect(desk.journal.head().seq).toBe(before + 1);
    for (const pair of [PAIR, OTHER]) {
      const [newest] = await desk.journal.read.revisions(CHAIN, pair, 1);
      expect(newest).toEqual(ladderOf(desk, pair));
      expect(newest).toMatchObject({ revision: 2, time: desk.clock.now, followed: { mid: mids.get(pair) } });
    }
  });

  it('moves the others where the journal has a revision of a pair that the book does not know of yet', async () => {
    const desk = await configuredBook(followingDesk({ follow: [PAIR, OTHER] }));
    const body = { chainId: CHAIN, pair: PAIR, revision: 2, baseRevision: 1, ladder: { bids: [], asks: [] } };
    await desk.journal.append({ time: NOON, actor: 'mara', kind: 'ladder_published', body });
    desk.clock.now += 1_000;
    const mids = new Map([
      [PAIR, '3500'],
      [OTHER, '1.01'],
    ]);
    expect(await desk.book.follow(CHAIN, mids)).toEqual(
      new Map([
        [PAIR, { kind: 'later' }],
        [OTHER, { kind: 'follows' }],
      ]),
    );
    expect([ladderOf(desk)?.revision, ladderOf(desk, OTHER)?.revision]).toEqual([1, 2]);
  });

  it('moves nothing else, and nothing that is not to follow', async () => {
    const desk = await configuredBook(followingDesk());
    expect(await hear(desk, '1.05', OTHER)).toBeUndefined();
    expect(ladderOf(desk, OTHER)?.revision).toBe(1);
  });

  it('moves at most once a second', async () => {
    const desk = await configuredBook(followingDesk());
    await hear(desk, '3500');
    desk.clock.now += 300;
    await desk.book.follow(CHAIN, new Map([[PAIR, '3510']]));
    expect(ladderOf(desk)?.revision).toBe(2);
    await hear(desk, '3510');
    expect(ladderOf(desk)?.revision).toBe(3);
  });

  it('goes on from the shape a person published, also after a restart', async () => {
    const at = folder();
    const first = await configuredBook(followingDesk(), at);
    for (const mid of ['3500.03', '3480.07', '3444.01']) await hear(first, mid);
    await first.close();
    const desk = await openBook(at, { now: NOON + 60_000 });
    expect(followed(desk)).toEqual([PAIR]);
    await hear(desk, '3412.75');
    // Back at the published middle the ladder is the published one, to the digit's value.
    expect(ladderOf(desk)?.ladder).toEqual({
      bids: [
        ['3412.5', '1'],
        ['3412.0', '2.5'],
      ],
      asks: [['3413.0', '1']],
    });
  });

  it('ends when a person publishes, and begins again when a person says so', async () => {
    const at = folder();
    const desk = await configuredBook(followingDesk(), at);
    await hear(desk, '3500');
    const edits = [{ kind: 'set', side: 'asks', level: 0, field: 'price', value: '3501' }] as const;
    const draft = await desk.book.edit(CHAIN, PAIR, [...edits], 'mara');
    await desk.book.publish(CHAIN, PAIR, draft.version, 'mara');
    expect(followed(desk)).toEqual([]);
    expect(await hear(desk, '3400')).toBeUndefined();
    expect(ladderOf(desk)).toMatchObject({ revision: 3, actor: 'mara' });
    expect(ladderOf(desk)?.followed).toBeUndefined();
    await desk.close();

    const again = await openBook(at, { now: NOON + 60_000 });
    expect(followed(again)).toEqual([]);
    await again.book.setFollow({ chainId: CHAIN, pair: PAIR, on: true, actor: 'mara' });
    await hear(again, '3400');
    expect(ladderOf(again)?.ladder.asks).toEqual([['3400.7', '1']]);
  });

  it('goes on in the shape a person published, where that person lets it, also after a restart', async () => {
    const at = folder();
    const desk = await configuredBook(followingDesk(), at);
    await hear(desk, '3500');
    const edits = [{ kind: 'set', side: 'asks', level: 0, field: 'price', value: '3500.7' }] as const;
    const draft = await desk.book.edit(CHAIN, PAIR, [...edits], 'mara');
    const published = await desk.book.publish(CHAIN, PAIR, draft.version, 'mara', true);
    expect(published).toMatchObject({ actor: 'mara', followed: { mid: '3500.2', bids: '0', asks: '0' } });
    expect(followed(desk)).toEqual([PAIR]);
    await hear(desk, '3400');
    // Half of the new spread of 1.0 on either side of the reference.
    expect(ladderOf(desk)?.ladder).toEqual({
      bids: [
        ['3399.5', '1'],
        ['3399.0', '2.5'],
      ],
      asks: [['3400.5', '1']],
    });
    await desk.close();
    const again = await openBook(at, { now: NOON + 60_000 });
    expect(followed(again)).toEqual([PAIR]);
    await hear(again, '3410');
    expect(ladderOf(again)?.ladder.asks).toEqual([['3410.5', '1']]);
  });

  it('is not kept for a pair that no longer follows, nor for a ladder without a middle', async () => {
    const desk = await configuredBook(followingDesk());
    const emptied = await desk.book.edit(CHAIN, PAIR, [{ kind: 'remove', side: 'asks', level: 0 }], 'mara');
    expect((await refusal(desk.book.publish(CHAIN, PAIR, emptied.version, 'mara', true))).code).toBe('no_middle');
    await desk.book.setFollow({ chainId: CHAIN, pair: PAIR, on: false, actor: 'mara' });
    expect((await refusal(desk.book.publish(CHAIN, PAIR, emptied.version, 'mara', true))).code).toBe('not_following');
    expect(ladderOf(desk)?.revision).toBe(1);
  });

  it('waits while somebody has a changed draft, and goes on when that is discarded', async () => {
    const desk = await configuredBook(followingDesk());
    await desk.book.edit(CHAIN, PAIR, [{ kind: 'set', side: 'bids', level: 0, field: 'amount', value: '9' }], 'mara');
    expect(await hear(desk, '3500')).toMatchObject({ kind: 'waits', sentence: expect.stringContaining('mara') });
    expect(ladderOf(desk)?.revision).toBe(1);
    await desk.book.discard(CHAIN, PAIR, 'mara');
    await hear(desk, '3500');
    expect(ladderOf(desk)?.revision).toBe(2);
  });

  it('takes a draft that nobody changed along: what a person then does to what they saw holds, an unseen price does not', async () => {
    const desk = await configuredBook(followingDesk());
    const seen = desk.book.draft(CHAIN, PAIR).version;
    await hear(desk, '3500');
    expect(desk.book.draft(CHAIN, PAIR).asks[0]?.price).toMatchObject({ value: '3500.3', editor: null });
    const set = (field: 'price' | 'amount', value: string) =>
      desk.book.edit(CHAIN, PAIR, [{ kind: 'set', side: 'asks', level: 0, field, value }], 'mara', seen);
    expect((await refusal(set('price', '3413.4'))).code).toBe('draft_changed');
    const draft = await set('amount', '7');
    const published = await desk.book.publish(CHAIN, PAIR, draft.version, 'mara');
    expect(published.ladder.asks).toEqual([['3500.3', '7']]);
    expect(await desk.journal.read.drafts()).toEqual([expect.objectContaining({ pair: PAIR })]);
  });

  it('ends with a retirement, and when a person says so at once', async () => {
    const desk = await configuredBook(followingDesk({ follow: [PAIR, OTHER] }));
    await desk.book.retirePair(CHAIN, PAIR, 'mara');
    expect(followed(desk)).toEqual([OTHER]);
    const written = desk.book.setFollow({ chainId: CHAIN, pair: OTHER, on: false, actor: 'mara' });
    expect(followed(desk)).toEqual([]);
    await written;
    const { desk: stored } = await desk.journal.read.storedBook();
    expect(stored?.chains[0]?.follow).toEqual([]);
  });

  it('comes and goes with the desk file', async () => {
    const desk = await configuredBook(followingDesk());
    expect((await desk.book.deskFile()).chains[0]?.follow).toEqual([PAIR]);
    const faults = async (changes: Record<string, unknown>) =>
      (await refusal(configuredBook(followingDesk(changes)))).faults;
    expect(await faults({ follow: ['WBTC/USDC'] })).toEqual(['chains[0].follow[0]: is not a listed pair']);
    expect(await faults({ follow: [PAIR, PAIR] })).toEqual(['chains[0].follow[1]: is named twice']);
    expect(await faults({ referenceUrl: null })).toEqual([
      'chains[0].follow: needs a reference: there is nothing to follow',
    ]);
  });

  it('is refused where there is nothing to follow, or no middle to move', async () => {
    const on = { chainId: CHAIN, pair: PAIR, on: true, actor: 'mara' };
    const without = await configuredBook();
    expect((await refusal(without.book.setFollow(on))).code).toBe('no_reference');
    const oneSided = { ...chain().prices, [PAIR]: { bids: [['3412.5', '1']] } };
    const desk = await configuredBook(followingDesk({ prices: oneSided, follow: [] }));
    expect((await refusal(desk.book.setFollow(on))).code).toBe('no_middle');
    expect((await refusal(Promise.resolve().then(() => desk.book.setFollow({ ...on, pair: 'X/Y' })))).code).toBe(
      'unknown_pair',
    );
  });
});
