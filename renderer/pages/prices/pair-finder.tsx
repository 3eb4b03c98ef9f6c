import { useDeferredValue, useMemo, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { countText } from '../../components/figures/counts.ts';
import { PairName } from '../../components/figures/pair-name.tsx';
import { spreadText } from '../../components/figures/prices.ts';
import { Mark } from '../../components/mark.tsx';
import { VirtualRows } from '../../components/virtual-rows.tsx';
import { useDesk } from '../../state/console.tsx';
import { type ListedPair, pairKey } from '../../state/live-desk.ts';
import { ladderPath } from '../../state/pages.ts';
import { keysText, useShortcuts } from '../../state/shortcuts.ts';
import { rowOf } from './row-of.ts';

/** Every pair there is, found by its letters. `/` comes here, arrows choose, Enter opens. */
export function PairFinder({ nameOf }: { nameOf: (chainId: number) => string }) {
  const listed = useDesk((view) => view.listed);
  const [, navigate] = useLocation();
  const [open, setOpen] = useState(false);
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const field = useRef<HTMLInputElement>(null);
  useShortcuts({ filter: () => field.current?.focus() });
  const wanted = useDeferredValue(text);
  const found = useMemo(() => matching(listed, wanted, nameOf), [listed, wanted, nameOf]);
  const go = (pair: ListedPair | undefined) => {
    if (pair === undefined) return;
    navigate(ladderPath(pair.chainId, pair.pair));
    setText('');
    field.current?.blur();
  };
  return (
    <div className="pair-finder">
      <input
        ref={field}
        role="combobox"
        className="input"
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
          className="pairs-found"
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
            keyOf={pairKey}
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
      className="rows-row"
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
