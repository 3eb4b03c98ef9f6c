import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Field } from '../../components/field.tsx';
import formStyles from '../../components/form.module.css';
import { Needs } from '../../components/needs.tsx';
import { RefusalNote } from '../../components/note.tsx';
import { Panel } from '../../components/panel.tsx';
import { useConsole, useDesk } from '../../state/console.tsx';
import { faultOf, faultsElsewhere } from '../../state/refusal-of.ts';
import { zoneName } from '../../state/time-zone.ts';
import { useCommand } from '../../state/use-command.ts';
import styles from './blacklist-page.module.css';
import { actText, BlacklistReach, endText, readEnd } from './blacklist-terms.tsx';

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
  const add = useCommand(async () => {
    if (end.kind === 'wrong') return;
    const { durable } = await connection.client.blacklist.add({
      ...(everywhere ? {} : { chainId }),
      address: input.address.trim(),
      ...(input.reason.trim() === '' ? {} : { reason: input.reason }),
      ...(end.kind === 'at' ? { until: end.time } : {}),
      ...(onlyHere ? { onlyHere } : {}),
    });
    if (!durable)
      toasts.show({ level: 'stop', title: 'In force, but not written', detail: 'Look at the journal’s disk.' });
    setInput(FRESH);
    await cache.invalidateQueries({ queryKey: queries.blacklist.key() });
  });
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
          {add.refusal && <RefusalNote refusal={add.refusal} elsewhere={faultsElsewhere(add.refusal, FIELDS)} />}
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
    </Panel>
  );
}
