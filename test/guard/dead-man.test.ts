import { describe, expect, it } from 'vitest';
import { AccountTurns } from '../../electron/chain/account-turns.ts';
import { attentionOf } from '../../electron/desk/attention.ts';
import { Heartbeats } from '../../electron/desk/heartbeats.ts';
import { openJournal } from '../../electron/journal/journal.ts';
import { CHAIN } from '../book/fixture.ts';
import { QUIET_OUTSIDE } from '../desk/alerts-of.ts';
import { type DeskChanges, firm, type OpenDesk, openDesk, person, seen } from '../quoting/open-desk.ts';

const MINUTE = 60_000;

const minded = (changes: DeskChanges = {}) => openDesk({ desk: { deadManMinutes: 20 }, ...changes });

/** Time passes; the chain goes on with it. */
function passes({ clock, chain, guard, now }: OpenDesk, milliseconds: number): void {
  clock.ahead += milliseconds;
  chain.view = seen(now());
  guard.tick();
}

const stateOf = ({ guard }: OpenDesk) => guard.trading.states.desk();

function warned({ book, guard, journal, now }: OpenDesk) {
  const attention = attentionOf({
    rooms: { book, guard, now, journal, accounts: new AccountTurns() },
    outside: { ...QUIET_OUTSIDE, restrictions: { list: () => [] } },
    watched: { view: () => undefined, otherGenesis: () => null },
    heartbeats: new Heartbeats(),
    checks: null,
    hedging: null,
    quoter: null,
    practice: null,
  });
  return attention.find(({ code }) => code === 'dead_man');
}

const codes = async (desk: OpenDesk, count: number) =>
  (await Promise.all(Array.from({ length: count }, () => firm(desk)))).map(({ code }) => code ?? 'order');

