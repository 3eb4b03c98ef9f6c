import type { Passphrase } from './credentials.ts';
import { os } from './handlers/base.ts';
import { blacklistHandlers, ladderHandlers, limitHandlers, listingHandlers } from './handlers/book.ts';
import { deskHandlers } from './handlers/desk.ts';
import { fillHandlers, logHandlers } from './handlers/log.ts';
import { onChainHandlers } from './handlers/on-chain.ts';
import { tradingHandlers } from './handlers/trading.ts';
import type { LiveView } from './live-view.ts';
import { refusedError } from './refused.ts';
import type { Rooms } from './rooms.ts';
import { RowFeed } from './row-feed.ts';

/** Answers the whole contract. Inputs and outputs are checked against it; what a room throws becomes `REFUSED`. */
export function createRouter(options: { rooms: Rooms; view: LiveView; passphrase: Passphrase; running: boolean }) {
  const { rooms, view, passphrase, running } = options;
  const feed = new RowFeed(rooms.journal, rooms.log);
  return os
    .use(async ({ next }) => {
      try {
        return await next();
      } catch (error) {
        throw refusedError(error, rooms.log);
      }
    })
    .router({
      trading: tradingHandlers(rooms),
      desk: deskHandlers(rooms, view, running),
      ladders: ladderHandlers(rooms),
      listings: listingHandlers(rooms),
      limits: limitHandlers(rooms),
      blacklist: blacklistHandlers(rooms),
      log: logHandlers(rooms, feed),
      fills: fillHandlers(rooms, feed),
      onChain: onChainHandlers(rooms, passphrase),
    });
}

export type DeskRouter = ReturnType<typeof createRouter>;
