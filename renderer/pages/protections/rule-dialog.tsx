import { useState } from 'react';
import {
  COUNTED,
  PROTECTED,
  type Protection,
  type ProtectionRow,
  subjectText,
  thenText,
  unitText,
} from '../../../electron/contract/protections.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Dialog, DialogActions } from '../../components/dialog.tsx';
import { Field, SelectField } from '../../components/field.tsx';
import { plural } from '../../components/figures/counts.ts';
import { RefusalNote } from '../../components/note.tsx';
import { Stack } from '../../components/stack.tsx';
import { useDesk } from '../../state/console.tsx';
import { readNumber, readWhole } from '../../state/number-form.ts';
import { faultOf, faultsElsewhere, InputRefused } from '../../state/refusal-of.ts';
import { useCommand } from '../../state/use-command.ts';
import { RuleTrial } from './rule-trial.tsx';
import { amountWords, windowWords } from './rule-words.ts';

const MOST_WINDOW = 86_400;
const MOST_FREEZE = 30 * 86_400;
const USUAL_WARNING = 80;
const FIELDS = ['name', 'limit', 'warnPercent', 'windowSeconds', 'freezeSeconds'] as const;
const FOR = {
  pair: 'each pair',
  user: 'each user',
  counterparty: 'each counterparty',
  desk: 'the whole desk',
} as const;
const COUNTS = {
  signed: 'what the desk signs',
  filled: 'what is filled of it, as the chain says',
  lost: 'what its fills lost, edge and markouts',
} as const;
const EVERYWHERE = '';
/** The chains of a rule that has several: others are chosen one by one in the desk file. */
const SEVERAL = 'several';
/** The number of quotes or fills. */
const NUMBER = '';
const DOLLARS = '$';
/** Before the name of a token: what of it is bought and sold, or its net. */
const ALL = '=';
const NET = '±';

/** A rule, with what is known of its use where it is in force. */
export type EditedRule = Pick<ProtectionRow, 'rule'> & Partial<ProtectionRow>;

interface DialogProps {
  rows: readonly EditedRule[];
  onClose: () => void;
  /** Takes all rules anew, where those that were seen still hold. */
  onSave: (rules: Protection[], seen: Protection[]) => Promise<unknown>;
}

/** What the dialog says where a rule comes into force, and where it is tried over the past alone. */
const SAID = {
  live: { add: 'Add a rule', keep: 'Add none', act: 'Add rule', change: 'Change rule', remove: 'Remove this rule…' },
  trial: { add: 'Try another rule', keep: 'Try none', act: 'Try rule', change: 'Try it', remove: 'Leave it out' },
} as const;

/** The rules as they were in view when a dialog was opened: whoever saves has not seen what others set while it was open. */
function useSeenRules(rows: readonly EditedRule[], row: EditedRule | null): Protection[] {
  const [seen] = useState(() => rows.map(({ rule }) => (rule.name === row?.rule.name ? row.rule : rule)));
  return seen;
}

