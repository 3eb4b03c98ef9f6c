import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { countText } from '../../components/figures/counts.ts';
import { MissingArchives } from '../../components/missing-archives.tsx';
import { Note, RefusalNote } from '../../components/note.tsx';
import { PathField } from '../../components/path-field.tsx';
import { FormStack } from '../../components/stack.tsx';
import { useClient, useConsole } from '../../state/console.tsx';
import { faultsElsewhere, InputRefused } from '../../state/refusal-of.ts';
import { useCommand } from '../../state/use-command.ts';
import { ArchiveSection } from './archive-section.tsx';
import styles from './settings-page.module.css';
import type { SectionProps } from './use-settings.ts';

/** A copy of the journal while the desk goes on, and how one is put back. */
export function BackupsSection({ settings }: SectionProps) {
  const client = useClient();
  const { desk } = useConsole();
  const { folder } = settings;
  const [file, setFile] = useState(() => suggestedFile(folder, desk.now()));
  const [made, setMade] = useState<{ file: string; bytes: number; archives: number; missing: string[] } | null>(null);
  const make = useCommand(async () => {
    setMade(null);
    const path = file.trim();
    if (!isWholePath(path)) {
      throw new InputRefused([{ path: 'file', message: 'Give the whole path, from the top of the disk.' }]);
    }
    setMade(await client.desk.backup({ file: path }));
  });
  return (
    <>
      <section className={styles.setting} aria-label="Make a backup">
        <header>
          <h3>Make a backup</h3>
          <span className="quiet">
            Every quote, fill, hedge and setting until now, in one new file; the desk goes on meanwhile.
          </span>
        </header>
        <div className={styles.form}>
          <div className={styles.wide}>
            <FormStack
              onSubmit={(event) => {
                event.preventDefault();
                make.run();
              }}
            >
              <PathField
                label="Write it to"
                hint="on the machine of the desk, outside its folder, best on another disk"
                way="save"
                value={file}
                onChange={setFile}
              />
              {make.refusal !== null && (
                <RefusalNote refusal={make.refusal} elsewhere={faultsElsewhere(make.refusal, [])} />
              )}
              {made !== null && (
                <Note level="note" title="The backup is written.">
                  {countText(made.bytes)} bytes in {made.file}
                  {made.archives > 0 && <>, with {countText(made.archives)} archives in the folder beside it</>}.
                </Note>
              )}
              {made !== null && <MissingArchives files={made.missing} />}
              <div>
                <Button type="submit" look="primary" size="large" disabled={file.trim() === '' || make.busy}>
                  {make.busy ? 'Writing it…' : 'Make the backup'}
                </Button>
              </div>
            </FormStack>
          </div>
        </div>
      </section>
      <section className={styles.setting} aria-label="What is not in it">
        <header>
          <h3>What is not in it</h3>
          <span className="quiet">
            The key and the secrets: copy keystore.json and secrets.json from {folder} once, and keep the passphrase
            apart from them.
          </span>
        </header>
      </section>
      <section className={styles.setting} aria-label="Put one back">
        <header>
          <h3>Put one back</h3>
          <span className="quiet">
            Quit the app and start it again: before the passphrase, <b>Put a backup back…</b> stands at the top right.
            The desk then opens HALTED and signs nothing until every quote it may have signed since is over.
          </span>
        </header>
      </section>
      <ArchiveSection />
    </>
  );
}

function suggestedFile(folder: string, at: number): string {
  const cut = Math.max(folder.lastIndexOf('/'), folder.lastIndexOf('\\'));
  const name = `makerdesk-backup-${new Date(at).toISOString().slice(0, 16).replace(/[:T]/g, '-')}.db`;
  return `${folder.slice(0, cut + 1)}${name}`;
}

function isWholePath(path: string): boolean {
  return /^(\/|[A-Za-z]:[\\/]|\\\\)/.test(path);
}
