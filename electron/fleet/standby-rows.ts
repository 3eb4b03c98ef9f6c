import { z } from 'zod';
import type { FleetServer } from './fleet-server.ts';

/** What a standby says of itself once a second. */
const standbyRowSchema = z.object({ name: z.string(), row: z.int().min(0), hasKey: z.boolean() });
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
  for await (const row of told(server, rowKey('*'), HEARD_MS)) heard.set(row.name, row);
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

/** Whether this standby says something soon; one whose server was just started again takes a moment. */
export async function isHeard(server: FleetServer, name: string): Promise<boolean> {
  for await (const row of told(server, rowKey(name), HEARD_AT_LAST_MS)) {
    if (row.name === name) return true;
  }
  return false;
}

/** What standbys say of themselves under such keys of the bucket from now on, for so many milliseconds. */
async function* told({ bucket }: FleetServer, key: string, forMs: number): AsyncGenerator<StandbyRow> {
  const watch = await bucket.watch({ key, include: 'updates' });
  const late = setTimeout(() => watch.stop(), forMs);
  try {
    for await (const entry of watch) {
      const row = standbyRowSchema.safeParse(parsed(entry.string()));
      if (row.success) yield row.data;
    }
  } finally {
    clearTimeout(late);
    watch.stop();
  }
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