/** A new rule, or another form of one that is there: what it does is said before it is in force. `isTrial`: it comes into force nowhere. */
export function RuleDialog(props: DialogProps & { row: EditedRule | null; isTrial?: boolean; onRemove?: () => void }) {
  const { rows, row, isTrial = false, onRemove, onClose, onSave } = props;
  const said = SAID[isTrial ? 'trial' : 'live'];
  const chains = useDesk((view) => view.chains);
  const tokens = useDesk((view) => view.exposure);
  const seen = useSeenRules(rows, row);
  const of = row?.rule.chains ?? [];
  const nameOf = (id: number) => chains.find(({ chainId }) => chainId === id)?.name ?? `chain ${id}`;
  const several = of.length > 1 ? of.map(nameOf) : undefined;
  const [typed, setTyped] = useState(() => typedOf(row?.rule));
  const read = ruleOf(typed);
  const save = useCommand(async () => {
    if ('faults' in read) throw new InputRefused(read.faults);
    const others = seen.filter(({ name }) => name !== row?.rule.name);
    if (row === null && others.some(({ name }) => name === read.rule.name)) {
      throw new InputRefused([{ path: 'name', message: 'is the name of another rule' }]);
    }
    const protections =
      row === null ? [...seen, read.rule] : seen.map((one) => (one.name === row.rule.name ? read.rule : one));
    await onSave(protections, seen);
    onClose();
  });
  const field = (name: (typeof FIELDS)[number]) => ({
    value: typed[name],
    fault: faultOf(save.refusal, name),
    onChange: (event: { target: { value: string } }) => setTyped({ ...typed, [name]: event.target.value }),
  });
  const number = unitText({ counts: typed.counts }, '2');
  const listed = tokens.filter(({ unlisted }) => unlisted === undefined).map(({ tokenId }) => tokenId);
  const tokenNames = typed.counts === 'lost' ? [] : [...new Set(listed)].sort();
  return (
    <Dialog
      title={row === null ? said.add : `${isTrial ? 'Try another' : 'Change'} ${row.rule.name}`}
      needs={isTrial ? 'look' : 'settings'}
      onClose={onClose}
      width="wide"
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          save.run();
        }}
      >
        <Stack>
          <Field
            label="Name"
            hint="letters, digits, dots, dashes; its name in the journal"
            disabled={row !== null}
            {...field('name')}
          />
          <SelectField
            label="Counts"
            value={typed.counts}
            options={COUNTED.map((value) => ({ value, text: COUNTS[value] }))}
            onChange={(counts) => setTyped({ ...typed, counts, of: counts === 'lost' ? DOLLARS : typed.of })}
          />
          <SelectField
            label="For"
            value={typed.per}
            options={PROTECTED.map((value) => ({ value, text: FOR[value] }))}
            onChange={(per) => setTyped({ ...typed, per })}
          />
          <SelectField
            label="Of"
            value={typed.of}
            options={[
              { value: DOLLARS, text: 'US dollars, at the reference' },
              ...(typed.counts === 'lost' ? [] : [{ value: NUMBER, text: `${number}, how many` }]),
              ...tokenNames.map((value) => ({ value: `${ALL}${value}`, text: `${value}, bought and sold` })),
              ...tokenNames.map((value) => ({
                value: `${NET}${value}`,
                text:
                  typed.counts === 'filled' ? `${value}, bought less sold` : `${value}, the larger of bought and sold`,
              })),
            ]}
            onChange={(of) => setTyped({ ...typed, of })}
          />
          <Field
            label={`${typed.counts === 'signed' ? 'At most' : 'Trips at'}, ${typed.of === NUMBER ? number : typed.of === DOLLARS ? 'USD' : typed.of.slice(1)}`}
            inputMode="decimal"
            {...field('limit')}
          />
          <Field
            label="Warn from, % of that"
            inputMode="numeric"
            hint="an alert, and nothing else; empty: never"
            {...field('warnPercent')}
          />
          <Field label="In any, s" inputMode="numeric" hint="10 to 86,400" {...field('windowSeconds')} />
          <Field
            label="Then freezes for, s"
            inputMode="numeric"
            hint={typed.per === 'desk' ? '0 halts the desk until a person resets it' : '0: until a person resets it'}
            {...field('freezeSeconds')}
          />
          {chains.length > 1 && (
            <SelectField
              label="On"
              value={typed.chain}
              options={[
                { value: EVERYWHERE, text: 'every chain, as one sum' },
                ...(several === undefined ? [] : [{ value: SEVERAL, text: `${several.join(' and ')}, as one sum` }]),
                ...chains.map(({ chainId, name }) => ({ value: `${chainId}`, text: name })),
              ]}
              onChange={(chain) => setTyped({ ...typed, chain })}
            />
          )}
          {'rule' in read && !isTrial && <Consequence rule={read.rule} row={row} />}
          {'rule' in read && !isTrial && <RuleTrial rule={read.rule} />}
          {isTrial && <p>It is counted over the chosen time alone. What holds now stays as it is.</p>}
          {save.refusal !== null && (
            <RefusalNote refusal={save.refusal} elsewhere={faultsElsewhere(save.refusal, FIELDS)} showNow={onClose} />
          )}
        </Stack>
        <DialogActions>
          {onRemove !== undefined && row !== null && (
            <Button size="large" look="quiet" onClick={onRemove}>
              {said.remove}
            </Button>
          )}
          <Button size="large" onClick={onClose}>
            {row === null ? said.keep : 'Keep it as it is'}
          </Button>
          <Button type="submit" look="primary" size="large" disabled={save.busy}>
            {row === null ? said.act : said.change}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

