import type { EVENT_BODIES } from './events.ts';
import type { ProjectionsOf } from './slice.ts';

/** What each kind of event does to the tables; kinds that only stand in the journal do nothing. */
export type Projections = ProjectionsOf<typeof EVENT_BODIES>;
