import { z } from 'zod';
import { timeSchema } from './names.ts';

/** A standby of the fleet as the desk that writes last heard it. */
const standbySchema = z.object({
  name: z.string(),
  /** The last row that is durable there. */
  row: z.int(),
  hasKey: z.boolean(),
  /** Why no desk would start there, in a sentence; left out while nothing is known against it. It takes over from nobody then. */
  startFault: z.string().optional(),
  heardAt: timeSchema,
  /** Whether it says nothing any more, or does not come on although there are newer rows; null while neither is so. */
  fault: z.enum(['silent', 'stuck']).nullable(),
});
export type StandbyView = z.infer<typeof standbySchema>;

/** Whether a surface serves; draining, it shows no prices and still answers firm requests. */
export const surfaceSwitchSchema = z.enum(['on', 'draining', 'off']);
export type SurfaceSwitch = z.infer<typeof surfaceSwitchSchema>;

/** A surface elsewhere as the desk that writes last heard it. */
const surfaceSchema = z.object({
  name: z.string(),
  /** Where it listens, as it says. */
  url: z.string(),
  version: z.string(),
  startedAt: timeSchema,
  switched: surfaceSwitchSchema,
  /** Connections that listen to prices there. */
  webSockets: z.int(),
  /** Firm requests since it started, and how many of them it had no answer for in time. */
  asked: z.int(),
  unanswered: z.int(),
  /** Whether it serves what this desk serves: it hears the desk, and has all that is to be served. */
  serves: z.boolean(),
  /** Firm requests a second lately, and how long the slowest of a hundred took there with the way to the desk, milliseconds; null while there are none. */
  perSecond: z.number(),
  p99Ms: z.number().nullable(),
  heardAt: timeSchema,
  /** It says nothing any more: then it serves nothing either. */
  isSilent: z.boolean(),
});
export type SurfaceView = z.infer<typeof surfaceSchema>;

/** The fleet as the desk that has its seat sees it. */
export const fleetViewSchema = z.object({
  /** The address that it was given, with the desk's name in the fleet. */
  place: z.string(),
  /** What this desk is called there. */
  name: z.string(),
  /** How often the seat has changed hands, this time among them; since when this desk has it. */
  turn: z.int(),
  since: timeSchema,
  /** The newest row here, and the newest one that the fleet server has. */
  row: z.int(),
  kept: z.int(),
  /** Why nothing is signed, in a sentence: the fleet server was not heard, or another desk took over; null while all is well. */
  alone: z.string().nullable(),
  /** Whether another desk has taken over: this one never signs again. */
  isOver: z.boolean(),
  /** Who has the seat, as it was last read; null before it was. */
  writer: z.string().nullable(),
  /** How long it lately took until rows were there, in the median, milliseconds; null before any were. */
  tookMs: z.number().nullable(),
  /** On how many servers every row is to lie, and on how many it does; null while that is not known. */
  copies: z.object({ wanted: z.int(), level: z.int() }).nullable(),
  standbys: z.array(standbySchema),
  surfaces: z.array(surfaceSchema),
});
export type FleetView = z.infer<typeof fleetViewSchema>;

/** Who has the seat that this desk had; null until that was read: what was read before the takeover is its own name. */
export function takenBy({ name, writer }: Pick<FleetView, 'name' | 'writer'>): string | null {
  return writer === name ? null : writer;
}

/** How many surfaces are switched on, and how many of those serve. */
export function servingOf({ surfaces }: Pick<FleetView, 'surfaces'>): { serving: number; on: number } {
  const on = surfaces.filter(({ switched }) => switched === 'on');
  return { serving: on.filter(({ isSilent, serves }) => !isSilent && serves).length, on: on.length };
}

/** Surfaces that should serve and do not, and standbys that are not heard; a desk that was taken over is told of none any more. */
export function lostOf({ surfaces, standbys, isOver }: Pick<FleetView, 'surfaces' | 'standbys' | 'isOver'>): number {
  const { serving, on } = servingOf({ surfaces });
  return isOver ? 0 : on - serving + standbys.filter(({ fault }) => fault === 'silent').length;
}
