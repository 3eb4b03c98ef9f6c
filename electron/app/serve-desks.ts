import { implement } from '@orpc/server';
import { RPCHandler } from '@orpc/server/message-port';
import type { MessagePortMain } from 'electron';
import { type DesksView, desksContract } from '../contract/desks-elsewhere.ts';
import { refusedError } from '../desk/refused.ts';
import { folded } from '../desk/stream.ts';
import { DeskError } from '../protocol/desk-error.ts';
import type { DesksElsewhere } from './desks-elsewhere.ts';

/** Lets the window of the list at the other end of a port see the desks elsewhere, change the list and halt all. `open` shows the console of one. */
export function desksServer(desks: DesksElsewhere, open: (name: string) => void): (port: MessagePortMain) => void {
  const os = implement(desksContract);
  const router = os
    .use(async ({ next }) => {
      try {
        return await next();
      } catch (error) {
        throw refusedError(error, console);
      }
    })
    .router({
      watch: os.watch.handler(({ signal }) =>
        folded<DesksView>(
          (listener) => desks.subscribe(listener),
          (_before, next) => next,
          signal,
        ),
      ),
      add: os.add.handler(({ input }) => done(() => desks.add(input))),
      change: os.change.handler(({ input }) => done(() => desks.change(input))),
      remove: os.remove.handler(({ input }) => done(() => desks.remove(input.of))),
      open: os.open.handler(({ input }) => done(() => open(expectToken(desks, input.of)))),
      haltAll: os.haltAll.handler(() => done(() => desks.haltAll())),
      letBe: os.letBe.handler(({ input }) => done(() => desks.letBe(input.of))),
    });
  const handler = new RPCHandler(router);
  return (port) => {
    handler.upgrade(port);
    port.start();
  };
}

/** Returns the name of a desk that can be opened. Throws DeskError `unknown_desk`, `no_token`. */
function expectToken(desks: DesksElsewhere, name: string): string {
  const listed = desks.find(name);
  if (listed === undefined) throw new DeskError('unknown_desk', `There is no desk ${name} in the list any more.`);
  if (listed.token !== null) return name;
  throw new DeskError('no_token', `There is no token for ${name} yet.`, { remedy: 'Give it first.' });
}

async function done(deed: () => Promise<void> | void): Promise<Record<never, never>> {
  await deed();
  return {};
}
