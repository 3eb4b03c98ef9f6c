import type { z } from 'zod';
import type { Subject, Trip } from '../../contract/protections.ts';
import type { PROTECTION_EVENTS } from './events.ts';

export type ProtectionEvent = {
  [Kind in keyof typeof PROTECTION_EVENTS]: {
    time: number;
    actor: string;
    kind: Kind;
    body: z.infer<(typeof PROTECTION_EVENTS)[Kind]>;
  };
}[keyof typeof PROTECTION_EVENTS];

/** The last trip of a rule for a subject after an event on both. Only one that nobody has reset is reset. */
export function foldTrip(before: Trip | undefined, event: ProtectionEvent): Trip | undefined {
  const { time: at, actor } = event;
  if (event.kind === 'protection_tripped') return { ...event.body, at, reset: null };
  return before?.reset === null ? { ...before, reset: { at, actor, reason: event.body.reason } } : before;
}

/** What tells the subjects of a rule apart. */
export function subjectKey({ chainId, who }: Subject): string {
  return `${chainId ?? 0} ${who}`;
}
