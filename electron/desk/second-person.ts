import { createHash } from 'node:crypto';
import type { AnyContractProcedure } from '@orpc/contract';
import packageFile from '../../package.json' with { type: 'json' };
import { wholeSays } from '../contract/approvals.ts';
import { consoleContract } from '../contract/console-contract.ts';
import type { DeskChange } from '../contract/desk-changes.ts';
import { isoTime, utcText } from '../contract/names.ts';
import { plain } from '../contract/plain-text.ts';
import { consoleRights, EVERY_RIGHT, type PersonRow, type Right } from '../contract/rights.ts';
import type { StoredApproval } from '../journal/approvals/fold.ts';
import { DeskError, isDeskError } from '../protocol/desk-error.ts';
import { SerialQueue } from '../protocol/serial-queue.ts';
import type { Approvals } from './approvals.ts';
import type { CallContext } from './handlers/base.ts';
import type { HeldActions, Plan } from './held-actions.ts';
import type { Rooms } from './rooms.ts';

/** So many changes a second person looks through, and the journal keeps, and no text of one is longer: nothing of it is cut. */
const MOST_CHANGES = 1_000;
const MOST_TEXT = 1_000;
/** What is only named, or went wrong, is told so far. */
const MOST_BEGUN = 500;
/** What waits is looked at anew this often, to see whether it is still about what is there. */
const LOOK_MS = 5_000;

/** What says that something is not as somebody saw it. */
const CHANGED = ['changed_meanwhile', 'limits_changed', 'desk_changed', 'overtaken_by_stop'] as const;

/** Carries an operation out, as somebody. */
type CarryOut = (operation: string, input: unknown, context: CallContext) => Promise<unknown>;

/** A call as it comes in, before its input is checked. `operation`: as `limits.set`. */
interface Call {
  operation: string;
  right: Right;
  input: unknown;
  context: CallContext;
}

/**
 * Stands before every operation of the contract, whichever door it came through: what takes a second person is not done, but waits for
 * one, and is carried out once they have said yes, as it was given and under the name of whoever gave it.
 */
export class SecondPerson {
  readonly #rooms: Pick<Rooms, 'approvals' | 'credentials' | 'now' | 'log'>;
  readonly #actions: Partial<HeldActions>;
  readonly #carryOut: CarryOut;
  readonly #people: () => readonly PersonRow[];
  /** Asking and answering, one after the other. */
  readonly #turns = new SerialQueue();
  readonly #isRunning: boolean;
  #lookedAt = 0;
  #looking = false;

  constructor(options: {
    rooms: Pick<Rooms, 'approvals' | 'credentials' | 'now' | 'log'>;
    actions: Partial<HeldActions>;
    carryOut: CarryOut;
    people: () => readonly PersonRow[];
    /** Whether a desk runs: without one nobody can be waited for. */
    running: boolean;
  }) {
    this.#rooms = options.rooms;
    this.#actions = options.actions;
    this.#carryOut = options.carryOut;
    this.#people = options.people;
    this.#isRunning = options.running;
  }

