import { useQuery } from '@tanstack/react-query';
import { memo, type ReactNode, useEffect, useRef, useState } from 'react';
import { Link, useSearch } from 'wouter';
import type { PairRow } from '../../../electron/contract/book.ts';
import type { FormulaRow } from '../../../electron/contract/formula-prices.ts';
import { tokenOf } from '../../../electron/contract/names.ts';
import type { ReferenceLine } from '../../../electron/contract/sources.ts';
import { Button } from '../../components/button.tsx';
import { ChangesLink } from '../../components/changes-link.tsx';
import { Chip } from '../../components/chip.tsx';
import { Empty, ReadState } from '../../components/empty.tsx';
import { Age } from '../../components/figures/age.tsx';
import { countText } from '../../components/figures/counts.ts';
import { decimalText, exactText, spreadText } from '../../components/figures/prices.ts';
import { Note } from '../../components/note.tsx';
import { PageBody } from '../../components/page-head.tsx';
import { Panel } from '../../components/panel.tsx';
import { asSentence } from '../../components/sentence.tsx';
import { showQuery } from '../../state/choice-in-address.ts';
import { useDesk, useQueries } from '../../state/console.tsx';
import { ladderPath, levelIn } from '../../state/pages.ts';
import { driftText, HandButton } from '../prices/hand-switch.tsx';
import { rowOf } from '../prices/pair-tabs.tsx';
import { ClosingsPanel } from './closings-panel.tsx';
import { EditFormula } from './edit-formula.tsx';
import { MadeLadder } from './made-ladder.tsx';
import styles from './pair-pricing.module.css';
import { isQuoted, midPlaces, opensAgain, pricedBy, publisherText, whyNot } from './pricing-words.ts';
import { midText, SourcesPanel } from './sources-panel.tsx';
import { type Explained, explained } from './terms.ts';
import { TermsPanel } from './terms-panel.tsx';

/** How often it is read anew what a pair is priced by. Milliseconds. */
const AGAIN_MS = 1_000;

/** What the prices of one pair are made of: its sources, its formula term by term, what closes it, and whose hand is on top. */
export const PairPricing = memo(function PairPricing(props: {
  chainId: number;
  pair: string;
  base: string;
  quote: string;
}) {
  const { chainId, pair, base, quote } = props;
  const queries = useQueries();
  const search = useSearch();
  const [level, setLevel] = useState(() => levelIn(search));
  useEffect(() => {
    if (search === '') return;
    setLevel(levelIn(search));
    showQuery('');
  }, [search]);
  const terms = useRef<HTMLDivElement>(null);
  // Where the page is one column, the terms of the price that was pressed stand above the window.
  const chooseLevel = (at: number) => {
    setLevel(at);
    terms.current?.scrollIntoView({ block: 'nearest' });
  };
  const live = useDesk((view) => rowOf(view, { chainId, pair }));
  const formulas = useQuery(
    queries.formulas.list.queryOptions({ input: { chainId, pair }, refetchInterval: AGAIN_MS }),
  );
  const sources = useQuery(
    queries.service.sources.queryOptions({ input: { chainId, pair }, refetchInterval: AGAIN_MS }),
  );
  const [editing, setEditing] = useState(false);
  // What is live and what it is made of are of one moment: a formula moves its pair once a second.
  const { refetch } = formulas;
  const revision = live?.revision;
  useEffect(() => {
    if (revision !== undefined) void refetch();
  }, [revision, refetch]);
  if (live === undefined) return <Empty title="This pair is not listed any more">Choose another above.</Empty>;
  const row = formulas.data?.[0] ?? null;
  const reference = sources.data?.references[0];
  const sourcesPanel = (
    <SourcesPanel read={sources} reference={reference} lines={sources.data?.sources ?? []} quote={quote} />
  );
  const shown = row === null ? null : explained(row, live);
  const made = shown === null || shown.of === 'nothing' ? row?.now : shown.priced.price;
  const about = { chainId, pair, base, quote, live, reference, level };
  if (editing && formulas.data !== undefined) {
    return (
      <EditFormula
        {...about}
        row={row}
        sourcesPanel={sourcesPanel}
        head={<Figures live={live} reference={reference} />}
        onLevel={chooseLevel}
        onReread={async () => (await formulas.refetch()).data?.[0] ?? null}
        onClose={() => setEditing(false)}
      />
    );
  }
  const canHave = live.hasReference === true && live.retiredUntil === null && formulas.data !== undefined;
  return (
    <>
      <div className={styles.head}>
        <Figures live={live} reference={reference} />
        <span className="fill" />
        {row !== null && (
          <Button size="large" onClick={() => setEditing(true)}>
            Change the formula…
          </Button>
        )}
        {row === null ? (
          <Button look="primary" size="large" disabled={!canHave} onClick={() => setEditing(true)}>
            Set a formula…
          </Button>
        ) : (
          <HandButton
            chainId={chainId}
            pair={pair}
            engine={null}
            hasFormula
            byHand={live.byHand === true}
            look="primary"
            size="large"
          />
        )}
      </div>
      <div className={styles.closed}>
        <Closed live={live} row={row} onChange={() => setEditing(true)} />
      </div>
      <PageBody className={styles.page}>
        <div className={styles.left} ref={terms}>
          {sourcesPanel}
          {formulas.data === undefined ? (
            <Panel name="Formula">
              <ReadState
                read={formulas}
                rows={7}
                unknown={`What prices ${pair} is not known here; it is priced all the same`}
              />
            </Panel>
          ) : row === null || shown === null ? (
            <NoFormula live={live} />
          ) : (
            <Terms {...about} row={row} shown={shown} />
          )}
        </div>
        <div className={styles.right}>
          {row !== null && (
            <ClosingsPanel closings={row.closings} formula={row.formula} base={base} isByHand={live.byHand === true} />
          )}
          <HandPanel live={live} row={row} />
          {row !== null && (
            <MadeLadder
              ladder={made?.ladder ?? { bids: [], asks: [] }}
              base={base}
              level={level}
              onLevel={chooseLevel}
            />
          )}
        </div>
      </PageBody>
    </>
  );
});

