import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, release, type } from 'node:os';
import { dirname } from 'node:path';
import type { Line, Row } from './row.ts';

/** What became of a row: its lines, or why there are none. */
export type Result = { row: Pick<Row, 'name' | 'what'>; seconds: number } & ({ lines: Line[] } | { notRun: string });

const COLUMNS = ['what', 'measured', 'baseline', 'target', ''] as const;

function cells({ row, ...result }: Result): string[][] {
  if ('notRun' in result) return [[row.what, `not run: ${result.notRun}`, '—', '', 'not run']];
  return result.lines.map(({ measured, baseline, target, met }, index) => [
    index === 0 ? row.what : '',
    ...[measured, baseline, target, met ? 'met' : 'MISSED'],
  ]);
}

/** The table as text, a line for each target. */
export function tableOf(results: Result[]): string {
  const rows = [[...COLUMNS], ...results.flatMap(cells)];
  const widths = COLUMNS.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Whether every row ran and every target was met. */
export function allMet(results: Result[]): boolean {
  return results.every((result) => 'lines' in result && result.lines.every(({ met }) => met));
}

export function writeReport(file: string, results: Result[], long: boolean): void {
  const machine = { system: `${type()} ${release()}`, cpus: cpus().map(({ model }) => model), node: process.version };
  const rows = results.map(({ row: { name, what }, ...result }) => ({ name, what, ...result }));
  const report = { at: new Date().toISOString(), long, machine, met: allMet(results), rows };
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(report, null, 2)}\n`);
}
