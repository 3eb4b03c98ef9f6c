import { type Command, Option } from 'commander';
import type { Handover } from '../contract/handover.ts';
import { type EventRow, sentenceText } from '../contract/journal.ts';
import { isoTime } from '../contract/names.ts';
import { plain } from '../contract/plain-text.ts';
import type { DeskClient } from '../desk/desk-line.ts';
import { fromRaw } from '../protocol/decimal.ts';
import { print } from './print.ts';
import { type DeskPlace, withDesk } from './with-desk.ts';
import { writeNamedFile } from './write-file.ts';

interface HandoverOptions {
  date?: string;
  zone: string;
  format: 'text' | 'json';
  out?: string;
  pdf?: string;
}

/** So many lines of each kind fit on the page. */
const LINES = 30;
const PAIRS = 10;

/** A day on one page. */
export function addHandover(program: Command, placeOf: () => DeskPlace, actor: string): void {
  program
    .command('handover')
    .description(
      'a day on one page: what was signed, refused, filled and earned, halted and changed, by whom, its seals',
    )
    .option('--date <date>', 'the day, such as 2026-11-20; by default today')
    .option('--zone <name>', 'the time zone that its midnight is of, such as Europe/Zurich', 'UTC')
    .addOption(new Option('--format <form>', 'how it is written').choices(['text', 'json']).default('text'))
    .option('--out <file>', 'writes it there instead')
    .addOption(
      new Option('--pdf <file>', 'writes it there as one sheet of A4, such as for a mail').conflicts(['format', 'out']),
    )
    .action(async ({ date, zone, format, out, pdf }: HandoverOptions) => {
      const handover = await withDesk(placeOf(), actor, (desk) => read(desk, { date, zone }));
      if (pdf !== undefined) {
        // What draws it is loaded by whoever asks for it alone.
        const { handoverPdf } = await import('./handover-pdf.ts');
        return writeNamedFile(pdf, handoverPdf(handover), 'handover');
      }
      const written = format === 'json' ? `${JSON.stringify(told(handover), null, 2)}\n` : text(handover);
      if (out === undefined) await print(written);
      else await writeNamedFile(out, written, 'handover');
    });
}

async function read(desk: DeskClient, asked: { date?: string; zone: string }): Promise<Handover> {
  for await (const { handover } of await desk.handover.day(asked)) {
    if (handover !== null) return handover;
  }
  throw new Error('the handover ended early');
}

function told(handover: Handover) {
  const { date, zone, since, until, chains, results, done, leftOut, doers, seals, signed, refused, withheld, open } =
    handover;
  const written = ({ seq, time, actor, kind, sentence, unreadable }: EventRow) => {
    return { seq, time: isoTime(time), actor, kind, sentence: sentenceText({ sentence, unreadable }) };
  };
  return {
    date,
    zone,
    from: isoTime(since),
    to: isoTime(until),
    chains,
    signed,
    refused,
    withheld,
    // Each quote is in one of the counts, whatever became of its row: it was once left out where that could not be read.
    unreadable: 0,
    all: results.all,
    netOfTime: results.netOfTime,
    valuedAt: isoTime(results.now),
    pairs: results.rows,
    done: done.map(written),
    leftOut,
    doers,
    seals: seals.map(written),
    open: { ...open, at: isoTime(open.at), since: isoTime(open.since) },
  };
}

function text(handover: Handover): string {
  const { date, zone, since, until, chains, results, done, leftOut, seals, signed, refused, withheld, open } = handover;
  const { all, netOfTime } = results;
  const time = `--since ${isoTime(since)} --until ${isoTime(until - 1)}`;
  const left = Math.max(0, done.length - LINES) + leftOut;
  const lines = [
    `Handover of ${date}, ${zone}: ${isoTime(since)} to ${isoTime(until)}`,
    `Signed: ${signed}. Refused: ${refused.reduce((sum, { count }) => sum + count, 0)}.`,
    ...refused.map(({ code, count }) => `  ${code}: ${count}`),
    withheld > 0 && `Of the refused, signed and then not given out: ${withheld}.`,
    `Fills: ${all.fills}, volume, $: ${all.volume ?? '—'}, net, $: ${all.net ?? '—'}, with cancels and approvals: ${netOfTime ?? '—'}`,
    all.unpriced > 0 && `Fills without a price, in no figure but the count: ${all.unpriced}.`,
    all.unreadable > 0 && `Fills that cannot be read, in no figure but the count: ${all.unreadable}.`,
    `Fills not wholly hedged: ${all.open}. Valued at ${isoTime(results.now)}.`,
    ...results.rows
      .slice(0, PAIRS)
      .map((row) => `  ${pairOf(row)}: fills ${row.fills}, volume, $: ${row.volume ?? '—'}, net, $: ${row.net ?? '—'}`),
    results.rows.length + results.more > PAIRS &&
      `  and more pairs: makerdesk results --from ${isoTime(since)} --to ${isoTime(until)}`,
    done.length === 0 ? 'Nobody changed, halted or resumed anything.' : 'Halted, resumed and changed:',
    ...done.slice(-LINES).map((row) => `  ${lineOf(row, chains.length > 1)}`),
    left > 0 && `  and ${left} before these: makerdesk journal ${time}`,
    seals.length === 0 ? 'The journal was not sealed on this day.' : 'Seals:',
    ...seals.slice(-LINES).map((row) => `  ${lineOf(row, false)}`),
    `Open now, at ${isoTime(open.at)}: the desk is ${open.state}.`,
    ...open.exposure.map(
      ({ chainId, tokenId, live, decimals, quotes }) =>
        `  signed and live: ${fromRaw(BigInt(live), decimals)} ${tokenId} on ${chainId}, quotes: ${quotes}`,
    ),
    open.exposure.length === 0 && '  nothing that is signed can still be filled',
    open.off.length > 0 && `  not quoted: ${open.off.slice(0, LINES).join(', ')}`,
    ...open.attention.slice(0, LINES).map(({ title, detail }) => `  ${title}: ${detail}`),
    open.attention.length > LINES && `  and ${open.attention.length - LINES} more: makerdesk status`,
  ];
  return `${lines
    .filter((line) => line !== false)
    .map(plain)
    .join('\n')}\n`;
}

function pairOf({ pair, chainId }: Handover['results']['rows'][number]): string {
  return `${pair ?? 'no pair'} on ${chainId ?? 'no chain'}`;
}

function lineOf(row: EventRow, hasChain: boolean): string {
  const chain = hasChain && row.chainId !== null ? `on ${row.chainId}` : null;
  return [isoTime(row.time), row.seq, row.actor, row.pair, chain, sentenceText(row)]
    .filter((part) => part !== null)
    .join('  ');
}
