import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { ChangesTable } from '../../components/changes-table.tsx';
import { plural } from '../../components/figures/counts.ts';
import { FileButton } from '../../components/file-button.tsx';
import { Note, RefusalNote } from '../../components/note.tsx';
import type { ConsoleClient } from '../../state/connection.ts';
import { useClient, useToasts } from '../../state/console.tsx';
import { jsonOf } from '../../state/json-of.ts';
import { faultsElsewhere } from '../../state/refusal-of.ts';
import { keysText } from '../../state/shortcuts.ts';
import { useCommand } from '../../state/use-command.ts';
import styles from './desk-file-form.module.css';
import { useHalted } from './halted-only.tsx';

type Comparison = Awaited<ReturnType<ConsoleClient['desk']['compare']>>;

/** Reads a desk file, shows all that it would change, and takes it over whole once a person has seen that; or says every fault of it. */
export function DeskFileForm({ onTaken }: { onTaken?: () => void }) {
  const client = useClient();
  const [read, setRead] = useState<{ name: string; desk: unknown; comparison: Comparison } | null>(null);
  const compare = useCommand(async ({ name, text }: { name: string; text: string }) => {
    setRead(null);
    const desk = jsonOf(text);
    setRead({ name, desk, comparison: await client.desk.compare({ desk }) });
  });
  return (
    <div className={styles.stack}>
      <div className={styles.row}>
        <FileButton
          label={read === null ? 'Choose the file…' : 'Choose another file…'}
          accept=".json,application/json"
          primary={read === null}
          disabled={compare.busy}
          onChoose={compare.run}
        />
        <span className="muted" role="status">
          {compare.busy ? 'Comparing…' : (read?.name ?? 'It is compared first; nothing changes before you say so.')}
        </span>
      </div>
      {compare.refusal !== null && (
        <>
          <RefusalNote refusal={{ ...compare.refusal, faults: [] }} />
          <ul className={styles.faults}>
            {faultsElsewhere(compare.refusal, []).map((fault) => (
              <li key={fault} className="mono">
                {fault}
              </li>
            ))}
          </ul>
        </>
      )}
      {read !== null && (
        <Compared
          {...read}
          onAgain={() => compare.run({ name: read.name, text: JSON.stringify(read.desk) })}
          onDropped={() => setRead(null)}
          onTaken={() => {
            setRead(null);
            onTaken?.();
          }}
        />
      )}
    </div>
  );
}

/** What the file would change, and the two ways on. */
function Compared(props: {
  desk: unknown;
  comparison: Comparison;
  onAgain: () => void;
  onDropped: () => void;
  onTaken: () => void;
}) {
  const { desk, comparison, onAgain, onDropped, onTaken } = props;
  const { changes, more, refused, seen } = comparison;
  const client = useClient();
  const toasts = useToasts();
  const queries = useQueryClient();
  const isHalted = useHalted();
  const take = useCommand(async () => {
    const { chains, pairs } = await client.desk.import({ desk, seen });
    await queries.invalidateQueries();
    toasts.show({
      level: 'done',
      title: 'The desk file is imported; the desk is HALTED',
      detail: `${plural(chains, 'chain')}, ${plural(pairs, 'pair')}. Look at it, then resume.`,
    });
    onTaken();
  });
  if (changes.length === 0) return <Note level="note" title="This file changes nothing: the desk is as it says." />;
  return (
    <>
      <p>
        <b>{plural(changes.length + more, 'change')}.</b> Everything else stays as it is. Secrets that the file does not
        bring stay; the key of the desk is in no desk file.
      </p>
      {refused !== null && (
        <Note level="stop" title={refused.sentence}>
          {refused.remedy}
        </Note>
      )}
      {!isHalted && (
        <Note level="look" title="It can be imported only while the desk is halted.">
          Halt it ({keysText('halt')}): signed quotes stay fillable until they expire. Nothing starts again by itself.
        </Note>
      )}
      {take.refusal !== null && <RefusalNote refusal={take.refusal} elsewhere={faultsElsewhere(take.refusal, [])} />}
      <div className={styles.row}>
        <Button
          look="primary"
          size="large"
          disabled={!isHalted || refused !== null || take.busy}
          onClick={() => take.run()}
        >
          Import it
        </Button>
        <Button size="large" onClick={onAgain}>
          Compare again
        </Button>
        <Button look="quiet" size="large" onClick={onDropped}>
          Leave it
        </Button>
      </div>
      <div className={styles.changes}>
        <ChangesTable name="What it would change" then="As the file has it" changes={changes} more={more} />
      </div>
    </>
  );
}
