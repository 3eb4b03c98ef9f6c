import { useQuery } from '@tanstack/react-query';
import type { VenueHere, VenueKind } from '../../../electron/contract/venue.ts';
import { useQueries } from '../../state/console.tsx';

const NONE: readonly VenueHere[] = [];
/** Which keys a desk holds changes seldom. Milliseconds. */
const VENUES_AGAIN = 60_000;

/** Where hedges can be done, as the desk declares it; none until it has said so. */
export function useVenues(): readonly VenueHere[] {
  return useVenuesRead().data ?? NONE;
}

/** The same as a question to the desk, which may be under way or have failed. */
export function useVenuesRead() {
  return useQuery(useQueries().hedge.venues.queryOptions({ refetchInterval: VENUES_AGAIN, staleTime: VENUES_AGAIN }));
}

/** The kinds as a person chooses them: what is sold and what is bought may be two modes of one choice. */
export function choicesOf(venues: readonly VenueHere[]): VenueKind[] {
  const kinds = venues.flatMap((venue) => venue.kinds);
  return kinds.filter(({ choice }, index) => kinds.findIndex((kind) => kind.choice === choice) === index);
}

/** The kind that a ticket means, and its venue: of its choice the one that sells, or buys, as the ticket does. */
export function meantBy(
  { mode, side }: { mode: string; side: VenueKind['sides'][number] },
  venues: readonly VenueHere[],
): { venue: VenueHere | undefined; kind: VenueKind | undefined } {
  for (const venue of venues) {
    const chosen = venue.kinds.find((kind) => kind.mode === mode);
    if (chosen === undefined) continue;
    const kind = venue.kinds.find(({ choice, sides }) => choice === chosen.choice && sides.includes(side));
    return { venue, kind };
  }
  return { venue: undefined, kind: undefined };
}
