import { useState } from 'react';
import { readNumber } from '../../../electron/contract/typed-number.ts';
import { Field } from '../../components/field.tsx';
import { Popover } from '../../components/popover.tsx';
import { SelectField } from '../../components/select-field.tsx';
import type { FilterChoice, SizedToken } from './filter-choice.ts';

/** How much of which token, on either side of the trade. */
export function SizeFilter(props: {
  choice: FilterChoice;
  choose: (next: Partial<FilterChoice>) => void;
  tokens: readonly SizedToken[];
  fault: string | undefined;
}) {
  const { choice, choose, tokens, fault } = props;
  const [open, setOpen] = useState(false);
  const symbols = [...new Set(tokens.map(({ symbol }) => symbol))];
  const { token, min, max } = choice;
  const [least, most] = [readNumber(min), readNumber(max)];
  const isSet = token !== '' && (min !== '' || max !== '');
  return (
    <Popover
      open={open}
      onOpen={(next) => {
        setOpen(next);
        if (next && token === '') choose({ token: symbols.includes('USDC') ? 'USDC' : (symbols[0] ?? '') });
      }}
      label="Size"
      trigger={
        <button type="button" className={`select ${isSet ? 'is-set' : ''}`} aria-invalid={fault !== undefined}>
          Size <b className="strong">{isSet ? sizeText(min, max, token) : 'any'}</b>
        </button>
      }
    >
      <div className="size-fields">
        <Field
          label="At least"
          inputMode="decimal"
          value={min}
          fault={least.fault ?? (most.fault === null ? fault : null)}
          onChange={(event) => choose({ min: event.target.value })}
        />
        <Field
          label="At most"
          inputMode="decimal"
          value={max}
          fault={most.fault}
          onChange={(event) => choose({ max: event.target.value })}
        />
        <SelectField
          label="Token"
          value={token}
          options={symbols.map((symbol) => ({ value: symbol, text: symbol }))}
          onChange={(symbol) => choose({ token: symbol })}
        />
      </div>
      <div className="actions">
        <button type="button" className="button is-quiet" onClick={() => choose({ token: '', min: '', max: '' })}>
          Any size
        </button>
        <button type="button" className="button" onClick={() => setOpen(false)}>
          Done
        </button>
      </div>
    </Popover>
  );
}

function sizeText(min: string, max: string, token: string): string {
  if (max === '') return `over ${min} ${token}`;
  return min === '' ? `to ${max} ${token}` : `${min} to ${max} ${token}`;
}
