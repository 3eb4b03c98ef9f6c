import { z } from 'zod';
import { swapSideSchema } from '../protocol/market-wire.ts';
import { hedgeModeSchema } from './hedge-terms.ts';

/** A word for a person that depends on whether something is sold or bought. */
const bySideSchema = z.object({ SELL: z.string(), BUY: z.string() });

/** Something that a kind of hedge needs to know besides, as a person types it. */
const venueFieldSchema = z.object({
  /** Its name in the way of a wish. */
  name: z.string(),
  label: bySideSchema,
  /** `other`: an amount of the token that is not fixed, by which the hedge is bound. */
  kind: z.enum(['other', 'whole', 'address', 'bytes', 'dollars', 'moment', 'text']),
  /** What stands there at first. */
  first: z.string(),
  /** What is asked for while nothing stands there; null where nothing need. */
  lack: z.string().nullable(),
  /** Of whole numbers. */
  least: z.int().optional(),
  most: z.int().optional(),
});
export type VenueField = z.infer<typeof venueFieldSchema>;

/** A kind of hedge that a venue carries out, by the mode of its way. */
const venueKindSchema = z.object({
  mode: hedgeModeSchema,
  /** In lists, and as it is chosen: what is sold and what is bought may be two modes of one choice. */
  name: z.string(),
  choice: z.string(),
  sides: z.array(swapSideSchema),
  /** What will happen, in a few words. */
  says: z.string(),
  fields: z.array(venueFieldSchema),
  /** What its slippage binds; `nothing`: it is bound otherwise, and is asked for none. */
  slippage: z.enum(['amount', 'slice', 'nothing']),
  /** It may wait for hours: then neither a permit nor a short deadline is of use. */
  waits: z.boolean(),
  /** Whether it waits for its price, and fills at once when that is worse than the price now. */
  isLimit: z.boolean(),
  /** In which fields the number of its slices and the seconds between two of them stand, and how long the last one is given. */
  slices: z.object({ count: z.string(), interval: z.string(), last: z.int() }).nullable(),
  /** What automatic hedging calls it; null where it is not done without a person. */
  automatic: z.string().nullable(),
});
export type VenueKind = z.infer<typeof venueKindSchema>;

/** What a venue is to a person: all that the console knows of it. */
export const venueSchema = z.object({
  /** Its folder. */
  name: z.string(),
  title: z.string(),
  kinds: z.array(venueKindSchema),
  /** It only writes down what was done elsewhere: nothing is priced, signed or sent. */
  isRecord: z.boolean(),
  /** What is done when it is placed, behind an allowance. */
  does: z.string(),
  /** What is said while it gives no price. */
  noPrice: z.string(),
  /** Which of the service's routes it needs: that it serves the chain, or that its tokens have a lane; null for none. */
  routes: z.enum(['chains', 'lanes']).nullable(),
  /** Why it crosses no chains; null where it does, over a bridge that can be chosen. */
  noCrossing: z.string().nullable(),
});
export type VenueAbout = z.infer<typeof venueSchema>;

/** A venue on a chain; `lack` says why nothing can be hedged there now. */
export const venueHereSchema = venueSchema.extend({
  chains: z.array(z.object({ chainId: z.int(), lack: z.string().nullable() })),
});
export type VenueHere = z.infer<typeof venueHereSchema>;
