import { z } from 'zod';
import { pairIdSchema } from '../../../contract/names.ts';

/** Where something stands in a message: names and places in lists, with dots between them, such as `data.0.price`. */
const pathSchema = z.string().regex(/^[^.]{1,60}(\.[^.]{1,60}){0,9}$/, 'must be names with dots between them');

const ofPairSchema = z
  .strictObject({
    /** What a message about this pair has at these places; without any, one that has the prices at theirs. */
    where: z.record(pathSchema, z.string().max(200)).default({}),
    mid: pathSchema.optional(),
    bid: pathSchema.optional(),
    ask: pathSchema.optional(),
    /** Unix milliseconds or ISO 8601; without it a price is of the moment in which it was heard. */
    time: pathSchema.optional(),
  })
  .refine(
    ({ mid, bid, ask }) => (mid === undefined ? bid !== undefined && ask !== undefined : (bid ?? ask) === undefined),
    'must say where the mid is, or where the bid and the ask are',
  );

export const messagePathsSchema = z.record(pairIdSchema, ofPairSchema);
type PathsOfPair = z.infer<typeof ofPairSchema>;

/** Pairs whose messages are told from each other by what stands at the same places. */
interface Group {
  readonly places: readonly string[];
  readonly pairs: Map<string, string[]>;
}

/** Finds in a feed's messages which pair they are about, and its price. */
export class MessagePaths {
  readonly #paths: ReadonlyMap<string, PathsOfPair>;
  readonly #groups: readonly Group[];

  constructor(paths: z.infer<typeof messagePathsSchema>) {
    this.#paths = new Map(Object.entries(paths));
    const groups = new Map<string, Group>();
    for (const [pair, { where }] of this.#paths) {
      const places = Object.keys(where).sort();
      const group = groups.get(JSON.stringify(places)) ?? { places, pairs: new Map<string, string[]>() };
      groups.set(JSON.stringify(places), group);
      const values = JSON.stringify(places.map((place) => where[place]));
      group.pairs.set(values, [...(group.pairs.get(values) ?? []), pair]);
    }
    this.#groups = [...groups.values()];
  }

  /** The pairs that a message says something of. */
  pairsIn(message: unknown): string[] {
    return this.#groups.flatMap(({ places, pairs }) => {
      const named = pairs.get(JSON.stringify(places.map((place) => text(at(message, place))))) ?? [];
      return named.filter((pair) => {
        const { mid, bid, ask } = this.#paths.get(pair) ?? {};
        return [mid, bid, ask].some((place) => place !== undefined && at(message, place) !== undefined);
      });
    });
  }

  /** What it says of a pair, as it stands there. */
  said(message: unknown, pair: string): { mid?: unknown; bid?: unknown; ask?: unknown; time?: unknown } {
    const { mid, bid, ask, time } = this.#paths.get(pair) ?? {};
    return {
      ...(mid !== undefined && { mid: at(message, mid) ?? null }),
      ...(bid !== undefined && { bid: at(message, bid) }),
      ...(ask !== undefined && { ask: at(message, ask) }),
      ...(time !== undefined && { time: at(message, time) ?? null }),
    };
  }
}

function at(message: unknown, place: string): unknown {
  return place.split('.').reduce<unknown>((part, name) => {
    if (typeof part !== 'object' || part === null || !Object.hasOwn(part, name)) return undefined;
    return (part as Record<string, unknown>)[name];
  }, message);
}

/** What has to be the same: a text, or what a number or a truth is written as. */
function text(value: unknown): string | null {
  return typeof value === 'string' ? value : ['number', 'boolean'].includes(typeof value) ? String(value) : null;
}