/** What is live of the pair, before everything else; struck where it is not quoted. */
function Figures({ live, reference: line }: { live: PairRow; reference: ReferenceLine | undefined }) {
  const struck = (side: 'bids' | 'asks') => (isQuoted(live, side) ? '' : styles.off);
  const { bestBid, bestAsk, spreadTenthBps, reference, revision, publishedAt, publishedBy, byHand } = live;
  const from = line?.sources.filter(({ use }) => use === 'mid').map(({ name }) => name) ?? [];
  return (
    <>
      <p className={`${styles.figures} live-figure`} title="Our best bid and ask; struck: not quoted now">
        <span className={`bid ${struck('bids')}`}>{bestBid === null ? '—' : exactText(bestBid)}</span>
        <span className="quiet">/</span>
        <span className={`ask ${struck('asks')}`}>{bestAsk === null ? '—' : exactText(bestAsk)}</span>
      </p>
      {byHand === true && <Chip tone="attn">by hand</Chip>}
      <Fact name="Spread">
        {spreadTenthBps === null ? (
          'one side'
        ) : (
          <span className={struck('bids') || struck('asks')}>{spreadText(spreadTenthBps)} bps</span>
        )}
      </Fact>
      <Fact name="Mid">
        {reference == null ? (
          '—'
        ) : (
          <>
            <span className={reference.stale ? styles.stale : ''} title={exactText(reference.mid)}>
              {decimalText(reference.mid, midPlaces(live, reference.mid))}
            </span>{' '}
            <span className={reference.stale ? 'stop' : 'quiet'}>
              {from.length > 0 && <span className="roomy-only">{from.join(', ')}, </span>}
              <Age since={reference.time} />
            </span>
          </>
        )}
      </Fact>
      <Fact name="Revision" className={styles.revision}>
        {countText(revision)}{' '}
        <span className="quiet tight-out">
          <Age since={publishedAt} /> ago, {publisherText(publishedBy)}
        </span>
      </Fact>
    </>
  );
}

function Fact({ name, className = '', children }: { name: string; className?: string; children: ReactNode }) {
  return (
    <dl className={`${styles.fact} ${className}`}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </dl>
  );
}

/** Why the pair, or a side of it, is not quoted now, and whether that ends by itself. */
function Closed({ live, row, onChange }: { live: PairRow; row: FormulaRow | null; onChange: () => void }) {
  const { pair, byHand, formula } = live;
  const why = whyNot(live);
  const isFormulas = byHand !== true && formula?.note != null;
  if (why !== null && isFormulas) {
    return (
      <Note
        level="stop"
        title={`${pair} is closed: its formula gives no prices`}
        actions={<Button onClick={onChange}>Change the formula…</Button>}
      >
        {why} Counterparties see the pair without prices; quotes that are signed stay fillable until they expire.{' '}
        {opensAgain('pair', row?.formula ?? null, row?.closings ?? [])}
      </Note>
    );
  }
  const side = byHand === true ? undefined : row?.closings.find((one) => one.closes !== 'pair' && one.why !== null);
  if (side?.why != null) {
    return (
      <Note level="look" title={`The formula closes the ${side.closes} of ${pair}`}>
        {asSentence(side.why)} {opensAgain(side.closes, row?.formula ?? null, row?.closings ?? [])}
      </Note>
    );
  }
  if (why === null) return null;
  return (
    <Note level="look" title={`${pair} is not quoted as it stands`}>
      {why}
    </Note>
  );
}

