import type { FleetPlace } from '../fleet/fleet-place.ts';
import type { FleetServer } from '../fleet/fleet-server.ts';
import type { FleetWriter } from '../fleet/fleet-writer.ts';
import { monotonic } from '../time/monotonic.ts';

/** The fleet of a desk, as the one that writes has it. */
export interface DeskFleet {
  place: FleetPlace;
  server: FleetServer;
  writer: FleetWriter;
}

/**
 * Takes the seat of the one desk of a fleet that writes; `credentials` and `authority`: the files with them, or null. What a fleet needs is
 * loaded here, and by nobody who does not ask for one. Throws as `openFleetServer` and `Seat.take` do.
 */
export async function takeSeat(
  place: FleetPlace,
  { credentials, authority }: { credentials: string | null; authority: string | null },
  name: string,
): Promise<DeskFleet> {
  const [{ openFleetServer, rightsError }, { Seat }, { FleetWriter }] = await Promise.all([
    import('../fleet/fleet-server.ts'),
    import('../fleet/seat.ts'),
    import('../fleet/fleet-writer.ts'),
  ]);
  const server = await openFleetServer(place, credentials, { role: 'desk', authority });
  try {
    const seat = await Seat.take(server, { name, byForce: false, monotonic });
    return { place, server, writer: new FleetWriter(server, seat, monotonic) };
  } catch (error) {
    await server.close();
    throw rightsError(error);
  }
}
