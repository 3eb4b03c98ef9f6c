import { z } from 'zod';
import { type SurfaceSwitch, surfaceSwitchSchema } from '../contract/fleet.ts';
import type { FleetServer } from './fleet-server.ts';
import { HEARD_AT_LAST_MS, HEARD_MS, parsed } from './standby-rows.ts';

/** What a surface says of itself once a second, also where no desk listens. */
const surfaceRowSchema = z.object({
  name: z.string(),
  url: z.string(),
  version: z.string(),
  switched: surfaceSwitchSchema,
});
export type SurfaceRow = z.infer<typeof surfaceRowSchema>;

const switchedSchema = z.object({ to: surfaceSwitchSchema, by: z.string() });

/** Beside what the surfaces serve, so that one look sees both. */
const SWITCHES = 'served.switch.';
/** Under which key of the bucket it stands how a surface is switched. */
export const switchKey = (name: string) => `${SWITCHES}${name}`;
const rowSubject = ({ names }: Pick<FleetServer, 'names'>, name: string) => `${names.asked}.row.${name}`;
export const isSwitchKey = (key: string) => key.startsWith(SWITCHES);

export function tellSurface(server: FleetServer, row: SurfaceRow): void {
  server.connection.publish(rowSubject(server, row.name), JSON.stringify(row));
}

/** The surfaces that say something within some seconds, by name. */
export async function hearSurfaces(server: FleetServer): Promise<SurfaceRow[]> {
  const heard = new Map<string, SurfaceRow>();
  for await (const row of told(server, HEARD_MS)) heard.set(row.name, row);
  return [...heard.values()].sort((a, b) => a.name.localeCompare(b.name));
}

/** Whether this surface says something soon; one whose machine is held up takes a moment. */
export async function isSurfaceHeard(server: FleetServer, name: string): Promise<boolean> {
  for await (const row of told(server, HEARD_AT_LAST_MS)) {
    if (row.name === name) return true;
  }
  return false;
}

/** What surfaces say of themselves from now on, for so many milliseconds. */
async function* told(server: FleetServer, forMs: number): AsyncGenerator<SurfaceRow> {
  const subscription = server.connection.subscribe(rowSubject(server, '*'));
  const late = setTimeout(() => subscription.unsubscribe(), forMs);
  try {
    for await (const message of subscription) {
      const row = surfaceRowSchema.safeParse(parsed(message.string())).data;
      // Under its own name alone the fleet server lets it speak.
      if (row !== undefined && message.subject === rowSubject(server, row.name)) yield row;
    }
  } finally {
    clearTimeout(late);
    subscription.unsubscribe();
  }
}

/** Switches a surface from now on; one that is not there finds it when it starts. */
export async function switchSurface(
  { bucket }: FleetServer,
  name: string,
  to: SurfaceSwitch,
  by: string,
): Promise<void> {
  await bucket.put(switchKey(name), JSON.stringify({ to, by }));
}

/** How a surface is switched by what stands in the bucket; null where that cannot be read. */
export function readSwitch(text: string): SurfaceSwitch | null {
  return switchedSchema.safeParse(parsed(text)).data?.to ?? null;
}
