import { randomBytes } from 'node:crypto';
import {
  type Approval,
  type ApprovalEnd,
  type ApprovalsView,
  type FourEyesKind,
  type HeldKind,
  wholeSays,
} from '../contract/approvals.ts';
import type { Attention } from '../contract/desk-view.ts';
import { isoTime, utcText } from '../contract/names.ts';
import { type PersonRow, RIGHTS } from '../contract/rights.ts';
import { type ApprovalEvent, foldApproval, isWaiting, type StoredApproval } from '../journal/approvals/fold.ts';
import type { JournalEvent } from '../journal/events.ts';
import type { Journal } from '../journal/journal.ts';
import { DeskError } from '../protocol/desk-error.ts';
import type { Credentials } from './credentials.ts';
import type { Log } from './log.ts';
import { expectMayAnswer, isAnswered, type Person, whoElse } from './may-approve.ts';

/** Nobody says yes any more after so long. */
const WAITS_MS = 3_600_000;
/** Where nobody else is there, the user who runs the desk approves a token for somebody themselves, so much later, within as long again. */
const ALONE_AFTER_MS = 24 * 3_600_000;
/** A clock that goes back by more than this behind when something was asked for cannot say how long it has waited. */
const MOST_BACK_MS = 300_000;
/** Of one person: who asks for more is told to have some of it answered first, and nobody else has to wait for that. */
const MOST_WAITING = 20;
/** Every console has the list all the time, with so many changes of each; whoever approves it reads all of them. */
const MOST_SHOWN = 20;

/** What is asked for, as the journal has it. `given`: the input, as JSON. */
export interface Asked
  extends Pick<
    StoredApproval,
    'operation' | 'kinds' | 'right' | 'says' | 'reason' | 'changes' | 'more' | 'mark' | 'version'
  > {
  given: string;
}

type Parts = {
  journal: Journal;
  credentials: Pick<Credentials, 'keepAsked' | 'asked' | 'keepOnlyAsked'>;
  now: () => number;
  log: Log;
};

/**
 * What takes a second person on this desk, and what waits for one. Everything of it is an event of the journal first; memory is folded
 * from those, as the tables are.
 */
export class Approvals {
  readonly #parts: Parts;
  readonly #open: Map<number, StoredApproval>;
  /** What was given with something whose row is on its way. */
  readonly #asking = new Set<string>();
  #kinds: readonly FourEyesKind[];

