import { memo, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useSearch } from 'wouter';
import type { PublishedLadder } from '../../../electron/contract/book.ts';
import { tokenOf } from '../../../electron/contract/names.ts';
import { ReadState, Waiting } from '../../components/empty.tsx';
import { Needs } from '../../components/needs.tsx';
import { Note } from '../../components/note.tsx';
import { PageBody } from '../../components/page-head.tsx';
import { PanelBox } from '../../components/panel.tsx';
import { showQuery } from '../../state/choice-in-address.ts';
import { useDesk, useToasts } from '../../state/console.tsx';
import { useShortcuts } from '../../state/shortcuts.ts';
import { askedCell } from '../../state/story.ts';
import { checksOf, previewOfSeen, UNCHECKED } from './checks-of.ts';
import { DepthPanel } from './depth-panel.tsx';
import { type CellAt, COLUMNS } from './grid-cells.ts';
import { HandSwitch } from './hand-switch.tsx';
import { type Asked, LadderDialogs } from './ladder-dialogs.tsx';
import styles from './ladder-editor.module.css';
import { changedCells, midOf, readPlaces } from './ladder-figures.ts';
import { LadderGrid } from './ladder-grid.tsx';
import ladderToolsStyles from './ladder-tools.module.css';
import { FollowSwitch, LadderTools, type ToolSettings } from './ladder-tools.tsx';
import { editsBetween, valuesOfDraft, valuesOfLadder } from './ladder-values.ts';
import publishBarStyles from './publish-bar.module.css';
import { othersIn, PublishBar } from './publish-bar.tsx';
import { QuotesPanel } from './quotes-panel.tsx';
import { SidePanels, useTall } from './side-panels.tsx';
import { useAroundDraft, useDraft, usePairPart, usePeople } from './use-draft.ts';

const AT_START: CellAt = { row: 0, column: 1 };

