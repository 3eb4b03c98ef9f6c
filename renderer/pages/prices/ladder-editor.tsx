import { memo, useMemo, useState } from 'react';
import type { PairRow } from '../../../electron/contract/book.ts';
import { Waiting } from '../../components/empty.tsx';
import { Note, RefusalNote } from '../../components/note.tsx';
import { refusalOf } from '../../state/refusal-of.ts';
import { ChecksPanel } from './checks-panel.tsx';
import { DepthPanel } from './depth-panel.tsx';
import type { CellAt } from './grid-cells.ts';
import { LadderGrid } from './ladder-grid.tsx';
import { LadderTools } from './ladder-tools.tsx';
import { editsBetween, valuesOfDraft, valuesOfLadder } from './ladder-values.ts';
import { PublishBar } from './publish-bar.tsx';
import { RevisionsPanel } from './revisions-panel.tsx';
import { useDraft } from './use-draft.ts';
import { usePublished } from './use-published.ts';

const AT_START: CellAt = { row: 0, column: 1 };

/** The draft of one pair beside what is live, what is wrong with it, and the one button that makes it live. */
export const LadderEditor = memo(function LadderEditor({ row }: { row: PairRow }) {
  const { chainId, pair } = row;
  const desk = useDraft(chainId, pair);
  const { published, revisions } = usePublished(chainId, pair);
  const [focus, setFocus] = useState({ cell: AT_START, anchor: AT_START });
  const draft = useMemo(() => (desk.draft === null ? null : valuesOfDraft(desk.draft)), [desk.draft]);
  const live = useMemo(
    () => (published.data === undefined ? null : valuesOfLadder(published.data.ladder)),
    [published.data],
  );
  if (published.error !== null) return <RefusalNote refusal={refusalOf(published.error)} />;
  if (desk.draft === null || draft === null || live === null || published.data === undefined)
    return <Waiting rows={12} />;
  const goTo = (cell: CellAt) => setFocus({ cell, anchor: cell });
  return (
    <>
      <LadderTools desk={desk} draft={draft} focus={focus} />
      {row.fault !== null && (
        <Note level="stop" title={`${pair} is set apart and not served`}>
          {row.fault}
        </Note>
      )}
      <div className="page-body prices-page">
        <LadderGrid
          row={row}
          desk={desk}
          draft={draft}
          live={live}
          revision={published.data.revision}
          focus={focus}
          onFocus={setFocus}
        />
        <DepthPanel draft={draft} live={live} base={row.base} />
        <ChecksPanel draft={desk.draft} live={live} onGoTo={goTo} />
        <RevisionsPanel
          revisions={revisions.data ?? []}
          live={published.data.revision}
          onLoad={(ladder) => desk.edit(editsBetween(draft, valuesOfLadder(ladder)))}
        />
      </div>
      <PublishBar pair={pair} desk={desk} draft={draft} live={live} />
    </>
  );
});
