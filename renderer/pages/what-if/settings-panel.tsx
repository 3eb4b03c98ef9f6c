import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { type Protection, protectionsSchema, type Tried } from '../../../electron/contract/protections.ts';
import { whatIfSettingsSchema } from '../../../electron/contract/what-if.ts';
import { Button, TextButton } from '../../components/button.tsx';
import { Chip } from '../../components/chip.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { ReadState } from '../../components/empty.tsx';
import { FilterSelect, Input, SelectField } from '../../components/field.tsx';
import { plural } from '../../components/figures/counts.ts';
import { exactText } from '../../components/figures/prices.ts';
import { FileButton } from '../../components/file-button.tsx';
import { RefusalNote } from '../../components/note.tsx';
import { Panel } from '../../components/panel.tsx';
import { Scroll } from '../../components/scroll.tsx';
import { useConsole, useDesk } from '../../state/console.tsx';
import { jsonOf } from '../../state/json-of.ts';
import { faultsElsewhere, InputRefused } from '../../state/refusal-of.ts';
import { saveText } from '../../state/save-text.ts';
import { useCommand } from '../../state/use-command.ts';
import { RuleDialog } from '../protections/rule-dialog.tsx';
import { windowWords } from '../protections/rule-words.ts';
import { LimitsForm } from '../settings/limits-form.tsx';
import { useSettings } from '../settings/use-settings.ts';
import { FormulaDialog } from './formula-dialog.tsx';
import styles from './settings-panel.module.css';
import {
  AS_THEY_WERE,
  changesIn,
  formulasIn,
  NO_CHANGE,
  PRICE_FIELDS,
  type PriceField,
  type PriceScope,
  priceFault,
  priceWords,
  scopeKey,
  settingsOf,
  type TypedSettings,
  triedFormula,
  typedOf,
  typedPriceOf,
  withFormula,
  withPrice,
} from './typed-settings.ts';

interface SettingsProps {
  settings: TypedSettings;
  /** What the protections would have done by the last result; null without one. */
  tried: Tried | null;
  onChange: (settings: TypedSettings) => void;
}

/** What would have been set otherwise, and what can and cannot be known of it. */
export function SettingsPanel({ settings, tried, onChange }: SettingsProps) {
  const changed = changesIn(settings);
  const { toasts } = useConsole();
  const load = useCommand(async ({ name, text }: { name: string; text: string }) => {
    onChange(typedOf(readFile(text)));
    toasts.show({ level: 'done', title: 'Read the settings', detail: name });
  });
  const made = settingsOf(settings);
  return (
    <Panel
      name="Settings"
      aside={changed > 0 && <Chip tone="draft">{changed} changed</Chip>}
      actions={
        <Button look="quiet" disabled={changed === 0} onClick={() => onChange(AS_THEY_WERE)}>
          As they were
        </Button>
      }
      footer={
        <>
          <FileButton label="Load…" isSmall accept=".json,application/json" onChoose={(file) => load.run(file)} />
          <Button
            disabled={made === null || changed === 0}
            title="As what-if --settings reads them"
            onClick={() => void saveText('settings.json', 'application/json', `${JSON.stringify(made, null, 2)}\n`)}
          >
            Save as file
          </Button>
        </>
      }
    >
      <Scroll>
        {load.refusal !== null && <RefusalNote refusal={load.refusal} elsewhere={faultsElsewhere(load.refusal, [])} />}
        <Prices settings={settings} onChange={onChange} />
        <FormulasPart settings={settings} onChange={onChange} />
        <LimitsPart settings={settings} onChange={onChange} />
        <ProtectionsPart settings={settings} tried={tried} onChange={onChange} />
      </Scroll>
      <div className={styles.unknown}>
        <p>
          <b>What cannot be known</b> Whether takers would have taken another price. So dollars are a band: low if they
          had done what costs us most, high if what gains us most.
        </p>
        <p>
          <b>What is exact</b> Each new price and refusal: decided again from the journal, with the ladders, balances
          and stops of its moment.
        </p>
      </div>
    </Panel>
  );
}

/** @throws InputRefused where it is no settings file */
function readFile(text: string) {
  const read = whatIfSettingsSchema.safeParse(jsonOf(text));
  if (read.success) return read.data;
  const faults = read.error.issues.map(({ path, message }) => ({ path: path.join('.'), message }));
  throw new InputRefused(faults.slice(0, 5));
}

type PartProps = Omit<SettingsProps, 'tried'>;

