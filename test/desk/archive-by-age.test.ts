import { expect, test } from 'vitest';
import { ArchiveByAge } from '../../electron/desk/archive-by-age.ts';
import { DeskError } from '../../electron/protocol/desk-error.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const START = Date.UTC(2026, 10, 1);

/** A desk file's days and a clock, and what the journal was asked to archive. */
function desk(days: number | null) {
  const asked: number[] = [];
  const said: string[] = [];
  const state = { now: START, fault: null as DeskError | null, ahead: 0 };
  const parts = {
    now: () => state.now,
    book: { desk: () => ({ archiveAfterDays: days }) },
    journal: {
      archive: async (before: number) => {
        asked.push(before);
        if (state.fault !== null) throw state.fault;
        return { rows: 1, files: 1, bytes: 1, until: before, ahead: state.ahead };
      },
    },
    log: { info: (line: string) => said.push(line), warn: (line: string) => said.push(line) },
  };
  return { asked, said, state, byAge: new ArchiveByAge(parts as never, START + HOUR) };
}

test('what is older than the desk file says is archived once an hour, and not right at the start', async () => {
  const { asked, state, byAge } = desk(30);
  await byAge.tick();
  expect(asked).toEqual([]);
  for (const minutes of [60, 61, 119, 120]) {
    state.now = START + minutes * 60_000;
    await byAge.tick();
  }
  expect(asked).toEqual([START + HOUR - 30 * DAY, START + 2 * HOUR - 30 * DAY]);
});

test('a clock that was far ahead for one look, and one that is set back, hold up no archiving', async () => {
  const { asked, state, byAge } = desk(30);
  for (const at of [START + 900 * DAY, START + 2 * HOUR, START + 2 * HOUR + 60_000, START, START + HOUR]) {
    state.now = at;
    await byAge.tick();
  }
  expect(asked.map((before) => before + 30 * DAY - START)).toEqual([900 * DAY, 2 * HOUR, 0, HOUR]);
});

test('a desk file that says nothing has nothing archived', async () => {
  const { asked, state, byAge } = desk(null);
  state.now = START + 9 * DAY;
  await byAge.tick();
  expect(asked).toEqual([]);
});

test('a journal that cannot be archived is told in the log and tried again; one that is being archived is left to it', async () => {
  const { asked, said, state, byAge } = desk(2);
  state.now += 2 * HOUR;
  state.fault = new DeskError('archive_failed', 'The disk is full.');
  await byAge.tick();
  expect(said).toEqual(['quotes could not be archived']);
  state.now += 2 * HOUR;
  state.fault = new DeskError('archive_runs', 'It is being archived.');
  await byAge.tick();
  expect(said).toHaveLength(1);
  expect(asked).toHaveLength(2);
});

test('quotes that a clock far ahead keeps in the journal are told in the log', async () => {
  const { said, state, byAge } = desk(2);
  state.ahead = 3;
  state.now += 2 * HOUR;
  await byAge.tick();
  expect(said).toEqual([
    'quotes were archived',
    'quotes among them stay in the journal: the clock was ahead when they were written',
  ]);
});
