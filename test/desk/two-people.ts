import { createRouterClient, type RouterClient } from '@orpc/server';
import { onTestFinished } from 'vitest';
import type { ChainView } from '../../electron/chain/chain-view.ts';
import { consoleRights } from '../../electron/contract/rights.ts';
import { AlertBoard } from '../../electron/desk/alert-board.ts';
import { ChainChecks } from '../../electron/desk/chain-checks.ts';
import { Figures } from '../../electron/desk/figures.ts';
import { asOwner, type CallContext } from '../../electron/desk/handlers/base.ts';
import { Heartbeats } from '../../electron/desk/heartbeats.ts';
import { LiveView } from '../../electron/desk/live-view.ts';
import { Outside } from '../../electron/desk/outside.ts';
import { openRooms, type Rooms } from '../../electron/desk/rooms.ts';
import { createRouter, type DeskRouter } from '../../electron/desk/router.ts';
import { Seals } from '../../electron/desk/seals.ts';
import type { SecondPerson } from '../../electron/desk/second-person.ts';
import { StandingProtections } from '../../electron/desk/standing-protections.ts';
import { WatchedChains } from '../../electron/desk/watched-chains.ts';
import { wholeView } from '../../electron/desk/whole-view.ts';
import { DeskError } from '../../electron/protocol/desk-error.ts';

const OWNER = 'mara';
const PASSPHRASE = 'a passphrase for tests only';

/** The contract of a desk, as somebody's console asks it. */
export type Asking = RouterClient<DeskRouter>;

export interface TwoPeople {
  rooms: Rooms;
  secondPerson: SecondPerson;
  /** The user who runs the desk, under whichever name. */
  owner: (name?: string) => Asking;
  /** Whoever has this token. */
  holder: (name: string) => Asking;
  close(): Promise<void>;
}

/** The contract of the desk in a folder, whole and on its real rooms; only that no chain is there to be asked. `views`: as it was last seen. */
export async function openForTwo(
  folder: string,
  clock = { now: Date.now() },
  views: () => ChainView | undefined = () => undefined,
): Promise<TwoPeople> {
  const rooms = await openRooms({
    folder,
    passphrase: async () => PASSPHRASE,
    log: { info() {}, warn() {}, error() {} },
    now: () => clock.now,
    monotonic: () => performance.now(),
    views,
  });
  await rooms.credentials.load();
  await rooms.approvals.begin();
  rooms.guard.trading.checksPassed();
  const [watched, outside] = [new WatchedChains({ practice: false }), await Outside.open(rooms, { practice: false })];
  const [figures, alerts] = [new Figures(rooms), await AlertBoard.open(rooms.journal)];
  const without = { checks: null, surface: null, hedging: null, quoter: null, practice: null, fleet: null };
  const parts = { rooms, owner: OWNER, alerts, figures, watched, outside, heartbeats: new Heartbeats(), ...without };
  const view = new LiveView({ read: () => wholeView(parts), now: rooms.now, log: rooms.log });
  const key = () => ({ missing: 'no key', fault: new DeskError('no_key', 'no key') });
  const checks = new ChainChecks(rooms, { current: key, onChange: () => {} });
  const { router, secondPerson } = createRouter({
    rooms,
    view,
    alerts,
    checks,
    service: { rooms, watched, outside, checks },
    passphrase: async () => PASSPHRASE,
    key,
    seals: new Seals({ rooms, key, firstAt: 0 }),
    signer: null,
    keyLock: null,
    mids: null,
    standing: new StandingProtections(rooms),
    fleet: null,
    hedging: null,
    nftOrders: null,
    running: true,
    practice: null,
    owner: OWNER,
    doors: null,
  });
  const as = (context: CallContext) => createRouterClient(router, { context });
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= (async () => {
      await checks.stop();
      view.close();
      figures.close();
      await rooms.close();
    })();
    return closing;
  };
  onTestFinished(close);
  return {
    rooms,
    secondPerson,
    owner: (name = OWNER) => as(asOwner(name)),
    holder: (name) =>
      as({
        actor: name,
        token: name,
        may: () => consoleRights(rooms.credentials.tokens().find((token) => token.name === name)?.rights ?? 'prices'),
      }),
    close,
  };
}
