import type { Command } from 'commander';
import { type HeardDesk, heardDeskSchema } from '../contract/desk-list.ts';
import { isoTime } from '../contract/names.ts';
import { plain } from '../contract/plain-text.ts';
import { askElsewhere } from '../desk/ask-elsewhere.ts';
import type { DeskClient } from '../desk/desk-line.ts';
import { haltUntilConfirmed } from '../desk/halt-until-confirmed.ts';
import { DeskError, isDeskError } from '../protocol/desk-error.ts';
import { type ListRow, readDeskList } from './desk-list.ts';
import { print, printDone } from './print.ts';
import { stopReason } from './scope-options.ts';
import { tableText } from './table.ts';

/** Several desks elsewhere at once. None waits for another: one that is slow, gone or wrong is told in its own row. */
export function addDesks(program: Command): void {
  const desks = program.command('desks').description('several desks elsewhere, from a list of them');
  desks
    .command('list <file>')
    .description('what each of them is doing; exit 0 only when every one has answered')
    .option('--json', 'as a JSON array')
    .action(async (file: string, { json }: { json?: boolean }) => {
      const rows = await Promise.all(readDeskList(file).map(lookAt));
      await print(json ? `${JSON.stringify(rows.map(asJson), null, 2)}\n` : table(rows));
      if (rows.some(({ heard }) => heard instanceof Error)) process.exitCode = 1;
    });
  desks
    .command('halt <file>')
    .description('halt all of them at once, each again until it has confirmed; exit 0 only when all have')
    .option('--reason <text>', 'why, for the journal of each')
    .option('--once', 'ask each of them once only')
    .action((file: string, options: { reason?: string; once?: boolean }) => haltAll(file, options));
}

interface Seen {
  name: string;
  heard: HeardDesk | Error;
}

async function lookAt({ name, place }: ListRow): Promise<Seen> {
  if (place instanceof DeskError) return { name, heard: place };
  try {
    return { name, heard: await askElsewhere(place, heardDeskSchema, firstMessage) };
  } catch (error) {
    return { name, heard: error instanceof Error ? error : new Error(String(error)) };
  }
}

async function firstMessage(desk: DeskClient, signal: AbortSignal): Promise<unknown> {
  for await (const message of await desk.desk.watch(undefined, { signal })) return message;
  return null;
}

function asJson({ name, heard }: Seen) {
  if (heard instanceof Error) return { desk: name, state: null, why: heard.message };
  const { state, since, actor, reason, chains } = heard.status;
  const attention = heard.attention?.length ?? null;
  return { desk: name, state, since: isoTime(since), actor, reason, chains, attention };
}

function table(rows: readonly Seen[]): string {
  const of = (tell: (heard: HeardDesk) => string) => (row: Seen) =>
    row.heard instanceof Error ? '—' : tell(row.heard);
  return tableText<Seen>(
    [
      { head: 'Desk', cell: ({ name }) => name },
      { head: 'State', cell: ({ heard }) => (heard instanceof Error ? 'NO ANSWER' : heard.status.state) },
      { head: 'Since, UTC', cell: of(({ status }) => isoTime(status.since)) },
      {
        head: 'Chains',
        cell: of(({ status }) => status.chains.map(({ chainId, state }) => `${chainId} ${state}`).join(', ') || 'none'),
      },
      { head: 'Needs attention', cell: of(({ attention }) => `${attention?.length ?? '—'}`), right: true },
      {
        head: 'Why',
        cell: ({ heard }) =>
          heard instanceof Error
            ? heard.message
            : [heard.status.actor && `by ${heard.status.actor}`, heard.status.reason].filter(Boolean).join(': '),
      },
    ],
    rows,
  );
}

async function haltAll(file: string, { reason, once = false }: { reason?: string; once?: boolean }): Promise<void> {
  const said = stopReason(reason);
  const rows = readDeskList(file);
  const unconfirmed = new Set(rows); // by row: two may have one name
  const tellUnconfirmed = () => {
    const names = [...unconfirmed].map(({ name }) => name).join(', ');
    process.stderr.write(plain(`NOT confirmed: ${names}. They may still be quoting.`).concat('\n'));
  };
  process.once('SIGINT', () => {
    tellUnconfirmed();
    process.exit(1);
  });
  const halts = rows.map(async (row) => {
    const { name } = row;
    const confirmed = await haltListed(row, said, once);
    if (confirmed === null) return;
    unconfirmed.delete(row);
    const { durable, at, status } = confirmed;
    if (!durable || status.state !== 'HALTED') process.exitCode = 1;
    if (status.state !== 'HALTED') {
      process.stderr.write(
        plain(`${name}: halted at ${isoTime(at)}, and started again since: ${status.state}.`).concat('\n'),
      );
    }
    const answer = { desk: name, halted: true, durable, at: isoTime(at), state: status.state };
    await printDone(`${JSON.stringify(answer)}\n`, `${name}: halted at ${isoTime(at)}.`);
  });
  await Promise.all(halts);
  if (unconfirmed.size > 0) {
    tellUnconfirmed();
    process.exit(1);
  }
  process.exit(process.exitCode ?? 0);
}

/** Null where it was asked once only, or never can be asked. A reason why not is told when it is another than before. */
async function haltListed({ name, place }: ListRow, reason: string | undefined, once: boolean) {
  let told = '';
  return haltUntilConfirmed({
    place: () => {
      if (place instanceof DeskError) throw place;
      return place;
    },
    reason,
    failed: (error) => {
      const why = error instanceof Error ? error.message : String(error);
      const isLast = once || isDeskError(error, 'bad_option', 'bad_url', 'no_token');
      if (why !== told)
        process.stderr.write(`${plain(`${name}: not halted: ${why}${isLast ? '' : ' Trying again.'}`)}\n`);
      told = why;
      return !isLast;
    },
  });
}
