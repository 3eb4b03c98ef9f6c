import { z } from 'zod';
import { alertChangeSchema, alertKindSchema, alertSettingsSchema } from '../alert-settings.ts';
import { may } from './base.ts';

/** How alerts are told; the same on every console of the desk, and part of the live view. */
export const alertsContract = {
  /** Changes one kind, for everybody. */
  set: may('settings')
    .input(z.object({ kind: alertKindSchema, change: alertChangeSchema }))
    .output(alertSettingsSchema),
};
