import { countText } from '../../components/figures/counts.ts';
import { groupedText, readDecimal } from '../../components/figures/decimal-text.ts';
import { Mark } from '../../components/mark.tsx';
import { cellFaults, changedCells, spreadOf } from './ladder-figures.ts';
import type { LadderValues } from './ladder-values.ts';
import type { DraftDesk } from './use-draft.ts';

/** What publishing would change, and the two ways to end a draft. */
export function PublishBar(props: { pair: string; desk: DraftDesk; draft: LadderValues; live: LadderValues }) {
  const { pair, desk, draft, live } = props;
  if (desk.draft === null) return null;
  const changed = changedCells(draft, live);
  const faults = cellFaults(desk.draft).length + desk.draft.faults.length;
  return (
    <section className={`publish-bar ${changed > 0 ? 'is-drafted' : ''}`} aria-label="Publish">
      {changed === 0 ? (
        <span className="quiet">The draft is what is live.</span>
      ) : (
        <>
          <span className="chip is-draft">
            <Mark shape="notch" />
            {countText(changed)} {changed === 1 ? 'cell' : 'cells'} changed
          </span>
          <Change name="Best bid" from={priceOf(live, 'bids')} to={priceOf(draft, 'bids')} />
          <Change name="Best ask" from={priceOf(live, 'asks')} to={priceOf(draft, 'asks')} />
          <Change name="Spread, bps" from={spreadOf(live)} to={spreadOf(draft)} />
        </>
      )}
      {desk.refusal !== null && (
        <span className="stop said" role="alert" title={desk.refusal.remedy}>
          <Mark shape="refused" />{' '}
          {[desk.refusal.sentence, ...desk.refusal.faults.map((fault) => fault.message)].join(' ')}{' '}
          <span className="muted">{desk.refusal.remedy}</span>
        </span>
      )}
      <span className="fill" />
      <button type="button" className="button is-large is-quiet" disabled={changed === 0} onClick={desk.discard}>
        Discard <kbd>Esc Esc</kbd>
      </button>
      <button
        type="button"
        className="button is-large is-primary"
        disabled={changed === 0 || faults > 0 || desk.busy}
        title={faults > 0 ? 'There are faults in the draft; they stand beside the cells and under Checks.' : undefined}
        onClick={desk.publish}
      >
        Publish {pair} <kbd>Ctrl ⏎</kbd>
      </button>
    </section>
  );
}

function Change({ name, from, to }: { name: string; from: string | null; to: string | null }) {
  return (
    <span className="muted nowrap">
      {name} <b className="strong">{from === to ? (to ?? '—') : `${from ?? '—'} → ${to ?? '—'}`}</b>
    </span>
  );
}

function priceOf(values: LadderValues, side: 'bids' | 'asks'): string | null {
  const text = values[side][0]?.[0] ?? null;
  const read = text === null ? null : readDecimal(text);
  return read === null ? text : groupedText(read);
}
