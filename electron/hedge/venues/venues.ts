import type { HedgeStep } from '../../contract/hedge-steps.ts';
import type { VenueHere, VenueKind } from '../../contract/venue.ts';
import type { HedgeRecord } from '../../journal/hedges/fold.ts';
import { DeskError } from '../../protocol/desk-error.ts';
import type { HedgeParts } from '../hedge-parts.ts';
import type { Built, SignedLeft } from '../hedge-steps.ts';
import { byHand } from './by-hand/venue.ts';
import { intents } from './intents/venue.ts';
import { market } from './market/venue.ts';
import type { Venue } from './venue.ts';

/** Where hedges can be done, in the order in which a person chooses. */
export const VENUES: readonly Venue[] = [market, intents, byHand];

/** How a pair is hedged by itself until a person chooses: the first kind that can be. */
export const FIRST_AUTOMATIC: string =
  VENUES.flatMap(({ about }) => about.kinds).find(({ automatic }) => automatic !== null)?.mode ?? '';

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

/** The venues that may say what was signed of a hedge: its own, and of one that this desk does not have any that knows such steps. */
function venuesOf({ opened }: Pick<HedgeRecord, 'opened'>): readonly Venue[] {
  const venue = knownVenue(opened.way.mode);
  return venue === undefined ? VENUES : [venue];
}

/** What was built of a hedge, as its venue has it. */
export function builtOf(hedge: HedgeRecord, steps: readonly HedgeStep[]): Built | null {
  return venuesOf(hedge).reduce<Built | null>((found, venue) => found ?? venue.built(steps), null);
}

/** What was signed of a hedge for others to carry out, as its venue has it. */
export function leftOf(hedge: HedgeRecord, steps: readonly HedgeStep[]): SignedLeft | null {
  return venuesOf(hedge).reduce<SignedLeft | null>((found, venue) => found ?? venue.left(hedge, steps), null);
}

/** The transaction of the maker that is the trade, as its venue has it; null where there is none. */
export function transactionOf(hedge: HedgeRecord): string | null {
  return venuesOf(hedge).reduce<string | null>((found, venue) => found ?? venue.transactionOf(hedge), null);
}

/** Every venue, and whether it can be chosen on each chain of the desk. */
export function venuesHere(parts: HedgeParts): VenueHere[] {
  const chains = parts.book.chains().map(({ chainId }) => chainId);
  return VENUES.map((venue) => ({
    ...venue.about,
    chains: chains.map((chainId) => ({ chainId, lack: venue.lack(parts, chainId) })),
  }));
}
