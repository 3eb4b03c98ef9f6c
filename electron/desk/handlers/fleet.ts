import type { FleetWatch } from '../../fleet/fleet-watch.ts';
import { DeskError } from '../../protocol/desk-error.ts';
import { os } from './base.ts';

/** Null where the desk is in no fleet, or does not run. */
export function fleetHandlers(fleet: Pick<FleetWatch, 'takeOver' | 'switchSurface'> | null) {
  const noFleet = () => new DeskError('no_fleet', 'This desk is in no fleet: there is no other machine of it.');
  return {
    takeOver: os.fleet.takeOver.handler(async ({ input, context }) => {
      if (fleet === null) throw noFleet();
      await fleet.takeOver(input.standby, context.actor);
    }),
    switchSurface: os.fleet.switchSurface.handler(async ({ input, context }) => {
      if (fleet === null) throw noFleet();
      await fleet.switchSurface(input.surface, input.to, context.actor);
    }),
  };
}
