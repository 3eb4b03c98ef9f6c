const LONGEST = 300;

/** A text that holds a stranger's words, fit for one line of a log: no line breaks or control characters, not too long. */
export function printable(text: string): string {
  const line = text.slice(0, LONGEST + 1).replace(/\p{C}+/gu, ' ');
  return line.length > LONGEST ? `${line.slice(0, LONGEST - 1)}…` : line;
}
