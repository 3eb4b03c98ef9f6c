import type { z } from 'zod';
import type { ChainBook } from '../book/chain-book.ts';
import { strictBodies, strictEntries } from '../protocol/strict-wire.ts';

/** A body of the surface that a strict counterparty would discard whole, and what in it is to blame. */
export interface StrictBody {
  body: keyof typeof strictBodies;
  /** Empty where it takes the body as it is. */
  blame: readonly string[];
}

/** Of many entries at fault, so many are named. */
const MOST_NAMED = 5;
const known = new WeakMap<ChainBook, readonly StrictBody[]>();
/** What was found of an entry that is in one snapshot after the other: with each ladder that is published all others are judged anew. */
const found = new WeakMap<object, readonly string[]>();

/** Judges what a chain serves as a strict counterparty does: body by body, worked out once for each snapshot. */
export function strictBodiesOf(chain: ChainBook, now: number): readonly StrictBody[] {
  const before = known.get(chain);
  if (before !== undefined) return before;
  const listed = [...chain.pairs.values()].filter(({ fault }) => fault === null);
  const judged: StrictBody[] = [
    blamed('tokens', ofEntries('tokens', [...chain.tokens])),
    blamed(
      'pairs',
      ofEntries(
        'pairs',
        listed.map(({ id, definition }) => [id, definition]),
      ),
    ),
    blamed(
      'prices',
      ofEntries(
        'prices',
        listed.map(({ id, ladder: { ladder } }) => [id, ladder]),
      ),
    ),
    blamed('blacklist', issuesOf(strictBodies.blacklist, chain.blacklist(now))),
  ];
  known.set(chain, judged);
  return judged;
}

function ofEntries(body: keyof typeof strictEntries, entries: readonly [string, object][]): string[] {
  return entries.flatMap(([id, entry]) => {
    const before = found.get(entry);
    const issues = before ?? issuesOf(strictEntries[body], entry);
    if (before === undefined) found.set(entry, issues);
    return issues.map((issue) => (issue.startsWith(' ') ? `${id}${issue}` : `${id}.${issue}`));
  });
}

/** Each as `path message`; of the whole value with a blank alone before the message. */
function issuesOf(schema: z.ZodType, value: unknown): string[] {
  const parsed = schema.safeParse(value);
  if (parsed.success) return [];
  return parsed.error.issues.map(({ path, message }) => `${path.map(String).join('.')} ${message}`);
}

function blamed(body: StrictBody['body'], blame: readonly string[]): StrictBody {
  const more = blame.length > MOST_NAMED ? [`and ${blame.length - MOST_NAMED} more`] : [];
  return { body, blame: [...blame.slice(0, MOST_NAMED), ...more] };
}

/** The bodies that have something to blame after a change that they had not before, with that alone. */
export function newlyDiscarded(
  before: readonly StrictBody[],
  after: readonly StrictBody[],
): { body: string; blame: string[] }[] {
  return after.flatMap(({ body, blame }) => {
    const known = before.find((one) => one.body === body)?.blame ?? [];
    const fresh = blame.filter((sentence) => !known.includes(sentence));
    return fresh.length === 0 ? [] : [{ body, blame: fresh }];
  });
}
