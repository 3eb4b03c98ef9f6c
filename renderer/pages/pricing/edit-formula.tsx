import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';
import type { PairRow } from '../../../electron/contract/book.ts';
import type { FormulaRow } from '../../../electron/contract/formula-prices.ts';
import { tokenOf } from '../../../electron/contract/names.ts';
import type { ReferenceLine } from '../../../electron/contract/sources.ts';
import { Button } from '../../components/button.tsx';
import { Chip } from '../../components/chip.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Empty, Waiting } from '../../components/empty.tsx';
import { plural } from '../../components/figures/counts.ts';
import { exactText } from '../../components/figures/prices.ts';
import { Key } from '../../components/key.tsx';
import { Mark } from '../../components/mark.tsx';
import { InSight, Note, RefusalNote } from '../../components/note.tsx';
import { PageBody } from '../../components/page-head.tsx';
import { Panel } from '../../components/panel.tsx';
import { asSentence } from '../../components/sentence.tsx';
import { useClient, useQueries } from '../../state/console.tsx';
import { faultsElsewhere, InputRefused, refusalOf } from '../../state/refusal-of.ts';
import { useShortcuts } from '../../state/shortcuts.ts';
import { useCommand } from '../../state/use-command.ts';
import { ClosingsPanel } from './closings-panel.tsx';
import editStyles from './edit-formula.module.css';
import { FormulaForm } from './formula-form.tsx';
import { FIGURES, readFormula, typedOf } from './formula-input.ts';
import { MadeLadder } from './made-ladder.tsx';
import styles from './pair-pricing.module.css';
import { changesOf, closedBy, isQuoted } from './pricing-words.ts';
import { midText } from './sources-panel.tsx';
import { TermsPanel } from './terms-panel.tsx';
import { isOutcomeOf, outcomeAfter, type TriedOutcome } from './tried-outcome.ts';

const AGAIN_MS = 1_000;

