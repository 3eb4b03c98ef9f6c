import { createHash, randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { NamedCommand } from '../contract/commands.ts';
import type { Journal } from '../journal/journal.ts';
import { DeskError } from '../protocol/desk-error.ts';

/** So many commands are remembered; of older ones it is said that nothing is known. */
const MOST = 2_048;
/** How long the answer itself is kept for whoever lost it, milliseconds. It is never written down: some have secrets. */
const ANSWER_MS = 2 * 60_000;
/** A command that did not arrive within this time, milliseconds, is not carried out any more: prices have moved. */
const LATE_MS = 10_000;

const KEY = 'command ';
const RECORD_KEY = 'command_record';

/** What stands in the journal's file of a command. `begun` after a start: how it ended is not known. */
const rowSchema = z.object({
  at: z.number(),
  who: z.string(),
  what: z.string(),
  state: z.enum(['begun', 'done', 'refused']),
});
type Row = z.infer<typeof rowSchema>;
/** `input` is a digest of what was given, and null after a start: some of it is secret, so not even that is written down. */
type Entry = Row & { input: string | null; answer: Promise<unknown> | null };

type Kept = Pick<Journal, 'put'> & { read: Pick<Journal['read'], 'setting' | 'settingsUnder'> };

/**
 * The commands that consoles have named. One that is asked for again, since its answer was lost with the line, gets the answer of
 * then and is not carried out a second time; over a start of the desk it is told what is known of it. That it was begun is handed
 * to the journal's one queue before it acts, so whatever row it leaves there is never durable without that.
 */
export class CommandRecord {
  /** Which record this is: a command that was given to one desk is never carried out by another. */
  readonly id: string;
  readonly #journal: Kept;
  readonly #now: () => number;
  /** By id, oldest first. */
  readonly #entries: Map<string, Entry>;
  /** Of commands from until then some may be forgotten; Unix milliseconds. */
  #forgottenUntil: number;

  private constructor(journal: Kept, now: () => number, id: string, entries: Map<string, Entry>) {
    this.id = id;
    this.#journal = journal;
    this.#now = now;
    this.#entries = entries;
    const [oldest] = entries.values();
    this.#forgottenUntil = entries.size < MOST || oldest === undefined ? Number.NEGATIVE_INFINITY : oldest.at;
  }

  /** Rejects as `put` does: a desk that cannot write does not start. */
  static async open(journal: Kept, now: () => number): Promise<CommandRecord> {
    const known = z.uuid().safeParse(await journal.read.setting(RECORD_KEY)).data;
    const id = known ?? randomUUID();
    if (known === undefined) await journal.put({ table: 'settings', key: RECORD_KEY, value: id });
    const rows = (await journal.read.settingsUnder(KEY)).map(({ key, value }): [string, Entry] => {
      // One that cannot be read was begun, and nothing else is known of it.
      const row = rowSchema.safeParse(value).data ?? { at: 0, who: '', what: '', state: 'begun' };
      return [key.slice(KEY.length), { ...row, input: null, answer: null }];
    });
    return new CommandRecord(journal, now, id, new Map(rows.toSorted(([, a], [, b]) => a.at - b.at)));
  }

  /**
   * Carries `act` out unless this command was before, and gives its answer. Throws what `act` threw, or DeskError `command_lost`
   * where it is not known whether it was carried out, `command_done` and `command_refused` where that is all that is known,
   * `command_late` where it was not and is not any more, `command_reused` where the id is another command's.
   */
  async once<T>(
    command: NamedCommand,
    asked: { who: string; path: readonly string[]; input: unknown },
    act: () => Promise<T>,
  ): Promise<T> {
    const { who } = asked;
    const [what, input] = [asked.path.join('.'), digestOf(asked.input)];
    const known = this.#entries.get(command.id);
    if (known !== undefined && !isSame(known, { who, what, input })) {
      throw new DeskError('command_reused', 'Another command was given under this id.');
    }
    if (known !== undefined) return (known.answer ?? Promise.reject(toldOf(known))) as Promise<T>;
    this.#expectNew(command);
    const entry: Entry = { at: this.#now(), who, what, state: 'begun', input, answer: null };
    this.#entries.set(command.id, entry);
    this.#write(command.id, entry);
    this.#forget();
    const answer = act();
    entry.answer = answer;
    const ended = (state: 'done' | 'refused') => {
      entry.state = state;
      this.#write(command.id, entry);
      setTimeout(() => {
        entry.answer = null;
      }, ANSWER_MS).unref();
    };
    answer.then(
      () => ended('done'),
      () => ended('refused'),
    );
    return answer;
  }

  #expectNew({ record, age }: NamedCommand): void {
    if (record !== this.id) throw lost('Another desk is here than the one to which this was given.');
    if (this.#now() - age <= this.#forgottenUntil) throw lost('Too much was done since.');
    if (age <= LATE_MS) return;
    throw new DeskError('command_late', 'This did not reach the desk, and was not carried out.', {
      remedy: 'Look at what there is now, and give it again.',
    });
  }

  /** Where the journal cannot be written the desk halts, and whatever the command does is refused or undone there. */
  #write(id: string, { at, who, what, state }: Row): void {
    const value = { at, who, what, state };
    void this.#journal.put({ table: 'settings', key: KEY + id, value }).catch(() => {});
  }

  #forget(): void {
    for (const [id, { at }] of this.#entries) {
      if (this.#entries.size <= MOST) return;
      this.#entries.delete(id);
      this.#forgottenUntil = Math.max(this.#forgottenUntil, at);
      void this.#journal.put({ table: 'settings', key: KEY + id, value: null }).catch(() => {});
    }
  }
}

/** One that could not be read may be any. */
function isSame(known: Entry, { who, what, input }: { who: string; what: string; input: string }): boolean {
  if (known.what === '') return true;
  return known.who === who && known.what === what && (known.input === null || known.input === input);
}

function toldOf({ state }: Row): DeskError {
  if (state === 'begun') return lost('The desk ended while it did this.');
  if (state === 'done') return new DeskError('command_done', 'This was carried out. Its answer is not kept any more.');
  return new DeskError('command_refused', 'This ended with an error, which is not kept any more.', {
    remedy: 'Look at what there is now before you give it again.',
  });
}

function lost(why: string): DeskError {
  return new DeskError('command_lost', `Whether this was carried out is not known. ${why}`, {
    remedy: 'Look in the journal before you give it again.',
  });
}

function digestOf(input: unknown): string {
  const text = JSON.stringify(input, (_, value) => (typeof value === 'bigint' ? `${value}n` : value)) ?? '';
  return createHash('sha256').update(text).digest('base64url');
}
