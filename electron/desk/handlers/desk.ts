import { setImmediate as nextTurn } from 'node:timers/promises';
import { deskFileText } from '../../contract/desk-file-text.ts';
import { DeskError } from '../../protocol/desk-error.ts';
import type { LiveView } from '../live-view.ts';
import type { MidHistory } from '../mid-history.ts';
import type { Rooms } from '../rooms.ts';
import { os } from './base.ts';

/** The desk as a whole: the live view, its configuration, its backup. `running`: whether it serves a surface. */
export function deskHandlers(rooms: Rooms, view: LiveView, mids: MidHistory | null, running: boolean) {
  const { book, guard, journal, credentials } = rooms;
  return {
    watch: os.desk.watch.handler(({ context, signal }) => view.watch(context.actor, signal)),
    mids: os.desk.mids.handler(() => mids?.lines() ?? []),
    export: os.desk.export.handler(async function* ({ input }) {
      const open = await book.deskFile();
      const desk = input.withSecrets ? await credentials.withSecrets(open) : open;
      for (const text of deskFileText(desk)) {
        yield { text };
        await nextTurn(); // a quote never waits for a whole desk file
      }
    }),
    import: os.desk.import.handler(async ({ input, context }) => {
      if (running && guard.trading.stateOf({}) !== 'HALTED') {
        throw new DeskError('desk_trading', 'A desk file is imported only while the desk is halted.', {
          remedy: 'Halt the desk first.',
        });
      }
      const { desk } = await book.importDesk(input.desk, {
        actor: context.actor,
        keepSecrets: (secrets, parsed, serviceKeys) => credentials.keep(secrets, parsed, serviceKeys),
      });
      const pairs = desk.chains.reduce((sum, chain) => sum + Object.keys(chain.pairs).length, 0);
      return { chains: desk.chains.length, pairs };
    }),
    backup: os.desk.backup.handler(async ({ input }) => ({
      file: input.file,
      bytes: await journal.backup(input.file),
    })),
  };
}
