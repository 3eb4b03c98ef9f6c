import type { z } from 'zod';
import { APPROVAL_EVENTS } from './approvals/events.ts';
import { ARCHIVE_EVENTS } from './archive/events.ts';
import { BOOK_EVENTS } from './book/events.ts';
import { DESK_EVENTS } from './desk/events.ts';
import { FILL_EVENTS } from './fills/events.ts';
import { HEDGE_EVENTS } from './hedges/events.ts';
import { PEOPLE_EVENTS } from './people/events.ts';
import { PROTECTION_EVENTS } from './protections/events.ts';
import { QUOTE_EVENTS } from './quotes/events.ts';
import { SEAL_EVENTS } from './seals/events.ts';
import { TRADING_EVENTS } from './trading/events.ts';

/**
 * Every kind of event there is, with its body. Bodies hold no secrets; amounts are raw units as decimal strings. The writer adds
 * sequence and hash, the caller gives time and actor.
 */
export const EVENT_BODIES = {
  ...BOOK_EVENTS,
  ...TRADING_EVENTS,
  ...DESK_EVENTS,
  ...QUOTE_EVENTS,
  ...FILL_EVENTS,
  ...HEDGE_EVENTS,
  ...PEOPLE_EVENTS,
  ...ARCHIVE_EVENTS,
  ...PROTECTION_EVENTS,
  ...SEAL_EVENTS,
  ...APPROVAL_EVENTS,
} as const satisfies Record<string, z.ZodType>;

export type EventKind = keyof typeof EVENT_BODIES;
export type EventBody<K extends EventKind> = z.infer<(typeof EVENT_BODIES)[K]>;

/** An event as a room hands it to the journal. `time` is Unix milliseconds. */
export type NewEvent = { [K in EventKind]: { time: number; actor: string; kind: K; body: EventBody<K> } }[EventKind];

/** An event as the journal holds it. */
export type JournalEvent = NewEvent & { seq: number; hash: string };
