import { Field } from '../../components/field.tsx';
import { SelectField } from '../../components/select-field.tsx';
import type { BuildFaults, BuildInput } from './build-input.ts';

const MIDS = [
  { value: 'reference', text: 'Reference' },
  { value: 'live', text: 'Mid of what is live' },
  { value: 'typed', text: 'Typed' },
] as const;
const SIZES = [
  { value: 'quote', text: 'in quote tokens' },
  { value: 'base', text: 'in base tokens' },
  { value: 'live', text: 'as live' },
] as const;
const SHAPES = [
  { value: 'flat', text: 'Flat: all alike' },
  { value: 'linear', text: 'Rising: 1, 2, 3 … times the first' },
  { value: 'factor', text: 'Factor: each times the one before' },
] as const;

/** What a ladder is built from: mid, spread, levels, size and shape. */
export function BuildFields(props: {
  input: BuildInput;
  faults: BuildFaults;
  /** Several pairs have no one price that could be typed. */
  single: boolean;
  onInput: (input: BuildInput) => void;
}) {
  const { input, faults, single, onInput } = props;
  const text = (field: keyof BuildFaults, label: string, hint?: string) => (
    <Field
      label={label}
      hint={hint}
      inputMode="decimal"
      value={input[field]}
      fault={faults[field]}
      onChange={(event) => onInput({ ...input, [field]: event.target.value })}
    />
  );
  return (
    <div className="build-fields">
      <SelectField
        label="Around"
        options={MIDS.filter(({ value }) => single || value !== 'typed')}
        value={input.mid}
        onChange={(mid) => onInput({ ...input, mid })}
      />
      {text('spreadBps', 'Spread, bps', 'best bid to best ask')}
      {text('stepBps', 'Step, bps', 'from level to level')}
      {text('levels', 'Levels', 'each side')}
      {input.mid === 'typed' ? text('price', 'Mid') : <span />}
      <SelectField
        label="Size"
        options={SIZES}
        value={input.sizeOf}
        onChange={(sizeOf) => onInput({ ...input, sizeOf })}
      />
      {input.sizeOf === 'live' ? (
        <span />
      ) : (
        text('size', 'First level', input.sizeOf === 'quote' ? 'quote tokens' : 'base tokens')
      )}
      {input.sizeOf === 'live' ? (
        <span />
      ) : (
        <SelectField
          label="Shape"
          options={SHAPES}
          value={input.shape}
          onChange={(shape) => onInput({ ...input, shape })}
        />
      )}
      {input.sizeOf !== 'live' && input.shape === 'factor' ? text('factor', 'Factor') : <span />}
    </div>
  );
}
