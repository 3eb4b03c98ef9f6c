import type { ChainBook } from '../book/chain-book.ts';
import { strictBodies } from '../protocol/strict-wire.ts';

/** A body of the surface that a strict counterparty would discard whole, and what in it is to blame. */
export interface StrictBody {
  body: keyof typeof strictBodies;
  /** Empty where it takes the body as it is. */
  blame: readonly string[];
}

/** Of many entries at fault, so many are named. */
const MOST_NAMED = 5;
const known = new WeakMap<ChainBook, readonly StrictBody[]>();

/** Judges what a chain serves as a strict counterparty does: body by body, worked out once for each snapshot. */
export function strictBodiesOf(chain: ChainBook, now: number): readonly StrictBody[] {
  const before = known.get(chain);
  if (before !== undefined) return before;
  const listed = [...chain.pairs.values()].filter(({ fault }) => fault === null);
  const served = {
    tokens: Object.fromEntries(chain.tokens),
    pairs: Object.fromEntries(listed.map(({ id, definition }) => [id, definition])),
    prices: Object.fromEntries(listed.map(({ id, ladder: { ladder } }) => [id, ladder])),
    blacklist: chain.blacklist(now),
  };
  const judged = (['tokens', 'pairs', 'prices', 'blacklist'] as const).map((body): StrictBody => {
    const parsed = strictBodies[body].safeParse(served[body]);
    if (parsed.success) return { body, blame: [] };
    const blame = parsed.error.issues.map(({ path, message }) => `${path.map(String).join('.')} ${message}`);
    const more = blame.length > MOST_NAMED ? [`and ${blame.length - MOST_NAMED} more`] : [];
    return { body, blame: [...blame.slice(0, MOST_NAMED), ...more] };
  });
  known.set(chain, judged);
  return judged;
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
