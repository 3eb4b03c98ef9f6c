import { useRef, useState } from 'react';
import { CHAIN_SETTINGS } from '../../../electron/contract/chain-settings.ts';
import type { SetUpChain } from '../../../electron/contract/console/settings.ts';
import type { ChainConfig } from '../../../electron/contract/desk-file.ts';
import { isSealed } from '../../../electron/contract/sealed-url.ts';
import { Button } from '../../components/button.tsx';
import { CheckList } from '../../components/check-list.tsx';
import { Field, SelectField } from '../../components/field.tsx';
import { plural } from '../../components/figures/counts.ts';
import { JARGON } from '../../components/jargon.ts';
import { InSight, Note, RefusalNote } from '../../components/note.tsx';
import { useClient, useToasts } from '../../state/console.tsx';
import { readWhole } from '../../state/number-form.ts';
import { type CommandRefusal, faultOf, faultsElsewhere, InputRefused } from '../../state/refusal-of.ts';
import { useCommand } from '../../state/use-command.ts';
import { useTriedNode } from '../../state/use-tried-node.ts';
import { ChainHaltedOnly, useChainHalted } from './halted-only.tsx';
import styles from './settings-page.module.css';

/** What of a chain is edited as text, in the order of the form. */
const CHAIN_FIELDS = [
  { field: 'name', hint: 'its name on the screen' },
  { field: 'rpcUrl', hint: 'http, https, ws or wss' },
  {
    field: 'spareRpcUrls',

    hint: 'up to four, with commas between them; asked in this order while the node fails; may be empty',
  },
  {
    field: 'secondRpcUrl',

    hint: 'may be empty; with one, only what both nodes say is believed',
  },
  { field: 'rfqContract', hint: 'orders are signed for it' },
  { field: 'domainName', hint: 'of the EIP-712 domain' },
  { field: 'maker', hint: 'holds the funds' },
  { field: 'signer', hint: 'whose signature binds the maker' },
  { field: 'basePath', hint: 'of the surface, such as /1' },
  { field: 'serviceUrl', hint: 'for looking up orders; may be empty' },
  { field: 'referenceUrl', hint: 'prices to compare with; may be empty' },
  { field: 'partner', hint: 'as registered; empty: the usual fee' },
  { field: 'router', hint: 'may be given tokens for swaps; empty: the network’s' },
  { field: 'intentContract', hint: 'may be given tokens for orders; empty: the network’s' },
  { field: 'permit2', hint: 'empty: the network’s' },
  { field: 'quoteLifetimeSeconds', hint: '125 to 3,600' },
  { field: 'overfillBps', hint: 'how far a request may go over the depth' },
  { field: 'feedMaxAgeSeconds', hint: 'on the WebSocket; 0: never' },
  { field: 'balanceMaxAgeSeconds', hint: 'the whole chain' },
  { field: 'headAheadMaxSeconds', hint: 'of this clock; the whole chain' },
  { field: 'headMaxAgeSeconds', hint: 'the whole chain' },
  { field: 'referenceMaxAgeSeconds', hint: 'its pair' },
  {
    field: 'referenceCoolDownSeconds',

    hint: '0: at once',
  },
  { field: 'pricesMaxAgeSeconds', hint: 'the pair of an engine' },
  { field: 'referenceMinuteBps', hint: '0: any move' },
  { field: 'referenceHourBps', hint: '0: any move' },
  {
    field: 'referenceAnchorBps',

    hint: 'the ladder published last; 0: any',
  },
  {
    field: 'offReferenceBps',

    hint: '0: the pair’s own spread',
  },
  { field: 'fenceSoftBps', hint: '0: never' },
  {
    field: 'fenceHardBps',

    hint: 'or without a reference; 0: never',
  },
  { field: 'hedgeFeeMultiple', hint: '1: never raised' },
  { field: 'hedgeMostGwei', hint: 'above it hedges wait, and nothing is approved' },
  { field: 'retireHours', hint: 'without prices' },
] as const;

type ChainField = (typeof CHAIN_FIELDS)[number]['field'];
type ChainTexts = Record<ChainField, string>;

const NUMBERS: ReadonlySet<ChainField> = new Set([
  'quoteLifetimeSeconds',
  'overfillBps',
  'feedMaxAgeSeconds',
  'balanceMaxAgeSeconds',
  'headAheadMaxSeconds',
  'headMaxAgeSeconds',
  'referenceMaxAgeSeconds',
  'referenceCoolDownSeconds',
  'pricesMaxAgeSeconds',
  'referenceMinuteBps',
  'referenceHourBps',
  'referenceAnchorBps',
  'offReferenceBps',
  'fenceSoftBps',
  'fenceHardBps',
  'hedgeFeeMultiple',
  'hedgeMostGwei',
  'retireHours',
]);
const MAY_BE_NONE: ReadonlySet<ChainField> = new Set([
  ...(['secondRpcUrl', 'serviceUrl', 'referenceUrl', 'partner', 'router', 'intentContract', 'permit2'] as const),
]);