  /**
   * Lets a call through, with what sees to it that nothing comes between this look and the deed. Throws DeskError
   * `second_person_asked` once it waits, `second_person_needed` where no desk runs, or what keeps it from waiting.
   */
  async admit({ operation, right, input, context }: Call): Promise<Pick<CallContext, 'still'>> {
    const { approvals } = this.#rooms;
    if (context.isApproved === true || approvals.kinds().length === 0) return {};
    const plan = await this.#planOf(operation, input);
    if (plan === null) return {};
    const kinds = plan.kinds.filter((kind) => approvals.holds(kind));
    if (kinds.length === 0) return { still: stillness(plan) };
    if (!this.#isRunning) {
      throw new DeskError(
        'second_person_needed',
        `This takes a second person: ${wholeSays(plan)}. No desk runs here in which it could wait for one.`,
        {
          remedy: 'Start the desk; then ask for it again, and have somebody else approve it.',
        },
      );
    }
    const others = this.#people().filter((_, index) => this.#tokenAt(index) !== context.token);
    const isAnswered = others.some(({ may }) => may.includes(right));
    // Otherwise whoever is left could never give anybody a token again, nor go live.
    const isAlone = !isAnswered && context.token === null && operation === 'tokens.create';
    if (!isAnswered && !isAlone) {
      throw new DeskError(
        'no_second_person',
        `This takes a second person, and nobody else may do it: ${wholeSays(plan)}.`,
        {
          remedy:
            'Somebody else with the right to it has to have a token. The user who runs the desk asks for it with makerdesk token create, and with nobody else there may approve it themselves a day later. Halts and lower limits need nobody.',
        },
      );
    }
    if (plan.changes.length > MOST_CHANGES) {
      throw new DeskError(
        'too_many_changes',
        `This changes ${plan.changes.length} things, more than a second person can look through: ${wholeSays(plan)}.`,
        { remedy: `Change at most ${MOST_CHANGES} at once, one part after the other.` },
      );
    }
    const endless = longTexts(plan);
    if (endless.length > 0) {
      throw new DeskError(
        'change_too_long',
        `This is longer than a second person is shown: ${endless.join('; ')}. They cannot approve what they do not see.`,
        { remedy: `Make it at most ${MOST_TEXT} characters long.` },
      );
    }
    const given = JSON.stringify(input ?? null);
    const changes = plan.changes.map(onOneLine);
    const says = plain(plan.says);
    const reason = plan.reason === undefined ? {} : { reason: plain(plan.reason) };
    const mark = markOf(plan);
    const { version } = packageFile;
    const asked = { operation, kinds, right, says, ...reason, changes, more: 0, mark, version, given };
    const waiting = await this.#turns.run(() => approvals.ask(asked, context, isAlone));
    const { aloneFrom } = waiting;
    if (aloneFrom !== undefined) {
      throw new DeskError(
        'second_person_asked',
        `This waits for a day, since nobody else is there: ${wholeSays(waiting)}.`,
        {
          fields: { request: waiting.seq },
          remedy: `It is request ${waiting.seq}. From ${utcText(aloneFrom)} on, and for a day, approve it yourself: makerdesk approvals approve ${waiting.seq}. Every screen says so until then.`,
        },
      );
    }
    throw new DeskError('second_person_asked', `This waits for a second person: ${wholeSays(waiting)}.`, {
      fields: { request: waiting.seq },
      remedy: `It is request ${waiting.seq}, until ${isoTime(waiting.until).slice(11, 16)} UTC. Somebody else approves it on Approvals, or with: makerdesk approvals approve ${waiting.seq}. You can take it back there.`,
    });
  }

  /** Says yes, and carries it out; resolves with what whoever asked would have been told. */
  async approve(seq: number, context: CallContext): Promise<unknown> {
    // What is carried out may wait for a node: nobody else waits for that with their own.
    const { approval, input, as } = await this.#turns.run(() => this.#give(seq, context));
    const { approvals } = this.#rooms;
    try {
      const answer = await this.#carryOut(approval.operation, input, as);
      await approvals.end(seq, 'desk', 'done');
      return answer;
    } catch (error) {
      await approvals.end(seq, 'desk', 'failed', begun(error instanceof Error ? error.message : String(error)));
      throw error;
    }
  }

  refuse(seq: number, reason: string, context: CallContext): Promise<void> {
    const { approvals } = this.#rooms;
    return this.#turns.run(async () => {
      await approvals.expectAnswerable(seq, context, this.#people);
      await approvals.end(seq, context.actor, 'refused', reason);
    });
  }

  withdraw(seq: number, context: CallContext): Promise<void> {
    const { approvals } = this.#rooms;
    return this.#turns.run(async () => {
      await approvals.expectOwn(seq, context);
      await approvals.end(seq, context.actor, 'withdrawn');
    });
  }

  /** Ends what nobody answered in time, and what is about something that is not as it was. To be called each second. */
  tick(): void {
    const { approvals, now, log } = this.#rooms;
    approvals.tick();
    if (this.#looking || Math.abs(now() - this.#lookedAt) < LOOK_MS || approvals.waiting().length === 0) return;
    this.#lookedAt = now();
    this.#looking = true;
    void this.#turns
      .run(async () => {
        for (const approval of approvals.waiting()) {
          // What would be refused just now may be taken later: whoever approves it is told.
          await this.#look(approval).catch((error: unknown) =>
            log.info('what waits for a second person would be refused now', { error: String(error) }),
          );
        }
      })
      .finally(() => {
        this.#looking = false;
      });
  }

  async #give(
    seq: number,
    context: CallContext,
  ): Promise<{ approval: StoredApproval; input: unknown; as: CallContext }> {
    const { approvals } = this.#rooms;
    const approval = await approvals.expectAnswerable(seq, context, this.#people);
    if (!this.#isRunning) {
      throw new DeskError('second_person_needed', 'Only a desk that runs carries out what was approved.', {
        remedy: 'Start the desk, then approve it.',
      });
    }
    const requester = this.#requester(approval);
    if (requester === null) await approvals.end(seq, 'desk', 'revoked');
    const plan = requester === null ? null : await this.#look(approval);
    if (requester === null || plan === null) {
      const update = requester === null ? null : updateSince(approval);
      throw new DeskError(
        'changed_meanwhile',
        `What this would change was changed since it was asked for, so it was not done: ${wholeSays(approval)}.`,
        {
          remedy: `${update === null ? '' : `${update}. `}Whoever wants it asks for it again, and sees what it would change now.`,
        },
      );
    }
    const input = inputOf(approvals, approval);
    await approvals.give(seq, context);
    return { approval, input, as: { ...requester, isApproved: true, still: stillness(plan) } };
  }

  /** Ends it where what it is about is not as it was, or what was given with it is gone; null then. */
  async #look(approval: StoredApproval): Promise<Plan | null> {
    const { approvals } = this.#rooms;
    const { seq, operation, mark } = approval;
    if (approvals.given(approval) === null) {
      await approvals.end(seq, 'desk', 'lost');
      return null;
    }
    try {
      const plan = await this.#planOf(operation, inputOf(approvals, approval));
      if (plan !== null && markOf(plan) === mark) return plan;
    } catch (error) {
      if (!CHANGED.some((code) => isDeskError(error, code))) throw error;
    }
    await approvals.end(seq, 'desk', 'changed', updateSince(approval));
    return null;
  }

  /** Whoever asked, with what they may do by now; null where they may not any more. */
  #requester({ actor, token, right }: StoredApproval): CallContext | null {
    if (token === null) return { actor, token, may: () => EVERY_RIGHT };
    const may = () => {
      const known = this.#rooms.credentials.tokens().find(({ name }) => name === token);
      return known === undefined ? [] : consoleRights(known.rights);
    };
    return may().includes(right) ? { actor, token, may } : null;
  }

  async #planOf(operation: string, input: unknown): Promise<Plan | null> {
    const plan = leafOf<(input: unknown) => Plan | null | Promise<Plan | null>>(this.#actions, operation);
    if (plan === undefined) return null;
    const { inputSchema } = leafOf<AnyContractProcedure>(consoleContract, operation)?.['~orpc'] ?? {};
    const checked = await inputSchema?.['~standard'].validate(input);
    // What cannot be read is refused for that.
    if (checked?.issues !== undefined) return null;
    return plan(checked === undefined ? input : checked.value);
  }

  /** Who stands at this place of the list of people: the user who runs the desk first, the others by their token. */
  #tokenAt(index: number): string | null {
    return index === 0 ? null : (this.#people()[index]?.name ?? null);
  }
}

