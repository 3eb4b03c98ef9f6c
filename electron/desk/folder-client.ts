import { createRouterClient, type RouterClient } from '@orpc/server';
import { LEASE_MS } from '../fleet/lease.ts';
import { expectNoStandby, isInFleet } from '../fleet/membership.ts';
import { monotonic } from '../time/monotonic.ts';
import { pause } from '../time/pause.ts';
import { AlertBoard } from './alert-board.ts';
import { ChainChecks } from './chain-checks.ts';
import type { Passphrase } from './credentials.ts';
import { Figures } from './figures.ts';
import { makeDeskFolder } from './folder.ts';
import { asOwner, type CallContext } from './handlers/base.ts';
import { Heartbeats } from './heartbeats.ts';
import { folderKey } from './held-signer.ts';
import { LiveView } from './live-view.ts';
import { openCommandLog } from './log.ts';
import { Outside } from './outside.ts';
import { openRooms } from './rooms.ts';
import { createRouter, type DeskRouter } from './router.ts';
import { Seals } from './seals.ts';
import { StandingProtections } from './standing-protections.ts';
import { WatchedChains } from './watched-chains.ts';
import { wholeView } from './whole-view.ts';

/** A folder without a running desk, as commands speak to it. */
export interface FolderClient {
  desk: RouterClient<DeskRouter>;
  close(): Promise<void>;
}

/**
 * Opens the rooms of a folder on which no desk runs, so that commands work there as they do on a running desk. Nothing is
 * served and nothing signed. A resume makes the self-check and counts for the next start, which makes it once more before
 * anything is quoted.
 * `isProgram`: it is no person who works there, so that nobody else is asked; only what makes a practice desk ready does.
 * Where the passphrase is at hand, nodes are asked at their sealed addresses too; for most commands nobody is asked for it.
 * Throws DeskError `folder_locked` when a desk runs, `fleet_standby` where the folder follows another desk.
 */
export async function openFolderClient(
  folder: string,
  actor: string,
  passphrase: Passphrase,
  { isAtHand = false, isProgram = false } = {},
): Promise<FolderClient> {
  makeDeskFolder(folder);
  expectNoStandby(folder);
  const log = openCommandLog(folder, Date.now);
  const rooms = await openRooms({
    folder,
    passphrase,
    log,
    now: Date.now,
    monotonic,
    views: () => undefined,
  });
  const { guard, book, credentials } = rooms;
  const openUrls = () => credentials.openUrls(book.chains().map(({ config }) => config));
  if (isAtHand)
    await openUrls().catch((error: unknown) => log.warn('sealed addresses stay shut', { error: String(error) }));
  guard.trading.checksPassed();
  // Nothing is quoted here: what a resume or a self-check finds is told, and the start of the desk checks anew.
  for (const { chainId, tokens } of book.chains()) {
    for (const token of tokens.values()) guard.tokenChecked(chainId, token, null);
  }
  const alerts = await AlertBoard.open(rooms.journal);
  const figures = new Figures(rooms);
  const watched = new WatchedChains({ practice: false });
  const outside = await Outside.open(rooms, { practice: false });
  const parts = {
    rooms,
    owner: actor,
    alerts,
    figures,
    watched,
    outside,
    heartbeats: new Heartbeats(),
    checks: null,
    surface: null,
    fleet: null,
    hedging: null,
    quoter: null,
    practice: null,
  };
  const view = new LiveView({ read: () => wholeView(parts), now: Date.now, log });
  const key = folderKey(folder, passphrase, () => book.desk().remoteSigner);
  const checks = new ChainChecks(rooms, {
    ...key,
    current: async () => {
      const held = await key.current();
      if ('signer' in held) await openUrls();
      return held;
    },
  });
  const seals = new Seals({ rooms, key: key.current, firstAt: 0 });
  const standing = new StandingProtections(rooms);
  const service = { rooms, watched, outside, checks };
  const absent = {
    signer: null,
    keyLock: null,
    mids: null,
    fleet: null,
    // Surfaces elsewhere may have what a desk that ran here a moment ago has answered.
    handedOver: () => (isInFleet(folder) ? pause(LEASE_MS) : undefined),
    hedging: null,
    nftOrders: null,
    running: false,
    practice: null,
    owner: actor,
    doors: null,
  };
  const { router } = createRouter({
    rooms,
    view,
    alerts,
    checks,
    seals,
    standing,
    service,
    passphrase,
    key: key.current,
    ...absent,
  });
  const context: CallContext = { ...asOwner(actor), givenSecrets: true, isApproved: isProgram };
  return {
    desk: createRouterClient(router, { context }),
    async close() {
      await checks.stop();
      view.close();
      figures.close();
      await rooms.close();
    },
  };
}
