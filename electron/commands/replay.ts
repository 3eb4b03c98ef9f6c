import type { Command } from 'commander';
import { isoTime } from '../contract/names.ts';
import { plain } from '../contract/plain-text.ts';
import type { Replay } from '../quoting/replay.ts';
import { print } from './print.ts';
import { expectInOrder, timeOf } from './typed-values.ts';

/** Reads the journal by itself, so that it also works beside a running desk and on a copy. */
export function addReplay(program: Command, folderOf: () => string): void {
  program
    .command('replay')
    .description('decide the firm requests of the journal again, and compare each decision with its row')
    .option('--since <time>', 'from this time on, ISO 8601', (text: string) => timeOf(text, '--since'))
    .option('--until <time>', 'up to this time, ISO 8601', (text: string) => timeOf(text, '--until'))
    .option('--json', 'as JSON')
    .action(async ({ since, until, json }: { since?: number; until?: number; json?: boolean }) => {
      expectInOrder({ since, until });
      const [{ journalFile, openForReading }, { replayJournal }] = await Promise.all([
        import('../journal/open-database.ts'),
        import('../quoting/replay.ts'),
      ]);
      const db = openForReading(journalFile(folderOf()));
      let replay: Replay;
      try {
        replay = replayJournal(db, { since, until });
      } finally {
        db.close();
      }
      await print(json ? `${JSON.stringify(written(replay))}\n` : textOf(replay));
      if (replay.differ > 0) process.exitCode = 1;
    });
}

function written({ first, ...replay }: Replay) {
  return { ...replay, first: first && { ...first, time: isoTime(first.time) } };
}

function textOf({ decisions, signed, refused, beforeDurable, notReplayed, differ, first }: Replay): string {
  const lines = [
    `${decisions} decisions: ${signed + refused} the same (${signed} signed, ${refused} refused), ${differ} differ.`,
  ];
  if (beforeDurable > 0) {
    lines.push(
      `Of the same ${beforeDurable} came while a change before them was on its way to the disk, and not yet in force.`,
    );
  }
  for (const [why, count] of Object.entries(notReplayed)) lines.push(`${count} cannot be replayed: ${why}.`);
  if (first !== null) {
    const { seq, time, field, recorded, replayed } = first;
    lines.push(
      `The first that differs is row ${seq} of ${isoTime(time)}: ${field} is ${plain(recorded)} in the journal, and ${plain(replayed)} now.`,
    );
  }
  return `${lines.join('\n')}\n`;
}