  private constructor(parts: Parts, kinds: readonly FourEyesKind[], open: readonly StoredApproval[]) {
    this.#parts = parts;
    this.#kinds = kinds;
    this.#open = new Map(open.map((one) => [one.seq, one]));
    parts.journal.onAppended((events) => events.forEach((event) => void this.#take(event)));
  }

  static async open(parts: Parts): Promise<Approvals> {
    const { read } = parts.journal;
    return new Approvals(parts, await read.fourEyes(), await read.openApprovals());
  }

  kinds(): readonly FourEyesKind[] {
    return this.#kinds;
  }

  /** Whether something of this kind takes a second person now. */
  holds(kind: HeldKind): boolean {
    return kind === 'people' ? this.#kinds.length > 0 : this.#kinds.includes(kind);
  }

  /** What waits for a second person, oldest first. */
  waiting(): StoredApproval[] {
    return [...this.#open.values()].filter(isWaiting);
  }

  /** The list as every console has it, without all changes of what changes much. */
  view(): ApprovalsView {
    const { kinds, waiting, underWay } = this.whole();
    return { kinds, waiting: waiting.map(cut), underWay: underWay.map(cut) };
  }

  whole(): ApprovalsView {
    const underWay = [...this.#open.values()].filter((one) => !isWaiting(one));
    return { kinds: [...this.#kinds], waiting: this.waiting().map(shown), underWay: underWay.map(shown) };
  }

  async past(limit: number): Promise<Approval[]> {
    return (await this.#parts.journal.read.pastApprovals(limit)).map(cut);
  }

  /**
   * At a start: what was being carried out when the desk ended may be done or not, and nobody is to take it for waiting; and what was
   * given with what is over is forgotten.
   */
  async begin(): Promise<void> {
    for (const { seq } of [...this.#open.values()].filter(({ approved }) => approved !== null)) {
      await this.end(seq, 'desk', 'interrupted');
    }
    await this.#forget();
  }

  /** Ends what nobody answered in time. To be called each second. */
  tick(): void {
    const { now, log } = this.#parts;
    for (const approval of this.waiting()) {
      const { seq } = approval;
      if (!isLate(approval, now())) continue;
      this.end(seq, 'desk', 'expired').catch((error: unknown) =>
        log.warn('what waited too long for a second person could not be ended', { request: seq, error: String(error) }),
      );
    }
  }

  /** Writes down what takes a second person from now on. */
  async set(kinds: readonly FourEyesKind[], actor: string): Promise<void> {
    const { journal, now } = this.#parts;
    await journal.append({ time: now(), actor, kind: 'four_eyes_set', body: { kinds: [...kinds] } });
  }

  /**
   * Has something wait for a second person; the same once more by the same person waits once. `isAlone`: nobody else is there, and it
   * waits until whoever asked may approve it themselves. Throws DeskError `too_many_approvals`, `key_locked`, and what the journal throws.
   */
  async ask({ given, ...asked }: Asked, { actor, token }: Person, isAlone = false): Promise<StoredApproval> {
    const { journal, credentials, now } = this.#parts;
    const waiting = this.waiting();
    const same = waiting.find(
      (one) =>
        one.token === token &&
        one.operation === asked.operation &&
        one.mark === asked.mark &&
        one.says === asked.says &&
        credentials.asked(one.input) === given,
    );
    if (same !== undefined) return same;
    const own = waiting.filter((one) => one.token === token).length;
    if (own >= MOST_WAITING) {
      throw new DeskError('too_many_approvals', `${own} things that you asked for wait for a second person already.`, {
        remedy: 'Have some of them answered, or take them back.',
      });
    }
    const input = randomBytes(32).toString('hex');
    this.#asking.add(input);
    try {
      await credentials.keepAsked(input, given);
      const time = now();
      const ends = isAlone
        ? { aloneFrom: time + ALONE_AFTER_MS, until: time + 2 * ALONE_AFTER_MS }
        : { until: time + WAITS_MS };
      const body = { ...asked, token, input, ...ends };
      const seq = await journal.append({ time, actor, kind: 'approval_asked', body });
      return this.#open.get(seq) ?? { ...body, seq, at: time, actor, approved: null, ended: null };
    } finally {
      this.#asking.delete(input);
    }
  }

  /**
   * What waits under this number, for this person to say yes or no to. Throws DeskError `unknown_approval`, `approval_over`,
   * `own_approval`, `not_allowed`.
   */
  async expectAnswerable(seq: number, who: Person, people: () => readonly PersonRow[]): Promise<StoredApproval> {
    const found = await this.#expectWaiting(seq);
    expectMayAnswer(found, who, { people: people(), now: this.#parts.now() });
    return found;
  }

  /** What waits under this number, for whoever asked for it. Throws DeskError `unknown_approval`, `approval_over`, `own_approval`. */
  async expectOwn(seq: number, { token }: Person): Promise<StoredApproval> {
    const found = await this.#expectWaiting(seq);
    if (found.token === token) return found;
    throw new DeskError('own_approval', `${found.actor} asked for this, and takes it back themselves.`, {
      remedy: `To have it not done, refuse it: makerdesk approvals refuse ${seq} --reason TEXT.`,
    });
  }

  /** What was given with it, as JSON; null where it is gone. */
  given({ input }: StoredApproval): string | null {
    return this.#parts.credentials.asked(input);
  }

  /** A second person said yes. Throws DeskError `approval_over` where it was over by the time that this was written. */
  async give(seq: number, { actor, token }: Person): Promise<void> {
    const { journal, now } = this.#parts;
    await journal.append({ time: now(), actor, kind: 'approval_given', body: { request: seq, token } });
    const { approved } = this.#open.get(seq) ?? {};
    if (approved?.actor !== actor || approved.token !== token) throw over(`what row ${seq} asked for`);
  }

  async end(seq: number, actor: string, how: ApprovalEnd, why: string | null = null): Promise<void> {
    const { journal, now, log } = this.#parts;
    await journal.append({ time: now(), actor, kind: 'approval_ended', body: { request: seq, how, why } });
    this.#forget().catch((error: unknown) =>
      log.warn('what was given with something that waited is still sealed', { error: String(error) }),
    );
  }

  /** What waits, and that too few people are left to answer it, among what needs attention. */
  attention(people: readonly PersonRow[]): Attention[] {
    const action = { kind: 'page', page: 'approvals' } as const;
    const waiting = this.waiting().map((one): Attention => {
      const until = isoTime(one.until).slice(11, 16);
      if (one.aloneFrom !== undefined && !isAnswered(one, people)) {
        return {
          code: `approval ${one.seq}`,
          level: 'look',
          title: `${one.actor}, with nobody else there, asks for: ${wholeSays(one)}`,
          detail: `From ${utcText(one.aloneFrom)} on they may approve it themselves. If this is not meant, take it back before that: makerdesk approvals withdraw ${one.seq}.`,
          action,
        };
      }
      const detail = `Until ${until} UTC somebody else with the right “${RIGHTS[one.right].name}” says yes or no, on Approvals or with: makerdesk approvals. Ask ${whoElse(one, people)}.`;
      return {
        code: `approval ${one.seq}`,
        level: 'look',
        title: `${one.actor} asks for a second person: ${wholeSays(one)}`,
        detail,
        action,
      };
    });
    const admins = people.filter(({ may }) => may.includes('admin'));
    if (this.#kinds.length === 0 || admins.length > 1) return waiting;
    const detail =
      'A second person is needed here, and no other person has the right “admin”. Whoever had it was revoked. Halts and lower limits work as before. The user who runs the desk asks for a token for somebody with makerdesk token create, and a day later may approve it themselves.';
    return [{ code: 'four_eyes', level: 'look', title: 'There is no second person', detail, action }, ...waiting];
  }

  async #expectWaiting(seq: number): Promise<StoredApproval> {
    const found = this.#open.get(seq);
    if (found !== undefined && isWaiting(found)) {
      if (!isLate(found, this.#parts.now())) return found;
      await this.end(seq, 'desk', 'expired');
      throw over(wholeSays(found));
    }
    if (found !== undefined) throw over(wholeSays(found));
    const past = (await this.past(200)).find((one) => one.seq === seq);
    if (past !== undefined) throw over(wholeSays(past));
    throw new DeskError('unknown_approval', `Nothing waits for a second person under the number ${seq}.`, {
      remedy: 'See makerdesk approvals.',
    });
  }

  #take(event: JournalEvent): void {
    if (event.kind === 'four_eyes_set') {
      this.#kinds = event.body.kinds;
      return;
    }
    if (!isAbout(event)) return;
    const touched = event.kind === 'token_revoked' ? [...this.#open.keys()] : [requestOf(event)];
    for (const seq of touched) {
      const before = this.#open.get(seq);
      const after = foldApproval(before, event);
      if (after === undefined || after === before) continue;
      if (after.ended === null) this.#open.set(seq, after);
      else this.#open.delete(seq);
    }
  }

  async #forget(): Promise<void> {
    await this.#parts.credentials.keepOnlyAsked(() => [
      ...this.#asking,
      ...[...this.#open.values()].map(({ input }) => input),
    ]);
  }
}

function isAbout(event: JournalEvent): event is JournalEvent & ApprovalEvent {
  return ['approval_asked', 'approval_given', 'approval_ended', 'token_revoked'].includes(event.kind);
}

function requestOf(event: Exclude<ApprovalEvent, { kind: 'token_revoked' }>): number {
  return event.kind === 'approval_asked' ? event.seq : event.body.request;
}

function shown({ input: _input, mark: _mark, version: _version, ...approval }: StoredApproval): Approval {
  return approval;
}

function cut(approval: Approval): Approval {
  const { changes, more } = approval;
  const beyond = Math.max(0, changes.length - MOST_SHOWN);
  return { ...approval, changes: changes.slice(0, MOST_SHOWN), more: more + beyond };
}

/** Whether nobody may say yes to it any more; also where the clock was put back, so that it would wait for longer. */
function isLate({ at, until }: StoredApproval, now: number): boolean {
  return now >= until || now < at - MOST_BACK_MS;
}

function over(says: string): DeskError {
  return new DeskError('approval_over', `This no longer waits: ${says}.`, {
    remedy: 'See on Approvals, or with makerdesk approvals, what became of it; ask for it again if it is still wanted.',
  });
}
