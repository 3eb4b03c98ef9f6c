import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { Right } from '../../electron/contract/rights.ts';
import type { Token } from '../../electron/contract/tokens.ts';
import { Approvals } from '../../electron/desk/approvals.ts';
import type { CallContext } from '../../electron/desk/handlers/base.ts';
import { SecondPerson } from '../../electron/desk/second-person.ts';
import { openJournal } from '../../electron/journal/journal.ts';
import { isDeskError } from '../../electron/protocol/desk-error.ts';
import { howOften } from '../how-often.ts';
import { temporaryFolder } from './desk-process.ts';

const RUNS = howOften(15, 120);
const HOUR = 3_600_000;
const PEOPLE = [null, null, 'ada', 'tara'] as const;
const log = { info() {}, warn() {}, error() {} };

const person = fc.constantFrom(...PEOPLE);
const nth = fc.nat(2);
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('ask' as const), person, minutes: fc.integer({ min: 2, max: 9 }) }),
  },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('approve' as const), person, nth }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('refuse' as const, 'withdraw' as const), person, nth }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('tick' as const, 'restart' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('die while it is carried out' as const), person, nth }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('set another' as const), minutes: fc.integer({ min: 2, max: 9 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(1, HOUR / 2, HOUR - 1, HOUR) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('revoke' as const), name: fc.constantFrom('ada', 'tara') }) },
);

/** What was asked for, as the test remembers it. */
interface Asked {
  seq: number;
  token: string | null;
  from: number;
  to: number;
  at: number;
}