/** Ladders as they were published, made wider, moved, or larger: of all pairs, or of one. */
function Prices({ settings, onChange }: PartProps) {
  const listed = useDesk((view) => view.listed);
  const chains = useDesk((view) => view.chains);
  const [scope, setScope] = useState<PriceScope>(null);
  const chainName = (chainId: number) => chains.find((one) => one.chainId === chainId)?.name ?? `chain ${chainId}`;
  const nameOf = (one: PriceScope) =>
    one === null ? 'All pairs' : chains.length > 1 ? `${one.pair}, ${chainName(one.chainId)}` : one.pair;
  const typed = typedPriceOf(settings, scope);
  const others = [...settings.prices.values()].filter((one) => scopeKey(one.scope) !== scopeKey(scope));
  return (
    <>
      <div className={styles.scope}>
        <SelectField
          label="Pairs"
          value={scopeKey(scope)}
          options={[
            { value: '', text: 'All pairs' },
            ...listed.map(({ chainId, pair }) => ({
              value: scopeKey({ chainId, pair }),
              text: nameOf({ chainId, pair }),
            })),
          ]}
          onChange={(key) => setScope(listed.find((one) => scopeKey(one) === key) ?? null)}
        />
      </div>
      <div className={styles.part}>
        <h3>Price</h3>
        {PRICE_FIELDS.map((field) => (
          <PriceLine
            key={field.kind}
            field={field}
            value={typed[field.kind]}
            onChange={(text) => onChange(withPrice(settings, scope, { ...typed, [field.kind]: text }))}
          />
        ))}
        {others.map((one) => (
          <div key={scopeKey(one.scope)} className={styles.row}>
            <span>{nameOf(one.scope)}</span>
            <span className={styles.words}>{priceWords(one.typed)}</span>
            {one.scope === null || listed.some((pair) => scopeKey(pair) === scopeKey(one.scope)) ? (
              <TextButton onClick={() => setScope(one.scope)} aria-label={`Change ${nameOf(one.scope)}`}>
                Change
              </TextButton>
            ) : (
              <TextButton onClick={() => onChange(withPrice(settings, one.scope, NO_CHANGE))}>Leave it out</TextButton>
            )}
          </div>
        ))}
        {settings.more.length > 0 && (
          <div className={styles.row}>
            <span className={styles.words}>{plural(settings.more.length, 'change')} of a file</span>
            <TextButton onClick={() => onChange({ ...settings, more: [] })}>Leave them out</TextButton>
          </div>
        )}
      </div>
    </>
  );
}

function PriceLine(props: { field: (typeof PRICE_FIELDS)[number]; value: string; onChange: (text: string) => void }) {
  const { field, value, onChange } = props;
  const id = useId();
  const fault = priceFault(field.kind satisfies PriceField, value);
  return (
    <>
      <div className={styles.line} data-changed={value.trim() === '' ? undefined : ''}>
        <label htmlFor={id}>{field.label}</label>
        <Input
          id={id}
          inputMode="decimal"
          placeholder="as it was"
          autoComplete="off"
          value={value}
          aria-invalid={fault === null ? undefined : true}
          aria-describedby={fault === null ? undefined : `${id}-said`}
          onChange={(event) => onChange(event.target.value)}
        />
        <small>{field.unit}</small>
      </div>
      {fault !== null && (
        <p id={`${id}-said`} className={styles.fault} role="alert">
          {fault}
        </p>
      )}
    </>
  );
}

/** What would have priced single pairs in place of what did. */
function FormulasPart({ settings, onChange }: PartProps) {
  const { queries } = useConsole();
  const listed = useDesk((view) => view.listed);
  const rows = useDesk((view) => view.pairs);
  const chains = useDesk((view) => view.chains);
  const [editing, setEditing] = useState<string | null>(null);
  const inForce = useQuery(queries.formulas.list.queryOptions({ input: {} }));
  const nameOf = ({ chainId, pair }: { chainId: number; pair: string }) => {
    const chain = chains.find((one) => one.chainId === chainId)?.name ?? `chain ${chainId}`;
    return chains.length > 1 ? `${pair}, ${chain}` : pair;
  };
  const tried = formulasIn(settings);
  const others = listed.filter(({ chainId, pair }) => triedFormula(settings, chainId, pair) === null);
  const edited = listed.find((one) => scopeKey(one) === editing);
  const live = edited && rows.find((row) => scopeKey(row) === editing);
  const own = inForce.data?.find((row) => scopeKey(row) === editing)?.formula ?? null;
  return (
    <div className={styles.part}>
      <h3>Formulas</h3>
      {tried.map((one) => (
        <div key={scopeKey(one)} className={styles.row}>
          <span>{nameOf(one)}</span>
          <span className={styles.words}>{exactText(one.formula.spreadBps)} bps</span>
          {listed.some((pair) => scopeKey(pair) === scopeKey(one)) ? (
            <TextButton onClick={() => setEditing(scopeKey(one))} aria-label={`Change the formula of ${nameOf(one)}…`}>
              Change…
            </TextButton>
          ) : (
            <TextButton onClick={() => onChange(withFormula(settings, one, undefined))}>Leave it out</TextButton>
          )}
        </div>
      ))}
      {inForce.data === undefined ? (
        <ReadState
          read={inForce}
          rows={1}
          unknown="Today’s formulas are not known here; Price again does not need them"
        />
      ) : (
        <div className={styles.row}>
          <span className="quiet">{tried.length === 0 ? 'as they were' : 'others as they were'}</span>
          {others.length > 0 && (
            <FilterSelect
              label="Formula of"
              any="a pair…"
              value=""
              options={others.map((pair) => ({ value: scopeKey(pair), text: nameOf(pair) }))}
              onChange={(key) => setEditing(key === '' ? null : key)}
            />
          )}
        </div>
      )}
      {edited !== undefined && live !== undefined && (
        <FormulaDialog
          key={editing}
          pair={edited}
          live={live}
          formula={triedFormula(settings, edited.chainId, edited.pair) ?? own}
          isTried={triedFormula(settings, edited.chainId, edited.pair) !== null}
          onSave={(formula) => {
            onChange(withFormula(settings, edited, formula));
            setEditing(null);
          }}
          onClose={() => setEditing(null)}
        />
      )}
    </div>
  );
}

