import type { DeskFile } from '../contract/desk-file.ts';
import { actorSchema, timeSchema } from '../contract/names.ts';
import { CHAIN_URLS, hasSecretPart } from '../contract/sealed-url.ts';
import { DeskError } from '../protocol/desk-error.ts';
import { EVENT_BODIES, type NewEvent } from './events.ts';
import type { EventText } from './writer-messages.ts';

/** Actors that were checked already; there are only a few. */
const knownActors = new Set<string>();
const MOST_KNOWN_ACTORS = 1_000;

/**
 * An event with its body as the text that is stored and hashed. Throws `journal_row_refused` when it does not have
 * the form of its kind. Quotes are taken as the compiler checked them: there are thousands a second, all made in one
 * place, and the tables refuse the worst.
 */
export function eventText(event: NewEvent): EventText {
  const { time, actor, kind } = event;
  if (!timeSchema.safeParse(time).success) refuse(kind, `time ${time} is not in whole Unix milliseconds`);
  checkActor(kind, actor);
  if (kind === 'quote') return { time, actor, kind, body: textOf(kind, event.body) };
  const parsed = EVENT_BODIES[kind].safeParse(event.body);
  if (!parsed.success) {
    refuse(kind, parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; '));
  }
  if (event.kind === 'desk_configured') checkNoSecrets(event.body.desk);
  return { time, actor, kind, body: textOf(kind, parsed.data) };
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

function checkNoSecrets({ chains, counterparties, serviceKeys }: DeskFile): void {
  if (serviceKeys !== undefined) refuse('desk_configured', 'it has keys to services, which must not be written');
  if (counterparties.some(({ accessKey, secretKey }) => accessKey !== undefined || secretKey !== undefined)) {
    refuse('desk_configured', 'a counterparty has its keys with it, which must not be written');
  }
  for (const chain of chains) {
    const open = CHAIN_URLS.find((field) => hasSecretPart(field, chain[field] ?? ''));
    if (open !== undefined) refuse('desk_configured', `the ${open} of a chain is not sealed, and may have a key in it`);
  }
}

function refuse(kind: string, what: string): never {
  throw new DeskError('journal_row_refused', `The journal refused an event "${kind}": ${what}.`, {
    remedy: 'Nothing was written. This is a fault of the program: keep the log and report it.',
  });
}
