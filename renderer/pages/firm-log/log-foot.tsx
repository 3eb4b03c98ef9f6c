import { countText } from '../../components/figures/counts.ts';
import type { SearchState } from './use-search.ts';

/** How many rows are here, how far the search has come, and how to stop it. */
export function LogFoot({ found, onStop, onGoOn }: { found: SearchState; onStop: () => void; onGoOn: () => void }) {
  const { rows, more, searching, stopped, progress, tookMs } = found;
  const looked = progress === null ? 0 : progress.last - progress.at + 1;
  const of = progress === null ? 0 : progress.last - progress.first + 1;
  return (
    <footer className="log-foot">
      <span>
        <b className="strong">{countText(rows.length)}</b>{' '}
        <span className="muted">
          {more ? 'read so far' : `${rows.length === 1 ? 'quote' : 'quotes'}, all there are`}
          {tookMs !== null && ` · ${Math.max(1, Math.round(tookMs))} ms`}
        </span>
      </span>
      <span className="fill" />
      {searching && of > 0 && (
        <>
          <span className="muted" role="status">
            Looked through {countText(Math.max(0, looked))} of {countText(of)} rows
          </span>
          <progress max={of} value={Math.max(0, looked)} aria-label="Search" />
          <button type="button" className="link" onClick={onStop}>
            Stop
          </button>
        </>
      )}
      {stopped && more && (
        <>
          <span className="muted">
            Stopped after {countText(Math.max(0, looked))} of {countText(of)} rows
          </span>
          <button type="button" className="link" onClick={onGoOn}>
            Go on
          </button>
        </>
      )}
    </footer>
  );
}
