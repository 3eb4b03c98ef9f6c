import type { Preparation } from '../contract/hedge.ts';
import type { HedgeWish } from '../contract/hedge-terms.ts';
import type { VenueHere } from '../contract/venue.ts';
import { AutoHedger } from './auto-hedge.ts';
import { HedgeEngine, type HedgeEngineOptions } from './hedge-engine.ts';
import type { HedgeParts } from './hedge-parts.ts';
import { OfferedRoutes } from './offered-routes.ts';
import { prepareHedge } from './prepare-hedge.ts';
import { venuesHere } from './venues/venues.ts';

/** Hedging of a running desk: what a person places, and what it does by itself. */
export interface Hedging {
  readonly engine: HedgeEngine;
  readonly auto: AutoHedger;
  readonly routes: OfferedRoutes;
  /** Where a person may hedge, and on which chain not now. */
  venues(): VenueHere[];
  prepare(wish: HedgeWish): Promise<Preparation>;
  /** Lets go of everything; the next desk takes it up. */
  stop(): Promise<void>;
}

/** Takes up the hedges that ran when the desk ended, and begins to look at what is to be hedged. */
export async function openHedging(parts: HedgeParts, options: HedgeEngineOptions = {}): Promise<Hedging> {
  const engine = new HedgeEngine(parts, options);
  const auto = new AutoHedger(parts, engine);
  await engine.start();
  auto.start();
  return {
    engine,
    auto,
    routes: new OfferedRoutes(parts),
    venues: () => venuesHere(parts),
    prepare: async (wish) => prepareHedge(parts, engine.node, wish, await engine.underWay()),
    async stop() {
      await auto.stop();
      await engine.stop();
    },
  };
}
