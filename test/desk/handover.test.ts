import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { calendarDay } from '../../electron/contract/calendar-day.ts';
import type { NewEvent } from '../../electron/journal/events.ts';
import { openJournal } from '../../electron/journal/journal.ts';
import { CHAIN, configured, quote, REFUSED, START } from '../journal/sample-events.ts';
import { runCommand, temporaryFolder } from './desk-process.ts';

const { folder, remove } = temporaryFolder();
const DATE = new Date(START).toISOString().slice(0, 10);

beforeAll(async () => {
  const journal = await openJournal({ folder, now: () => START });
  const halted = { scope: {}, state: 'HALTED', reason: 'a\u202Eb', until: null, cause: null } as const;
  const events: NewEvent[] = [
    configured(),
    quote(1, { makerAmount: `${10n ** 18n}`, takerAmount: '3412500000' }),
    quote(2, REFUSED),
    { time: START + 200_000, actor: 'desk', kind: 'quotes_expired', body: { chainId: CHAIN, quoteSeqs: [2] } },
    { time: START + 300_000, actor: 'mara', kind: 'trading_state', body: halted },
  ];
  for (const event of events) await journal.append(event);
  await journal.close();
});
afterAll(remove);

test('a handover counts what was signed and refused on its day, and names who halted', async () => {
  const { code, stdout, stderr } = await runCommand(folder, ['handover', '--date', DATE]);
  expect(code, stderr).toBe(0);
  expect(stdout).toContain('Signed: 1. Refused: 1.');
  expect(stdout).toContain('mara');
  expect(stdout).not.toContain('\u202E');
  expect(stdout).toContain('The journal was not sealed on this day.');
  expect(stdout).toMatch(/Open now, at .*: the desk is HALTED\./);
  expect(stdout).toContain('nothing that is signed can still be filled');
});

test('the same is told as JSON into a file, with each pair, what was done and what is open; a day of nothing has nothing', async () => {
  const file = join(folder, 'handover.json');
  expect(await runCommand(folder, ['handover', '--date', DATE, '--format', 'json', '--out', file])).toMatchObject({
    code: 0,
    stdout: '',
  });
  const told = JSON.parse(readFileSync(file, 'utf8'));
  expect(told).toMatchObject({ date: DATE, zone: 'UTC', signed: 1, refused: [{ count: 1 }], leftOut: 0, pairs: [] });
  expect(told.done).toContainEqual(expect.objectContaining({ actor: 'mara', kind: 'trading_state' }));
  expect(told.open).toMatchObject({ state: 'HALTED', exposure: [], off: [] });
  const { stdout } = await runCommand(folder, ['handover', '--date', '2020-01-01', '--zone', 'Asia/Kathmandu']);
  expect(stdout).toContain('2019-12-31T18:15:00.000Z to 2020-01-01T18:15:00.000Z');
  expect(stdout).toContain('Signed: 0. Refused: 0.');
  expect(stdout).toContain('Nobody changed, halted or resumed anything.');
  const nowhere = await runCommand(folder, ['handover', '--out', join(folder, 'none', 'at', 'all')]);
  expect([nowhere.code, nowhere.stderr]).toEqual([1, expect.stringContaining('could not be written')]);
});

test('of a day on which more was done than a page has room for, the newest are told, and how many are not', async () => {
  const journal = await openJournal({ folder, now: () => START });
  const wide = `${'\u202E'}${'x'.repeat(190)}`;
  for (let index = 0; index < 40; index += 1) {
    const body = { scope: {}, state: 'HALTED', reason: `${wide}${index}.`, until: null, cause: null } as const;
    await journal.append({ time: START + 400_000 + index, actor: 'jonas', kind: 'trading_state', body });
  }
  await journal.close();
  const { code, stdout } = await runCommand(folder, ['handover', '--date', DATE]);
  expect(code).toBe(0);
  expect(stdout).toContain(`${'x'.repeat(190)}39.`);
  expect(stdout).not.toContain(`${'x'.repeat(190)}1.`);
  expect(stdout).toMatch(/and \d+ before these: makerdesk journal --since/);
  expect(stdout).not.toContain('\u202E');
});

test('the same day is written as a PDF that only its owner may read, and not over what cannot be written', async () => {
  const file = join(folder, 'handover.pdf');
  const { code, stdout, stderr } = await runCommand(folder, ['handover', '--date', DATE, '--pdf', file]);
  expect([code, stdout], stderr).toEqual([0, '']);
  expect(readFileSync(file).subarray(0, 5).toString()).toBe('%PDF-');
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('what is told counts who did how much, and a signed order that was not given out among the refused', async () => {
  const { stdout } = await runCommand(folder, ['handover', '--date', DATE, '--format', 'json']);
  expect(JSON.parse(stdout)).toMatchObject({
    withheld: 0,
    doers: expect.arrayContaining([{ actor: 'jonas', count: 40, groups: [{ group: 'stops', count: 40 }] }]),
  });
  const journal = await openJournal({ folder, now: () => START });
  const seq = 2; // of the first quote, behind the configuration
  const body = { chainId: CHAIN, quoteSeq: seq, code: 'halted' } as const;
  await journal.append({ time: START + 500_000, actor: 'desk', kind: 'quote_withheld', body });
  await journal.close();
  const after = await runCommand(folder, ['handover', '--date', DATE]);
  expect(after.stdout, after.stderr).toContain('Signed: 0. Refused: 2.');
  expect(after.stdout).toContain('Of the refused, signed and then not given out: 1.');
});

test('a day at which clocks change is as long as it was', () => {
  const hours = ({ since, until }: { since: number; until: number }) => (until - since) / 3_600_000;
  expect(hours(calendarDay('2026-03-29', 'Europe/Zurich'))).toBe(23);
  expect(hours(calendarDay('2026-10-25', 'Europe/Zurich'))).toBe(25);
  expect(calendarDay('2026-11-20', 'UTC').since).toBe(Date.parse('2026-11-20T00:00:00Z'));
  expect(() => calendarDay('2026-02-30', 'UTC')).toThrow('no such day');
  expect(() => calendarDay('2026-02-20', 'Mars/Base')).toThrow('no such time zone');
});
