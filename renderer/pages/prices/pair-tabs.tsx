import { Fragment, useCallback, useMemo } from 'react';
import { Link, useLocation } from 'wouter';
import { PairName } from '../../components/figures/pair-name.tsx';
import { Mark } from '../../components/mark.tsx';
import { useDesk } from '../../state/console.tsx';
import { type ListedPair, pairKey } from '../../state/live-desk.ts';
import { ladderPath } from '../../state/pages.ts';
import { useShortcuts } from '../../state/shortcuts.ts';
import { useSize } from '../../state/use-size.ts';
import { fittingTabs } from './fitting-tabs.ts';
import { PairFinder } from './pair-finder.tsx';
import { rowOf } from './row-of.ts';

/** As many pairs as have room, by chain, a notch and a count where a draft waits; Alt 1…9 chooses. The rest are searched. */
export function PairTabs({ chosen }: { chosen: { chainId: number; pair: string } | undefined }) {
  const listed = useDesk((view) => view.listed);
  const drafted = useDesk((view) =>
    view.pairs
      .filter((row) => (row.draftCells ?? 0) > 0)
      .map(pairKey)
      .join('\n'),
  );
  const names = useDesk((view) => view.chains.map(({ chainId, name }) => `${chainId} ${name}`).join('\n'));
  const nameOf = useCallback(
    (chainId: number) => {
      const line = names.split('\n').find((text) => text.startsWith(`${chainId} `));
      return line?.slice(String(chainId).length + 1) ?? `chain ${chainId}`;
    },
    [names],
  );
  const [, navigate] = useLocation();
  const { ref, width } = useSize<HTMLElement>();
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
      return row === undefined ? false : navigate(ladderPath(row.chainId, row.pair));
    },
  });
  return (
    <div className="pair-bar">
      <h1 className="only-read">Prices</h1>
      <nav className="pair-tabs" aria-label="Pairs" ref={ref}>
        {shown.map((row, index) => (
          <Fragment key={pairKey(row)}>
            {row.chainId !== shown[index - 1]?.chainId && <span className="quiet">{nameOf(row.chainId)}</span>}
            <PairTab pair={row} isChosen={row.chainId === chosenChain && row.pair === chosenPair} />
          </Fragment>
        ))}
      </nav>
      <PairFinder nameOf={nameOf} />
    </div>
  );
}

function PairTab({ pair, isChosen }: { pair: ListedPair; isChosen: boolean }) {
  const cells = useDesk((view) => rowOf(view, pair)?.draftCells ?? 0);
  const faulty = useDesk((view) => (rowOf(view, pair)?.fault ?? null) !== null);
  return (
    <Link href={ladderPath(pair.chainId, pair.pair)} aria-current={isChosen ? 'page' : undefined}>
      <PairName pair={pair.pair} />
      {cells > 0 && (
        <span className="draft nowrap">
          <Mark shape="notch" />
          {cells}
        </span>
      )}
      {faulty && <Mark shape="refused" tone="stop" />}
    </Link>
  );
}
