import { type ReactNode, useId } from 'react';
import { Button } from '../../components/button.tsx';
import { Field } from '../../components/field.tsx';
import { Panel } from '../../components/panel.tsx';
import { Scroll } from '../../components/scroll.tsx';
import styles from './formula-form.module.css';
import type { Figure, Part, TypedFormula } from './formula-input.ts';

interface FieldsProps {
  typed: TypedFormula;
  base: string;
  quote: string;
  faults: readonly { path: string; message: string }[];
  onType: (typed: TypedFormula) => void;
}

/** The formula of a pair while it is typed. Below it: what setting it changes. */
export function FormulaForm(
  props: FieldsProps & {
    onSubmit: () => void;
    /** Null where there is none to remove. */
    onRemove: (() => void) | null;
    children: ReactNode;
  },
) {
  const { onSubmit, onRemove, children, ...fields } = props;
  return (
    <Panel
      name="The formula"
      aside="what is left out does not count"
      actions={
        onRemove !== null && (
          <Button look="quiet" needs="trade" onClick={onRemove}>
            Remove…
          </Button>
        )
      }
    >
      <Scroll>
        <form
          className={styles.form}
          onSubmit={(event) => {
            event.preventDefault();
            onSubmit();
          }}
        >
          <FormulaFields {...fields} />
          <button type="submit" hidden aria-label="Set the formula" />
        </form>
      </Scroll>
      <div className={styles.changes}>{children}</div>
    </Panel>
  );
}

/** Every figure of a formula; what it need not have is switched on first. */
export function FormulaFields({ typed, base, quote, faults, onType }: FieldsProps) {
  const { figures, parts } = typed;
  const figure = (path: Figure, label: string, more: { hint?: string; inputMode?: 'numeric' } = {}) => (
    <Field
      key={path}
      label={label}
      inputMode="decimal"
      value={figures[path]}
      fault={faults.find((fault) => fault.path === path)?.message ?? null}
      {...more}
      onChange={(event) => onType({ ...typed, figures: { ...figures, [path]: event.target.value } })}
    />
  );
  const side = (of: 'bids' | 'asks', name: string) => (
    <Group name={name}>
      {figure(`${of}.size`, `Best size, ${base}`)}
      {figure(`${of}.levels`, 'Levels', { inputMode: 'numeric' })}
      {figure(`${of}.stepBps`, 'Step, bps')}
      {figure(`${of}.sizeFactor`, 'Size times', { hint: 'each level' })}
    </Group>
  );
  const onPart = (part: Part) => (on: boolean) => onType({ ...typed, parts: { ...parts, [part]: on } });
  return (
    <>
      <Group name="Best prices">
        {figure('spreadBps', 'Spread, bps')}
        {figure('tick', `Tick, ${quote}`)}
        {figure('closesAboveSpreadBps', 'Closes above, bps', { hint: 'of spread' })}
      </Group>
      {side('bids', 'Bids')}
      {side('asks', 'Asks')}
      <Group name="Skew by inventory" on={parts.inventory} onSwitch={onPart('inventory')}>
        {figure('inventory.target', `Target, ${base}`)}
        {figure('inventory.limit', `Limit, ${base}`)}
        {figure('inventory.bpsPerUnit', `bps per ${base}`)}
      </Group>
      <Group name="Wider while the mid moves" on={parts.volatility} onSwitch={onPart('volatility')}>
        {figure('volatility.windowSeconds', 'Window, s', { inputMode: 'numeric' })}
        {figure('volatility.calmBps', 'Calm up to, bps')}
        {figure('volatility.times', 'Times')}
        {figure('volatility.closesAboveBps', 'Closes above, bps')}
      </Group>
      <Group name="Wider while the mid is old" on={parts.age} onSwitch={onPart('age')}>
        {figure('age.freeSeconds', 'Free for, s')}
        {figure('age.bpsPerSecond', 'bps a second')}
      </Group>
    </>
  );
}

/** Figures that belong together; where they may be left out, a box decides. */
function Group(props: { name: string; on?: boolean; onSwitch?: (on: boolean) => void; children: ReactNode }) {
  const { name, on, onSwitch, children } = props;
  const id = useId();
  return (
    <fieldset className={styles.group}>
      <legend>
        {onSwitch === undefined ? (
          name
        ) : (
          <label htmlFor={id}>
            <input id={id} type="checkbox" checked={on} onChange={(event) => onSwitch(event.target.checked)} /> {name}
          </label>
        )}
      </legend>
      {on !== false && <div className={styles.figures}>{children}</div>}
    </fieldset>
  );
}
