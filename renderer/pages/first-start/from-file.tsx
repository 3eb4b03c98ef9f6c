import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { RefusalNote } from '../../components/note.tsx';
import { Panel } from '../../components/panel.tsx';
import { faultsElsewhere, InputRefused } from '../../state/refusal-of.ts';
import { useCommand } from '../../state/use-command.ts';
import firstStartStyles from './first-start.module.css';
import styles from './from-file.module.css';
import { useOpenDesk } from './use-open-desk.ts';

/** Takes a desk file over whole, or says every fault of it with its path and takes nothing. */
export function FromFile({ onTaken }: { onTaken: () => void }) {
  const openDesk = useOpenDesk();
  const [name, setName] = useState<string | null>(null);
  const take = useCommand(async (file: File) => {
    setName(file.name);
    await openDesk(parsed(await file.text()));
    onTaken();
  });
  return (
    <Panel name="Import a desk file" aside="one JSON document; it replaces nothing here">
      <div className={firstStartStyles.way}>
        <Button asChild look="primary" size="large">
          <label className={styles.button}>
            Choose the file…
            <input
              type="file"
              accept=".json,application/json"
              disabled={take.busy}
              onChange={(event) => {
                const file = event.target.files?.[0];
                if (file !== undefined) take.run(file);
                event.target.value = '';
              }}
            />
          </label>
        </Button>
        {name !== null && take.refusal === null && (
          <p className="muted">{take.busy ? `Reading ${name}…` : `${name} is taken over.`}</p>
        )}
        {take.refusal !== null && (
          <>
            <RefusalNote refusal={{ ...take.refusal, faults: [] }} />
            <ul className={styles.faults}>
              {faultsElsewhere(take.refusal, []).map((fault) => (
                <li key={fault} className="mono">
                  {fault}
                </li>
              ))}
            </ul>
          </>
        )}
        <p className="muted">
          <b className="mono">makerdesk export FILE</b> writes one from another desk; with{' '}
          <b className="mono">--with-secrets</b> its credentials come along. The signer’s key is never in it.
        </p>
      </div>
    </Panel>
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new InputRefused([
      { path: '', message: `This file is no JSON: ${error instanceof Error ? error.message : ''}` },
    ]);
  }
}
