import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Field, FilterButton } from '../../components/field.tsx';
import { Popover, PopoverActions } from '../../components/popover.tsx';
import { zoneName } from '../../state/time-zone.ts';
import type { Span } from '../fills/fill-ranges.ts';
import { readMoment } from '../firm-log/filter-choice.ts';
import styles from './results-page.module.css';

/** Any time between two moments. */
export function PickTime({ picked, onPick }: { picked: Span | null; onPick: (span: Span) => void }) {
  const [open, setOpen] = useState(false);
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const pick = () => {
    const [since, last] = [readMoment(from, 'first'), readMoment(to, 'last')];
    if (since === null || since === undefined || last === null) {
      setFault('Write a day, or a day and time, such as 2026-11-19 14:20.');
      return;
    }
    const until = last === undefined ? null : last + 1;
    if (until !== null && until <= since) {
      setFault('It ends before it begins.');
      return;
    }
    setFault(null);
    setOpen(false);
    onPick({ since, until });
  };
  return (
    <Popover
      open={open}
      onOpen={setOpen}
      label="Time between two moments"
      trigger={<FilterButton isSet={picked !== null}>Pick…</FilterButton>}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          pick();
        }}
      >
        <div className={styles.moments}>
          <Field
            label={`From, ${zoneName()}`}
            placeholder="2026-11-19 14:20"
            value={from}
            fault={fault}
            onChange={(event) => setFrom(event.target.value)}
          />
          <Field
            label={`To, ${zoneName()}`}
            placeholder="now"
            value={to}
            onChange={(event) => setTo(event.target.value)}
          />
        </div>
        <PopoverActions>
          <Button type="submit" look="primary">
            Show it
          </Button>
        </PopoverActions>
      </form>
    </Popover>
  );
}
