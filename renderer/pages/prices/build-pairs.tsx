import { useMemo, useState } from 'react';
import type { BuiltLadder } from '../../../electron/contract/ladder-build.ts';
import { PairName } from '../../components/figures/pair-name.tsx';
import { exactText } from '../../components/figures/prices.ts';
import { Mark } from '../../components/mark.tsx';
import { VirtualRows } from '../../components/virtual-rows.tsx';
import { useDesk } from '../../state/console.tsx';
import { type ListedPair, pairKey } from '../../state/live-desk.ts';

/** Which pairs the form is for, with the best prices it gives each, or why it gives none. */
export function BuildPairs(props: {
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
    <fieldset className="build-pairs">
      <legend className="only-read">Pairs</legend>
      <div className="build-pairs-head">
        <input
          className="input"
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
          <div className="rows-head">
            <span>Pair</span>
            <span className="right">Best bid</span>
            <span className="right">Best ask</span>
            <span className="right">Last bid</span>
            <span className="right">Last ask</span>
            <span className="right">First size</span>
          </div>
        }
        rows={shown}
        keyOf={pairKey}
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
    <div className="rows-row" style={style}>
      <label>
        <input type="checkbox" checked={ticked} onChange={(event) => onTick(event.target.checked)} />{' '}
        <PairName pair={pair.pair} /> <span className="quiet">{chain}</span>
      </label>
      {ticked && built?.fault != null ? (
        <span className="stop build-fault" title={built.fault}>
          <Mark shape="refused" /> {built.fault}
        </span>
      ) : (
        <>
          <span className="right bid">{text(ladder?.bids[0], 0)}</span>
          <span className="right ask">{text(ladder?.asks[0], 0)}</span>
          <span className="right muted">{text(ladder?.bids.at(-1), 0)}</span>
          <span className="right muted">{text(ladder?.asks.at(-1), 0)}</span>
          <span className="right">{text(ladder?.bids[0], 1)}</span>
        </>
      )}
    </div>
  );
}
