import { Fragment, type RefObject, useCallback, useDeferredValue, useMemo, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import type { PairRow } from '../../../electron/contract/book.ts';
import { PlainButton } from '../../components/button.tsx';
import { Input } from '../../components/field.tsx';
import { countText } from '../../components/figures/counts.ts';
import { PairName } from '../../components/figures/pair-name.tsx';
import { spreadText } from '../../components/figures/prices.ts';
import { Mark } from '../../components/mark.tsx';
import { Segmented } from '../../components/segmented.tsx';
import virtualRowsStyles from '../../components/virtual-rows.module.css';
import { VirtualRows } from '../../components/virtual-rows.tsx';
import { useDesk } from '../../state/console.tsx';
import { type DeskView, findPair, type ListedPair, pairKey } from '../../state/live-desk.ts';
import { ALL_PRICING_PATH, ladderPath, type PricesView, pricingPath } from '../../state/pages.ts';
import { keysText, useShortcuts } from '../../state/shortcuts.ts';
import { useSize } from '../../state/use-size.ts';
import { notQuoted, whyNot } from '../pricing/pricing-words.ts';
import styles from './pair-tabs.module.css';

const VIEWS = [
  { value: 'ladder', text: 'Ladder', title: 'Its prices, and the draft of others' },
  { value: 'pricing', text: 'Pricing', title: 'What its prices are made of' },
  { value: 'all', text: 'All pairs', title: 'Who prices each pair, and how' },
] as const;

/** Where a pair is found in the view that is open; from the list of all it is opened as what its prices are made of. */
function pathIn(view: PricesView, { chainId, pair }: { chainId: number; pair: string }): string {
  return view === 'ladder' ? ladderPath(chainId, pair) : pricingPath(chainId, pair);
}

/** As many pairs as have room, by chain, a notch and a count where a draft waits; Alt 1…9 chooses. The rest are searched. */
export function PairTabs(props: { chosen: { chainId: number; pair: string } | undefined; view: PricesView }) {
  const { chosen, view } = props;
  const listed = useDesk((view) => view.listed);
  const drafted = useDesk((view) =>
    view.pairs
      .filter((row) => (row.draftCells ?? 0) > 0)
      .map(pairKey)
      .join('\n'),
  );
  const field = useRef<HTMLInputElement>(null);
  const names = useDesk((view) => view.chains.map(({ chainId, name }) => `${chainId} ${name}`).join('\n'));
  const nameOf = useCallback(
    (chainId: number) => {
      const line = names.split('\n').find((text) => text.startsWith(`${chainId} `));
      return line?.slice(String(chainId).length + 1) ?? `chain ${chainId}`;
    },
    [names],
  );
  const [, navigate] = useLocation();
  const { ref, width } = useSize<HTMLElement>('pair tabs');
  const [chosenChain, chosenPair] = [chosen?.chainId, chosen?.pair];
  const shown = useMemo(() => {
    const drafts = new Set(drafted.split('\n'));
    return fittingTabs(listed, width, {
      chosen: ({ chainId, pair }) => chainId === chosenChain && pair === chosenPair,
      drafted: (pair) => drafts.has(pairKey(pair)),
      chainName: nameOf,
    });
  }, [listed, width, chosenChain, chosenPair, drafted, nameOf]);
  useShortcuts({
    pairTab: (at) => {
      const row = shown[at];
      return row === undefined ? false : navigate(pathIn(view, row));
    },
  });
  return (
    <div className={styles.bar}>
      <h1 className="only-read">Prices</h1>
      <Segmented
        label="View"
        className={styles.view}
        options={VIEWS}
        value={view}
        onChoose={(next) => {
          const to = chosen ?? listed[0];
          if (next === 'all' || to === undefined) navigate(ALL_PRICING_PATH);
          else navigate(pathIn(next, to));
        }}
      />
      <nav className={styles.tabs} aria-label="Pairs" ref={ref}>
        {shown.map((row, index) => (
          <Fragment key={pairKey(row)}>
            {row.chainId !== shown[index - 1]?.chainId && <span className="quiet">{nameOf(row.chainId)}</span>}
            <PairTab pair={row} view={view} isChosen={row.chainId === chosenChain && row.pair === chosenPair} />
          </Fragment>
        ))}
        {shown.length < listed.length && (
          <PlainButton title="Find the others" onClick={() => field.current?.focus()}>
            +{countText(listed.length - shown.length)}
            <span className="only-read"> more pairs</span>
          </PlainButton>
        )}
      </nav>
      <PairFinder nameOf={nameOf} view={view} field={field} />
    </div>
  );
}

function PairTab({ pair, view, isChosen }: { pair: ListedPair; view: PricesView; isChosen: boolean }) {
  const cells = useDesk((view) => rowOf(view, pair)?.draftCells ?? 0);
  return (
    <Link href={pathIn(view, pair)} aria-current={isChosen ? 'page' : undefined}>
      <PairName pair={pair.pair} />
      {cells > 0 && (
        <span className="draft nowrap">
          <Mark shape="notch" />
          {cells}
        </span>
      )}
      <TabMark pair={pair} />
    </Link>
  );
}

/** What is not quoted of a pair, and why. Its room is kept where there is nothing: no tab moves under a hand because a pair closes. */
function TabMark({ pair }: { pair: ListedPair }) {
  const shape = useDesk((view) => tabMark(view, pair)?.shape);
  const tone = useDesk((view) => tabMark(view, pair)?.tone);
  const why = useDesk((view) => tabMark(view, pair)?.why ?? undefined);
  return (
    <span className={styles.mark} title={why}>
      {shape !== undefined && <Mark shape={shape} tone={tone} />}
    </span>
  );
}

/** Every pair there is, found by its letters. `/` comes here, arrows choose, Enter opens. */
function PairFinder(props: {
  nameOf: (chainId: number) => string;
  view: PricesView;
  field: RefObject<HTMLInputElement | null>;
}) {
  const { nameOf, view, field } = props;
  const listed = useDesk((view) => view.listed);
  const [, navigate] = useLocation();
  const [open, setOpen] = useState(false);
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  useShortcuts({ filter: () => field.current?.focus() });
  const wanted = useDeferredValue(text);
  const found = useMemo(() => matching(listed, wanted, nameOf), [listed, wanted, nameOf]);
  const go = (pair: ListedPair | undefined) => {
    if (pair === undefined) return;
    navigate(pathIn(view, pair));
    setText('');
    field.current?.blur();
  };
  return (
    <div className={styles.finder}>
      <Input
        ref={field}
        role="combobox"
        aria-label="Find a pair"
        aria-expanded={open}
        aria-controls="pairs-found"
        aria-activedescendant={open && found[at] !== undefined ? `pair-${pairKey(found[at])}` : undefined}
        placeholder={`Find among ${countText(listed.length)}   ${keysText('filter')}`}
        autoComplete="off"
        spellCheck={false}
        value={text}
        onFocus={() => {
          setOpen(true);
          setAt(0);
        }}
        onBlur={() => setOpen(false)}
        onChange={(event) => {
          setText(event.target.value);
          setAt(0);
        }}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown') setAt((now) => Math.min(found.length - 1, now + 1));
          else if (event.key === 'ArrowUp') setAt((now) => Math.max(0, now - 1));
          // The list may be a letter behind whoever types fast: what was typed decides, not what is drawn.
          else if (event.key === 'Enter') go((wanted === text ? found : matching(listed, text, nameOf))[at]);
          else if (event.key === 'Escape') field.current?.blur();
          else return;
          event.preventDefault();
        }}
      />
      {open && (
        // Its rows are chosen over the field, which keeps the focus.
        <div
          className={styles.found}
          id="pairs-found"
          role="listbox"
          aria-label="Pairs"
          onMouseDown={(event) => event.preventDefault()}
          tabIndex={-1}
        >
          {found.length === 0 && <p className="quiet">No pair has these letters.</p>}
          <VirtualRows
            name="Pairs"
            head={null}
            rows={found}
            show={at}
            row={(pair, style) => (
              <FoundPair
                key={pairKey(pair)}
                pair={pair}
                chain={nameOf(pair.chainId)}
                chosen={pair === found[at]}
                style={style}
                onGo={() => go(pair)}
              />
            )}
          />
        </div>
      )}
    </div>
  );
}

