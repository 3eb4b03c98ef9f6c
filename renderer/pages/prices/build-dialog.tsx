import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useDeferredValue, useMemo, useState } from 'react';
import type { BuiltLadder, FoundShape } from '../../../electron/contract/ladder-build.ts';
import { Button } from '../../components/button.tsx';
import { Dialog, DialogActions } from '../../components/dialog.tsx';
import { ReadState } from '../../components/empty.tsx';
import { Field, Input, SelectField } from '../../components/field.tsx';
import { plural } from '../../components/figures/counts.ts';
import { PairName } from '../../components/figures/pair-name.tsx';
import { exactText } from '../../components/figures/prices.ts';
import { Mark } from '../../components/mark.tsx';
import { RefusalNote } from '../../components/note.tsx';
import virtualRowsStyles from '../../components/virtual-rows.module.css';
import { VirtualRows } from '../../components/virtual-rows.tsx';
import { useConsole, useDesk } from '../../state/console.tsx';
import { type ListedPair, pairKey } from '../../state/live-desk.ts';
import { refusalOf } from '../../state/refusal-of.ts';
import { useCommand } from '../../state/use-command.ts';
import styles from './build-dialog.module.css';
import { type BuildFaults, type BuildInput, buildStart, firstSize, readBuild } from './build-input.ts';
import type { DraftLine } from './draft-line.ts';
import { editsBetween, valuesOfLadder } from './ladder-values.ts';
import { editElsewhere } from './use-draft.ts';

/** Builds the ladders of one pair or many from one form, shows them, and puts them into drafts: nothing is published here. */
export function BuildDialog(props: {
  here: { chainId: number; pair: string };
  line: DraftLine;
  hasReference: boolean;
  onClose: () => void;
}) {
  const { here, line, hasReference, onClose } = props;
  const { connection, queries } = useConsole();
  const found = useQuery({
    queryKey: queries.ladders.shape.queryKey({ input: here }),
    queryFn: async () => {
      // What was typed just before counts as well.
      await line.settled();
      return connection.client.ladders.shape(here);
    },
    gcTime: 0,
  });
  return (
    <Dialog title="Build ladders" needs="trade" width="widest" onClose={onClose}>
      {found.data === undefined ? (
        <ReadState
          read={found}
          rows={8}
          unknown="What the ladder looks like is not known here; it is priced as before"
        />
      ) : (
        <BuildFormOf here={here} line={line} found={found.data} hasReference={hasReference} onClose={onClose} />
      )}
    </Dialog>
  );
}

