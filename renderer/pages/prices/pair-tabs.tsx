import { Fragment, useEffect } from 'react';
import { Link, useLocation } from 'wouter';
import type { PairRow } from '../../../electron/contract/book.ts';
import { PairName } from '../../components/figures/pair-name.tsx';
import { Mark } from '../../components/mark.tsx';
import { useDesk } from '../../state/console.tsx';
import { type ListedPair, pairKey } from '../../state/live-desk.ts';
import { ladderPath } from '../../state/pages.ts';

/** More pairs than this are chosen from a list; tabs are then only those with a draft. */
const TABS = 24;

/** One tab a pair, by chain; a notch and a count where a draft waits. Alt 1…9 chooses. */
export function PairTabs({ chosen }: { chosen: PairRow | undefined }) {
  const listed = useDesk((view) => view.listed);
  const drafted = useDesk((view) =>
    view.pairs
      .filter((row) => (row.draftCells ?? 0) > 0)
      .map(pairKey)
      .join('\n'),
  );
  const chains = useDesk((view) => view.chains);
  const [, navigate] = useLocation();
  const few = listed.length <= TABS;
  const shown = few
    ? listed
    : listed.filter((row) => isSame(row, chosen) || drafted.split('\n').includes(pairKey(row)));
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const digit =
        event.altKey && !event.ctrlKey && !event.metaKey ? /^Digit([1-9])$/.exec(event.code)?.[1] : undefined;
      const row = digit === undefined ? undefined : shown[Number(digit) - 1];
      if (row === undefined) return;
      event.preventDefault();
      navigate(ladderPath(row.chainId, row.pair));
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [shown, navigate]);
  const nameOf = (chainId: number) => chains.find((chain) => chain.chainId === chainId)?.name ?? `chain ${chainId}`;
  return (
    <nav className="pair-tabs" aria-label="Pairs">
      <h1 className="only-read">Prices</h1>
      {!few && (
        <select
          aria-label="Pair"
          className="input"
          value={chosen === undefined ? '' : ladderPath(chosen.chainId, chosen.pair)}
          onChange={(event) => navigate(event.target.value)}
        >
          {listed.map((row) => (
            <option key={pairKey(row)} value={ladderPath(row.chainId, row.pair)}>
              {row.pair} · {nameOf(row.chainId)}
            </option>
          ))}
        </select>
      )}
      {shown.map((row, index) => (
        <Fragment key={pairKey(row)}>
          {row.chainId !== shown[index - 1]?.chainId && <span className="quiet">{nameOf(row.chainId)}</span>}
          <PairTab pair={row} isChosen={isSame(row, chosen)} />
        </Fragment>
      ))}
    </nav>
  );
}

function PairTab({ pair, isChosen }: { pair: ListedPair; isChosen: boolean }) {
  const row = useDesk((view) => view.pairs.find((candidate) => isSame(candidate, pair)));
  const cells = row?.draftCells ?? 0;
  return (
    <Link href={ladderPath(pair.chainId, pair.pair)} aria-current={isChosen ? 'page' : undefined}>
      <PairName pair={pair.pair} />
      {cells > 0 && (
        <span className="draft">
          <Mark shape="notch" />
          {cells}
        </span>
      )}
      {row !== undefined && row.fault !== null && <Mark shape="refused" tone="stop" />}
    </Link>
  );
}

function isSame(a: ListedPair, b: ListedPair | undefined): boolean {
  return a.pair === b?.pair && a.chainId === b.chainId;
}
