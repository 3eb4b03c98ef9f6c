import { type Command, Option } from 'commander';
import { type EventFilter, type EventRow, eventCsvLine, eventsCsvHead, sentenceText } from '../contract/journal.ts';
import { isoTime } from '../contract/names.ts';
import { plain } from '../contract/plain-text.ts';
import type { DeskClient } from '../desk/desk-line.ts';
import { DeskError } from '../protocol/desk-error.ts';
import { unknownScope } from './known-scope.ts';
import { describeError, print } from './print.ts';
import { chainIdOf, limitOf, timeOf } from './typed-values.ts';
import { type DeskPlace, withDesk } from './with-desk.ts';

interface JournalOptions {
  kind: string[];
  actor?: string;
  people?: boolean;
  chain?: number;
  pair?: string;
  words?: string;
  since?: number;
  until?: number;
  limit: number;
  json?: boolean;
  csv?: boolean;
}

const PAGE = 200;
const USUAL = 100;

/** Every event of the journal as a sentence, with the filters of the Journal page. */
export function addJournal(program: Command, placeOf: () => DeskPlace, actor: string): void {
  program
    .command('journal')
    .description(
      'every event of the journal as a sentence, newest first; all but single quotes unless they are asked for',
    )
    .option('--kind <kind>', 'only this kind, such as limits_set or quote; again for more', collected, [])
    .option('--actor <name>', 'only what this name did')
    .addOption(new Option('--people', 'only what people did, nothing the program did by itself').conflicts('actor'))
    .option('--chain <id>', 'only this chain, and what concerns all of them', chainIdOf)
    .option('--pair <id>', 'only this pair, and what was changed of its tokens, its chain and the desk')
    .option('--words <text>', 'only events with all of these words; a hash may be shortened, as in 0xa1f4…45d3')
    .option('--since <time>', 'from this time on, ISO 8601', (text: string) => timeOf(text, '--since'))
    .option('--until <time>', 'up to this time, ISO 8601', (text: string) => timeOf(text, '--until'))
    .option('--limit <n>', 'at most this many', limitOf, USUAL)
    .addOption(new Option('--json', 'as JSON').conflicts('csv'))
    .option('--csv', 'as comma-separated values')
    .action(async (options: JournalOptions) => {
      const { limit, json, csv } = options;
      await withDesk(placeOf(), actor, async (desk) => {
        const filter = await filterOf(desk, options);
        const unknown = await unknownScope(desk, options);
        let isOfIt = false;
        if (csv) await print(eventsCsvHead());
        let count = 0;
        for await (const row of newest(desk, filter, limit)) {
          if (json) await print(`${count === 0 ? '[\n' : ',\n'}${JSON.stringify(written(row))}`);
          else await print(csv ? eventCsvLine(row) : lineOf(row));
          count += 1;
          isOfIt ||= row.chainId !== null || row.pair !== null;
        }
        // What concerns every chain stands there whatever was named.
        if (unknown !== null && !isOfIt) {
          process.stderr.write(`${describeError(unknown)}\n`);
          process.exitCode = 1;
        }
        if (json) await print(count === 0 ? '[]\n' : '\n]\n');
        else if (!csv && count === 0) await print('No event matches.\n');
      });
    });
}

function collected(kind: string, before: string[]): string[] {
  return [...before, kind];
}

async function filterOf(desk: DeskClient, options: JournalOptions): Promise<EventFilter> {
  const { kind, actor, people, chain, pair, words, since, until } = options;
  if (kind.length > 0) {
    const known = (await desk.journal.kinds()).map((each) => each.kind);
    const wrong = kind.find((each) => !known.includes(each));
    if (wrong !== undefined) {
      throw new DeskError('bad_kind', `“${plain(wrong.slice(0, 80))}” is no kind of event.`, {
        remedy: `Give one of these: ${known.map(plain).join(', ')}.`,
      });
    }
  }
  const by = people ? { people: true as const } : actor === undefined ? undefined : { name: actor };
  return { kinds: kind.length > 0 ? kind : undefined, actor: by, chainId: chain, pair, words, since, until };
}

async function* newest(desk: DeskClient, filter: EventFilter, limit: number): AsyncGenerator<EventRow> {
  let before: number | undefined;
  let left = limit;
  for (let more = true; more && left > 0; ) {
    const found = await desk.journal.find({ filter, before, limit: Math.min(PAGE, left) });
    for await (const { rows, progress, more: isMore } of found) {
      yield* rows;
      left -= rows.length;
      before = progress.at;
      more = isMore;
    }
  }
}

/** `2026-11-19T14:22:07.118Z  5021  mara  1 WETH/USDC  published revision 7: …` */
function lineOf(row: EventRow): string {
  const { time, seq, actor, chainId, pair } = row;
  const place = [chainId, pair].filter((part) => part !== null).join(' ');
  return `${[isoTime(time), seq, actor, place, sentenceText(row)]
    .filter((part) => part !== '')
    .map((part) => plain(`${part}`))
    .join('  ')}\n`;
}

function written(row: EventRow) {
  const { time, sentence: _, ...rest } = row;
  return { time: isoTime(time), ...rest, sentence: sentenceText(row) };
}