function BuildFormOf(props: {
  here: { chainId: number; pair: string };
  line: DraftLine;
  found: FoundShape;
  hasReference: boolean;
  onClose: () => void;
}) {
  const { here, line, found, hasReference, onClose } = props;
  const deskConsole = useConsole();
  const { connection, queries, toasts } = deskConsole;
  const cache = useQueryClient();
  const listed = useDesk((view) => view.listed);
  const [input, setInput] = useState<BuildInput>(() => buildStart(found, hasReference));
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set([pairKey(here)]));
  const pairs = listed.filter((pair) => ticked.has(pairKey(pair))).map(({ chainId, pair }) => ({ chainId, pair }));
  const single = pairs.length <= 1;
  // Several pairs have no one price that could be typed.
  const asked = single || input.mid !== 'typed' ? input : { ...input, mid: 'kept' as const };
  const { form, faults } = readBuild(asked);
  const settled = useDeferredValue(form);
  const build = useQuery(
    queries.ladders.build.queryOptions({
      input: { pairs, form: settled as NonNullable<typeof settled> },
      enabled: settled !== null && pairs.length > 0,
      gcTime: 0,
      placeholderData: keepPreviousData,
    }),
  );
  const built = form === null || pairs.length === 0 ? [] : (build.data ?? []);
  // What stands there while the desk works out another form or other pairs may be looked at, never put into a draft.
  const isOfThis = !build.isPlaceholderData && JSON.stringify(form) === JSON.stringify(settled);
  const usable = built.filter((one) => one.ladder !== null && ticked.has(pairKey(one)));
  const command = useCommand(async () => {
    for (const one of usable) await putIntoDraft(one);
    await cache.invalidateQueries({ queryKey: queries.ladders.drafts.key() });
    const title =
      usable.length === 1 ? 'The ladder is in the draft' : `${plural(usable.length, 'ladder')} are in their drafts`;
    toasts.show({ level: 'done', title, detail: 'Nothing is published yet.' });
    onClose();
  });
  const putIntoDraft = async ({ chainId, pair, ladder }: BuiltLadder) => {
    if (ladder === null) return;
    if (chainId === here.chainId && pair === here.pair) {
      line.edit((now) => editsBetween(now, valuesOfLadder(ladder)));
      return;
    }
    const seen = await connection.client.ladders.draft({ chainId, pair });
    const refusal = await editElsewhere(deskConsole, seen, (now) => editsBetween(now, valuesOfLadder(ladder)));
    if (refusal !== null) toasts.show({ level: 'stop', title: `${pair}: ${refusal.sentence}`, detail: refusal.remedy });
  };
  const own = built.find((one) => pairKey(one) === pairKey(here));
  const take = (next: BuildInput) => {
    const { sizeOf } = next;
    const isOther = sizeOf !== input.sizeOf && (sizeOf === 'base' || sizeOf === 'quote');
    setInput(isOther && own !== undefined ? { ...next, size: firstSize(own, sizeOf) } : next);
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (usable.length > 0 && isOfThis) command.run();
      }}
    >
      <BuildFields input={asked} faults={faults} found={found} single={single} onInput={take} />
      <BuildPairs built={built} ticked={ticked} onTicked={setTicked} />
      {build.error !== null && form !== null && <RefusalNote refusal={refusalOf(build.error)} />}
      {command.refusal !== null && <RefusalNote refusal={command.refusal} />}
      <DialogActions>
        <Button size="large" onClick={onClose}>
          Keep the drafts as they are
        </Button>
        <Button type="submit" look="primary" size="large" disabled={usable.length === 0 || !isOfThis || command.busy}>
          Put into {usable.length === 1 ? 'the draft' : plural(usable.length, 'draft')}
        </Button>
      </DialogActions>
    </form>
  );
}

const MIDS = [
  { value: 'reference', text: 'Reference' },
  { value: 'kept', text: 'Where it stands' },
  { value: 'typed', text: 'Typed' },
] as const;
const STEPS = [
  { value: 'kept', text: 'As it is' },
  { value: 'even', text: 'The same everywhere' },
] as const;
const SIZES = [
  { value: 'kept', text: 'as they are' },
  { value: 'payable', text: 'all that can be paid' },
  { value: 'quote', text: 'in quote tokens' },
  { value: 'base', text: 'in base tokens' },
] as const;
const SHAPES = [
  { value: 'kept', text: 'As it is' },
  { value: 'flat', text: 'Flat: all alike' },
  { value: 'linear', text: 'Rising: 1, 2, 3 … times the first' },
  { value: 'factor', text: 'Factor: each times the one before' },
] as const;

/** What a ladder is built from: mid, spread, steps, levels, sizes and shape. */
function BuildFields(props: {
  input: BuildInput;
  faults: BuildFaults;
  found: FoundShape;
  single: boolean;
  onInput: (input: BuildInput) => void;
}) {
  const { input, faults, found, single, onInput } = props;
  const { mid, step, sizeOf, shape } = input;
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
  const isTyped = sizeOf === 'base' || sizeOf === 'quote';
  const sides = found.bids === found.asks ? 'each side' : `now ${found.bids} and ${found.asks}; empty: as they are`;
  return (
    <div className={styles.fields}>
      <SelectField
        label="Around"
        options={MIDS.filter(({ value }) => single || value !== 'typed')}
        value={mid}
        onChange={(value) => onInput({ ...input, mid: value })}
      />
      {text('spreadBps', 'Spread, bps', 'best bid to best ask')}
      <SelectField
        label="Steps"
        options={STEPS}
        value={step}
        hint={step === 'kept' && found.stepBps !== null ? `about ${exactText(found.stepBps)} bps each` : undefined}
        onChange={(value) => onInput({ ...input, step: value })}
      />
      {step === 'kept' ? <span /> : text('stepBps', 'Step, bps', 'from level to level')}
      {mid === 'typed' ? text('price', 'Mid') : <span />}
      {text('levels', 'Levels', sides)}
      <SelectField
        label="Size"
        options={SIZES}
        value={sizeOf}
        hint={sizeOf === 'payable' ? 'within balances, approvals and limits' : undefined}
        onChange={(value) => onInput({ ...input, sizeOf: value })}
      />
      {sizeOf === 'kept' ? (
        <span />
      ) : (
        <SelectField
          label="Shape"
          options={SHAPES}
          value={shape}
          onChange={(value) => onInput({ ...input, shape: value })}
        />
      )}
      {isTyped ? text('size', 'First level', sizeOf === 'quote' ? 'quote tokens' : 'base tokens') : <span />}
      {sizeOf !== 'kept' && shape === 'factor' ? text('factor', 'Factor') : <span />}
    </div>
  );
}

