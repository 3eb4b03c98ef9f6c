import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { syncFolder } from './backup.ts';
import { type EndOfJournal, endBy } from './check-end.ts';
import { HEAD_BYTES, type Head, HeadFile, readHead } from './head-file.ts';

/**
 * A witness is a small file outside the desk's folder, one for each folder: which desk lives there (by the hash of the
 * first row of its journal), on which machine, the last row of it, and what slices have it know beside. What takes
 * the folder back, or away, does not take the witness along. A journal ahead of its witness is an ordinary kill -9.
 */
const aboutSchema = z.object({ desk: z.string(), machine: z.string(), folder: z.string() });
type About = z.infer<typeof aboutSchema>;
type Witness = About & { head: Head; known: object };
/** What slices have it know, by key. */
type KnownShape = Readonly<Record<string, z.ZodType>>;

/** What a journal is asked to be judged by its witness. */
export interface WitnessedJournal extends EndOfJournal {
  /** Whether there is anything in it that must not be lost. */
  matters(): boolean;
  /** Whether it was last written by a program that kept no witness yet. */
  beforeWitnesses: boolean;
  /** What its slices have a witness know. */
  known: KnownShape;
}

/** What a witness says: doubts in sentences, and what slices had it know; without a witness nothing. */
export type Testimony = { doubts: string[]; known: object };

/** What speaks against the journal of a folder being the whole past of its desk, in sentences; `place` is where witnesses lie. */
export function hearWitness(place: string, folder: string, journal: WitnessedJournal): Testimony {
  const own = realpathSync(folder);
  const file = fileOf(place, own);
  if (!existsSync(file)) {
    return journal.last === 0 ? testimony([]) : withoutWitness(place, own, journal);
  }
  const witness = readWitness(file, journal.known);
  if (witness === null) {
    return testimony([`The witness of this folder, ${file}, cannot be read.`]);
  }
  const doubts: string[] = [];
  if (witness.machine !== thisMachine()) doubts.push('The desk last ran on another machine.');
  const doubt = headDoubt(witness.head, journal);
  if (doubt !== null) doubts.push(doubt);
  return testimony(doubts, witness);
}

/**
 * What the witness of this very folder has against its journal, in a sentence; null where it has nothing, and where there is none: a copy
 * of a folder may be looked at anywhere. It is read at once, so what is written after that only makes the journal longer.
 */
export function readWitnessed(place: string, folder: string): (journal: EndOfJournal) => string | null {
  const file = fileOf(place, realpathSync(folder));
  if (!existsSync(file)) return () => null;
  const head = readHead(file);
  if (head === null) return () => `The witness of this folder, ${file}, cannot be read.`;
  return (journal) => headDoubt(head, journal);
}

function headDoubt(head: Head, journal: EndOfJournal): string | null {
  const end = endBy(head, journal);
  if (end === 'whole') return null;
  if (end === 'other') {
    return `The folder holds another past than it did: row ${head.seq} of its journal is not the one written here.`;
  }
  return `The folder was put back from before: its journal ends at row ${journal.last}, but row ${head.seq} was written here.`;
}

function testimony(doubts: string[], witness?: Pick<Witness, 'known'>): Testimony {
  return { doubts, known: witness?.known ?? {} };
}

/** No desk ran in this folder on this machine: it was moved here, copied, or the witness is gone. A desk in which nothing matters yet is a new one. */
function withoutWitness(place: string, folder: string, journal: WitnessedJournal): Testimony {
  const desk = journal.hashOf(1);
  const [elsewhere] = allIn(place, journal.known)
    .filter((witness) => witness.desk === desk && witness.folder !== folder)
    .sort((a, b) => b.head.seq - a.head.seq);
  if (elsewhere === undefined) {
    const isUsual = journal.beforeWitnesses || !journal.matters();
    const doubt =
      'This machine has never seen the desk in this folder: it was brought here, or its witness is gone, so what it signed last may not be in its journal.';
    return testimony(isUsual ? [] : [doubt]);
  }
  return testimony([movedDoubt(elsewhere, journal)], elsewhere);
}

function movedDoubt(elsewhere: Witness, journal: WitnessedJournal): string {
  const from = `The folder was moved or copied here from ${elsewhere.folder}.`;
  if (endBy(elsewhere.head, journal) !== 'whole') {
    return `${from} The desk there went on to row ${elsewhere.head.seq}; this journal ends at row ${journal.last} without it.`;
  }
  if (!existsSync(join(elsewhere.folder, 'journal.db'))) return from;
  return `${from} A desk is still there: never let both run, since neither knows what the other signs.`;
}

/** Notes from now on what becomes the last row of a folder's journal. Throws what the disk throws. */
export function keepWitness(
  place: string,
  folder: string,
  { desk, head, known }: { desk: string; head: Head; known: object },
): HeadFile {
  const own = realpathSync(folder);
  const file = fileOf(place, own);
  mkdirSync(place, { recursive: true, mode: 0o700 });
  const about: About = { desk, machine: thisMachine(), folder: own };
  // Whole, with the head it has so far, under its name: a witness that is not there speaks against the desk.
  const temporary = `${file}.new`;
  rmSync(temporary, { force: true });
  new HeadFile(temporary, head).close();
  writeFileSync(temporary, `${readFileSync(temporary, 'utf8')}${JSON.stringify({ ...about, ...known })}\n`, {
    mode: 0o600,
    flush: true,
  });
  renameSync(temporary, file);
  syncFolder(place);
  for (const other of allIn(place)) {
    const left = other.desk === desk && other.folder !== own && !existsSync(other.folder);
    if (left) rmSync(fileOf(place, other.folder), { force: true });
  }
  return new HeadFile(file, head);
}

function fileOf(place: string, folder: string): string {
  return join(place, `${hash('sha256', folder, 'hex').slice(0, 32)}.witness`);
}

function allIn(place: string, known: KnownShape = {}): Witness[] {
  let names: string[];
  try {
    names = readdirSync(place);
  } catch {
    return []; // there is no such folder yet, or none that can be read: then there is no witness
  }
  return names
    .filter((name) => name.endsWith('.witness'))
    .flatMap((name) => readWitness(join(place, name), known) ?? []);
}

function readWitness(file: string, known: KnownShape): Witness | null {
  try {
    const head = readHead(file);
    const text: unknown = JSON.parse(readFileSync(file, 'utf8').slice(HEAD_BYTES));
    const about = aboutSchema.parse(text);
    return head === null ? null : { ...about, head, known: z.object(known).parse(text) };
  } catch {
    return null;
  }
}

/** The same from start to start, and another on each machine; nothing that tells which. */
function thisMachine(): string {
  let name = hostname();
  try {
    name = (process.platform === 'darwin' ? platformUuid() : readFileSync('/etc/machine-id', 'utf8').trim()) || name;
  } catch {
    // The host name, where there is nothing better.
  }
  return hash('sha256', `makerdesk ${name}`, 'hex').slice(0, 32);
}

/** On macOS the host name changes with the network. */
function platformUuid(): string | undefined {
  const told = execFileSync('/usr/sbin/ioreg', ['-rd1', '-c', 'IOPlatformExpertDevice'], {
    encoding: 'utf8',
    timeout: 2_000,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return /"IOPlatformUUID" = "([^"]+)"/.exec(told)?.[1];
}
