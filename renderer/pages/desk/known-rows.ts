import type { Attention } from '../../../electron/contract/desk-view.ts';

type Row = Pick<Attention, 'code' | 'title' | 'covers'>;

/** Figures move all the time, and are no other thing that is wrong. */
const FIGURE = /\d[\d.,:]*/g;

/**
 * Whether what is wrong was ticked as known: by what it covers where it may become more, else by its title. Where the node of a chain is away
 * first and then has another chain, that is not known; an error that a node words otherwise each time is.
 */
export function isKnown({ code, title, covers }: Row, ticked: readonly Row[]): boolean {
  return ticked.some((one) => {
    if (one.code !== code) return false;
    if (covers !== undefined) return covers.every((each) => one.covers?.includes(each));
    return wordsOf(one) === wordsOf({ title });
  });
}

/** The ticks of what is still wrong: what comes again is wrong anew. The same list where that is all of them. */
export function ticksOf<R extends Row>(rows: readonly Row[], ticked: readonly R[]): readonly R[] {
  const still = ticked.filter(({ code }) => rows.some((row) => row.code === code));
  return still.length === ticked.length ? ticked : still;
}

function wordsOf({ title }: Pick<Row, 'title'>): string {
  return title.replace(FIGURE, '#');
}
