import { defaultFilter } from 'cmdk';
import type { PaletteCommand } from './palette-commands.ts';

/** How many lines are drawn: more is not read, and each costs. */
const AT_MOST = 12;
const GROUPS: readonly PaletteCommand['group'][] = ['Actions', 'Go to', 'Figures'];

/** What every word of the search is found in, best first in its group; with nothing typed what is used most. */
export function searchCommands(
  commands: readonly PaletteCommand[],
  search: string,
): readonly { group: PaletteCommand['group']; commands: readonly PaletteCommand[] }[] {
  const words = search.trim().toLowerCase().split(/\s+/).filter(Boolean);
  const best = commands
    .map((command) => ({ command, score: scoreOf(command, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, AT_MOST);
  const top = new Map(best.map(({ command, score }) => [command, score]));
  return GROUPS.map((group) => ({
    group,
    commands: [...top.keys()].filter((command) => command.group === group),
  }))
    .filter(({ commands: found }) => found.length > 0)
    .sort((a, b) => bestOf(b.commands, top) - bestOf(a.commands, top));
}

/** Each word has to be found; one that begins a word or is whole counts more than letters here and there. */
function scoreOf({ text, aside }: PaletteCommand, words: readonly string[]): number {
  if (words.length === 0) return 1;
  const [line, rest] = [text.toLowerCase(), aside.toLowerCase()];
  let score = 1;
  for (const word of words) {
    const found = Math.max(defaultFilter(line, word), 0.3 * defaultFilter(rest, word));
    if (found < 0.02) return 0;
    score *= line.includes(word) ? 1 + found : found;
  }
  return score / (1 + text.length / 200);
}

function bestOf(commands: readonly PaletteCommand[], scores: ReadonlyMap<PaletteCommand, number>): number {
  return Math.max(...commands.map((command) => scores.get(command) ?? 0));
}

/** The parts of a line, marked where a word of the search stands. */
export function markedParts(text: string, search: string): readonly { part: string; marked: boolean; at: number }[] {
  const words = search
    .trim()
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  if (words.length === 0) return [{ part: text, marked: false, at: 0 }];
  const pattern = new RegExp(`(${words.join('|')})`, 'ig');
  let at = 0;
  return text.split(pattern).map((part, index) => {
    const piece = { part, marked: index % 2 === 1, at };
    at += part.length;
    return piece;
  });
}