/** A desk of one setting: after how many minutes it halts. More of them takes a second person. */
class OneSetting {
  readonly #folder: string;
  readonly #sealed = new Map<string, string>();
  #journal!: Awaited<ReturnType<typeof openJournal>>;
  #desk!: SecondPerson;
  /** Told once something would be carried out, where the desk is to die there. */
  #dies: (() => void) | null = null;
  now = Date.UTC(2026, 10, 20, 12);
  minutes = 5;
  tokens: Token[] = ['ada', 'tara'].map((name) => ({ name, rights: 'admin', since: 0 }));
  approvals!: Approvals;
  /** What was carried out, and who had said yes. */
  done: { seq: number; from: number; to: number; at: number; as: string | null }[] = [];
  /** Who said yes last. */
  saysYes: { seq: number; token: string | null } | null = null;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async open(): Promise<void> {
    const now = () => this.now;
    this.#journal = await openJournal({ folder: this.#folder, now, log });
    // Something else that is over has what was given with it forgotten at any moment, also before the row of this one is written.
    let wanted: () => readonly string[] = () => [];
    const forget = () => {
      const ids = wanted();
      for (const id of this.#sealed.keys()) if (!ids.includes(id)) this.#sealed.delete(id);
    };
    const credentials = {
      keepAsked: async (id: string, given: string) => {
        this.#sealed.set(id, given);
        forget();
      },
      asked: (id: string) => this.#sealed.get(id) ?? null,
      keepOnlyAsked: async (ids: () => readonly string[]) => {
        wanted = ids;
        forget();
      },
      tokens: () => this.tokens,
    };
    this.approvals = await Approvals.open({ journal: this.#journal, credentials, now, log });
    await this.approvals.begin();
    const rooms = { approvals: this.approvals, credentials, now, log } as unknown as ConstructorParameters<
      typeof SecondPerson
    >[0]['rooms'];
    const may: Right[] = ['look', 'trade', 'halt', 'settings', 'admin'];
    this.#desk = new SecondPerson({
      rooms,
      actions: {
        settings: {
          saveDeadMan: ({ minutes }: { minutes: number | null }) => {
            const changes = () => [
              { about: 'Desk', what: 'Halts after, min', before: `${this.minutes}`, after: `${minutes}` },
            ];
            const kinds = (minutes ?? 0) > this.minutes ? (['limits'] as const) : [];
            const now = () => JSON.stringify(changes());
            return { kinds, says: 'set the dead-man switch', changes: changes(), seen: now(), now };
          },
        },
      } as unknown as ConstructorParameters<typeof SecondPerson>[0]['actions'],
      carryOut: async (operation, input, { token, isApproved, still }) => {
        if (this.#dies !== null) {
          this.#dies();
          return new Promise(() => {});
        }
        still?.();
        expect([operation, isApproved]).toEqual(['settings.saveDeadMan', true]);
        const { minutes } = z.object({ minutes: z.int() }).parse(input);
        const { seq } = this.saysYes ?? { seq: 0 };
        this.done.push({ seq, from: this.minutes, to: minutes, at: this.now, as: token });
        this.minutes = minutes;
        return {};
      },
      people: () => [{ name: 'mara', may }, ...this.tokens.map(({ name }) => ({ name, may }))],
      running: true,
    });
  }

  async set(kinds: 'limits'[]): Promise<void> {
    await this.approvals.set(kinds, 'mara');
  }

  /** As the gate of every operation: what is let through is done by whoever asks. */
  async ask(token: string | null, minutes: number): Promise<Asked | null> {
    const from = this.minutes;
    const before = new Set(this.approvals.waiting().map(({ seq }) => seq));
    const call = { operation: 'settings.saveDeadMan', right: 'settings', input: { minutes } } as const;
    try {
      const { still } = await this.#desk.admit({ ...call, context: this.as(token) });
      still?.();
      expect(minutes, 'more was let through').toBeLessThanOrEqual(from);
      this.minutes = minutes;
      return null;
    } catch (error) {
      if (isDeskError(error, 'no_second_person')) return null;
      if (!isDeskError(error, 'second_person_asked')) throw error;
      const fresh = this.approvals.waiting().find(({ seq }) => !before.has(seq));
      return fresh === undefined ? null : { seq: fresh.seq, token, from, to: minutes, at: this.now };
    }
  }

  async answer(how: 'approve' | 'refuse' | 'withdraw', seq: number, token: string | null): Promise<boolean> {
    if (how === 'approve') this.saysYes = { seq, token };
    try {
      if (how === 'refuse') await this.#desk.refuse(seq, 'no', this.as(token));
      else await this.#desk[how](seq, this.as(token));
      return true;
    } catch (error) {
      if (error instanceof Error && 'code' in error) return false;
      throw error;
    }
  }

  async dieWhileApproving(seq: number, token: string | null): Promise<void> {
    const reached = new Promise<void>((resolve) => {
      this.#dies = resolve;
    });
    await Promise.race([reached, this.#desk.approve(seq, this.as(token)).catch(() => {})]);
    await this.restart();
    this.#dies = null;
  }

  async revoke(name: string): Promise<void> {
    this.tokens = this.tokens.filter((token) => token.name !== name);
    await this.#journal.append({ time: this.now, actor: 'mara', kind: 'token_revoked', body: { name } });
  }

  async tick(): Promise<void> {
    this.#desk.tick();
    // Behind whatever it began: somebody unknown takes something unknown back, and an append comes last.
    await this.answer('withdraw', Number.MAX_SAFE_INTEGER, null);
    await this.revoke('nobody');
  }

  async restart(): Promise<void> {
    await this.close();
    await this.open();
  }

  /** What the tables say, which a rebuild would make the same of. */
  tables() {
    return this.#journal.read.openApprovals();
  }

  close(): Promise<void> {
    return this.#journal.close();
  }

  as(token: string | null): CallContext {
    const isThere = token === null || this.tokens.some(({ name }) => name === token);
    const may: Right[] = isThere ? ['look', 'trade', 'halt', 'settings', 'admin'] : [];
    return { actor: token ?? `mara ${this.now % 3}`, token, may: () => may };
  }
}

test('in whatever order people ask, answer, leave and change things, and the desk dies: more is only ever set once, of what was asked for, by another person, in time, and as it was seen', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      const { folder, remove } = temporaryFolder();
      const desk = new OneSetting(folder);
      const asked: Asked[] = [];
      try {
        await desk.open();
        await desk.set(['limits']);
        for (const one of steps) {
          const open = desk.approvals.waiting();
          const seqOf = (place: number) => open[open.length - 1 - place]?.seq ?? asked[place]?.seq ?? 1;
          const before = desk.minutes;
          const wasDone = desk.done.length;
          if (one.do === 'ask') {
            const isThere = one.person === null || desk.tokens.some(({ name }) => name === one.person);
            const made = isThere ? await desk.ask(one.person, one.minutes) : null;
            if (made !== null) asked.push(made);
          } else if (one.do === 'approve' || one.do === 'refuse' || one.do === 'withdraw') {
            await desk.answer(one.do, seqOf(one.nth), one.person);
          } else if (one.do === 'die while it is carried out') {
            await desk.dieWhileApproving(seqOf(one.nth), one.person);
          } else if (one.do === 'set another') desk.minutes = Math.min(desk.minutes, one.minutes);
          else if (one.do === 'wait') desk.now += one.ms;
          else if (one.do === 'revoke') await desk.revoke(one.name);
          else if (one.do === 'restart') await desk.restart();
          else await desk.tick();
          if (desk.minutes > before) expect(desk.done.length).toBe(wasDone + 1);
          for (const { seq, from, to, at, as } of desk.done.slice(wasDone)) {
            const of = asked.find((request) => request.seq === seq);
            expect(of).toMatchObject({ from, to, token: as });
            expect(desk.saysYes).toMatchObject({ seq });
            expect(desk.saysYes?.token).not.toBe(of?.token);
            expect(at - (of?.at ?? 0)).toBeLessThan(HOUR);
            expect(as === null || desk.tokens.some(({ name }) => name === as)).toBe(true);
          }
          expect(new Set(desk.done.map(({ seq }) => seq)).size, 'done twice').toBe(desk.done.length);
          expect(await desk.tables()).toEqual(desk.approvals.waiting());
        }
        await desk.restart();
        expect(await desk.tables()).toEqual(desk.approvals.waiting());
      } finally {
        await desk.close();
        remove();
      }
    }),
    { numRuns: RUNS },
  );
});

test('what was given with something is kept while its row is on its way, whatever else is over meanwhile', async () => {
  const { folder, remove } = temporaryFolder();
  const desk = new OneSetting(folder);
  await desk.open();
  const asked = {
    operation: 'settings.saveDeadMan',
    kinds: ['limits'],
    right: 'settings',
    says: 'set it',
    changes: [],
  };
  const waits = { ...asked, more: 0, mark: 'ab'.repeat(32), given: '{"minutes":9}' } as unknown as Parameters<
    Approvals['ask']
  >[0];
  const row = await desk.approvals.ask(waits, { actor: 'ada', token: 'ada', may: () => ['settings'] });
  expect(desk.approvals.given(row)).toBe('{"minutes":9}');
  await desk.close();
  remove();
});
