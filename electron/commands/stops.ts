import type { Command } from 'commander';
import { isoTime } from '../contract/names.ts';
import type { Stop } from '../contract/stops.ts';
import type { DeskClient } from '../desk/desk-line.ts';
import { print } from './print.ts';
import { limitOf } from './typed-values.ts';
import { type DeskPlace, withDesk } from './with-desk.ts';

const PAGE = 200;
const USUAL = 50;

export function addStops(program: Command, placeOf: () => DeskPlace, actor: string): void {
  program
    .command('stops')
    .description('what was stopped, by whom and why, and who resumed it, newest first, as JSON')
    .option('--limit <n>', 'at most this many', limitOf, USUAL)
    .action(async ({ limit }: { limit: number }) => {
      const stops = await withDesk(placeOf(), actor, (desk) => newest(desk, limit));
      await print(`${JSON.stringify(stops.map(written), null, 2)}\n`);
    });
}

async function newest(desk: DeskClient, limit: number): Promise<Stop[]> {
  const stops: Stop[] = [];
  for (let more = true; more && stops.length < limit; ) {
    const page = await desk.trading.stops({ before: stops.at(-1)?.id, limit: Math.min(PAGE, limit - stops.length) });
    stops.push(...page.rows);
    more = page.more;
  }
  return stops;
}

/** With times that a person and other programs read. */
function written({ scope, began, words, ended }: Stop) {
  const timed = <T extends { at: number }>({ at, ...rest }: T) => ({ time: isoTime(at), ...rest });
  return { scope, began: timed(began), words: words.map(timed), ended: ended === null ? null : timed(ended) };
}
