import { isInFleet } from '../fleet/membership.ts';
import type { DeskPlace } from './with-desk.ts';

/**
 * Says that what was stopped or resumed is a desk that does not run, in which folder, and that another may be trading. Where the desk is
 * one of a fleet, another has most likely taken its place: then the command ends with exit code 1, for nothing tells that the fleet
 * stands still, or that it trades again.
 */
export function tellNotRunning(place: DeskPlace, done: 'stopped' | 'resumed'): void {
  if (typeof place !== 'string') return;
  const missed = done === 'stopped' ? 'stops nothing that trades now' : 'nothing is quoted from it now';
  const absent = `No desk runs in ${place}: this counts for its next start, and ${missed}.`;
  if (!isInFleet(place)) {
    const start = done === 'stopped' ? '' : ' Start it with "makerdesk serve", which checks everything once more.';
    process.stderr.write(`${absent}${start} A desk that runs has another folder: name it with --data.\n`);
    return;
  }
  process.stderr.write(
    `${absent} OTHER DESKS OF ITS FLEET MAY BE TRADING: see "makerdesk fleet status --fleet URL", and ${done === 'stopped' ? 'stop' : 'resume'} the one that writes.\n`,
  );
  process.exitCode = 1;
}
