import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Dialog, DialogActions } from '../../components/dialog.tsx';
import { Field } from '../../components/field.tsx';
import { momentText } from '../../components/figures/times.ts';
import { RefusalNote } from '../../components/note.tsx';
import { Segmented } from '../../components/segmented.tsx';
import { Stack } from '../../components/stack.tsx';
import { useConsole } from '../../state/console.tsx';
import { useNames, userText } from '../../state/names.tsx';
import { faultOf, faultsElsewhere } from '../../state/refusal-of.ts';
import { zoneName } from '../../state/time-zone.ts';
import { useCommand } from '../../state/use-command.ts';
import styles from './blacklist-dialog.module.css';
import { BlacklistReach, END_CHOICES, endText, readEnd } from './blacklist-terms.tsx';

/** Puts one user on the list of every chain for a time, with the reason that is proposed or another. */
export function BlacklistDialog({
  address,
  reason,
  onClose,
}: {
  address: string;
  reason: string;
  onClose: () => void;
}) {
  const { connection, queries, toasts, desk } = useConsole();
  const cache = useQueryClient();
  const names = useNames();
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
            title: input.onlyHere
              ? `This desk blacklists ${userText(names, address)}`
              : `${userText(names, address)} is blacklisted`,
            detail:
              end.kind === 'at' ? `Until ${momentText(end.time, desk.now())} ${zoneName(end.time)}.` : 'For good.',
          }
        : { level: 'stop', title: 'In force, but not written', detail: 'Look at the journal’s disk.' },
    );
    await cache.invalidateQueries({ queryKey: queries.blacklist.key() });
    onClose();
  });
  return (
    <Dialog title={`Blacklist ${userText(names, address)}?`} needs="trade" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          bar.run();
        }}
      >
        <p className={`mono ${styles.wholeAddress}`}>{address}</p>
        <Stack>
          <BlacklistReach onlyHere={input.onlyHere} onChange={(onlyHere) => setInput({ ...input, onlyHere })} />
          <Field
            label="Reason"
            large
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
            label={`Until, ${zoneName()}`}
            large
            value={input.until}
            fault={end.kind === 'wrong' ? end.reason : faultOf(bar.refusal, 'until')}
            hint={end.kind === 'at' ? `until ${endText(end.time)}, on every chain` : 'for good, on every chain'}
            onChange={(event) => setInput({ ...input, until: event.target.value })}
          />
          {bar.refusal && (
            <RefusalNote refusal={bar.refusal} elsewhere={faultsElsewhere(bar.refusal, ['reason', 'until'])} />
          )}
        </Stack>
        <DialogActions>
          <Button size="large" onClick={onClose}>
            Keep quoting
          </Button>
          <Button type="submit" look="primary" size="large" disabled={bar.busy || end.kind === 'wrong'}>
            {input.onlyHere ? 'Blacklist here only' : 'Blacklist'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
