import { type ComponentProps, useId, useState } from 'react';
import type { SetUpChain } from '../../../electron/contract/console/settings.ts';
import {
  CHAIN_LIMITS,
  type ChainLimit,
  LIMITS,
  type Limits,
  TOKEN_LIMITS,
  type TokenLimit,
} from '../../../electron/contract/limits.ts';
import { Button } from '../../components/button.tsx';
import { Empty } from '../../components/empty.tsx';
import fieldStyles from '../../components/field.module.css';
import { Input } from '../../components/field.tsx';
import { Mark } from '../../components/mark.tsx';
import { RefusalNote } from '../../components/note.tsx';
import { Table } from '../../components/table.tsx';
import { useClient, useToasts } from '../../state/console.tsx';
import { readNumber, readWhole } from '../../state/number-form.ts';
import { faultsElsewhere, InputRefused, refusalOf } from '../../state/refusal-of.ts';
import { useCommand } from '../../state/use-command.ts';
import styles from './limits-form.module.css';
import settingsPageStyles from './settings-page.module.css';
import type { SectionProps } from './use-settings.ts';

type Amounts = Record<string, string>;

/** The largest count or age that can be set. */
const MOST = 1_000_000_000;

/**
 * The limits of one chain as a table: one row a token, and one for each that counts no token. `act`: what the button says, which
 * `isTyped` turns off while it is false: then there is nothing to save. `showNow` puts what is in force into it.
 */
