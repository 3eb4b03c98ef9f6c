import type { Command } from 'commander';
import { checkForm } from '../book/checked.ts';
import { FaultyInput } from '../book/faults.ts';
import { isoTime } from '../contract/names.ts';
import { type WhatIfSettings, whatIfSettingsSchema } from '../contract/what-if.ts';
import { dollarText } from '../journal/results/result-sums.ts';
import { DeskError } from '../protocol/desk-error.ts';
import type { Band, PairWhatIf, WhatIf } from '../quoting/what-if.ts';
import { readJsonFile } from './json-file.ts';
import { print } from './print.ts';
import { type Column, tableText } from './table.ts';
import { timeOf } from './typed-values.ts';

interface WhatIfOptions {
  since: number;
  until: number;
  settings?: string;
  json?: boolean;
}

/** Told so often while it runs, requests. */
const PROGRESS = 10_000;

/** Reads the journal by itself, in a process of its own, so that no quote of a running desk waits for it. */
export function addWhatIf(program: Command, folderOf: () => string): void {
  program
    .command('what-if')
    .description('price the firm requests of a time again with other settings, and say what they would have come to')
    .requiredOption('--since <time>', 'from this time on, ISO 8601', (text: string) => timeOf(text, '--since'))
    .requiredOption('--until <time>', 'up to this time, ISO 8601', (text: string) => timeOf(text, '--until'))
    .option('--settings <file>', 'what would have been set otherwise, as JSON; without it all is as it was')
    .option('--json', 'as JSON')
    .action(async ({ since, until, settings: file, json }: WhatIfOptions) => {
      if (since > until) {
        throw new DeskError('bad_time', '--since is after --until.', { remedy: 'Give the earlier time as --since.' });
      }
      const settings = file === undefined ? {} : settingsIn(file);
      const [{ journalFile, openForReading }, { whatIf }] = await Promise.all([
        import('../journal/open-database.ts'),
        import('../quoting/what-if.ts'),
      ]);
      const db = openForReading(journalFile(folderOf()));
      let result: WhatIf;
      try {
        let done = 0;
        result = whatIf(db, { since, until }, settings, () => {
          done += 1;
          if (done % PROGRESS === 0) process.stderr.write(`${done} requests priced again.\n`);
        });
      } finally {
        db.close();
      }
      await print(json ? `${JSON.stringify(written(result, { since, until }), null, 2)}\n` : textOf(result));
    });
}

function settingsIn(file: string): WhatIfSettings {
  const read = readJsonFile(file, {
    name: 'settings file',
    remedy: 'one such as { "ladders": [{ "pairs": ["WETH/USDC"], "changes": [{ "kind": "wider", "bps": "5" }] }] }',
  });
  const { value, faults } = checkForm(whatIfSettingsSchema, read);
  if (faults !== null) throw new FaultyInput('settings_refused', 'The settings file', faults);
  return value;
}

function written({ decisions, asTheyWere, pairs, total }: WhatIf, { since, until }: { since: number; until: number }) {
  return {
    since: isoTime(since),
    until: isoTime(until),
    requests: decisions,
    asTheyWere,
    pairs: pairs.map((pair) => ({ chainId: pair.chainId, pair: pair.pair, ...sumsWritten(pair) })),
    total: sumsWritten(total),
  };
}

function sumsWritten({ edge, markout, ...sums }: WhatIf['total']) {
  const { better, same, worse, refusedThen, signedThen, refused, fills, perhapsFilled, unpriced } = sums;
  const counts = { better, same, worse, refusedThen, signedThen, refused, fills, perhapsFilled, unpriced };
  return { ...counts, edge: bandWritten(edge), markout: bandWritten(markout) };
}

function bandWritten({ was, low, high }: Band) {
  return { was: dollarText(was), low: dollarText(low), high: dollarText(high) };
}

type Line = { name: string; sums: WhatIf['total'] };

function textOf({ decisions, asTheyWere, pairs, total }: WhatIf): string {
  if (decisions === 0) return 'No firm requests in this time.\n';
  const lines: Line[] = pairs.map((pair) => ({ name: nameOf(pair), sums: pair }));
  lines.push({ name: 'All', sums: total });
  const said = [tableText(COLUMNS, lines)];
  said.push(
    'Better, same and worse are quotes, for the taker. Edge and markout after 5 min are dollars: as it was, and between which two it would have been, for nobody knows whether takers would have taken another price.',
  );
  for (const [code, count] of Object.entries(total.refusedThen))
    said.push(`${count} would have been refused: ${code}.`);
  if (total.unpriced > 0) said.push(`${total.unpriced} fills without a reference or a dollar price are in no sum.`);
  for (const [why, count] of Object.entries(asTheyWere)) said.push(`${count} are taken as they were: ${why}.`);
  return `${said.join('\n')}\n`;
}

const nameOf = ({ chainId, pair }: PairWhatIf) => `${pair} ${chainId}`;

const COLUMNS: Column<Line>[] = [
  { head: 'Pair, chain', cell: ({ name }) => name },
  figure('Better', ({ better }) => `${better}`),
  figure('Same', ({ same }) => `${same}`),
  figure('Worse', ({ worse }) => `${worse}`),
  figure('Not signed', ({ refusedThen }) => `${Object.values(refusedThen).reduce((sum, count) => sum + count, 0)}`),
  figure('Signed now', ({ signedThen }) => `${signedThen}`),
  figure('Fills', ({ fills }) => `${fills.was}`),
  figure('Edge was', ({ edge }) => dollarText(edge.was)),
  figure('would have been', ({ edge }) => bandText(edge)),
  figure('5 min was', ({ markout }) => dollarText(markout.was)),
  figure('would have been', ({ markout }) => bandText(markout)),
];

function figure(head: string, of: (sums: WhatIf['total']) => string): Column<Line> {
  return { head, cell: ({ sums }) => of(sums), right: true };
}

function bandText(band: Band): string {
  const { was, low, high } = bandWritten(band);
  if (was === low && was === high) return 'the same';
  return low === high ? low : `${low} … ${high}`;
}
