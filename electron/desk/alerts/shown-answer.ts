import { plain } from '../../contract/plain-text.ts';

const MOST_SHOWN = 200;

/** What the other side said behind a status, as the end of a sentence; nothing where it said nothing. */
export function shownAnswer(text: string): string {
  const line = plain(text.replace(/\s+/g, ' ').trim());
  if (line === '') return '';
  return `: ${line.length <= MOST_SHOWN ? line : `${line.slice(0, MOST_SHOWN)}…`}`;
}