/** The limits of a chain in place of those that were in force. */
function LimitsPart({ settings, onChange }: PartProps) {
  const read = useSettings();
  const [editing, setEditing] = useState<number | null>(null);
  const chains = read.data?.desk.chains ?? [];
  const edited = chains.find(({ chainId }) => chainId === editing);
  return (
    <div className={styles.part}>
      <h3>Limits</h3>
      {read.data === undefined && (
        <ReadState read={read} rows={2} unknown="Today’s limits are not known here; Price again does not need them" />
      )}
      {read.data !== undefined && chains.length === 0 && (
        <p className={`quiet ${styles.row}`}>no chain yet, and so no limit</p>
      )}
      {chains.map(({ chainId, name }) => {
        const isChanged = settings.limits[chainId] !== undefined;
        return (
          <div key={chainId} className={styles.row}>
            <span>{name}</span>
            <span className={isChanged ? styles.words : 'quiet'}>{isChanged ? 'others' : 'as they were'}</span>
            <TextButton onClick={() => setEditing(chainId)} aria-label={`Change limits of ${name}…`}>
              Change…
            </TextButton>
          </div>
        );
      })}
      {edited !== undefined && (
        <Dialog title={`Other limits of ${edited.name}`} width="widest" onClose={() => setEditing(null)}>
          <LimitsForm
            chain={{ tokenIds: edited.tokenIds, limits: settings.limits[edited.chainId] ?? edited.limits }}
            act="Try these"
            onSave={async (limits) => {
              onChange({ ...settings, limits: { ...settings.limits, [edited.chainId]: limits } });
              setEditing(null);
            }}
          />
        </Dialog>
      )}
    </div>
  );
}

/** Tomorrow's protections in place of those of then. */
function ProtectionsPart({ settings, tried, onChange }: SettingsProps) {
  const { queries } = useConsole();
  const inForce = useQuery(queries.protections.list.queryOptions());
  const [editing, setEditing] = useState<{ rule: Protection | null } | null>(null);
  const rules = settings.protections ?? inForce.data?.map(({ rule }) => rule) ?? [];
  const save = async (protections: Protection[]) => {
    const read = protectionsSchema.safeParse(protections);
    if (read.success) onChange({ ...settings, protections: read.data });
    else
      throw new InputRefused(
        read.error.issues.map(({ path, message }) => ({ path: String(path.at(-1) ?? ''), message })),
      );
  };
  const isChanged = settings.protections !== undefined;
  const tripsOf = (name: string) => tried?.rules.find(({ rule }) => rule.name === name)?.trips;
  return (
    <div className={styles.part}>
      <h3>Protections</h3>
      <div className={styles.row}>
        <span className={isChanged ? styles.words : 'quiet'}>
          {isChanged ? `${plural(rules.length, 'rule')} instead` : 'as they were'}
        </span>
        {isChanged ? (
          <TextButton onClick={() => onChange({ ...settings, protections: undefined })}>As they were</TextButton>
        ) : (
          inForce.data !== undefined && <TextButton onClick={() => void save(rules)}>Try today’s rules</TextButton>
        )}
      </div>
      {isChanged &&
        rules.map((rule) => (
          <div key={rule.name} className={styles.row}>
            <span title={windowWords(rule)}>
              {rule.name} <span className="quiet">{rule.limit}</span>
            </span>
            {tripsOf(rule.name) !== undefined && (
              <span className={styles.words}>{plural(tripsOf(rule.name) ?? 0, 'trip')}</span>
            )}
            <TextButton onClick={() => setEditing({ rule })} aria-label={`Change ${rule.name}…`}>
              Change…
            </TextButton>
          </div>
        ))}
      {isChanged || inForce.data !== undefined ? (
        <div className={styles.row}>
          <TextButton onClick={() => setEditing({ rule: null })}>Try another rule…</TextButton>
        </div>
      ) : (
        <ReadState read={inForce} rows={1} unknown="Today’s rules are not known here; Price again does not need them" />
      )}
      {editing !== null && (
        <RuleDialog
          isTrial
          rows={rules.map((rule) => ({ rule }))}
          row={editing.rule === null ? null : { rule: editing.rule }}
          onRemove={() => {
            setEditing(null);
            void save(rules.filter(({ name }) => name !== editing.rule?.name));
          }}
          onClose={() => setEditing(null)}
          onSave={save}
        />
      )}
    </div>
  );
}
