import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Dialog } from '../../components/dialog.tsx';
import { Field } from '../../components/field.tsx';
import { shortHex } from '../../components/figures/counts.ts';
import { RefusalNote } from '../../components/note.tsx';
import { Segmented } from '../../components/segmented.tsx';
import { useConsole } from '../../state/console.tsx';
import { faultOf, faultsElsewhere } from '../../state/refusal-of.ts';
import { useCommand } from '../../state/use-command.ts';
import { BarReach, END_CHOICES, readEnd } from './bar-terms.tsx';

/** Puts one user on the list of every chain for a time, with the reason that is proposed or another. */
export function BarDialog({ address, reason, onClose }: { address: string; reason: string; onClose: () => void }) {
  const { connection, queries, toasts, desk } = useConsole();
  const cache = useQueryClient();
  const [input, setInput] = useState({ reason, until: '24 h', onlyHere: false });
  const end = readEnd(input.until, desk.now());
  const bar = useCommand(async () => {
    if (end.kind === 'wrong') return;
    const { durable } = await connection.client.blacklist.add({
      address,
      ...(input.reason.trim() === '' ? {} : { reason: input.reason }),
      ...(end.kind === 'at' ? { until: end.time } : {}),
      ...(input.onlyHere ? { onlyHere: true } : {}),
    });
    toasts.show(
      durable
        ? {
            level: 'done',
            title: input.onlyHere ? `This desk bars ${shortHex(address)}` : `${shortHex(address)} is blacklisted`,
            detail: input.until === '' ? 'For good.' : `For ${input.until}.`,
          }
        : { level: 'stop', title: 'In force, but not written', detail: 'Look at the journal’s disk.' },
    );
    await cache.invalidateQueries({ queryKey: queries.blacklist.key() });
    onClose();
  });
  return (
    <Dialog title={`Blacklist ${shortHex(address)}?`} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          bar.run();
        }}
      >
        <p className="mono whole-address">{address}</p>
        <div className="stack">
          <BarReach onlyHere={input.onlyHere} onChange={(onlyHere) => setInput({ ...input, onlyHere })} />
          <Field
            label="Reason"
            className="is-large"
            value={input.reason}
            maxLength={500}
            fault={faultOf(bar.refusal, 'reason')}
            hint="Goes into the history with your name."
            onChange={(event) => setInput({ ...input, reason: event.target.value })}
          />
          <div>
            <Segmented
              label="Until"
              options={END_CHOICES}
              value={input.until}
              onChoose={(until) => setInput({ ...input, until })}
            />
          </div>
          <Field
            label="Until, UTC"
            className="is-large"
            value={input.until}
            fault={end.kind === 'wrong' ? end.reason : faultOf(bar.refusal, 'until')}
            hint={
              end.kind === 'at'
                ? `until ${new Date(end.time).toISOString().slice(0, 16).replace('T', ' ')} UTC, on every chain`
                : 'for good, on every chain'
            }
            onChange={(event) => setInput({ ...input, until: event.target.value })}
          />
          {bar.refusal && (
            <RefusalNote refusal={bar.refusal} elsewhere={faultsElsewhere(bar.refusal, ['reason', 'until'])} />
          )}
        </div>
        <div className="actions">
          <button type="button" className="button is-large" onClick={onClose}>
            Keep quoting
          </button>
          <button type="submit" className="button is-large is-primary" disabled={bar.busy || end.kind === 'wrong'}>
            {input.onlyHere ? 'Bar here only' : 'Blacklist'}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
