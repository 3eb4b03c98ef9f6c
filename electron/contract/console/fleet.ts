import { z } from 'zod';
import { surfaceSwitchSchema } from '../fleet.ts';
import { may } from './base.ts';

/** The fleet of a desk; what it looks like comes with the live view. */
export const fleetContract = {
  /**
   * Has a standby take the place of this desk, which then signs nothing any more; the other one begins halted. `no_fleet` where this desk
   * is in none, `unknown_standby` where none of that name is heard, `standby_not_ready` where no desk would start there, `no_answer`.
   */
  takeOver: may('settings').input(z.object({ standby: z.string() })),
  /**
   * Switches a surface elsewhere: on, off, or draining, when it shows no prices and still answers firm requests. `no_fleet`,
   * `unknown_surface` where none of that name is heard, `no_answer`.
   */
  switchSurface: may('trade').input(z.object({ surface: z.string(), to: surfaceSwitchSchema })),
};
