import { below } from './fault-path.ts';

/** Where the scanner is: in a list, or in an object with the keys that it has had so far. `path`: of what comes next. */
interface Place {
  readonly of: string;
  readonly keys: Set<string> | null;
  index: number;
  path: string;
}

const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],]/g;

/**
 * Reads a JSON text. `repeated` are the paths of keys that one object has more than once: a parser takes the last of them and drops the
 * others in silence, so that whoever wrote the text does not get what they read in it. Throws SyntaxError where it is not JSON.
 *
 * @example readJson('{"limits": {}, "limits": {"quotesPerUserPerMinute": 5}}').repeated // ['limits']
 */
export function readJson(text: string): { value: unknown; repeated: readonly string[] } {
  const value: unknown = JSON.parse(text);
  const repeated = new Set<string>();
  const places: Place[] = [];
  let isKey = false;
  for (const [token] of text.matchAll(TOKENS)) {
    const place = places.at(-1);
    if (token === '{' || token === '[') {
      isKey = token === '{';
      const of = place?.path ?? '';
      places.push({ of, keys: isKey ? new Set() : null, index: 0, path: isKey ? of : below(of, 0) });
    } else if (token === '}' || token === ']') {
      isKey = false;
      places.pop();
    } else if (place !== undefined && token === ',') {
      isKey = place.keys !== null;
      place.index += 1;
      if (!isKey) place.path = below(place.of, place.index);
    } else if (place?.keys != null && isKey) {
      isKey = false;
      const key = String(JSON.parse(token));
      place.path = below(place.of, key);
      if (place.keys.has(key)) repeated.add(place.path);
      place.keys.add(key);
    }
  }
  return { value, repeated: [...repeated] };
}

/** What is said of a key that is there more than once. */
export const REPEATED = 'is there more than once, and only the last would count';
