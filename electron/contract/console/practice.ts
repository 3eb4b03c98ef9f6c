import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import { faultSwitchSchema, practiceSpeedSchema, practiceStartSchema, practiceStateSchema } from '../practice.ts';
import { may } from './base.ts';

/** The practice market beside the desk; a desk without one refuses with `no_practice`. */
export const practiceContract = {
  /** Starts a practice desk beside a real one, on free ports and in a folder of its own; this desk stays as it is. */
  start: may('admin').output(eventIterator(practiceStartSchema)),
  /** Everything once, then again whenever something of it changed, at most twice a second. */
  watch: may('look').output(eventIterator(practiceStateSchema)),
  /** Answers once the fault is in force, or gone. */
  fault: may('trade').input(faultSwitchSchema).output(practiceStateSchema),
  speed: may('trade')
    .input(z.object({ asksPerSecond: practiceSpeedSchema }))
    .output(practiceStateSchema),
  /** Starts the market's process again, also one that runs; answers once it trades. */
  restart: may('trade').output(practiceStateSchema),
};
