import { setImmediate as nextTurn } from 'node:timers/promises';
import type { DeskFile } from '../../contract/desk-file.ts';
import { deskFileText } from '../../contract/desk-file-text.ts';
import { DeskError } from '../../protocol/desk-error.ts';
import type { LiveView } from '../live-view.ts';
import type { MidHistory } from '../mid-history.ts';
import { compareConfiguration, replaceConfiguration } from '../replace-configuration.ts';
import type { Rooms } from '../rooms.ts';
import type { Seals } from '../seals.ts';
import { os } from './base.ts';

/** The desk as a whole: the live view, its configuration, its backup. `running`: whether it serves a surface. */
export function deskHandlers(
  rooms: Rooms,
  { view, mids, seals, running }: { view: LiveView; mids: MidHistory | null; seals: Seals; running: boolean },
) {
  const { book, journal, credentials } = rooms;
  return {
    watch: os.desk.watch.handler(({ context, signal }) => view.watch(context, signal)),
    mids: os.desk.mids.handler(() => mids?.lines() ?? []),
    export: os.desk.export.handler(async ({ input, context }) => {
      if (input.withSecrets && context.givenSecrets !== true) {
        throw new DeskError('secrets_stay', 'Secrets do not go out to a console.', {
          remedy: 'Run "makerdesk export --with-secrets" on the machine of the desk, as the user who runs it.',
        });
      }
      const { withSecrets } = input;
      const open = await book.deskFile();
      const desk = withSecrets ? await credentials.withSecrets(open) : open;
      const alerts = await rooms.ways.fileForm({ withSecrets });
      return inParts({ ...desk, ...(alerts !== undefined && { alerts }) });
    }),
    compare: os.desk.compare.handler(({ input }) => compareConfiguration(rooms, input.desk)),
    import: os.desk.import.handler(({ input: { desk, seen }, context: { actor } }) =>
      replaceConfiguration(rooms, { input: desk, seen, actor, running }),
    ),
    backup: os.desk.backup.handler(async ({ input }) => ({
      file: input.file,
      ...(await journal.backup(input.file)),
    })),
    seal: os.desk.seal.handler(({ context: { actor } }) => seals.seal(actor)),
    storage: os.desk.storage.handler(async () => ({
      ...(await journal.read.storage()),
      archiveAfterDays: book.desk().archiveAfterDays,
    })),
    archive: os.desk.archive.handler(({ input, context: { actor } }) => journal.archive(input.before, actor, running)),
  };
}

async function* inParts(desk: DeskFile): AsyncGenerator<{ text: string }, void> {
  for (const text of deskFileText(desk)) {
    yield { text };
    await nextTurn(); // a quote never waits for a whole desk file
  }
}
