import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { allMet, type Result, tableOf, writeReport } from './report.ts';
import { ROWS } from './rows/all.ts';
import { Bench } from './workbench.ts';

const REPORT = 'test-results/bench.json';

/**
 * `npm run bench [-- NAME…] [--long] [--minutes=N]`: measures, prints the table, writes the JSON, and fails unless all is met.
 * The minutes are those of the row `engine`, ten without.
 */
const args = process.argv.slice(2);
const OPTION = /^--(?:long|minutes=[1-9]\d{0,3})$/;
const names = args.filter((arg) => !arg.startsWith('--'));
const known = ROWS.map(({ name }) => name);
const strange = [
  ...names.filter((name) => !known.includes(name)),
  ...args.filter((arg) => arg.startsWith('--') && !OPTION.test(arg)),
];
if (strange.length > 0) {
  console.error(`The bench knows no ${strange.join(', ')}. It knows --long, --minutes=N and ${known.join(', ')}.`);
  process.exit(1);
}

// What desks keep outside their folders goes to a place of its own, not to the home of whoever measures.
const state = mkdtempSync(join(tmpdir(), 'makerdesk-state-'));
process.env.MAKERDESK_STATE = state;
const say = (line: string) => process.stderr.write(`${line}\n`);
const [, engineMinutes = '10'] = /--minutes=(\d+)/.exec(args.join(' ')) ?? [];
const bench = new Bench(args.includes('--long'), Number(engineMinutes), say);
const wanted = ({ name }: { name: string }) => names.length === 0 || names.includes(name);
const results: Result[] = [];
const started = performance.now();
try {
  for (const row of ROWS.filter(wanted)) {
    const began = performance.now();
    say(`${row.name}: ${row.what} …`);
    const outcome = await row.run(bench).then(
      (lines) => ({ lines }),
      (error: unknown) => ({ notRun: error instanceof Error ? error.message : String(error) }),
    );
    const result: Result = { row, ...outcome, seconds: Math.round((performance.now() - began) / 1000) };
    results.push(result);
    say(tableOf([result]).split('\n').slice(1).join('\n'));
  }
} finally {
  await bench.close();
  rmSync(state, { recursive: true, force: true });
}
writeReport(REPORT, results, bench.long);
const minutes = ((performance.now() - started) / 60_000).toFixed(1);
const each = results.map(({ row, seconds }) => `${row.name} ${seconds} s`).join(', ');
console.log(`\n${tableOf(results)}\n\n${minutes} minutes: ${each}. The figures behind it: ${REPORT}`);
if (!allMet(results)) process.exitCode = 1;
