import type { VenueHere, VenueKind } from '../../contract/venue.ts';
import { DeskError } from '../../protocol/desk-error.ts';
import type { HedgeParts } from '../hedge-parts.ts';
import { byHand } from './by-hand/venue.ts';
import { intents } from './intents/venue.ts';
import { market } from './market/venue.ts';
import type { Venue } from './venue.ts';

/** Where hedges can be done, in the order in which a person chooses. */
export const VENUES: readonly Venue[] = [market, intents, byHand];

/** The venue of a way. Throws DeskError `bad_terms` for a mode that none of them has. */
export function venueOf(mode: string): Venue {
  const venue = knownVenue(mode);
  if (venue !== undefined) return venue;
  throw new DeskError('bad_terms', `No venue of this desk hedges by ${mode}.`);
}

/** The same for what is only shown: a journal may have hedges of a venue that this desk does not have. */
export function knownVenue(mode: string): Venue | undefined {
  return VENUES.find(({ about }) => about.kinds.some((kind) => kind.mode === mode));
}

/** What a mode is to a person; undefined for one that no venue has. */
export function kindOf(mode: string): VenueKind | undefined {
  return knownVenue(mode)?.about.kinds.find((kind) => kind.mode === mode);
}

/** Every venue, and whether it can be chosen on each chain of the desk. */
export function venuesHere(parts: HedgeParts): VenueHere[] {
  const chains = parts.book.chains().map(({ chainId }) => chainId);
  return VENUES.map((venue) => ({
    ...venue.about,
    chains: chains.map((chainId) => ({ chainId, lack: venue.lack(parts, chainId) })),
  }));
}