/** What stands in a room under a name, by `room.name`; a name that every object has names nothing. */
function leafOf<Leaf>(rooms: object, operation: string): Leaf | undefined {
  let found: unknown = rooms;
  for (const step of operation.split('.')) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, step)) return undefined;
    found = (found as Record<string, unknown>)[step];
  }
  // What is asked for is what the caller keeps there.
  return found as Leaf;
}

function inputOf(approvals: Approvals, approval: StoredApproval): unknown {
  const given: unknown = JSON.parse(approvals.given(approval) ?? 'null');
  return given ?? undefined;
}

function stillness({ seen, now }: Plan): () => void {
  return () => {
    if (now() === seen) return;
    throw new DeskError('changed_meanwhile', 'Something of this changed just now, so it was not done.', {
      remedy: 'Look at what it is now, and do it again.',
    });
  };
}

/**
 * What a second person says yes to is what they read, and the words are all of that: which settings, stops, trips, names and fingerprints
 * something is about no input says. So another version of the program that puts it otherwise has it asked for again, and is named.
 */
function markOf({ kinds, changes, about }: Plan): string {
  return createHash('sha256')
    .update(JSON.stringify([kinds, about ?? changes]))
    .digest('hex');
}

/** That the program is not the one in whose words something was asked for; null where it is. */
function updateSince({ version }: StoredApproval): string | null {
  if (version === packageFile.version) return null;
  return `Makerdesk was updated meanwhile, from ${version ?? 'an earlier version'} to ${packageFile.version}, and may only put it in other words`;
}

/** Without what steers a line. */
function onOneLine({ about, what, before, after, unit }: DeskChange): DeskChange {
  return {
    ...(unit !== undefined && { unit: plain(unit) }),
    about: plain(about),
    what: plain(what),
    before: before === null ? null : plain(before),
    after: after === null ? null : plain(after),
  };
}

/** What of a plan is too long to be shown whole, in words. */
function longTexts({ says, reason, changes }: Plan): string[] {
  const isLong = (text: string | null) => text !== null && text.length > MOST_TEXT;
  const long = changes.filter(({ about, what, before, after }) => [about, what, before, after].some(isLong));
  return [...[says, reason ?? ''].filter(isLong), ...long.map(({ about, what }) => `${about}, ${what}`)]
    .slice(0, 3)
    .map(begun);
}

/** The beginning of a text, on one line. */
function begun(text: string): string {
  const line = plain(text);
  return line.length <= MOST_BEGUN
    ? line
    : `${line.slice(0, MOST_BEGUN)}… and ${line.length - MOST_BEGUN} more characters`;
}
