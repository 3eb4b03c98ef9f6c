import { z } from 'zod';
import { DeskError } from '../protocol/desk-error.ts';
import type { FleetServer } from './fleet-server.ts';

/** What a standby says of itself once a second; `startFault`: why no desk would start there, in a sentence, left out while nothing is known. */
const standbyRowSchema = z.object({
  name: z.string(),
  row: z.int().min(0),
  hasKey: z.boolean(),
  startFault: z.string().optional(),
});
export type StandbyRow = z.infer<typeof standbyRowSchema>;

/** Nothing else is taken for it: the server itself copies an entry to wherever somebody who may read it names. */
const askedSchema = z.strictObject({ by: z.string() });

/** A standby or a surface that is there says so within this time, and within the longer one also where its machine is held up. Milliseconds. */
export const HEARD_MS = 2_500;
export const HEARD_AT_LAST_MS = 15_000;

const rowKey = (name: string) => `standby.${name}`;
const askedKey = (name: string) => `take-over.${name}`;

export async function tellStandby({ bucket }: FleetServer, row: StandbyRow): Promise<void> {
  await bucket.put(rowKey(row.name), JSON.stringify(row));
}

/** The standbys that say something within some seconds, by name: no clock is compared, whoever is gone says nothing. */
export async function hearStandbys(server: FleetServer): Promise<StandbyRow[]> {
  const heard = new Map<string, StandbyRow>();
  for await (const row of told(server, rowKey('*'), AbortSignal.timeout(HEARD_MS))) heard.set(row.name, row);
  return [...heard.values()].sort((a, b) => a.name.localeCompare(b.name));
}

/** Whoever last said something so long ago is gone for good. Milliseconds. */
const GONE_MS = 7 * 24 * 3_600_000;

/** What each standby said last, as which revision of the fleet server: whether it is still there shows the next one. */
export async function standbyRows(
  { manager, bucket, names }: FleetServer,
  now: () => number,
): Promise<(StandbyRow & { revision: number })[]> {
  const subjects = `$KV.${names.bucket}.${rowKey('')}`;
  const { state } = await manager.streams.info(`KV_${names.bucket}`, { subjects_filter: `${subjects}>` });
  const keys = Object.keys(state.subjects ?? {}).map((subject) => rowKey(subject.slice(subjects.length)));
  const entries = await Promise.all(keys.map((key) => bucket.get(key)));
  return entries.flatMap((entry) => {
    if (entry === null || entry.operation !== 'PUT' || now() - entry.created.getTime() > GONE_MS) return [];
    const row = standbyRowSchema.safeParse(parsed(entry.string()));
    return row.success ? [{ ...row.data, revision: entry.revision }] : [];
  });
}

/** What this standby says next that `isIt`, before the signal is aborted; null where it says nothing of the kind. */
export async function hearStandby(
  server: FleetServer,
  name: string,
  signal: AbortSignal,
  isIt: (row: StandbyRow) => boolean = () => true,
): Promise<StandbyRow | null> {
  for await (const row of told(server, rowKey(name), signal)) {
    if (row.name === name && isIt(row)) return row;
  }
  return null;
}

/** What standbys say of themselves under such keys of the bucket from now on, until the signal is aborted. */
async function* told({ bucket }: FleetServer, key: string, signal: AbortSignal): AsyncGenerator<StandbyRow> {
  const watch = await bucket.watch({ key, include: 'updates' });
  const stop = () => watch.stop();
  signal.addEventListener('abort', stop);
  if (signal.aborted) stop();
  try {
    for await (const entry of watch) {
      const row = standbyRowSchema.safeParse(parsed(entry.string()));
      if (row.success) yield row.data;
    }
  } finally {
    signal.removeEventListener('abort', stop);
    stop();
  }
}

/** Throws DeskError `standby_not_ready` where no desk would start at this standby. */
export function expectReady({ name, startFault }: Pick<StandbyRow, 'name' | 'startFault'>): void {
  if (startFault === undefined) return;
  throw new DeskError('standby_not_ready', `${name} does not take over: no desk would start there. ${startFault}`, {
    remedy: 'Nothing was changed. Fix that on its machine, and ask again.',
  });
}

/** Asks a standby to take over. */
export async function askToTakeOver({ bucket }: FleetServer, name: string, by: string): Promise<void> {
  await bucket.put(askedKey(name), JSON.stringify({ by }));
}

/** Who last asked this standby to take over, and as which revision that stands in the fleet server; null where nobody ever did. */
export async function lastAsked(
  { bucket }: FleetServer,
  name: string,
): Promise<{ by: string; revision: number } | null> {
  const entry = await bucket.get(askedKey(name));
  const told = askedSchema.safeParse(entry === null ? null : parsed(entry.string()));
  return entry === null || !told.success ? null : { by: told.data.by, revision: entry.revision };
}

/** Null where it is no JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
