import { type ComponentProps, useId, useState } from 'react';
import type { SetUpChain } from '../../../electron/contract/console/settings.ts';
import type { Limits } from '../../../electron/contract/desk-file.ts';
import { readNumber, readWhole } from '../../../electron/contract/typed-number.ts';
import { Button } from '../../components/button.tsx';
import { Empty } from '../../components/empty.tsx';
import fieldStyles from '../../components/field.module.css';
import { Input } from '../../components/field.tsx';
import { Mark } from '../../components/mark.tsx';
import { RefusalNote } from '../../components/note.tsx';
import { Table } from '../../components/table.tsx';
import { useClient } from '../../state/console.tsx';
import { faultsElsewhere, InputRefused } from '../../state/refusal-of.ts';
import { useToasts } from '../../state/toasts.ts';
import { useCommand } from '../../state/use-command.ts';
import styles from './limits-form.module.css';
import settingsPageStyles from './settings-page.module.css';
import type { SectionProps } from './use-settings.ts';

type Amounts = Record<string, string>;

/** The largest count or age that can be set. */
const MOST = 1_000_000_000;

/** The limits of one chain as a table: one row a token, and the two that count no token. */
export function LimitsForm({ chain, onSaved }: { chain: SetUpChain; onSaved: () => void }) {
  const client = useClient();
  const toasts = useToasts();
  const tokens = chain.tokenIds;
  const [maxQuote, setMaxQuote] = useState<Amounts>(chain.limits.maxQuote);
  const [maxOutstanding, setMaxOutstanding] = useState<Amounts>(chain.limits.maxOutstanding);
  const [driftPerDay, setDriftPerDay] = useState<Amounts>(chain.limits.driftPerDay ?? {});
  const [rate, setRate] = useState(textOf(chain.limits.quotesPerUserPerMinute));
  const [age, setAge] = useState(textOf(chain.limits.ladderMaxAgeSeconds));
  const save = useCommand(async () => {
    const limits: Limits = {
      maxQuote: given(maxQuote),
      maxOutstanding: given(maxOutstanding),
      quotesPerUserPerMinute: wholeOf(rate),
      ladderMaxAgeSeconds: wholeOf(age),
      driftPerDay: given(driftPerDay),
    };
    await client.limits.set({ chainId: chain.chainId, limits, seen: chain.limits });
    toasts.show({ level: 'done', title: `Limits of ${chain.name} are in force` });
    onSaved();
  });
  return (
    <form
      className={styles.limits}
      onSubmit={(event) => {
        event.preventDefault();
        save.run();
      }}
    >
      <Table>
        <thead>
          <tr>
            <th>Token</th>
            <th className="right">At most in one quote</th>
            <th className="right">At most signed and live</th>
            <th className="right">May drift in a day</th>
          </tr>
        </thead>
        <tbody>
          {tokens.map((token) => (
            <tr key={token}>
              <td>{token}</td>
              <Amount label={`${token}, at most in one quote`} all={maxQuote} token={token} onChange={setMaxQuote} />
              <Amount
                label={`${token}, at most signed and live`}
                all={maxOutstanding}
                token={token}
                onChange={setMaxOutstanding}
              />
              <Amount
                label={`${token}, may drift in a day`}
                none="nothing"
                all={driftPerDay}
                token={token}
                onChange={setDriftPerDay}
              />
            </tr>
          ))}
          <tr>
            <td>Quotes per user and minute</td>
            <td className="right">
              <FigureInput
                label="Quotes per user and minute"
                inputMode="numeric"
                placeholder="no limit"
                value={rate}
                fault={readWhole(rate, 0, MOST).fault}
                onChange={setRate}
              />
            </td>
            <td colSpan={2} />
          </tr>
          <tr>
            <td>A ladder closes when older than, s</td>
            <td className="right">
              <FigureInput
                label="A ladder closes when older than, seconds"
                inputMode="numeric"
                placeholder="never"
                value={age}
                fault={readWhole(age, 0, MOST).fault}
                onChange={setAge}
              />
            </td>
            <td colSpan={2} />
          </tr>
        </tbody>
      </Table>
      {save.refusal !== null && <RefusalNote refusal={save.refusal} elsewhere={faultsElsewhere(save.refusal, [])} />}
      <div className={styles.foot}>
        <Button type="submit" look="primary" disabled={save.busy}>
          Set the limits of {chain.name}
        </Button>
      </div>
    </form>
  );
}

function Amount(props: {
  label: string;
  /** What an empty field means. */
  none?: string;
  all: Amounts;
  token: string;
  onChange: (all: Amounts) => void;
}) {
  const value = props.all[props.token] ?? '';
  return (
    <td className="right">
      <FigureInput
        label={props.label}
        inputMode="decimal"
        placeholder={props.none ?? 'no limit'}
        value={value}
        fault={readNumber(value).fault}
        onChange={(text) => props.onChange({ ...props.all, [props.token]: text })}
      />
    </td>
  );
}

/** A figure in a table, named by its row and column, with what is wrong with it right below. */
function FigureInput(
  props: Pick<ComponentProps<'input'>, 'inputMode' | 'placeholder' | 'value'> & {
    label: string;
    fault: string | null;
    onChange: (text: string) => void;
  },
) {
  const { label, fault, onChange, ...input } = props;
  const id = useId();
  return (
    <div className={fieldStyles.field}>
      <Input
        className="right"
        aria-label={label}
        aria-invalid={fault === null ? undefined : true}
        aria-describedby={fault === null ? undefined : id}
        {...input}
        onChange={(event) => onChange(event.target.value)}
      />
      {fault !== null && (
        <span id={id} className={`${fieldStyles.fault} with-mark`} role="alert">
          <Mark shape="refused" />
          {fault}
        </span>
      )}
    </div>
  );
}

/** What is empty is no limit and is not sent. @throws InputRefused where a figure is none */
function given(amounts: Amounts): Amounts {
  const read = Object.entries(amounts).map(([token, typed]) => ({ token, ...readNumber(typed) }));
  const faults = read.flatMap(({ token, fault }) => (fault === null ? [] : [{ path: token, message: fault }]));
  if (faults.length > 0) throw new InputRefused(faults);
  return Object.fromEntries(read.flatMap(({ token, text }) => (text === null ? [] : [[token, text]])));
}

/** No limit is an empty field: 0 reads as if nothing were allowed. */
function textOf(limit: number): string {
  return limit === 0 ? '' : String(limit);
}

/** Nothing is no limit. @throws InputRefused where it is no whole number */
function wholeOf(typed: string): number {
  const { value, fault } = readWhole(typed, 0, MOST);
  if (fault !== null) throw new InputRefused([{ path: '', message: `${typed} ${fault}` }]);
  return value ?? 0;
}

/** What the guard allows at most, per chain. Empty or 0 is no limit. */
export function LimitsSection({ settings, onChanged }: SectionProps) {
  if (settings.desk.chains.length === 0) return <Empty title="No chain yet">Limits belong to a chain.</Empty>;
  return settings.desk.chains.map((chain) => (
    <section key={chain.chainId} className={settingsPageStyles.setting} aria-label={`Limits of ${chain.name}`}>
      <header>
        <h3>{chain.name}</h3>
        <span className="quiet">in token units; empty is no limit</span>
      </header>
      <LimitsForm key={JSON.stringify(chain.limits)} chain={chain} onSaved={onChanged} />
    </section>
  ));
}