/** A formula while it is typed: what it would give now beside what is live, what changes, and the button that sets it. */
export function EditFormula(props: {
  chainId: number;
  pair: string;
  base: string;
  quote: string;
  live: PairRow;
  reference: ReferenceLine | undefined;
  level: number;
  row: FormulaRow | null;
  sourcesPanel: ReactNode;
  head: ReactNode;
  onLevel: (level: number) => void;
  /** Reads anew what the pair has. */
  onReread: () => Promise<FormulaRow | null>;
  onClose: () => void;
}) {
  const { chainId, pair, base, quote, live, row, onClose, onReread } = props;
  const client = useClient();
  const queries = useQueries();
  // What whoever changes it had in view: a change by somebody else meanwhile is told, not written over.
  const [seen, setSeen] = useState(row?.formula ?? null);
  const [typed, setTyped] = useState(() => typedOf(seen, live));
  const [removing, setRemoving] = useState(false);
  /** What would close, as it was when the question was asked. */
  const [asking, setAsking] = useState<Closes | null>(null);
  const read = useMemo(() => readFormula(typed), [typed]);
  const formula = 'formula' in read ? read.formula : null;
  const tried = useQuery(
    queries.formulas.try.queryOptions({
      input: formula === null ? skipToken : { chainId, pair, formula },
      refetchInterval: AGAIN_MS,
      placeholderData: keepPreviousData,
      retry: false,
      gcTime: 0,
    }),
  );
  const [known, setKnown] = useState<TriedOutcome | null>(null);
  const next = outcomeAfter(known, formula, tried.isPlaceholderData ? undefined : tried.data);
  if (next !== known) setKnown(next);
  // What stands there while the desk works out another formula may be looked at, and this one is not set by it.
  const isOfThis = isOutcomeOf(known, formula);
  const wrong = tried.error === null || formula === null ? null : refusalOf(tried.error);
  const isOf = isOfOther({ isFaulty: formula === null, isOfThis, isWrong: wrong !== null });
  const save = useCommand(async () => {
    if (formula === null) throw new InputRefused('faults' in read ? read.faults : []);
    await client.formulas.set({ chainId, pair, formula, seen });
    await onReread();
    onClose();
  });
  const isOvertaken = save.refusal?.code === 'changed_meanwhile';
  const changes = formula === null ? [] : changesOf(isOvertaken ? (row?.formula ?? null) : seen, formula, base);
  const faults = ['faults' in read ? read.faults : [], wrong?.faults ?? [], save.refusal?.faults ?? []].flat();
  const isReady = formula !== null && isOfThis && wrong === null && changes.length > 0 && !save.busy && !isOvertaken;
  const closes = known === null ? null : closesOf(live, known);
  const set = () => {
    if (!isReady) return;
    if (closes?.isAtOnce === true) setAsking(closes);
    else save.run();
  };
  useShortcuts({
    publish: set,
    close: () => (changes.length === 0 && faults.length === 0 ? onClose() : false),
  });
  const goOn = async ({ isMine }: { isMine: boolean }) => {
    const now = (await onReread())?.formula ?? null;
    setSeen(now);
    if (!isMine) setTyped(typedOf(now, live));
    save.reset();
  };
  const refusal = save.refusal ?? wrong;
  const isBare = (known?.said.now?.ladder.bids.length ?? 0) + (known?.said.now?.ladder.asks.length ?? 0) === 0;
  return (
    <>
      <div className={`${styles.head} ${styles.editing}`}>
        {props.head}
        <span className="fill" />
        {faults.length > 0 ? (
          <Chip tone="stop">
            <Mark shape="refused" />
            {plural(faults.length, 'field')} to fix
          </Chip>
        ) : changes.length === 0 ? (
          <span className="quiet nowrap">The draft is what is set.</span>
        ) : (
          <Chip tone="draft">
            <Mark shape="notch" />
            {plural(changes.length, 'part')} changed
          </Chip>
        )}
        <Button size="large" onClick={onClose}>
          Keep it as it is
        </Button>
        <Button look="primary" size="large" needs="trade" disabled={!isReady} onClick={set}>
          {closes?.isAtOnce === true ? `Set it, closing ${closes.short}…` : 'Set the formula'}{' '}
          <Key of="publish" className="narrow-out" />
        </Button>
      </div>
      {refusal !== null && (
        <div className={styles.closed}>
          {isOvertaken ? (
            <InSight of={refusal.sentence}>
              <Note
                level="stop"
                title={refusal.sentence}
                actions={
                  <>
                    <Button onClick={() => void goOn({ isMine: true })}>Keep mine, over what it is now</Button>
                    <Button look="quiet" onClick={() => void goOn({ isMine: false })}>
                      Drop mine
                    </Button>
                  </>
                }
              >
                What you typed is still here. What it is now stands struck through beside it.
              </Note>
            </InSight>
          ) : (
            <RefusalNote refusal={refusal} elsewhere={faultsElsewhere(refusal, FIGURES)} />
          )}
        </div>
      )}
      <PageBody className={`${styles.page} ${editStyles.page}`}>
        <div className={styles.left}>
          {props.sourcesPanel}
          <DraftTerms {...props} isFaulty={formula === null} tried={known} isOf={isOf} />
        </div>
        <div className={editStyles.right} data-bare={isBare || undefined}>
          <FormulaForm
            typed={typed}
            base={base}
            quote={quote}
            faults={faults}
            onType={setTyped}
            onSubmit={set}
            onRemove={seen === null ? null : () => setRemoving(true)}
          >
            <Changes changes={changes} isFaulty={formula === null} live={live} closes={closes} />
          </FormulaForm>
          <Outcome {...props} tried={known} isOf={isOf} />
        </div>
      </PageBody>
      {asking !== null && (
        <ConfirmDialog
          title={`Close ${asking.what} by this formula?`}
          keep="Keep changing it"
          act={`Set it, closing ${asking.short}`}
          needs="trade"
          // A refusal stands on the page, where what it is about is changed.
          send={async () => save.run()}
          onClose={() => setAsking(null)}
        >
          At once: {asking.why} Quotes that are signed stay fillable until they expire.
        </ConfirmDialog>
      )}
      {removing && seen !== null && (
        <ConfirmDialog
          title={`Remove the formula of ${pair}?`}
          keep="Keep the formula"
          act="Remove it"
          needs="trade"
          send={async () => {
            await client.formulas.remove({ chainId, pair, seen });
            await onReread();
            onClose();
          }}
          onClose={() => setRemoving(false)}
        >
          At once. Its ladder stays at {live.bestBid === null ? 'no bid' : exactText(live.bestBid)} /{' '}
          {live.bestAsk === null ? 'no ask' : exactText(live.bestAsk)} and stands still, whatever the mid does, until
          somebody publishes, lets it follow, or an engine pushes it.
        </ConfirmDialog>
      )}
    </>
  );
}

type Drafted = Parameters<typeof EditFormula>[0] & {
  tried: TriedOutcome | null;
  /** Where that is of another formula than the one that is typed now, of which; else null. */
  isOf: string | null;
};

/** Of which formula the figures are where that is not the one that is typed. */
function isOfOther(is: { isFaulty: boolean; isOfThis: boolean; isWrong: boolean }): string | null {
  if (is.isFaulty) return 'of the figures before; fix the marked fields';
  if (is.isOfThis) return null;
  return is.isWrong ? 'of the one before' : 'being worked out, this is of the one before';
}

