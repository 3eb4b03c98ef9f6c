import type { PracticeFleet } from '../fleet/practice-fleet.ts';
import { type Fault, settingFault } from './fault-board.ts';

/** Each way, between the desk or a surface and the fleet server. */
const SLOW_LINK_MS = 75;

/** What the faults of a fleet are called. */
export const FLEET_FAULTS = ['surface-down', 'surface-cut-off', 'engine-down', 'desk-down', 'slow-link'] as const;
const [SURFACE_DOWN, SURFACE_CUT_OFF, ENGINE_DOWN, DESK_DOWN, SLOW_LINK] = FLEET_FAULTS;

/** What can go wrong with a fleet: with one of its machines, or between them. */
export function fleetFaults({ server, deskLine, surfaces }: PracticeFleet): Fault[] {
  const [first] = surfaces;
  const last = surfaces.at(-1);
  if (first === undefined || last === undefined) return [];
  return [
    {
      name: SURFACE_DOWN,
      says: `${first.name} is gone, as by kill -9; the service asks the others.`,
      async on() {
        await first.takeAway();
        return `${first.name} is gone`;
      },
      async off() {
        await first.bringBack();
        return `${first.name} is back`;
      },
    },
    settingFault(
      SURFACE_CUT_OFF,
      `${last.name} does not reach the fleet server: it hears no desk, and serves nothing.`,
      [`${last.name} is cut off`, `${last.name} reaches the fleet server again`],
      (isOn) => last.line.cut(isOn),
    ),
    {
      name: ENGINE_DOWN,
      says: 'The fleet server is gone, as by kill -9: the desk halts, and no surface hears it.',
      async on() {
        await server.takeAway();
        return 'the fleet server is gone';
      },
      async off() {
        await server.bringBack();
        return 'the fleet server is back with what it had kept';
      },
    },
    settingFault(
      DESK_DOWN,
      'The desk does not reach the fleet server: it halts, and the surfaces hear it no more.',
      ['the desk is cut off from the fleet', 'the desk reaches the fleet server again'],
      (isOn) => deskLine.cut(isOn),
    ),
    settingFault(
      SLOW_LINK,
      `What desk and surfaces say to each other arrives ${2 * SLOW_LINK_MS} ms later.`,
      [`the lines of the fleet are ${2 * SLOW_LINK_MS} ms slower`, 'the lines of the fleet are as quick as before'],
      (isOn) => {
        for (const line of [deskLine, ...surfaces.map((surface) => surface.line)]) line.delay(isOn ? SLOW_LINK_MS : 0);
      },
    ),
  ];
}
