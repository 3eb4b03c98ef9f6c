import { isInFleet } from '../fleet/membership.ts';
import type { DeskPlace } from './with-desk.ts';

/**
 * Says that what was stopped is a desk that does not run, in which folder, and that another may be trading. Where the desk is one of
 * a fleet, another has most likely taken its place: then the command ends with exit code 1, for nothing tells that the fleet stands still.
 */
export function tellNotRunning(place: DeskPlace): void {
  if (typeof place !== 'string') return;
  const absent = `No desk runs in ${place}: this counts for its next start, and stops nothing that trades now.`;
  if (!isInFleet(place)) {
    process.stderr.write(`${absent} A desk that runs has another folder: name it with --data.\n`);
    return;
  }
  process.stderr.write(
    `${absent} OTHER DESKS OF ITS FLEET MAY BE TRADING: see "makerdesk fleet status", and stop the one that writes.\n`,
  );
  process.exitCode = 1;
}