/** Which pairs the form is for, with the best prices it gives each, or why it gives none. */
function BuildPairs(props: {
  built: readonly BuiltLadder[];
  ticked: ReadonlySet<string>;
  onTicked: (ticked: ReadonlySet<string>) => void;
}) {
  const { built, ticked, onTicked } = props;
  const listed = useDesk((view) => view.listed);
  const chains = useDesk((view) => view.chains);
  const [text, setText] = useState('');
  const byKey = useMemo(() => new Map(built.map((one) => [pairKey(one), one])), [built]);
  const shown = listed.filter(({ pair }) => pair.toLowerCase().includes(text.trim().toLowerCase()));
  const all = shown.length > 0 && shown.every((pair) => ticked.has(pairKey(pair)));
  const toggle = (pairs: readonly ListedPair[], on: boolean) => {
    const next = new Set(ticked);
    for (const pair of pairs) {
      if (on) next.add(pairKey(pair));
      else next.delete(pairKey(pair));
    }
    onTicked(next);
  };
  return (
    <fieldset className={styles.pairs}>
      <legend className="only-read">Pairs</legend>
      <div className={styles.pairsHead}>
        <Input
          aria-label="Find pairs"
          placeholder="Find pairs"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <label>
          <input type="checkbox" checked={all} onChange={() => toggle(shown, !all)} /> All shown
        </label>
        <span className="fill" />
        <span className="quiet">{ticked.size} chosen</span>
      </div>
      <VirtualRows
        name="Pairs to build"
        head={
          <div className={`${virtualRowsStyles.head} ${styles.buildRow}`}>
            <span>Pair</span>
            <span className="right">Last bid</span>
            <span className="right">Bid size</span>
            <span className="right">Best bid</span>
            <span className="right">Best ask</span>
            <span className="right">Ask size</span>
            <span className="right">Last ask</span>
          </div>
        }
        rows={shown}
        row={(pair, style) => (
          <PairLine
            key={pairKey(pair)}
            pair={pair}
            chain={chains.find(({ chainId }) => chainId === pair.chainId)?.name ?? ''}
            style={style}
            ticked={ticked.has(pairKey(pair))}
            built={byKey.get(pairKey(pair))}
            onTick={(on) => toggle([pair], on)}
          />
        )}
      />
    </fieldset>
  );
}

function PairLine(props: {
  pair: ListedPair;
  chain: string;
  style: { transform: string };
  ticked: boolean;
  built: BuiltLadder | undefined;
  onTick: (on: boolean) => void;
}) {
  const { pair, chain, style, ticked, built, onTick } = props;
  const ladder = ticked ? built?.ladder : undefined;
  const text = (level: readonly [string, string] | undefined, part: 0 | 1) =>
    level === undefined ? '' : exactText(level[part]);
  return (
    <div className={`${virtualRowsStyles.row} ${styles.buildRow}`} style={style}>
      <label title={`${pair.pair} ${chain}`}>
        <input type="checkbox" checked={ticked} onChange={(event) => onTick(event.target.checked)} />{' '}
        <PairName pair={pair.pair} /> <span className="quiet">{chain}</span>
      </label>
      {ticked && built?.fault != null ? (
        <span className={`stop ${styles.fault}`} title={built.fault}>
          <Mark shape="refused" /> {built.fault}
        </span>
      ) : (
        <>
          <span className="right muted">{text(ladder?.bids.at(-1), 0)}</span>
          <span className="right">{text(ladder?.bids[0], 1)}</span>
          <span className="right bid">{text(ladder?.bids[0], 0)}</span>
          <span className="right ask">{text(ladder?.asks[0], 0)}</span>
          <span className="right">{text(ladder?.asks[0], 1)}</span>
          <span className="right muted">{text(ladder?.asks.at(-1), 0)}</span>
        </>
      )}
    </div>
  );
}