/** What the rule does from then on. */
function Consequence({ rule, row }: { rule: Protection; row: EditedRule | null }) {
  return (
    <p>
      {rule.counts === 'signed'
        ? `No more than ${rule.limit} ${windowWords(rule)}. The quote that would pass that is refused, and ${thenText(rule)}.`
        : `Once it is ${rule.limit} ${windowWords(rule)}, that ${thenText(rule)}. What is signed by then can still be filled.`}{' '}
      What was {rule.counts} in its window before counts from the start.
      {row?.now != null &&
        row.decimals !== undefined &&
        ` Worst now: ${amountWords({ rule, decimals: row.decimals }, row.now.used)}.`}
      {(row?.standing ?? []).length > 0 && ' What is frozen stays so until its time is over or it is reset.'}
    </p>
  );
}

/** Takes a rule away. */
export function RemoveRule({ rows, row, onClose, onSave }: DialogProps & { row: EditedRule }) {
  const { rule, standing = [] } = row;
  const seen = useSeenRules(rows, row);
  return (
    <ConfirmDialog
      needs="settings"
      title={`Remove ${rule.name}?`}
      keep="Keep it"
      act="Remove"
      onClose={onClose}
      send={async () => {
        await onSave(
          seen.filter(({ name }) => name !== rule.name),
          seen,
        );
      }}
    >
      From now on only other rules and limits hold back what is {windowWords(rule)}.
      {standing.length > 0 &&
        ` ${plural(standing.length, 'trip')} of it ${standing.length === 1 ? 'ends' : 'end'}: ${standing
          .slice(0, 3)
          .map((trip) => subjectText(rule, trip))
          .join(', ')}${standing.length > 3 ? '…' : ''} is signed for again.`}
    </ConfirmDialog>
  );
}

function typedOf(rule: Protection | undefined) {
  return {
    name: rule?.name ?? '',
    counts: rule?.counts ?? ('signed' as Protection['counts']),
    per: rule?.per ?? ('user' as Protection['per']),
    of:
      rule?.usd !== undefined
        ? DOLLARS
        : rule?.token === undefined
          ? NUMBER
          : `${rule.net === undefined ? ALL : NET}${rule.token}`,
    limit: rule?.limit ?? '',
    warnPercent: rule === undefined ? `${USUAL_WARNING}` : `${rule.warnPercent ?? ''}`,
    windowSeconds: `${rule?.windowSeconds ?? 60}`,
    freezeSeconds: `${rule?.freezeSeconds ?? 600}`,
    chain: rule?.chains === undefined ? EVERYWHERE : rule.chains.length > 1 ? SEVERAL : `${rule.chains[0]}`,
    chains: rule?.chains,
  };
}

/** The rule that was typed, or what is wrong with it. */
function ruleOf(
  typed: ReturnType<typeof typedOf>,
): { rule: Protection } | { faults: { path: string; message: string }[] } {
  const limit = readNumber(typed.limit);
  const warn = readWhole(typed.warnPercent, 1, 99);
  const window = readWhole(typed.windowSeconds, 10, MOST_WINDOW);
  const freeze = readWhole(typed.freezeSeconds, 0, MOST_FREEZE);
  const faults = [
    { path: 'name', message: typed.name.trim() === '' ? 'is missing' : null },
    { path: 'limit', message: limit.fault ?? (limit.text === null ? 'is missing' : null) },
    { path: 'warnPercent', message: warn.fault },
    { path: 'windowSeconds', message: window.fault ?? (window.value === null ? 'is missing' : null) },
    { path: 'freezeSeconds', message: freeze.fault ?? (freeze.value === null ? 'is missing' : null) },
  ].flatMap(({ path, message }) => (message === null ? [] : [{ path, message }]));
  if (limit.text === null || window.value === null || freeze.value === null || faults.length > 0) return { faults };
  const chains =
    typed.chain === SEVERAL ? typed.chains : typed.chain === EVERYWHERE ? undefined : [Number(typed.chain)];
  return {
    rule: {
      name: typed.name.trim(),
      counts: typed.counts,
      per: typed.per,
      ...(chains !== undefined && { chains }),
      ...(typed.of === DOLLARS && { usd: true }),
      ...((typed.of.startsWith(ALL) || typed.of.startsWith(NET)) && { token: typed.of.slice(1) }),
      ...(typed.of.startsWith(NET) && { net: true }),
      windowSeconds: window.value,
      limit: limit.text,
      ...(warn.value !== null && { warnPercent: warn.value }),
      freezeSeconds: freeze.value,
    },
  };
}
