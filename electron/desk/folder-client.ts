import { createRouterClient, type RouterClient } from '@orpc/server';
import { AlertBoard } from './alert-board.ts';
import type { Passphrase } from './credentials.ts';
import { Figures } from './figures.ts';
import { makeDeskFolder } from './folder.ts';
import type { CallContext } from './handlers/base.ts';
import { Heartbeats } from './heartbeats.ts';
import { LiveView } from './live-view.ts';
import { openLog } from './log.ts';
import { Outside } from './outside.ts';
import { openRooms } from './rooms.ts';
import { createRouter, type DeskRouter } from './router.ts';
import { WatchedChains } from './watched-chains.ts';
import { wholeView } from './whole-view.ts';

/** A folder without a running desk, as commands speak to it. */
export interface FolderClient {
  desk: RouterClient<DeskRouter>;
  close(): Promise<void>;
}

/**
 * Opens the rooms of a folder on which no desk runs, so that commands work there as they do on a running desk. Nothing is
 * served and nothing signed. A resume counts for the next start, which makes its checks before anything is quoted.
 * Throws DeskError `folder_locked` when a desk runs.
 */
export async function openFolderClient(folder: string, actor: string, passphrase: Passphrase): Promise<FolderClient> {
  makeDeskFolder(folder);
  const log = openLog(folder, Date.now, 'file');
  const rooms = await openRooms({
    folder,
    passphrase,
    log,
    now: Date.now,
    monotonic: () => performance.now(),
    views: () => undefined,
  });
  rooms.guard.trading.checksPassed();
  const alerts = await AlertBoard.open(rooms.journal);
  const figures = new Figures(rooms);
  const watched = new WatchedChains();
  const outside = new Outside(rooms);
  const parts = {
    rooms,
    alerts,
    figures,
    watched,
    outside,
    heartbeats: new Heartbeats(),
    checks: null,
    surface: null,
  };
  const view = new LiveView({ read: () => wholeView(parts), now: Date.now, log });
  const service = { rooms, watched, outside, examine: null };
  const absent = { signer: null, mids: null, hedging: null, running: false };
  const router = createRouter({ rooms, view, alerts, service, passphrase, ...absent });
  const context: CallContext = { actor };
  return {
    desk: createRouterClient(router, { context }),
    async close() {
      view.close();
      figures.close();
      await rooms.close();
    },
  };
}
