import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Field } from '../../components/field.tsx';
import formStyles from '../../components/form.module.css';
import { Needs } from '../../components/needs.tsx';
import { RefusalNote } from '../../components/note.tsx';
import { Panel } from '../../components/panel.tsx';
import { useConsole, useDesk } from '../../state/console.tsx';
import { useNames, userText } from '../../state/names.tsx';
import { faultOf, faultsElsewhere } from '../../state/refusal-of.ts';
import { zoneName } from '../../state/time-zone.ts';
import { useCommand } from '../../state/use-command.ts';
import styles from './blacklist-page.module.css';
import { actText, BlacklistReach, endText, readEnd } from './blacklist-terms.tsx';
import { StandingEntries, useStanding } from './standing-entries.tsx';

const FIELDS = ['address', 'reason', 'until'] as const;
const FRESH = { address: '', reason: '', until: '' };

/** Puts a user on the list: in force at once, then written. */
export function BlacklistForm({ chainId }: { chainId: number }) {
  const { connection, queries, toasts, desk } = useConsole();
  const chains = useDesk((view) => view.chains);
  const cache = useQueryClient();
  const [input, setInput] = useState(FRESH);
  const [onlyHere, setOnlyHere] = useState(false);
  const [everywhere, setEverywhere] = useState(true);
  const end = readEnd(input.until, desk.now());
  const isIdle = input.address.trim() === '';
  const chain = chains.find((row) => row.chainId === chainId)?.name ?? null;
  const where = chains.length < 2 ? null : everywhere ? 'every chain' : chain;
  const standing = useStanding(input.address, everywhere ? null : chainId);
  const names = useNames();
  const send = async (confirmed: boolean) => {
    if (end.kind === 'wrong') return;
    try {
      const { durable } = await connection.client.blacklist.add({
        ...(everywhere ? {} : { chainId }),
        address: input.address.trim(),
        ...(input.reason.trim() === '' ? {} : { reason: input.reason }),
        ...(end.kind === 'at' ? { until: end.time } : {}),
        ...(onlyHere ? { onlyHere } : {}),
        confirmed,
      });
      if (!durable)
        toasts.show({
          level: 'stop',
          title: 'In force, but not in the journal',
          detail: 'Look at the journal’s disk.',
        });
      setInput(FRESH);
    } finally {
      // What is a question on one chain is in force on the others.
      await cache.invalidateQueries({ queryKey: queries.blacklist.key() });
    }
  };
  const add = useCommand(() => send(false));
  const question = add.refusal?.code === 'weaker_unconfirmed' ? add.refusal : null;
  const refusal = question === null ? add.refusal : null;
  const field = (name: (typeof FIELDS)[number]) => ({
    value: input[name],
    fault: faultOf(add.refusal, name),
    onChange: (event: { target: { value: string } }) => setInput({ ...input, [name]: event.target.value }),
  });
  return (
    <Panel name="Add a user" className={styles.form}>
      <Needs right="trade">
        <form
          className={formStyles.form}
          aria-label="Add a user to the blacklist"
          onSubmit={(event) => {
            event.preventDefault();
            add.run();
          }}
        >
          <Field label="Address" className="mono" placeholder="0x…" {...field('address')} />
          {!isIdle && <StandingEntries {...standing} />}
          <div className={styles.beside}>
            <Field label="Reason" {...field('reason')} />
            <Field
              label={`Until, ${zoneName()}`}
              placeholder="24 h, 7 d, or a day"
              {...field('until')}
              fault={end.kind === 'wrong' ? end.reason : faultOf(add.refusal, 'until')}
              hint={end.kind === 'at' ? `until ${endText(end.time)}` : 'for good, if empty'}
            />
          </div>
          {chains.length > 1 && (
            <label>
              <input type="checkbox" checked={everywhere} onChange={(event) => setEverywhere(event.target.checked)} />{' '}
              on every chain
            </label>
          )}
          <BlacklistReach onlyHere={onlyHere} isIdle={isIdle} onChange={setOnlyHere} />
          {refusal && <RefusalNote refusal={refusal} elsewhere={faultsElsewhere(refusal, FIELDS)} />}
          <div className={formStyles.actions}>
            <Button
              type="submit"
              look="primary"
              className={styles.act}
              disabled={add.busy || end.kind === 'wrong' || isIdle}
            >
              {actText(where, end, onlyHere)}
            </Button>
          </div>
          <p className="quiet">In force at once; what is signed stays fillable.</p>
        </form>
      </Needs>
      {question !== null && (
        <ConfirmDialog
          title={`Replace what stands of ${userText(names, input.address.trim())}?`}
          keep="Keep what stands"
          act="Replace it"
          needs="trade"
          send={() => send(true)}
          onClose={add.reset}
        >
          {question.sentence}
        </ConfirmDialog>
      )}
    </Panel>
  );
}