function FoundPair(props: {
  pair: ListedPair;
  chain: string;
  chosen: boolean;
  style: { transform: string };
  onGo: () => void;
}) {
  const { pair, chain, chosen, style, onGo } = props;
  const row = useDesk((view) => rowOf(view, pair));
  const cells = row?.draftCells ?? 0;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keyboard.
    <div
      className={`${virtualRowsStyles.row} ${styles.foundRow}`}
      id={`pair-${pairKey(pair)}`}
      role="option"
      tabIndex={-1}
      aria-selected={chosen}
      style={style}
      onClick={onGo}
    >
      <span>
        <PairName pair={pair.pair} />
      </span>
      <span className="quiet">{chain}</span>
      <span className="right quiet">
        {row?.spreadTenthBps == null ? 'one side' : `${spreadText(row.spreadTenthBps)} bps`}
      </span>
      <span className="right draft">
        {cells > 0 && (
          <>
            <Mark shape="notch" /> {cells}
          </>
        )}
      </span>
    </div>
  );
}

function matching(
  listed: readonly ListedPair[],
  text: string,
  nameOf: (chainId: number) => string,
): readonly ListedPair[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return listed;
  return listed.filter((pair) => {
    const where = `${pair.pair} ${nameOf(pair.chainId)}`.toLowerCase();
    return words.every((word) => where.includes(word));
  });
}

