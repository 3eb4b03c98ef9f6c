import { z } from 'zod';
import { timeSchema } from './names.ts';

/** What can trip, most urgent first. */
export const alertKindSchema = z.enum(['halt', 'stop', 'line', 'look']);
export type AlertKind = z.infer<typeof alertKindSchema>;

/** How a kind of alert is told by every console of the desk. */
const alertSettingSchema = z.object({
  desktop: z.boolean(),
  sound: z.boolean(),
  /** Silent until this moment, Unix milliseconds; null: not silenced. */
  silentUntil: timeSchema.nullable(),
  /** Who silenced it last. */
  silencedBy: z.string().nullable(),
});
export type AlertSetting = z.infer<typeof alertSettingSchema>;

/** A part of one kind's setting, as a person changes it. */
export const alertChangeSchema = alertSettingSchema.omit({ silencedBy: true }).partial();
export type AlertChange = z.infer<typeof alertChangeSchema>;

function usual(loud: boolean) {
  return alertSettingSchema.catch({ desktop: loud, sound: loud, silentUntil: null, silencedBy: null });
}

/** Every kind; what is missing or of another form is as usual. */
export const alertSettingsSchema = z
  .object({ halt: usual(true), stop: usual(true), line: usual(true), look: usual(false) })
  .readonly();
export type AlertSettings = z.infer<typeof alertSettingsSchema>;

export const USUAL_ALERTS: AlertSettings = alertSettingsSchema.parse({});

/** Whether a kind is silenced at a moment of the desk's clock, Unix milliseconds. */
export function isSilenced(setting: AlertSetting, now: number): boolean {
  return setting.silentUntil !== null && setting.silentUntil > now;
}
