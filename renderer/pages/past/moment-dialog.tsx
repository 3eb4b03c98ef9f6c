import { type FormEvent, useState } from 'react';
import { useLocation } from 'wouter';
import { Button } from '../../components/button.tsx';
import dialogStyles from '../../components/dialog.module.css';
import { Dialog } from '../../components/dialog.tsx';
import { Field } from '../../components/field.tsx';
import { stampText } from '../../components/figures/times.ts';
import { useConsole } from '../../state/console.tsx';
import { pastPath } from '../../state/pages.ts';
import { clockIn, zoneName } from '../../state/time-zone.ts';
import { readMoment } from '../firm-log/filter-choice.ts';

/** How long before now the field begins, milliseconds. */
const BEFORE_MS = 60_000;

/** Asks for a moment, or a row of the journal, and shows the desk as it was then. */
export function MomentDialog({ onClose }: { onClose: () => void }) {
  const { desk } = useConsole();
  const [, navigate] = useLocation();
  const [text, setText] = useState(() =>
    clockIn(desk.now() - BEFORE_MS)
      .slice(0, 19)
      .replace('T', ' '),
  );
  const [isAsked, setIsAsked] = useState(false);
  const row = /^\s*#?([1-9][0-9,]{0,17})\s*$/.exec(text)?.[1]?.replaceAll(',', '');
  const time = row === undefined ? (readMoment(text, 'first') ?? null) : null;
  const fault =
    row === undefined && time === null
      ? `Write a day and time, such as ${stampExample(desk.now())}, or the number of a row.`
      : time !== null && time > desk.now()
        ? `That is not past yet: it is ${stampText(desk.now())}.`
        : null;
  const go = (event: FormEvent) => {
    event.preventDefault();
    setIsAsked(true);
    if (fault !== null) return;
    onClose();
    navigate(pastPath(row === undefined ? { time: time ?? 0 } : { row: Number(row) }));
  };
  return (
    <Dialog title="Go to a moment" onClose={onClose}>
      <p className={dialogStyles.lead}>
        The desk as it was then: prices, states, what was signed, alerts. Nothing is changed by looking.
      </p>
      <form onSubmit={go}>
        <Field
          label={`Moment, ${zoneName()}, or a row`}
          large
          autoFocus
          value={text}
          fault={isAsked ? fault : null}
          onChange={(event) => setText(event.target.value)}
        />
        <div className={dialogStyles.actions}>
          <Button size="large" onClick={onClose}>
            Stay here
          </Button>
          <Button size="large" look="primary" type="submit">
            Go there
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function stampExample(now: number): string {
  return clockIn(now).slice(0, 16).replace('T', ' ');
}