/** About as wide as a tab is, so that none is ever cut: letters are capitals mostly. Pixels. */
const LETTER = 7.4;
const TAB_REST = 42;
const DRAFT = 38;
const CHAIN_REST = 28;
/** The button that says how many more there are. */
const MORE = 48;

/**
 * The pairs that have room as tabs, in the desk's order. The chosen one always has, then those with a draft; whoever
 * finds no room is reached over the search beside them.
 */
function fittingTabs(
  listed: readonly ListedPair[],
  width: number,
  is: {
    chosen(pair: ListedPair): boolean;
    drafted(pair: ListedPair): boolean;
    chainName(chainId: number): string;
  },
): readonly ListedPair[] {
  const all = fitting(width);
  return all.length === listed.length ? all : fitting(width - MORE);

  function fitting(room: number): readonly ListedPair[] {
    const first = [...listed].sort((a, b) => rank(a) - rank(b));
    const kept = new Set<ListedPair>();
    const chains = new Set<number>();
    let left = room;
    for (const pair of first) {
      const tab = pair.pair.length * LETTER + TAB_REST + (is.drafted(pair) ? DRAFT : 0);
      const chain = chains.has(pair.chainId) ? 0 : is.chainName(pair.chainId).length * LETTER + CHAIN_REST;
      if (tab + chain > left) {
        if (kept.size > 0) break;
      }
      left -= tab + chain;
      chains.add(pair.chainId);
      kept.add(pair);
    }
    return listed.filter((pair) => kept.has(pair));
  }

  function rank(pair: ListedPair): number {
    return is.chosen(pair) ? 0 : is.drafted(pair) ? 1 : 2;
  }
}

/** How a pair stands out among the others of its chain; while the chain quotes nothing, only one that is set apart does. */
export function tabMark(view: DeskView, pair: { chainId: number; pair: string }) {
  const row = rowOf(view, pair);
  const chain = view.status?.chains.find(({ chainId }) => chainId === pair.chainId)?.state;
  if (row === undefined || (row.fault === null && (chain === 'HALTED' || chain === 'CLOSED'))) return null;
  const state = notQuoted(row);
  return state === null ? null : { shape: state.shape, tone: state.tone, why: whyNot(row) };
}

/** A pair's row in a view. */
export function rowOf(view: DeskView, { chainId, pair }: { chainId: number; pair: string }): PairRow | undefined {
  return findPair(view.pairs, chainId, pair);
}
