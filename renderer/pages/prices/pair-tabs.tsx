import { Fragment, useEffect } from 'react';
import { Link, useLocation } from 'wouter';
import type { PairRow } from '../../../electron/contract/book.ts';
import { PairName } from '../../components/figures/pair-name.tsx';
import { Mark } from '../../components/mark.tsx';
import { useDesk } from '../../state/console.tsx';
import { ladderPath } from '../../state/pages.ts';

/** One tab a pair, by chain; a notch and a count where a draft waits. Alt 1…9 chooses. */
export function PairTabs({ chosen }: { chosen: PairRow | undefined }) {
  const pairs = useDesk((view) => view.pairs);
  const chains = useDesk((view) => view.chains);
  const [, navigate] = useLocation();
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const digit =
        event.altKey && !event.ctrlKey && !event.metaKey ? /^Digit([1-9])$/.exec(event.code)?.[1] : undefined;
      const row = digit === undefined ? undefined : pairs[Number(digit) - 1];
      if (row === undefined) return;
      event.preventDefault();
      navigate(ladderPath(row.chainId, row.pair));
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [pairs, navigate]);
  return (
    <nav className="pair-tabs" aria-label="Pairs">
      <h1 className="only-read">Prices</h1>
      {pairs.map((row, index) => (
        <Fragment key={`${row.chainId}:${row.pair}`}>
          {row.chainId !== pairs[index - 1]?.chainId && (
            <span className="quiet">{chains.find(({ chainId }) => chainId === row.chainId)?.name ?? row.chainId}</span>
          )}
          <Link href={ladderPath(row.chainId, row.pair)} aria-current={row === chosen ? 'page' : undefined}>
            <PairName pair={row.pair} />
            {(row.draftCells ?? 0) > 0 && (
              <span className="draft">
                <Mark shape="notch" />
                {row.draftCells}
              </span>
            )}
            {row.fault !== null && <Mark shape="refused" tone="stop" />}
          </Link>
        </Fragment>
      ))}
    </nav>
  );
}