/** The draft of one pair beside what is live, what publishing it would do, and the one button that makes it live. */
export const LadderEditor = memo(function LadderEditor(props: {
  chainId: number;
  pair: string;
  base: string;
  quote: string;
  settings: ToolSettings;
  onSettings: (settings: ToolSettings) => void;
}) {
  const { chainId, pair, base, quote, settings } = props;
  const actor = useDesk((view) => view.actor);
  const fault = usePairPart(chainId, pair, (row) => row.fault);
  const following = usePairPart(chainId, pair, (row) => row.follow?.on);
  const followNote = usePairPart(chainId, pair, (row) => row.follow?.note);
  const engine = usePairPart(chainId, pair, (row) => tokenOf(row.publishedBy)) ?? null;
  const hasFormula = usePairPart(chainId, pair, (row) => row.formula !== undefined) === true;
  const byHand = usePairPart(chainId, pair, (row) => row.byHand) === true;
  const reference = usePairPart(chainId, pair, (row) => row.reference?.mid) ?? null;
  const hasReference = usePairPart(chainId, pair, (row) => row.hasReference) === true;
  const { line, draft, live: told, refusal, publishing } = useDraft(chainId, pair);
  const { published, revisions, preview, failed, again } = useAroundDraft(chainId, pair, draft);
  const liveRevision = usePairPart(chainId, pair, (row) => row.revision);
  const listed = revisions.data?.find(({ revision }) => revision === liveRevision);
  const [focus, setFocus] = useState({ cell: AT_START, anchor: AT_START });
  const [asked, setAsked] = useState<Asked | null>(null);
  const [history, setHistory] = useState(false);
  const link = useSearch();
  useEffect(() => {
    const at = askedCell(window.location.search);
    if (link === '' || at === null) return;
    const cell = {
      row: at.level,
      column: COLUMNS.findIndex(({ side, field }) => side === at.side && field === at.field),
    };
    setFocus({ cell, anchor: cell });
    setHistory(true);
    showQuery('');
  }, [link]);
  const close = useCallback(() => setAsked(null), []);
  const showSources = useCallback(() => setAsked({ kind: 'sources' }), []);
  const build = useCallback(() => setAsked({ kind: 'build' }), []);
  const reprice = useCallback(() => setAsked({ kind: 'reprice' }), []);
  const compare = useCallback((then: PublishedLadder) => setAsked({ kind: 'compare', then }), []);
  const goTo = useCallback((cell: CellAt) => setFocus({ cell, anchor: cell }), []);
  const load = useCallback(
    ({ ladder }: PublishedLadder) => line.edit((now) => editsBetween(now, valuesOfLadder(ladder))),
    [line],
  );
  const people = usePeople(chainId, pair, focus);
  const values = useMemo(() => (draft === null ? null : valuesOfDraft(draft)), [draft]);
  const read = useMemo(
    () => (published.data === undefined ? null : valuesOfLadder(published.data.ladder)),
    [published.data],
  );
  // The desk tells of what is live with a draft that nobody changed, mostly before it is read here; what is shown is of one moment.
  const isTold =
    told !== null && (draft?.isLive === true || told.revision > (published.data?.revision ?? Number.POSITIVE_INFINITY));
  const live = isTold ? told.values : read;
  const from = useMemo(() => reference ?? (live === null ? null : midOf(live)), [reference, live]);
  const { price = 0, amount = 0 } = useMemo(
    () => (values === null ? {} : readPlaces(values, base)),
    [values, base],
  ) as {
    price?: number;
    amount?: number;
  };
  const places = useMemo(() => ({ price, amount }), [price, amount]);
  const checks = useMemo(
    () =>
      draft === null || live === null
        ? []
        : checksOf(draft, live, preview, { base, quote, followNote: followNote ?? null }),
    [draft, live, preview, base, quote, followNote],
  );
  const toasts = useToasts();
  const here = useRef(new AbortController());
  useEffect(() => {
    const stay = new AbortController();
    here.current = stay;
    return () => stay.abort();
  }, []);
  const publish = () => {
    // As the draft stands at this moment: what was typed with the same press is not on the screen yet.
    const { draft: now } = line.state();
    if (now === null || live === null) return;
    const seen = line.seen();
    const left = here.current.signal;
    line.publish(false, seen, async () => {
      const judged = await previewOfSeen(seen, failed ? undefined : preview, () => again(left));
      if (left.aborted) {
        const detail = 'Its page was left before its draft was checked. It stands there as it was.';
        toasts.show({ level: 'look', isKept: true, title: `${pair} was not published`, detail });
        return false;
      }
      const found = checksOf(now, live, judged, { base, quote, followNote: followNote ?? null });
      const dear = [...(judged === undefined ? [UNCHECKED] : []), ...found].filter((check) => check.sure === true);
      if (following === true) setAsked({ kind: 'follows', checks: dear, seen });
      else if (dear.length > 0) setAsked({ kind: 'sure', checks: dear, seen });
      else return true;
      return false;
    });
  };
  // Wherever on the page the focus is: the grid hears it first, and takes what is typed into a cell.
  useShortcuts({ publish: () => values !== null && live !== null && changedCells(values, live) > 0 && publish() });
  const follow = useMemo(
    () => (following === undefined ? undefined : { on: following, note: followNote ?? null }),
    [following, followNote],
  );
  const isReferenced = reference !== null;
  const switches = useMemo(
    () => (
      <>
        <HandSwitch chainId={chainId} pair={pair} engine={engine} hasFormula={hasFormula} byHand={byHand} />
        {engine === null && !hasFormula && !byHand && (
          <FollowSwitch chainId={chainId} pair={pair} follow={follow} hasReference={isReferenced} />
        )}
      </>
    ),
    [chainId, pair, engine, hasFormula, byHand, follow, isReferenced],
  );
  const isThere = published.error === null && published.data !== undefined;
  if (!isThere || draft === null || values === null || live === null) {
    if (published.error === null) return <WaitingLadder />;
    return (
      <PageBody className={styles.waiting}>
        <PanelBox aria-label="Ladder">
          <ReadState read={published} unknown={`The ladder of ${pair} is not known here; it is priced as before`} />
        </PanelBox>
      </PageBody>
    );
  }
  const discard = () => {
    const others = othersIn(draft, actor);
    if (others.length > 0) setAsked({ kind: 'discard', others, seen: line.seen() });
    else line.discard();
  };
  return (
    <>
      <Needs right="trade">
        <LadderTools
          line={line}
          focus={focus}
          settings={settings}
          onSettings={props.onSettings}
          onBuild={build}
          onReprice={reprice}
        >
          {switches}
        </LadderTools>
      </Needs>
      {fault != null && (
        <Note level="stop" title={`${pair} is set aside and not served`}>
          {fault}
        </Note>
      )}
      <PageBody className={styles.page}>
        <LadderGrid
          line={line}
          values={values}
          focus={focus}
          people={people}
          unit={settings.unit}
          onFocus={setFocus}
          onPublish={publish}
          onDiscard={discard}
          onPasted={(text, over) => setAsked({ kind: 'paste', text, over })}
          names={{
            chainId,
            pair,
            base,
            quote,
            revision: isTold ? told.revision : published.data.revision,
            from: reference === null ? 'mid' : 'ref',
          }}
          scene={{ draft, values, live, actor, from, places, people }}
        />
        <DepthPanel
          draft={values}
          live={live}
          base={base}
          reference={reference}
          pricePlaces={places.price}
          chainId={chainId}
          pair={pair}
          onSources={hasReference ? showSources : null}
        />
        {preview === undefined ? (
          <PanelBox />
        ) : (
          <QuotesPanel
            preview={preview}
            base={base}
            quote={quote}
            pricePlaces={places.price}
            from={preview.reference?.mid ?? from}
          />
        )}
        <SidePanels
          chainId={chainId}
          pair={pair}
          checks={checks}
          revisions={revisions.data ?? []}
          live={listed?.revision ?? null}
          cell={focus.cell}
          places={places}
          hasFormula={hasFormula}
          history={history}
          onHistory={setHistory}
          onGoTo={goTo}
          onLoad={load}
          onCompare={compare}
        />
      </PageBody>
      <PublishBar
        chainId={chainId}
        pair={pair}
        draft={draft}
        values={values}
        live={live}
        liveRevision={isTold ? told.revision : published.data.revision}
        refusal={refusal}
        busy={publishing}
        follow={follow}
        driver={byHand ? null : hasFormula ? 'Its formula' : engine === null ? null : 'An engine'}
        onPublish={publish}
        onDiscard={discard}
        onRebase={() => line.rebase()}
        onSeveral={() => setAsked({ kind: 'several' })}
      />
      <LadderDialogs
        asked={asked}
        line={line}
        chainId={chainId}
        pair={pair}
        base={base}
        quote={quote}
        values={values}
        price={from}
        live={published.data}
        hasReference={reference !== null}
        onClose={close}
      />
    </>
  );
});

/** The page in the shape that it will have, so that nothing moves when its ladder comes. */
function WaitingLadder() {
  const tall = useTall();
  return (
    <>
      <div className={ladderToolsStyles.tools} />
      <PageBody className={styles.page}>
        <PanelBox className={styles.coming} aria-label="Ladder">
          <Waiting rows={10} isTable />
        </PanelBox>
        <PanelBox />
        <PanelBox />
        <PanelBox />
        {tall && <PanelBox className={styles.revisions} />}
      </PageBody>
      <div className={publishBarStyles.bar} />
    </>
  );
}
