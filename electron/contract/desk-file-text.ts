import type { DeskFile } from './desk-file.ts';

/** About so many characters go out at once. */
const PART = 32_768;
/** The file, its chains, a chain, a group of it such as `prices`: what lies below is small and written whole. */
const DEPTH = 4;

/** A desk file as JSON, in parts: however many pairs there are, no part takes long to write. */
export function* deskFileText(desk: DeskFile): Generator<string, void> {
  let part = '';
  for (const piece of pieces(desk, DEPTH)) {
    part += piece;
    if (part.length < PART) continue;
    yield part;
    part = '';
  }
  if (part !== '') yield part;
}

/** The desk file that was written in these parts. */
export async function readDeskFile(parts: AsyncIterable<{ text: string }>): Promise<DeskFile> {
  let whole = '';
  for await (const { text } of parts) whole += text;
  return JSON.parse(whole);
}

function* pieces(value: unknown, depth: number): Generator<string, void> {
  if (depth === 0 || typeof value !== 'object' || value === null) {
    yield JSON.stringify(value);
    return;
  }
  const isList = Array.isArray(value);
  const entries = Object.entries(value).filter(([, entry]) => entry !== undefined);
  let lead = isList ? '[' : '{';
  for (const [name, entry] of entries) {
    yield isList ? lead : `${lead}${JSON.stringify(name)}:`;
    yield* pieces(entry, depth - 1);
    lead = ',';
  }
  const end = isList ? ']' : '}';
  yield entries.length === 0 ? lead + end : end;
}