/** What the draft gives now, term by term, with what is live struck through where it differs. */
function DraftTerms({ isFaulty, tried, isOf, row, reference, level, base, quote }: Drafted & { isFaulty: boolean }) {
  const aside = (tried === null ? null : isOf) ?? 'term by term';
  if (tried === null || tried.said.now === null) {
    return (
      <Panel name="Draft" aside={aside}>
        {tried !== null ? (
          <Empty title="It would give no price now">{asSentence(tried.said.why ?? 'its inputs are not known')}</Empty>
        ) : isFaulty ? (
          <Empty title="Fix the marked fields">Then it stands here what the formula would give now.</Empty>
        ) : (
          <Waiting rows={7} />
        )}
      </Panel>
    );
  }
  const { formula, said } = tried;
  return (
    <TermsPanel
      name="Draft"
      priced={{ formula, price: tried.said.now }}
      live={row?.now == null ? null : { formula: row.formula, price: row.now }}
      level={level}
      base={base}
      quote={quote}
      midWords={midText(reference)}
      aside={isOf ?? (said.why === null ? 'what it would give now' : `it would be closed: ${said.why}`)}
    />
  );
}

/** What would close the pair, and the ladder that would be made, if any: where there is room for them beside the form. */
function Outcome({ tried, isOf, base, level, onLevel }: Drafted) {
  if (tried === null) return null;
  const { formula, said } = tried;
  const ladder = said.now?.ladder ?? { bids: [], asks: [] };
  return (
    <div className={editStyles.outcome} aria-busy={isOf !== null}>
      <ClosingsPanel closings={said.closings} formula={formula} base={base} isDraft />
      {ladder.bids.length + ladder.asks.length > 0 && (
        <MadeLadder ladder={ladder} base={base} level={level} isDraft onLevel={onLevel} />
      )}
    </div>
  );
}

/** What a draft closes. */
interface Closes {
  /** `WETH/USDC`, or `the bids of WETH/USDC`; and in short `the pair`. */
  what: string;
  short: string;
  why: string;
  /** Set, it takes off the market what is quoted now. */
  isAtOnce: boolean;
}

function closesOf(live: PairRow, { said }: TriedOutcome): Closes | null {
  const closed = closedBy(said);
  if (closed === null) return null;
  const { closes, why } = closed;
  const isOpen = closes === 'pair' ? isQuoted(live, 'bids') || isQuoted(live, 'asks') : isQuoted(live, closes);
  return {
    what: closes === 'pair' ? live.pair : `the ${closes} of ${live.pair}`,
    short: `the ${closes}`,
    why: asSentence(why),
    isAtOnce: isOpen && live.byHand !== true,
  };
}

/** What setting it changes, part by part, and what follows for the pair: first of all that it would be closed. */
function Changes(props: {
  changes: ReturnType<typeof changesOf>;
  isFaulty: boolean;
  live: PairRow;
  closes: Closes | null;
}) {
  const { changes, isFaulty, live, closes } = props;
  if (isFaulty) return <p className="quiet">A marked field has to be fixed before the formula can be set.</p>;
  if (changes.length === 0) return <p className="quiet">Nothing is changed yet.</p>;
  return (
    <>
      {closes !== null && (
        <div className={editStyles.closes}>
          <Note level="look" title={closesTitle(closes, live)}>
            {closes.why}
          </Note>
        </div>
      )}
      <ul className={editStyles.changes} aria-label="What changes">
        {changes.map(({ part, before, after }) => (
          <li key={part}>
            <b className="strong">{part}</b> <span className="quiet">{before ?? 'none'} →</span>{' '}
            <span className="draft">{after ?? 'none'}</span>
          </li>
        ))}
      </ul>
      {(closes === null || live.byHand === true) && <p className="muted">{followsText(live)}</p>}
    </>
  );
}

function closesTitle({ what, isAtOnce }: Closes, { byHand }: PairRow): string {
  if (byHand === true) return `Given back, it closes ${what}`;
  return isAtOnce ? `Set, it closes ${what} at once` : `Set, it keeps ${what} closed`;
}

function followsText({ byHand, publishedBy, follow, formula }: PairRow): string {
  if (byHand === true) return 'It waits until the pair is given back; until then what is live stays as it is.';
  const engine = tokenOf(publishedBy);
  if (formula === undefined && engine !== null) {
    return `Set, it prices the pair within a second, and what engine ${engine} pushes of it is refused.`;
  }
  if (formula === undefined && follow?.on === true)
    return 'Set, it prices the pair within a second and ends following.';
  return 'Set, it prices the pair within a second.';
}
