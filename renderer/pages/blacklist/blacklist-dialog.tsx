import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { isoTime } from '../../../electron/contract/names.ts';
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
import { StandingEntries, useStanding } from './standing-entries.tsx';

const MINUTE_MS = 60_000;

/**
 * Puts one user on the list of every chain for a time, with the reason that is proposed or another. What stands of them already is shown,
 * and is what it begins with: nobody shortens or narrows it without typing that.
 */
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
  const standing = useStanding(address);
  const { entries, unread, isPending } = standing;
  const [typed, setTyped] = useState<Partial<{ reason: string; until: string; onlyHere: boolean }>>({});
  const [longest] = entries.toSorted((a, b) => (b.until ?? Infinity) - (a.until ?? Infinity));
  const input = {
    reason: reason || (longest?.reason ?? ''),
    until: longest === undefined ? '24 h' : longest.until === null ? '' : minuteText(longest.until),
    onlyHere: longest !== undefined && entries.every(({ onlyHere }) => onlyHere),
    ...typed,
  };
  const end = readEnd(input.until, desk.now());
  const bar = useCommand(async () => {
    if (end.kind === 'wrong') return;
    const { durable } = await connection.client.blacklist
      .add({
        address,
        ...(input.reason.trim() === '' ? {} : { reason: input.reason }),
        ...(end.kind === 'at' ? { until: end.time } : {}),
        ...(input.onlyHere ? { onlyHere: true } : {}),
        // Whoever presses has read what stood at the last look; what came there since is replaced with it.
        confirmed: entries.length > 0 && unread === undefined,
      })
      .finally(() => cache.invalidateQueries({ queryKey: queries.blacklist.key() }));
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
        : { level: 'stop', title: 'In force, but not in the journal', detail: 'Look at the journal’s disk.' },
    );
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
          <StandingEntries {...standing} />
          <BlacklistReach onlyHere={input.onlyHere} onChange={(onlyHere) => setTyped({ ...typed, onlyHere })} />
          <Field
            label="Reason"
            large
            value={input.reason}
            maxLength={500}
            fault={faultOf(bar.refusal, 'reason')}
            hint="Goes into the history with your name."
            onChange={(event) => setTyped({ ...typed, reason: event.target.value })}
          />
          <div>
            <Segmented
              label="Until"
              options={END_CHOICES}
              value={input.until}
              onChoose={(until) => setTyped({ ...typed, until })}
            />
          </div>
          <Field
            label={`Until, ${zoneName()}`}
            large
            value={input.until}
            fault={end.kind === 'wrong' ? end.reason : faultOf(bar.refusal, 'until')}
            hint={end.kind === 'at' ? `until ${endText(end.time)}, on every chain` : 'for good, on every chain'}
            onChange={(event) => setTyped({ ...typed, until: event.target.value })}
          />
          {bar.refusal && (
            <RefusalNote refusal={bar.refusal} elsewhere={faultsElsewhere(bar.refusal, ['reason', 'until'])} />
          )}
        </Stack>
        <DialogActions>
          <Button size="large" onClick={onClose}>
            Keep quoting
          </Button>
          <Button type="submit" look="primary" size="large" disabled={bar.busy || end.kind === 'wrong' || isPending}>
            {input.onlyHere ? 'Blacklist here only' : 'Blacklist'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

/** The end of an entry as it is typed: not before it, to the minute, and in UTC, where no hour comes twice. */
function minuteText(until: number): string {
  return `${isoTime(Math.ceil(until / MINUTE_MS) * MINUTE_MS)
    .slice(0, 16)
    .replace('T', ' ')}Z`;
}
