import { readDeskFile } from '../../../electron/contract/desk-file-text.ts';
import { Button } from '../../components/button.tsx';
import { RefusalNote } from '../../components/note.tsx';
import { useConsole } from '../../state/console.tsx';
import { openTextFile } from '../../state/save-text.ts';
import { useCommand } from '../../state/use-command.ts';
import { DeskFileForm } from './desk-file-form.tsx';
import styles from './settings-page.module.css';

/** All that is set up, as one file: written out, and one that was edited or comes from another desk compared and taken over. */
export function DeskFileSection() {
  const { connection, desk, toasts } = useConsole();
  const write = useCommand(async () => {
    const name = `desk-${new Date(desk.now()).toISOString().slice(0, 10)}.json`;
    const whole = await readDeskFile(await connection.client.desk.export({ withSecrets: false }));
    const file = await openTextFile(name, 'application/json');
    if (file === null) return;
    await file.write(`${JSON.stringify(whole, null, 2)}\n`);
    await file.done();
    toasts.show({ level: 'done', title: 'Wrote the desk file', detail: name });
  });
  return (
    <>
      <section className={styles.setting} aria-label="Export">
        <header>
          <h3>Export</h3>
          <span className="quiet">
            Chains, tokens, pairs, ladders, limits, takers, counterparties and blacklist, without a single secret.
          </span>
          <Button disabled={write.busy} onClick={() => write.run()}>
            Export the desk file…
          </Button>
        </header>
        {write.refusal !== null && <RefusalNote refusal={write.refusal} />}
      </section>
      <section className={styles.setting} aria-label="Compare and import">
        <header>
          <h3>Compare and import</h3>
          <span className="quiet">The file replaces all of that at once: what it does not name leaves.</span>
        </header>
        <DeskFileForm />
      </section>
    </>
  );
}
