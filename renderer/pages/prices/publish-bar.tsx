import type { Draft, PairRow } from '../../../electron/contract/book.ts';
import { Button } from '../../components/button.tsx';
import { Chip } from '../../components/chip.tsx';
import { countText } from '../../components/figures/counts.ts';
import { groupedText, readDecimal } from '../../components/figures/decimal-text.ts';
import { Key } from '../../components/key.tsx';
import { Mark } from '../../components/mark.tsx';
import { useDesk } from '../../state/console.tsx';
import type { CommandRefusal } from '../../state/refusal-of.ts';
import { cellFaults, changedCells, spreadOf } from './ladder-figures.ts';
import type { LadderValues } from './ladder-values.ts';
import styles from './publish-bar.module.css';

/** What publishing would change, and the two ways to end a draft. */
export function PublishBar(props: {
  chainId: number;
  pair: string;
  draft: Draft;
  values: LadderValues;
  live: LadderValues;
  liveRevision: number;
  refusal: CommandRefusal | null;
  busy: boolean;
  follow: PairRow['follow'];
  /** What else prices it, so that a draft is soon overtaken; null: nothing. */
  driver: string | null;
  onPublish: () => void;
  onDiscard: () => void;
  onSeveral: () => void;
  onRebase: () => void;
}) {
  const { pair, draft, values, live, refusal } = props;
  const actor = useDesk((view) => view.actor);
  const changed = changedCells(values, live);
  const behind = draft.baseRevision !== props.liveRevision;
  const faults = cellFaults(draft).length + draft.faults.length;
  const others = othersIn(draft, actor);
  return (
    <section className={`${styles.bar} ${changed > 0 ? styles.drafted : ''}`} aria-label="Publish">
      {changed === 0 ? (
        <span className="quiet nowrap">The draft is what is live.</span>
      ) : (
        <Chip tone="draft">
          <Mark shape="notch" />
          {countText(changed)} {changed === 1 ? 'cell' : 'cells'} changed
        </Chip>
      )}
      {refusal !== null ? (
        <span className={`stop ${styles.said}`} role="alert" title={refusal.remedy}>
          <Mark shape="refused" /> {[refusal.sentence, ...refusal.faults.map((fault) => fault.message)].join(' ')}{' '}
          <span className="muted">{refusal.remedy}</span>
        </span>
      ) : props.driver !== null ? (
        changed > 0 && (
          <span className="muted nowrap">
            {props.driver} prices it: {behind ? 'take it over to publish.' : 'publishing takes it over.'}
          </span>
        )
      ) : (
        changed > 0 && (
          <>
            <Change name="Best bid" from={priceOf(live, 'bids')} to={priceOf(values, 'bids')} />
            <Change name="Best ask" from={priceOf(live, 'asks')} to={priceOf(values, 'asks')} />
            <Change name="Spread, bps" from={spreadOf(live)} to={spreadOf(values)} spare />
            {others.length > 0 && <span className="muted nowrap narrow-out">with cells of {others.join(', ')}</span>}
            {props.follow?.on === true && (
              <span className="muted nowrap wide-only">
                It follows the reference: publishing asks whether it goes on.
              </span>
            )}
          </>
        )
      )}
      <span className="fill" />
      <OtherDrafts chainId={props.chainId} pair={pair} onSeveral={props.onSeveral} />
      {behind && props.driver === null && (
        <Button
          size="large"
          needs="trade"
          title="Your cells stay; the others become what is live."
          onClick={props.onRebase}
        >
          Bring onto what is live
        </Button>
      )}
      <Button look="quiet" size="large" needs="trade" disabled={changed === 0} onClick={props.onDiscard}>
        Discard <Key of="discard" className="narrow-out" />
      </Button>
      <Button
        look="primary"
        size="large"
        needs="trade"
        disabled={changed === 0 || faults > 0 || props.busy}
        title={faults > 0 ? 'The draft has faults: see the marked cells and Checks.' : undefined}
        onClick={props.onPublish}
      >
        Publish {pair} <Key of="publish" />
      </Button>
    </section>
  );
}

/** Whose cells beside our own a draft holds. */
export function othersIn(draft: Draft, actor: string): string[] {
  const editors = [...draft.bids, ...draft.asks].flatMap(({ price, amount }) => [price.editor, amount.editor]);
  return [...new Set(editors.filter((editor) => editor !== null && editor !== actor))] as string[];
}

/** Drafts of other pairs wait too: they are not published with this one. */
function OtherDrafts({ chainId, pair, onSeveral }: { chainId: number; pair: string; onSeveral: () => void }) {
  const count = useDesk(
    (view) =>
      view.pairs.filter((row) => (row.draftCells ?? 0) > 0 && !(row.chainId === chainId && row.pair === pair)).length,
  );
  if (count === 0) return null;
  return (
    <Button look="quiet" size="large" title="They are not published with this one." onClick={onSeveral}>
      {countText(count)} more {count === 1 ? 'draft' : 'drafts'}…
    </Button>
  );
}

function Change({ name, from, to, spare }: { name: string; from: string | null; to: string | null; spare?: boolean }) {
  return (
    <span className={`muted nowrap ${spare ? 'narrow-out' : ''}`}>
      {name} <b className="strong">{from === to ? (to ?? '—') : `${from ?? '—'} → ${to ?? '—'}`}</b>
    </span>
  );
}

function priceOf(values: LadderValues, side: 'bids' | 'asks'): string | null {
  const text = values[side][0]?.[0] ?? null;
  const read = text === null ? null : readDecimal(text);
  return read === null ? text : groupedText(read);
}
