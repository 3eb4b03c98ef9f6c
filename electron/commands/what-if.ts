import type { Command } from 'commander';
import { checkForm } from '../book/checked.ts';
import { FaultyInput } from '../book/faults.ts';
import { isoTime } from '../contract/names.ts';
import { ruleText, type Tried, tripText } from '../contract/protections.ts';
import {
  isSame,
  refusedThenOf,
  type WhatIfBand,
  type WhatIfSettings,
  type WhatIfSums,
  whatIfSettingsSchema,
} from '../contract/what-if.ts';
import type { WhatIf, whatIf } from '../quoting/what-if.ts';
import { readJsonFile } from './json-file.ts';
import { print } from './print.ts';
import { type Column, tableText } from './table.ts';
import { expectInOrder, timeOf } from './typed-values.ts';

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
    .action(async ({ since, until: asked, settings: file, json }: WhatIfOptions) => {
      expectInOrder({ since, until: asked });
      const until = Math.max(since, Math.min(asked, Date.now())); // what is to come nobody has asked for yet
      const settings = file === undefined ? {} : settingsIn(file);
      const [{ journalFile, openForReading }, { whatIf }, { shownSums }] = await Promise.all([
        import('../journal/open-database.ts'),
        import('../quoting/what-if.ts'),
        import('../quoting/what-if-sums.ts'),
      ]);
      const db = openForReading(journalFile(folderOf()));
      let result: WhatIf;
      try {
        db.exec('BEGIN'); // all of it is read as it is at one moment, whatever a running desk writes
        result = toldOf(whatIf(db, { since, until }, settings));
      } finally {
        db.close();
      }
      const { decisions, asTheyWere, tried } = result;
      const pairs = result.pairs.map((pair) => ({ chainId: pair.chainId, pair: pair.pair, ...shownSums(pair) }));
      const said = { asTheyWere, pairs, total: shownSums(result.total), ...(tried !== null && { tried }) };
      const span = { since: isoTime(since), until: isoTime(until), requests: decisions };
      await print(json ? `${JSON.stringify({ ...span, ...said }, null, 2)}\n` : textOf({ ...span, ...said }));
    });
}

/** What it comes to in the end; now and then somebody at the terminal hears how far it is. */
function toldOf(run: ReturnType<typeof whatIf>): WhatIf {
  for (let step = run.next(); ; step = run.next()) {
    if (step.done) return step.value;
    const { reading, done } = step.value;
    if (done === 0 || done % PROGRESS !== 0) continue;
    process.stderr.write(
      `${done} ${reading === 'requests' ? 'requests priced again' : 'rows of the day before read'}.\n`,
    );
  }
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

interface Said {
  requests: number;
  asTheyWere: Record<string, number>;
  pairs: (WhatIfSums & { chainId: number; pair: string })[];
  total: WhatIfSums;
  tried?: Tried;
}

type Line = { name: string; sums: WhatIfSums };

function textOf({ requests, asTheyWere, pairs, total, tried }: Said): string {
  if (requests === 0) return 'No firm requests in this time.\n';
  const lines: Line[] = pairs.map((sums) => ({ name: `${sums.pair} ${sums.chainId}`, sums }));
  lines.push({ name: 'All', sums: total });
  const said = [tableText(COLUMNS, lines)];
  said.push(
    'Better, same and worse are quotes, for the taker. Edge and markout after 5 min are dollars: as it was, and between which two it would have been, for nobody knows whether takers would have taken another price.',
  );
  for (const [code, count] of Object.entries(total.refusedThen))
    said.push(`${count} would have been refused: ${code}.`);
  if (tried !== undefined) said.push(...triedLines(tried));
  if (total.unpriced > 0) said.push(`${total.unpriced} fills without a reference or a dollar price are in no sum.`);
  for (const [why, count] of Object.entries(asTheyWere)) said.push(`${count} are taken as they were: ${why}.`);
  return `${said.join('\n')}\n`;
}

/** Each protection with how often it would have tripped, and how the first time. */
function triedLines({ rules }: Tried): string[] {
  return rules.map(({ rule, trips, first }) => {
    const times =
      trips === 0 ? 'would not have tripped' : `would have tripped ${trips === 1 ? 'once' : `${trips} times`}`;
    const how = first === null ? '' : ` First at ${isoTime(first.at)}: ${tripText(first)}`;
    return `Protection ${rule.name}, ${ruleText(rule)}, ${times}.${how}`;
  });
}

const COLUMNS: Column<Line>[] = [
  { head: 'Pair, chain', cell: ({ name }) => name },
  figure('Better', ({ better }) => `${better}`),
  figure('Same', ({ same }) => `${same}`),
  figure('Worse', ({ worse }) => `${worse}`),
  figure('Not signed', (sums) => `${refusedThenOf(sums)}`),
  figure('Signed now', ({ signedThen }) => `${signedThen}`),
  figure('Fills', ({ fills }) => `${fills.was}`),
  figure('Edge was', ({ edge }) => edge.was),
  figure('would have been', ({ edge }) => bandText(edge)),
  figure('5 min was', ({ markout }) => markout.was),
  figure('would have been', ({ markout }) => bandText(markout)),
];

function figure(head: string, of: (sums: WhatIfSums) => string): Column<Line> {
  return { head, cell: ({ sums }) => of(sums), right: true };
}

function bandText(band: WhatIfBand): string {
  if (isSame(band)) return 'the same';
  return band.low === band.high ? band.low : `${band.low} … ${band.high}`;
}