describe('the dead-man switch on people', () => {
  it('halts a desk once nobody gave a sign for its time, and says so; not a millisecond before', async () => {
    const desk = await minded();
    passes(desk, 20 * MINUTE - 1);
    expect(stateOf(desk).state).toBe('LIVE');
    passes(desk, 1);
    expect(stateOf(desk)).toMatchObject({
      state: 'HALTED',
      actor: 'desk',
      cause: expect.stringMatching(
        /^Nobody gave a sign for 20 min, since .* UTC: the dead-man switch halted the desk\.$/,
      ),
    });
    await desk.guard.trading.resume({}, person);
    passes(desk, 20 * MINUTE - 1);
    expect(stateOf(desk).state, 'whoever resumes is there').toBe('LIVE');
  });

  it('lets all of fifty requests through that come at once before its time is over, and none of fifty after', async () => {
    const desk = await minded();
    desk.clock.ahead += 20 * MINUTE - 1;
    desk.chain.view = seen(desk.now());
    expect(await codes(desk, 50)).toEqual(Array(50).fill('order'));
    desk.clock.ahead += 1;
    expect(await codes(desk, 50), 'without a tick in between').toEqual(Array(50).fill('halted'));
  });

  it('calls somebody before, who says in one press that they are here', async () => {
    const desk = await minded();
    passes(desk, 15 * MINUTE - 1);
    expect(warned(desk)).toBeUndefined();
    passes(desk, 1);
    expect(warned(desk)).toMatchObject({
      level: 'stop',
      title: expect.stringMatching(/^Is anybody here\? The desk halts at \d\d:\d\d:\d\d UTC$/),
      action: { kind: 'here' },
    });
    expect(await desk.guard.deadMan.here('ben')).toMatchObject({ haltsAt: desk.now() + 20 * MINUTE, isNear: false });
    expect(warned(desk)).toBeUndefined();
    passes(desk, 20 * MINUTE - 1);
    expect(stateOf(desk).state).toBe('LIVE');
    passes(desk, 1);
    expect(stateOf(desk).state).toBe('HALTED');
    expect(warned(desk), 'a halted desk calls nobody').toBeUndefined();
  });

  it('takes whatever a person decides for a sign, and nothing that programs do', async () => {
    const desk = await minded();
    passes(desk, 19 * MINUTE);
    await desk.guard.trading.halt({ chainId: CHAIN, pair: 'DAI/USDC' }, { actor: 'ben' });
    passes(desk, 19 * MINUTE);
    expect(stateOf(desk).state).toBe('LIVE');
    expect(await codes(desk, 1)).toEqual(['order']);
    await desk.guard.trading.halt({ chainId: CHAIN, pair: 'DAI/USDC' }, { actor: 'desk', cause: 'a check' });
    const prices = { 'WETH/USDC': { bids: [['3409', '0.5']], asks: [['3413', '0.5']] } };
    expect((await desk.book.pushed.push('alpha', CHAIN, { sequence: 1, prices })).refused).toEqual({});
    passes(desk, MINUTE);
    expect(stateOf(desk).state).toBe('HALTED');
  });

  it('counts on over a restart, which is no sign', async () => {
    const desk = await minded();
    passes(desk, 12 * MINUTE);
    await desk.guard.deadMan.here('ben');
    passes(desk, 12 * MINUTE);
    const started = { kind: 'desk_started', body: { version: '1', checks: {} } } as const;
    await desk.journal.append({ time: desk.now(), actor: 'ben', ...started });
    await desk.close();
    const again = await openDesk({ folder: desk.folder, ahead: desk.clock.ahead });
    await again.journal.append({ time: again.now(), actor: 'ben', ...started });
    passes(again, 8 * MINUTE - 1 - (again.now() - desk.now()));
    expect(stateOf(again).state).toBe('LIVE');
    passes(again, 1);
    expect(stateOf(again).state).toBe('HALTED');
  });

  it('halts a desk that comes back when its time is long over', async () => {
    const desk = await minded();
    await desk.close();
    const again = await openDesk({ folder: desk.folder, ahead: 30 * MINUTE });
    expect(stateOf(again).state).toBe('LIVE');
    passes(again, 0);
    expect(stateOf(again).state).toBe('HALTED');
  });

  it('halts at a start where the journal does not say when a sign was', async () => {
    const desk = await minded();
    await desk.close();
    const again = await openDesk({
      folder: desk.folder,
      journal: (journal) => {
        const read = new Proxy(journal.read, {
          get: (of, name) =>
            name === 'lastSignOfPerson' ? () => Promise.reject(new Error('the disk is broken')) : Reflect.get(of, name),
        });
        return new Proxy(journal, { get: (of, name) => (name === 'read' ? read : Reflect.get(of, name)) });
      },
    });
    expect(stateOf(again).state).toBe('HALTED');
  });

  it('is not put off by a clock that is set back', async () => {
    const day = { ahead: 0 };
    const begun = Date.now();
    const desk = await minded({ guard: { now: () => begun + day.ahead } });
    day.ahead -= 60 * MINUTE;
    desk.clock.ahead += 20 * MINUTE + 1_000;
    desk.guard.tick();
    expect(stateOf(desk).state).toBe('HALTED');
  });

  it('is off where the desk file does not set it, and begins with the import that does', async () => {
    const desk = await openDesk();
    passes(desk, 5_000 * MINUTE);
    expect(stateOf(desk).state).toBe('LIVE');
    expect(desk.guard.deadMan.state()).toBeNull();
    const file = { ...(await desk.book.deskFile()), deadManMinutes: 2 };
    await desk.book.importDesk(file, { actor: 'mara', keepSecrets: () => ({}) });
    passes(desk, 2 * MINUTE - 1);
    expect(stateOf(desk).state).toBe('LIVE');
    passes(desk, 1);
    expect(stateOf(desk).state).toBe('HALTED');
  });

  it('is told in the journal', async () => {
    const desk = await minded();
    await desk.guard.deadMan.here('ben');
    await desk.close();
    const journal = await openJournal({ folder: desk.folder, now: desk.now });
    const range = { from: 1, to: Number.MAX_SAFE_INTEGER, limit: 5 };
    const { rows } = await journal.read.eventsPart({ filter: { kinds: ['person_here'] }, order: 'newest', ...range });
    await journal.close();
    expect(rows).toMatchObject([{ actor: 'ben', name: 'Person here' }]);
  });
});