/** A chain as its form shows it. */
function textsOf(chain: SetUpChain): ChainTexts {
  const textOf = (field: ChainField) =>
    field === 'spareRpcUrls' ? (chain[field] ?? []).join(', ') : String(chain[field] ?? (NUMBERS.has(field) ? 0 : ''));
  return Object.fromEntries(CHAIN_FIELDS.map(({ field }) => [field, textOf(field)])) as ChainTexts;
}

/** What the form means. `known`: as it was before. @throws InputRefused where a number is none */
function chainOf(texts: ChainTexts, known: SetUpChain): Partial<ChainConfig> {
  const faults: { path: string; message: string }[] = [];
  const entries = CHAIN_FIELDS.map(({ field }) => {
    const text = texts[field].trim();
    if (field === 'spareRpcUrls') return [field, sparesIn(text, known)] as const;
    if (MAY_BE_NONE.has(field) && text === '') return [field, null] as const;
    if (!NUMBERS.has(field)) return [field, text] as const;
    const { value, fault } = readWhole(text, 0, 1_000_000);
    if (value === null) faults.push({ path: field, message: fault ?? 'must not be empty' });
    return [field, value] as const;
  });
  if (faults.length > 0) throw new InputRefused(faults);
  return Object.fromEntries(entries) as Partial<ChainConfig>;
}

/** Spare nodes as they are typed; undefined where there are none and never were. */
function sparesIn(text: string, known?: SetUpChain): string[] | undefined {
  const urls = text.split(/[\s,]+/).filter((url) => url !== '');
  return urls.length === 0 && known?.spareRpcUrls === undefined ? undefined : urls;
}

/** What of a chain is chosen. */
function waysOf(chain: SetUpChain) {
  const { clipToBalance, deadSide, strictListing, blacklistedAnswer, offReferenceCloses, unknownFillHalts } = chain;
  return { clipToBalance, deadSide, strictListing, blacklistedAnswer, offReferenceCloses, unknownFillHalts };
}

/** What the form calls these, for faults that stand beside no field. */
const WAY_LABELS: Readonly<Record<string, string>> = {
  clipToBalance: 'Grid cut to what can be signed',
  strictListing: 'What strict services refuse is left out',
  deadSide: 'A side that is off',
  blacklistedAnswer: 'A blacklisted user gets',
  unknownFillHalts: 'A fill this desk never signed halts',
  offReferenceCloses: 'Off the reference',
};

const FIELDS = CHAIN_FIELDS.map(({ field }) => field as string);
const WIDE: ReadonlySet<ChainField> = new Set([
  'rpcUrl',
  'spareRpcUrls',
  'secondRpcUrl',
  'rfqContract',
  'maker',
  'signer',
  'serviceUrl',
  'referenceUrl',
  'router',
  'intentContract',
  'permit2',
]);

/** What a field is called; its unit never stands alone on a line. */
function labelOf(field: ChainField): string {
  return CHAIN_SETTINGS[field].replace(/, (?=\S+$)/, ',\u00a0');
}

/** What the nodes are tried with. */
const NODE_FIELDS = ['rpcUrl', 'spareRpcUrls', 'secondRpcUrl', 'rfqContract'] as const;

