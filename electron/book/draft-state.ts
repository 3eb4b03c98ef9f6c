import type { Draft, DraftCell, DraftLevel, PublishedLadder } from '../contract/book.ts';
import type { Ladder } from '../contract/desk-file.ts';
import type { Level } from '../protocol/wire.ts';
import { isSameNumber } from './draft-number.ts';

/** Who did something to a draft, in which window if that is known, and which version it made. */
export interface Writing {
  readonly by: string;
  readonly session?: string;
  readonly version: number;
}

/** One cell as the desk keeps it. */
export interface DraftCellState {
  readonly value: string;
  /** What stands in the revision the draft was begun on; null in a level that is not in it. */
  readonly published: string | null;
  /** Who made it differ from what is published, or null. */
  readonly editor: string | null;
  readonly baseRevision: number;
  /** Who last wrote into it, and which version that made; kept when the draft is published. */
  readonly written: Writing | null;
}

export interface DraftLevelState {
  readonly price: DraftCellState;
  readonly amount: DraftCellState;
}

/** What a draft is begun on: the revision that is live, and its ladder. */
export type DraftBase = Pick<PublishedLadder, 'revision' | 'ladder' | 'followed'>;

/**
 * The draft of a pair as the desk keeps it. `version` counts every change; `moved` says who last moved levels, and which
 * version that made: an index from before then may name another level.
 */
export interface DraftState {
  readonly version: number;
  readonly moved: ReadonlyMap<string, Writing>;
  readonly baseRevision: number;
  readonly bids: readonly DraftLevelState[];
  readonly asks: readonly DraftLevelState[];
}

/** The draft of a pair in which nobody has changed anything yet. */
export function newDraft(base: DraftBase): DraftState {
  return { version: 0, moved: new Map(), baseRevision: base.revision, ...levelsOf(base) };
}

/** The draft once it was published: what everybody saw stays where it was, and is now the published ladder. */
export function publishedDraft(draft: DraftState, revision: number): DraftState {
  const cell = ({ value, written }: DraftCellState): DraftCellState => ({
    value,
    published: value,
    editor: null,
    baseRevision: revision,
    written,
  });
  return { ...eachCell(draft, cell), version: draft.version + 1, baseRevision: revision };
}

/** A draft whose levels were changed back to what it was begun on: nobody has changed anything in it any more. */
export function settledDraft(draft: DraftState, { revision, ladder }: DraftBase): DraftState {
  const isSame = (levels: readonly DraftLevelState[], as: readonly Level[]) =>
    levels.length === as.length &&
    levels.every(
      ({ price, amount }, index) =>
        isSameNumber(price.value, as[index]?.[0] ?? '') && isSameNumber(amount.value, as[index]?.[1] ?? ''),
    );
  if (draft.baseRevision !== revision || !isSame(draft.bids, ladder.bids) || !isSame(draft.asks, ladder.asks)) {
    return draft;
  }
  const { bids, asks } = levelsOf({ revision, ladder });
  const settled = (levels: readonly DraftLevelState[], before: readonly DraftLevelState[]) =>
    levels.map(({ price, amount }, index) => ({
      price: { ...price, written: before[index]?.price.written ?? null },
      amount: { ...amount, written: before[index]?.amount.written ?? null },
    }));
  return { ...draft, bids: settled(bids, draft.bids), asks: settled(asks, draft.asks) };
}

/** The draft begun anew: an index into the old one means nothing any more, except to the person who did it. */
export function resetDraft(draft: DraftState, base: DraftBase, actor: string): DraftState {
  const version = draft.version + 1;
  const moved = new Map(draft.moved).set(actor, { by: actor, version });
  return { version, moved, baseRevision: base.revision, ...levelsOf(base) };
}

/**
 * A draft that nobody changed, after its ladder moved with the reference or an engine pushed another one. The levels are the same ones; whoever is about
 * to change a price they have not seen is told so, and everything else they do holds.
 */
export function followedDraft(draft: DraftState, base: DraftBase, mover: string): DraftState {
  const version = draft.version + 1;
  const { bids, asks } = levelsOf(base);
  if (bids.length !== draft.bids.length || asks.length !== draft.asks.length) return resetDraft(draft, base, mover);
  const carried = (level: DraftLevelState, before: DraftLevelState | undefined): DraftLevelState => ({
    price: { ...level.price, written: { by: mover, version } },
    amount: { ...level.amount, written: before?.amount.written ?? null },
  });
  return {
    ...draft,
    version,
    baseRevision: base.revision,
    bids: bids.map((level, index) => carried(level, draft.bids[index])),
    asks: asks.map((level, index) => carried(level, draft.asks[index])),
  };
}

/** The draft as it was before a restart. Nobody has seen it since, so an edit made before then is refused. */
export function restoredDraft(stored: Draft): DraftState {
  // Earlier programs kept of a changed cell only what it was changed to.
  const cell = ({ value, published = value, editor, baseRevision }: DraftCell): DraftCellState => ({
    value,
    published: published === value && editor !== null ? null : published,
    editor,
    baseRevision,
    written: null,
  });
  const level = ({ price, amount }: DraftLevel) => ({ price: cell(price), amount: cell(amount) });
  return {
    version: stored.version + 1,
    moved: new Map([['the restart', { by: 'the restart', version: stored.version + 1 }]]),
    baseRevision: stored.baseRevision,
    bids: stored.bids.map(level),
    asks: stored.asks.map(level),
  };
}

/** The ladder as it stands in the draft, sound or not. */
export function draftedLadder(draft: DraftState): Ladder {
  const level = ({ price, amount }: DraftLevelState): Level => [price.value, amount.value];
  return { bids: draft.bids.map(level), asks: draft.asks.map(level) };
}

/** Whether the draft says what `ladder` says. */
export function says(draft: DraftState, ladder: Ladder): boolean {
  return JSON.stringify(draftedLadder(draft)) === JSON.stringify({ bids: ladder.bids, asks: ladder.asks });
}

function levelsOf({ revision, ladder }: DraftBase): Pick<DraftState, 'bids' | 'asks'> {
  const cell = (value: string): DraftCellState => ({
    value,
    published: value,
    editor: null,
    baseRevision: revision,
    written: null,
  });
  const level = ([price, amount]: Level) => ({ price: cell(price), amount: cell(amount) });
  return { bids: ladder.bids.map(level), asks: ladder.asks.map(level) };
}

function eachCell(draft: DraftState, change: (cell: DraftCellState) => DraftCellState): DraftState {
  const level = ({ price, amount }: DraftLevelState) => ({ price: change(price), amount: change(amount) });
  return { ...draft, bids: draft.bids.map(level), asks: draft.asks.map(level) };
}
