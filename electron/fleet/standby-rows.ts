import { z } from 'zod';
import { pause } from '../protocol/pause.ts';
import type { Engine } from './engine.ts';

/** What a standby says of itself once a second. */
const standbyRowSchema = z.object({ name: z.string(), row: z.int().min(0), hasKey: z.boolean() });
export type StandbyRow = z.infer<typeof standbyRowSchema>;

const askedSchema = z.object({ by: z.string() });

/** A standby that is there says so within this time. */
const HEARD_MS = 2_500;

const rowKey = (name: string) => `standby.${name}`;
const askedKey = (name: string) => `take-over.${name}`;

export async function tellStandby({ bucket }: Engine, row: StandbyRow): Promise<void> {
  await bucket.put(rowKey(row.name), JSON.stringify(row));
}

/** The standbys that say something within some seconds, by name: no clock is compared, whoever is gone says nothing. */
export async function hearStandbys({ bucket }: Engine): Promise<StandbyRow[]> {
  const heard = new Map<string, StandbyRow>();
  const watch = await bucket.watch({ key: 'standby.*', include: 'updates' });
  void pause(HEARD_MS, new AbortController().signal).then(() => watch.stop());
  for await (const entry of watch) {
    const row = standbyRowSchema.safeParse(parsed(entry.string()));
    if (row.success) heard.set(row.data.name, row.data);
  }
  return [...heard.values()].sort((a, b) => a.name.localeCompare(b.name));
}

/** Asks a standby to take over. */
export async function askToTakeOver({ bucket }: Engine, name: string, by: string): Promise<void> {
  await bucket.put(askedKey(name), JSON.stringify({ by }));
}

/** Calls `asked` each time somebody asks this standby to take over, until the signal is aborted. */
export async function whenAskedToTakeOver(
  { bucket }: Engine,
  name: string,
  signal: AbortSignal,
  asked: (by: string) => void,
): Promise<void> {
  const watch = await bucket.watch({ key: askedKey(name), include: 'updates' });
  signal.addEventListener('abort', () => watch.stop(), { once: true });
  for await (const entry of watch) {
    const told = askedSchema.safeParse(parsed(entry.string()));
    if (told.success && !signal.aborted) asked(told.data.by);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