/** Everything of a chain but its lists, saved as one change. */
export function ChainForm({ chain, onSaved }: { chain: SetUpChain; onSaved: () => void }) {
  const client = useClient();
  const toasts = useToasts();
  const halted = useChainHalted(chain.chainId);
  const form = useRef<HTMLFormElement>(null);
  const [texts, setTexts] = useState(() => textsOf(chain));
  const [ways, setWays] = useState(() => waysOf(chain));
  const isTried = NODE_FIELDS.some((field) => texts[field] !== textsOf(chain)[field]);
  const spareRpcUrls = sparesIn(texts.spareRpcUrls) ?? [];
  const tried = useTriedNode({ chainId: chain.chainId, ...texts, spareRpcUrls }, isTried);
  const save = useCommand(async () => {
    const shown = CHAIN_FIELDS.map(({ field }) => [
      field,
      MAY_BE_NONE.has(field) ? (chain[field] ?? null) : chain[field],
    ]);
    const seen = { ...Object.fromEntries(shown), ...waysOf(chain) };
    await client.settings.saveChain({ chain: { chainId: chain.chainId, ...chainOf(texts, chain), ...ways }, seen });
    toasts.show({
      level: 'done',
      title: `${chain.name} is saved`,
      detail: 'The chain is checked again before it can go live.',
    });
    onSaved();
  });
  return (
    <form
      ref={form}
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        save.run();
      }}
    >
      <ChainHaltedOnly chainId={chain.chainId} name={chain.name} />
      {CHAIN_FIELDS.map(({ field, hint }) => (
        <div key={field} className={WIDE.has(field) ? styles.wide : ''}>
          <Field
            label={labelOf(field)}
            title={field === 'overfillBps' ? JARGON.overfill : undefined}
            hint={isSealed(texts[field]) ? 'its key is sealed: leave it so, or give the whole address' : hint}
            className={WIDE.has(field) ? 'mono' : ''}
            disabled={!halted}
            value={texts[field]}
            fault={faultOf(save.refusal, field)}
            onChange={(event) => setTexts({ ...texts, [field]: event.target.value })}
          />
        </div>
      ))}
      <SelectField
        label="Grid"
        title={JARGON.grid}
        hint="the prices that counterparties poll"
        value={ways.clipToBalance ? 'clip' : 'whole'}
        options={[
          { value: 'clip', text: 'cut to what can be signed' },
          { value: 'whole', text: 'served whole' },
        ]}
        disabled={!halted}
        onChange={(value) => setWays({ ...ways, clipToBalance: value === 'clip' })}
      />
      <SelectField
        label="What strict services refuse"
        hint="they discard a whole list for one bad entry"
        value={ways.strictListing ? 'left out' : 'served'}
        options={[
          { value: 'served', text: 'is served' },
          { value: 'left out', text: 'is left out' },
        ]}
        disabled={!halted}
        onChange={(value) => setWays({ ...ways, strictListing: value === 'left out' })}
      />
      <SelectField
        label="A side that is off"
        value={ways.deadSide}
        options={[
          { value: 'omit', text: 'is left out' },
          { value: 'empty', text: 'is an empty list' },
        ]}
        disabled={!halted}
        onChange={(deadSide) => setWays({ ...ways, deadSide })}
      />
      <SelectField
        label="A blacklisted user gets"
        value={ways.blacklistedAnswer}
        options={[
          { value: 'omit', text: '200 without an order' },
          { value: 'forbidden', text: '403, which the service remembers' },
        ]}
        disabled={!halted}
        onChange={(blacklistedAnswer) => setWays({ ...ways, blacklistedAnswer })}
      />
      <SelectField
        label="A fill this desk never signed"
        value={ways.unknownFillHalts ? 'halt' : 'alarm'}
        options={[
          { value: 'halt', text: 'halts the desk' },
          { value: 'alarm', text: 'is an alarm only' },
        ]}
        disabled={!halted}
        onChange={(value) => setWays({ ...ways, unknownFillHalts: value === 'halt' })}
      />
      <div className={styles.wide}>
        <SelectField
          label="Off the reference"
          value={ways.offReferenceCloses}
          options={[
            { value: 'through', text: 'bids over and asks under it close' },
            { value: 'far', text: 'what is too far from it closes too' },
            { value: 'none', text: 'is only an alert' },
          ]}
          disabled={!halted}
          onChange={(offReferenceCloses) => setWays({ ...ways, offReferenceCloses })}
        />
      </div>
      {isTried && (
        <div className={styles.wide}>
          <CheckList checks={tried.checks} />
        </div>
      )}
      {save.refusal !== null && (
        <ChainRefused
          refusal={save.refusal}
          showNow={onSaved}
          goThere={() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()}
        />
      )}
      <div className={styles.submit}>
        <Button type="submit" look="primary" size="large" disabled={!halted || save.busy}>
          Save {chain.name}
        </Button>
      </div>
    </form>
  );
}

/** Why it is not saved. The form is longer than a window: fields that are not right are named, and the first is one press away. */
function ChainRefused(props: { refusal: CommandRefusal; showNow: () => void; goThere: () => void }) {
  const { refusal, showNow, goThere } = props;
  const elsewhere = faultsElsewhere(refusal, FIELDS, WAY_LABELS);
  const wrong = CHAIN_FIELDS.filter(({ field }) => faultOf(refusal, field) !== null);
  // What somebody else changed meanwhile is shown by the note's own button.
  const isStale = refusal.code === 'changed_meanwhile';
  if (wrong.length === 0 || isStale) return <RefusalNote refusal={refusal} elsewhere={elsewhere} showNow={showNow} />;
  const are = wrong.length === 1 ? 'is' : 'are';
  const rest = [refusal.code === 'invalid_input' ? '' : refusal.sentence, ...elsewhere, refusal.remedy].filter(Boolean);
  return (
    <InSight of={refusal}>
      <Note
        level="stop"
        title={`${plural(wrong.length, 'field')} ${are} not right, nothing is saved: ${wrong.map(({ field }) => labelOf(field)).join('; ')}.`}
        actions={<Button onClick={goThere}>Go there</Button>}
      >
        {rest.length > 0 ? rest.join(' ') : undefined}
      </Note>
    </InSight>
  );
}
