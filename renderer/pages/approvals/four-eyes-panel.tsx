import { useState } from 'react';
import { FOUR_EYES, type FourEyesKind, fourEyesKindSchema } from '../../../electron/contract/approvals.ts';
import { Button } from '../../components/button.tsx';
import { Needs } from '../../components/needs.tsx';
import { RefusalNote } from '../../components/note.tsx';
import { Panel } from '../../components/panel.tsx';
import { Scroll } from '../../components/scroll.tsx';
import { useClient, useDesk, useToasts } from '../../state/console.tsx';
import { useCommand } from '../../state/use-command.ts';
import styles from './approvals-page.module.css';

/** What takes a second person. More is set at once; less waits for one itself. */
export function FourEyesPanel() {
  const inForce = useDesk((view) => view.approvals.kinds);
  const client = useClient();
  const toasts = useToasts();
  const [chosen, setChosen] = useState<readonly FourEyesKind[] | null>(null);
  const kinds = chosen ?? inForce;
  const wanted = fourEyesKindSchema.options.filter((kind) => kinds.includes(kind));
  const isChanged = wanted.length !== inForce.length || wanted.some((kind) => !inForce.includes(kind));
  const save = useCommand(async () => {
    await client.approvals.set({ kinds: wanted, seen: [...inForce] });
    setChosen(null);
    toasts.show({ level: 'done', title: 'What takes a second person is set' });
  });
  const toggle = (kind: FourEyesKind) => {
    save.reset();
    setChosen(kinds.includes(kind) ? kinds.filter((one) => one !== kind) : [...kinds, kind]);
  };
  return (
    <Panel name="Takes a second person" className={styles.kept}>
      <Scroll>
        <Needs right="admin">
          <form
            onSubmit={(event) => {
              event.preventDefault();
              save.run();
            }}
          >
            <fieldset className={styles.kinds}>
              {fourEyesKindSchema.options.map((kind) => (
                <label key={kind}>
                  <input type="checkbox" checked={kinds.includes(kind)} onChange={() => toggle(kind)} />
                  <span>
                    <b className="strong">{FOUR_EYES[kind].name}</b>{' '}
                    <span className="muted">{FOUR_EYES[kind].says}</span>
                  </span>
                </label>
              ))}
            </fieldset>
            <div className={styles.foot}>
              <p className="muted">
                While anything is chosen, giving somebody the right trade, settings or admin takes a second person too,
                and so does choosing less here. Halts, lower limits and whatever else closes never wait for anybody.
              </p>
              {save.refusal !== null && <RefusalNote refusal={save.refusal} />}
              <div>
                <Button type="submit" look="primary" disabled={!isChanged || save.busy}>
                  Save
                </Button>
              </div>
            </div>
          </form>
        </Needs>
      </Scroll>
    </Panel>
  );
}
