import type { PracticeLog } from '../../electron/practice/practice-log.ts';

/** A log that keeps its lines, warnings marked with `!`. */
export function collectLog(): PracticeLog & { lines: string[] } {
  const lines: string[] = [];
  return { lines, info: (line) => lines.push(line), warn: (line) => lines.push(`! ${line}`) };
}
