import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Archived, Storage } from '../../../electron/contract/archived.ts';
import { Button } from '../../components/button.tsx';
import { Field } from '../../components/field.tsx';
import { plural } from '../../components/figures/counts.ts';
import { stampText } from '../../components/figures/times.ts';
import { MissingArchives } from '../../components/missing-archives.tsx';
import { Note, QueryError, RefusalNote } from '../../components/note.tsx';
import { FormStack } from '../../components/stack.tsx';
import { useClient, useConsole, useQueries } from '../../state/console.tsx';
import { numberText } from '../../state/number-form.ts';
import { faultsElsewhere, InputRefused } from '../../state/refusal-of.ts';
import { useCommand } from '../../state/use-command.ts';
import styles from './settings-page.module.css';

const DAY_MS = 86_400_000;
const USUAL_DAYS = '30';

/** How large the journal is, and old quotes moved into archives beside it. */
export function ArchiveSection() {
  const client = useClient();
  const queries = useQueries();
  const { desk } = useConsole();
  const storage = useQuery(queries.desk.storage.queryOptions({ staleTime: 0 }));
  const [days, setDays] = useState(USUAL_DAYS);
  const [moved, setMoved] = useState<Archived | null>(null);
  const archive = useCommand(async () => {
    setMoved(null);
    const count = Number(days);
    if (!/^\d{1,4}$/.test(days.trim()) || count < 1) {
      throw new InputRefused([{ path: 'days', message: 'Give whole days, 1 or more.' }]);
    }
    setMoved(await client.desk.archive({ before: desk.now() - count * DAY_MS }));
    await storage.refetch();
  });
  return (
    <section className={styles.setting} aria-label="Archive">
      <header>
        <h3>Archive</h3>
        <span className="quiet">
          Quotes that are over move into compressed files beside the journal and are read from there as before. Open
          quotes and the last day stay. The desk goes on meanwhile.
        </span>
      </header>
      <div className={styles.form}>
        <div className={styles.wide}>
          <FormStack
            onSubmit={(event) => {
              event.preventDefault();
              archive.run();
            }}
          >
            {storage.error !== null && (
              <QueryError
                what="The size of the journal is not known; it is written as before"
                error={storage.error}
                again={() => void storage.refetch()}
              />
            )}
            {storage.data !== undefined && <StorageText storage={storage.data} />}
            {storage.data !== undefined && <MissingArchives files={storage.data.missing} />}
            <Field
              label="Quotes older than, days"
              hint={ruleText(storage.data?.archiveAfterDays)}
              inputMode="numeric"
              value={days}
              onChange={(event) => setDays(event.target.value)}
            />
            {archive.refusal !== null && (
              <RefusalNote refusal={archive.refusal} elsewhere={faultsElsewhere(archive.refusal, [])} />
            )}
            {moved !== null && (
              <Note level="note" title={moved.rows === 0 ? 'There was nothing to archive.' : 'They are archived.'}>
                {moved.rows === 0
                  ? 'Nothing so old is left in the journal but what always stays.'
                  : `${plural(moved.rows, 'quote')} in ${plural(moved.files, 'file')}.`}
                {moved.ahead > 0 &&
                  ` ${plural(moved.ahead, 'quote')} among them ${moved.ahead === 1 ? 'stays' : 'stay'} in the journal: the clock was ahead when ${moved.ahead === 1 ? 'it was' : 'they were'} written.`}
              </Note>
            )}
            <div>
              <Button type="submit" size="large" disabled={archive.busy}>
                {archive.busy ? 'Archiving…' : 'Archive now'}
              </Button>
            </div>
          </FormStack>
        </div>
      </div>
    </section>
  );
}

function StorageText({ storage }: { storage: Storage }) {
  const { bytes, free, since, archives, archivedRows, archivedBytes, archivedUntil } = storage;
  return (
    <p>
      The journal has {megabytes(bytes - free)} MB{since !== null && <> since {stampText(since)}</>}
      {free > 0 && <>, and {megabytes(free)} MB of its file are free for what comes</>}.{' '}
      {archivedUntil === null
        ? 'Nothing is archived yet.'
        : `${plural(archivedRows, 'quote')} until ${stampText(archivedUntil)} are in ${plural(archives, 'archive')} of ${megabytes(archivedBytes)} MB.`}
    </p>
  );
}

function ruleText(days: number | null | undefined): string {
  if (days == null) return 'nothing by itself, unless the desk file says after how many days (archiveAfterDays)';
  return `by itself what is older than ${plural(days, 'day')}, as the desk file says`;
}

/** In tenths, rounded up. */
function megabytes(bytes: number): string {
  return numberText((Math.ceil(bytes / 1e5) / 10).toFixed(1));
}