/** The price that stands there, term by term: what is live, or what the formula gives now although that is not live. */
function Terms(props: {
  row: FormulaRow;
  shown: Explained;
  reference: ReferenceLine | undefined;
  level: number;
  base: string;
  quote: string;
}) {
  const { row, shown, reference, level, base, quote } = props;
  if (shown.of === 'nothing') {
    return (
      <Panel name="Formula" aside="term by term">
        <Empty title="It gives no price now">
          {row.why === null ? 'It is being worked out.' : asSentence(row.why)}
        </Empty>
      </Panel>
    );
  }
  const aside =
    shown.of === 'now'
      ? 'what it gives now, not what is live'
      : shown.revision === null
        ? 'term by term, as it is live'
        : `term by term, as revision ${countText(shown.revision)} was made`;
  return (
    <TermsPanel
      name="Formula"
      priced={shown.priced}
      level={level}
      base={base}
      quote={quote}
      midWords={midText(reference)}
      aside={aside}
    />
  );
}

function NoFormula({ live }: { live: PairRow }) {
  const { pair, chainId, hasReference, retiredUntil } = live;
  const how =
    retiredUntil !== null
      ? 'It is retired and has no prices any more.'
      : hasReference === true
        ? 'A formula makes its ladder from the mid above: half a spread, skew by what the desk holds, wider while the mid moves or is old. Set one with “Set a formula…”, above.'
        : 'A formula needs a mid to begin with, and this pair has no source.';
  return (
    <Panel name="Formula">
      <Empty
        title={`${pair} has no formula`}
        actions={
          <Button asChild>
            <Link href={ladderPath(chainId, pair)}>Open its ladder</Link>
          </Button>
        }
      >
        {how}
      </Empty>
    </Panel>
  );
}

/** Whose hand is on the pair, and what taking it over or giving it back does. */
function HandPanel({ live, row }: { live: PairRow; row: FormulaRow | null }) {
  const { chainId, pair, byHand, follow, publishedBy } = live;
  const engine = tokenOf(publishedBy);
  const isFollowed = row === null && byHand !== true && engine === null && follow?.on === true;
  const words =
    row === null
      ? byHand === true
        ? 'A person has it: what engines push of it is refused until it is given back under Ladder.'
        : engine !== null
          ? `Engine ${engine} pushes its prices. A formula would take it over from that engine.`
          : isFollowed
            ? 'Its ladder keeps its shape and moves with the reference. A formula would end that.'
            : 'Its ladder stands where it was left, whatever the mid does, until somebody publishes.'
      : byHand === true
        ? 'The ladder stands where it was left, whatever the mid does. Limits, protections and an old mid still close it; what closes by the formula does not until it is given back.'
        : 'The formula moves it at most once a second, when a price changes by a tick. Taken over, the ladder stands where it is until you publish another or give it back.';
  return (
    <Panel
      name="Hand"
      aside={isFollowed ? 'follows the reference' : `priced by ${pricedBy(live)}`}
      actions={<ChangesLink of={{ kind: 'pair', chainId, pair }} />}
      className={styles.hand}
    >
      <p className={styles.words}>
        {words}
        {row !== null && byHand === true && <FormulaNow row={row} live={live} />}
      </p>
    </Panel>
  );
}

/** What its formula would give a pair that a person has. */
function FormulaNow({ row: { now, why }, live }: { row: FormulaRow; live: PairRow }) {
  const [bid, ask] = [now?.ladder.bids[0]?.[0], now?.ladder.asks[0]?.[0]];
  const drift = driftText(now?.ladder, live);
  if (why !== null) return <> The formula would give no prices now: {why}.</>;
  return (
    <>
      {' '}
      The formula would give{' '}
      <b className="strong">
        {bid === undefined ? 'no bid' : exactText(bid)} / {ask === undefined ? 'no ask' : exactText(ask)}
      </b>
      {drift === null ? '' : `, ${drift}`}.
    </>
  );
}