export function LimitsForm(props: {
  chain: Pick<SetUpChain, 'limits' | 'tokenIds'>;
  act: string;
  isTyped?: boolean;
  onTyped?: () => void;
  onSave: (limits: Limits) => Promise<unknown>;
  showNow?: () => void;
}) {
  const { chain, act, isTyped = true, onTyped, onSave, showNow } = props;
  const tokens = chain.tokenIds;
  const [amounts, setAmounts] = useState(() => shownAmounts(chain.limits));
  const [figures, setFigures] = useState<Partial<Record<ChainLimit, string>>>({});
  // A figure is judged once it is left: at the 0 of 0.5 all rows below would jump. Not on the way to the button, which would jump too.
  const [typing, setTyping] = useState<string | null>(null);
  const figureOf = (name: ChainLimit) => figures[name] ?? textOf(chain.limits[name]);
  const save = useCommand(async () => {
    const limits: Limits = { ...chain.limits };
    for (const name of TOKEN_LIMITS) limits[name] = given(amounts[name], name);
    for (const name of CHAIN_LIMITS) limits[name] = wholeOf(figureOf(name), name);
    await onSave(limits);
  });
  return (
    <form
      className={styles.limits}
      onChange={onTyped}
      onBlur={(event) => {
        if (!(event.relatedTarget instanceof HTMLButtonElement)) setTyping(null);
      }}
      onSubmit={(event) => {
        event.preventDefault();
        setTyping(null);
        save.run();
      }}
    >
      <Table>
        <thead>
          <tr>
            <th>Token</th>
            {TOKEN_LIMITS.map((name) => (
              <th key={name} className="right">
                {LIMITS[name].head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {tokens.map((token) => (
            <tr key={token}>
              <td>{token}</td>
              {TOKEN_LIMITS.map((name) => {
                const label = `${token}, ${LIMITS[name].label}`;
                const text = amounts[name][token] ?? '';
                return (
                  <td key={name} className="right">
                    <FigureInput
                      label={label}
                      inputMode="decimal"
                      placeholder={LIMITS[name].none}
                      value={text}
                      fault={typing === label ? null : readAmount(text, name).fault}
                      onChange={(typed) => {
                        setTyping(label);
                        setAmounts({ ...amounts, [name]: { ...amounts[name], [token]: typed } });
                      }}
                    />
                  </td>
                );
              })}
            </tr>
          ))}
          {CHAIN_LIMITS.map((name) => (
            <tr key={name}>
              <td>{LIMITS[name].head}</td>
              <td className="right">
                <FigureInput
                  label={LIMITS[name].label}
                  inputMode="numeric"
                  placeholder={LIMITS[name].none}
                  value={figureOf(name)}
                  fault={typing === name ? null : readFigure(figureOf(name), name).fault}
                  onChange={(text) => {
                    setTyping(name);
                    setFigures({ ...figures, [name]: text });
                  }}
                />
              </td>
              <td colSpan={TOKEN_LIMITS.length - 1} />
            </tr>
          ))}
        </tbody>
      </Table>
      {save.refusal !== null && (
        <RefusalNote refusal={save.refusal} elsewhere={faultsElsewhere(save.refusal, [])} showNow={showNow} />
      )}
      <div className={styles.foot}>
        <Button type="submit" look="primary" disabled={!isTyped || save.busy}>
          {act}
        </Button>
      </div>
    </form>
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

/** A limit of nothing is none, which nobody means who types it. */
const ZERO = 'is no limit: empty the field for that, or switch the pair off';

/** As `readNumber`; a limit that stops has no zero. */
function readAmount(typed: string, name: TokenLimit): ReturnType<typeof readNumber> {
  const read = readNumber(typed);
  return read.text !== null && LIMITS[name].isStop && isZero(read.text) ? { text: null, fault: ZERO } : read;
}

/** As `readWhole`, the same. */
function readFigure(typed: string, name: ChainLimit): ReturnType<typeof readWhole> {
  const read = readWhole(typed, 0, MOST);
  return read.value === 0 && LIMITS[name].isStop ? { value: null, fault: ZERO } : read;
}

function isZero(amount: string): boolean {
  return /^[0.]*$/.test(amount);
}

/** No limit is an empty field: 0 reads as if nothing were allowed. */
function shownAmounts(limits: Limits): Record<TokenLimit, Amounts> {
  const shown = (name: TokenLimit) => {
    const all = Object.entries(limits[name] ?? {});
    return [name, Object.fromEntries(LIMITS[name].isStop ? all.filter(([, amount]) => !isZero(amount)) : all)];
  };
  return Object.fromEntries(TOKEN_LIMITS.map(shown)) as Record<TokenLimit, Amounts>;
}

/** What is empty is no limit and is not sent. @throws InputRefused where a figure is none */
function given(amounts: Amounts, name: TokenLimit): Amounts {
  const read = Object.entries(amounts).map(([token, typed]) => ({ token, typed, ...readAmount(typed, name) }));
  const faults = read.flatMap(({ token, typed, fault }) =>
    fault === null ? [] : [{ path: token, message: `${typed} ${fault}` }],
  );
  if (faults.length > 0) throw new InputRefused(faults);
  return Object.fromEntries(read.flatMap(({ token, text }) => (text === null ? [] : [[token, text]])));
}

function textOf(limit = 0): string {
  return limit === 0 ? '' : String(limit);
}

/** Nothing is no limit. @throws InputRefused where it is no whole number */
function wholeOf(typed: string, name: ChainLimit): number {
  const { value, fault } = readFigure(typed, name);
  if (fault !== null) throw new InputRefused([{ path: '', message: `${typed} ${fault}` }]);
  return value ?? 0;
}

/** What the guard allows at most, per chain. */
export function LimitsSection({ settings, onChanged }: SectionProps) {
  if (settings.desk.chains.length === 0) return <Empty title="No chain yet">Limits belong to a chain.</Empty>;
  return settings.desk.chains.map((chain) => <LimitsOf key={chain.chainId} chain={chain} onChanged={onChanged} />);
}

function LimitsOf({ chain, onChanged }: Pick<SectionProps, 'onChanged'> & { chain: SetUpChain }) {
  const client = useClient();
  const toasts = useToasts();
  // What is typed is about the limits that stood there, whatever others set meanwhile: that is told when it is saved.
  const [typedOver, setTypedOver] = useState<Limits | null>(null);
  const limits = typedOver ?? chain.limits;
  const follow = () => setTypedOver(null);
  return (
    <section className={settingsPageStyles.setting} aria-label={`Limits of ${chain.name}`}>
      <header>
        <h3>{chain.name}</h3>
        <span className="quiet">in token units; empty: no limit, and for drift an alarm at any amount</span>
      </header>
      <LimitsForm
        key={JSON.stringify(limits)}
        chain={{ tokenIds: chain.tokenIds, limits }}
        act={`Set the limits of ${chain.name}`}
        isTyped={typedOver !== null}
        onTyped={() => setTypedOver(limits)}
        onSave={async (wanted) => {
          try {
            await client.limits.set({ chainId: chain.chainId, limits: wanted, seen: limits });
          } catch (error) {
            // What a second person is asked for is typed no more: it comes into force by them, or does not.
            if (refusalOf(error).code === 'second_person_asked') follow();
            throw error;
          }
          toasts.show({ level: 'done', title: `Limits of ${chain.name} are in force` });
          follow();
          onChanged();
        }}
        showNow={() => {
          follow();
          onChanged();
        }}
      />
    </section>
  );
}
