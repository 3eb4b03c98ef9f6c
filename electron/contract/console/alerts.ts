import { z } from 'zod';
import { alertChangeSchema, alertKindSchema, alertSettingsSchema } from '../alert-settings.ts';
import { alertWaySchema, openCallSchema, passwordSchema, quietHoursSchema, waysViewSchema } from '../alert-ways.ts';
import { tokenNameSchema } from '../names.ts';
import { may } from './base.ts';

const named = z.object({ name: tokenNameSchema });

/** How alerts are told; the same on every console of the desk, and part of the live view. */
export const alertsContract = {
  /** Changes one kind, for everybody. */
  set: may('settings')
    .input(z.object({ kind: alertKindSchema, change: alertChangeSchema }))
    .output(alertSettingsSchema),
  /** Where alerts are told beside the console, and what became of that. */
  ways: may('look').output(waysViewSchema),
  /**
   * Adds a way or changes one; `seen` is what the person had in view, null of a new one. A password or an address that is not
   * given anew stays, for the server that it was given for.
   */
  saveWay: may('settings').input(
    z.object({
      way: alertWaySchema,
      password: passwordSchema.nullable(),
      seen: alertWaySchema.nullable().optional(),
    }),
  ),
  removeWay: may('settings').input(named),
  /** Tells a way that this is a test; `answered` is what the other side said, or what went wrong. */
  testWay: may('settings')
    .input(named)
    .output(z.object({ ok: z.boolean(), answered: z.string() })),
  setQuiet: may('settings').input(z.object({ quiet: quietHoursSchema.nullable() })),
  /** Somebody looks after this alert: it goes no further by itself. */
  take: may('trade').input(openCallSchema.pick({ code: true })),
};
