import { useState } from 'react';
import { Field } from '../../components/field.tsx';
import { Popover } from '../../components/popover.tsx';
import { Segmented } from '../../components/segmented.tsx';
import type { FilterChoice } from './filter-choice.ts';
import { RANGES } from './log-filter.ts';

/** When: the last minutes or days, or between two moments. */
export function TimeFilter(props: {
  choice: FilterChoice;
  choose: (next: Partial<FilterChoice>) => void;
  fault: string | undefined;
}) {
  const { choice, choose, fault } = props;
  const [open, setOpen] = useState(false);
  const { range, from, to } = choice;
  const between = from !== '' || to !== '' ? `${from === '' ? 'the first' : from} to ${to === '' ? 'now' : to}` : '';
  const text = range === 'between' ? between : RANGES.find(({ value }) => value === range)?.text;
  return (
    <Popover
      open={open}
      onOpen={setOpen}
      label="Time"
      trigger={
        <button type="button" className={`select ${text ? 'is-set' : ''}`} aria-invalid={fault !== undefined}>
          Time <b className="strong">{text || 'all'}</b>
        </button>
      }
    >
      <Segmented
        label="How far back"
        options={[{ value: '', text: 'all' }, ...RANGES]}
        value={range}
        onChoose={(value) => choose({ range: value, from: '', to: '' })}
      />
      <div className="time-fields">
        <Field
          label="From, UTC"
          placeholder="2026-11-19 14:20"
          value={from}
          fault={fault}
          onChange={(event) => choose({ range: 'between', from: event.target.value })}
        />
        <Field
          label="To, UTC"
          placeholder="now"
          value={to}
          onChange={(event) => choose({ range: 'between', to: event.target.value })}
        />
      </div>
    </Popover>
  );
}
