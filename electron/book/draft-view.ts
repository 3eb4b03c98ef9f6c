import type { Draft, DraftCell, DraftLevel } from '../contract/book.ts';
import type { Ladder } from '../contract/desk-file.ts';
import { ladderFaults } from '../protocol/ladder-faults.ts';
import type { Side } from '../protocol/side.ts';
import type { Token } from '../protocol/wire.ts';
import { numberFault } from './draft-number.ts';
import { type DraftCellState, type DraftLevelState, type DraftState, draftedLadder, says } from './draft-state.ts';
import { type Fault, sentenceOf } from './faults.ts';
import { prepareLadder } from './ladder-check.ts';

type DraftField = 'price' | 'amount';

/** What a draft is judged by beside its own cells. */
export type DraftSurroundings = {
  chainId: number;
  pair: string;
  /** The revision that is live now. */
  liveRevision: number;
  /** The ladder that the draft was begun on; null where that cannot be read. */
  begunOn: Ladder | null;
  /** Null while a token of the pair cannot be used. */
  tokens: { base: Token; quote: Token } | null;
};

/** The draft as the console sees it, with the reason beside each cell that keeps it from being published. */
export function viewDraft(draft: DraftState, around: DraftSurroundings): Draft {
  const { cells, ladder } = draftFaults(draft, around);
  const view = (cell: DraftCellState, path: string): DraftCell => ({
    value: cell.value,
    ...(cell.published !== cell.value && { published: cell.published }),
    editor: cell.editor,
    baseRevision: cell.baseRevision,
    fault: cells.get(path) ?? null,
  });
  const levels = (side: Side): DraftLevel[] =>
    draft[side].map(({ price, amount }, index) => ({
      price: view(price, cellPath(side, index, 'price')),
      amount: view(amount, cellPath(side, index, 'amount')),
    }));
  return {
    chainId: around.chainId,
    pair: around.pair,
    version: draft.version,
    baseRevision: draft.baseRevision,
    bids: levels('bids'),
    asks: levels('asks'),
    faults: ladder.map((fault) => sentenceOf([fault])),
    ...(isLive(draft, around) && { isLive: true }),
  };
}

function isLive(draft: DraftState, { liveRevision, begunOn }: DraftSurroundings): boolean {
  return draft.baseRevision === liveRevision && begunOn !== null && says(draft, begunOn);
}

/** Every fault of the draft, by its cell and as a ladder. Nothing in either: it can be published. */
export function draftFaults(
  draft: DraftState,
  around: DraftSurroundings,
): { cells: ReadonlyMap<string, string>; ladder: Fault[] } {
  const cells = new Map<string, string>();
  const ladder: Fault[] = [];
  for (const side of ['bids', 'asks'] as const) {
    for (const [index, level] of draft[side].entries()) noteNumbers(side, index, level, cells);
    if (draft[side].length > 200) ladder.push({ path: side, message: 'must have at most 200 levels' });
  }
  const drafted = draftedLadder(draft);
  const note = (side: Side, level: number, field: DraftField, message: string) => {
    const path = cellPath(side, level, field);
    if (cells.has(path)) return;
    cells.set(path, message);
    ladder.push({ path, message });
  };
  for (const { side, level, field, message } of ladderFaults(drafted)) note(side, level, field, message);
  if (cells.size === 0 && around.tokens) {
    const { base, quote } = around.tokens;
    for (const { side, level, message } of prepareLadder(drafted, base, quote).faults)
      note(side, level, 'amount', message);
  }
  if (draft.baseRevision !== around.liveRevision) {
    const message = `Revision ${around.liveRevision} went live after this draft was begun.`;
    ladder.push({ path: '', message });
  }
  return { cells, ladder };
}

function noteNumbers(side: Side, index: number, level: DraftLevelState, cells: Map<string, string>): void {
  for (const field of ['price', 'amount'] satisfies DraftField[]) {
    const fault = numberFault(level[field].value);
    if (fault !== null) cells.set(cellPath(side, index, field), fault);
  }
}

/** How the faults of a draft name a cell. */
function cellPath(side: Side, level: number, field: DraftField): string {
  return `${side}[${level}].${field}`;
}
