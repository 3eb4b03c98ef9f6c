import type { z } from 'zod';
import { actorSchema, timeSchema } from '../contract/names.ts';
import { DeskError } from '../protocol/desk-error.ts';
import type { Slice } from './slice.ts';
import type { EventText } from './write-item.ts';

/** Actors that were checked already; there are only a few. */
const knownActors = new Set<string>();
const MOST_KNOWN_ACTORS = 1_000;

type AnyEvent = { time: number; actor: string; kind: string; body: unknown };

/**
 * Makes of an event its body as the text that is stored and hashed. What it returns throws `journal_row_refused` when an event
 * does not have the form of its kind; bodies of unchecked kinds are taken as they are, and the tables refuse the worst.
 */
export function eventText(slices: readonly Slice[]): (event: AnyEvent) => EventText {
  const bodies = new Map(slices.flatMap(({ events }) => Object.entries(events)));
  const unchecked = new Set(slices.flatMap((slice) => slice.unchecked ?? []));
  return ({ time, actor, kind, body }) => {
    if (!timeSchema.safeParse(time).success) refuse(kind, `time ${time} is not in whole Unix milliseconds`);
    checkActor(kind, actor);
    if (unchecked.has(kind)) return { time, actor, kind, body: textOf(kind, body) };
    const parsed = bodies.get(kind)?.safeParse(body) ?? refuse(kind, 'there is no such kind');
    if (!parsed.success) refuse(kind, faultsOf(parsed.error));
    return { time, actor, kind, body: textOf(kind, parsed.data) };
  };
}

/** Checks writes to tables outside the chain. What it returns throws `journal_row_refused` when one does not have the form of its table. */
export function checkedWrite(
  slices: readonly Slice[],
): <Write extends { readonly table: string }>(write: Write) => Write {
  const tables = new Map(slices.flatMap(({ plain = {} }) => Object.entries(plain)));
  return (write) => {
    const parsed = tables.get(write.table)?.safeParse(write) ?? refuse(write.table, 'there is no such table');
    return parsed.success ? (parsed.data as typeof write) : refuse(write.table, faultsOf(parsed.error));
  };
}

function faultsOf({ issues }: z.ZodError): string {
  return issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ');
}

function textOf(kind: string, body: unknown): string {
  try {
    return JSON.stringify(body);
  } catch (error) {
    return refuse(kind, String(error));
  }
}

/** A lone surrogate would be stored as another character than the one that was hashed. */
function checkActor(kind: string, actor: string): void {
  if (knownActors.has(actor)) return;
  if (!actorSchema.safeParse(actor).success || /[\p{Cc}\p{Cs}]/u.test(actor))
    refuse(kind, 'the actor has no proper name');
  if (knownActors.size < MOST_KNOWN_ACTORS) knownActors.add(actor);
}

function refuse(kind: string, what: string): never {
  throw new DeskError('journal_row_refused', `The journal refused "${kind}": ${what}.`, {
    remedy: 'Nothing was written. This is a fault of the program: keep the log and report it.',
  });
}
