import { useQuery, useQueryClient, useQueries as useSeveralQueries } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import type { Draft, PublishedLadder } from '../../../electron/contract/book.ts';
import type { DraftSummary, LadderPreview } from '../../../electron/contract/ladder-preview.ts';
import { Button } from '../../components/button.tsx';
import { Dialog, DialogActions, Lead } from '../../components/dialog.tsx';
import { countText, plural } from '../../components/figures/counts.ts';
import { PairName } from '../../components/figures/pair-name.tsx';
import { exactText } from '../../components/figures/prices.ts';
import { Mark } from '../../components/mark.tsx';
import { RefusalNote } from '../../components/note.tsx';
import { Table } from '../../components/table.tsx';
import { useConsole, useDesk } from '../../state/console.tsx';
import { findPair, pairKey } from '../../state/live-desk.ts';
import { useCommand } from '../../state/use-command.ts';
import { type Check, checksOf } from './checks-of.ts';
import { tickedOf, toAnswer, versionKey } from './chosen-drafts.ts';
import compareDialogStyles from './compare-dialog.module.css';
import { valuesOfLadder } from './ladder-values.ts';
import { publishDrafts, type Replaced, takeBack } from './publish-drafts.ts';
import styles from './publish-several.module.css';

const EVERY_MS = 1_000;

/**
 * Every draft that waits (or those of `only`), with what it would change and what its checks say; those ticked are published
 * as they stand here, all or none, once they are checked. What was live before can be published again as long as the dialog stands.
 */
export function PublishSeveral({ only, onClose }: { only?: ReadonlySet<string>; onClose: () => void }) {
  const { connection, queries, toasts } = useConsole();
  const cache = useQueryClient();
  const [ticked, setTicked] = useState<ReadonlySet<string> | null>(null);
  // Never from an earlier visit: what was there then would be ticked now.
  const drafts = useQuery(queries.ladders.drafts.queryOptions({ refetchInterval: EVERY_MS, gcTime: 0 }));
  const rows = useMemo(
    () => (drafts.data ?? []).filter((row) => only === undefined || only.has(pairKey(row))),
    [drafts.data, only],
  );
  const isRead = drafts.data !== undefined;
  useEffect(() => {
    if (isRead) setTicked((before) => tickedOf(before, rows));
  }, [isRead, rows]);
  const isTicked = (row: DraftSummary) => row.faults === 0 && ticked?.has(pairKey(row)) === true;
  const chosen = rows.filter(isTicked);
  const [keep, setKeep] = useState(true);
  const following = useDesk((view) => view.pairs);
  const follows = (row: DraftSummary) => findPair(following, row.chainId, row.pair)?.follow?.on === true;
  const followers = chosen.filter(follows);
  const [replaced, setReplaced] = useState<readonly Replaced[]>([]);
  const checks = useChecks(rows);
  const [sure, setSure] = useState<ReadonlySet<string>>(new Set());
  const { unchecked, dear, isSure } = toAnswer(chosen, checks, sure);
  const { ladders } = connection.client;
  const command = useCommand(async () => {
    const wanted = chosen.map((row) => ({
      chainId: row.chainId,
      pair: row.pair,
      version: row.version,
      followed: follows(row),
    }));
    setReplaced(await publishDrafts(ladders, wanted, keep));
    const published = new Set(wanted.map(pairKey));
    setTicked((before) => new Set([...(before ?? [])].filter((key) => !published.has(key))));
    toasts.show({ level: 'done', title: `${plural(wanted.length, 'pair')} published` });
    await cache.invalidateQueries({ queryKey: queries.ladders.key() });
  });
  const undo = useCommand(async () => {
    const { back, left: stayed } = await takeBack(ladders, replaced);
    if (back.length > 0) toasts.show({ level: 'done', title: `${plural(back.length, 'pair')} as before` });
    for (const [{ before }, sentence] of stayed) {
      toasts.show({ level: 'look', title: `Not taken back: ${before.pair}`, detail: sentence });
    }
    setReplaced([]);
    await cache.invalidateQueries({ queryKey: queries.ladders.key() });
  });
  const tick = (key: string) => setTicked((before) => withOrWithout(before ?? new Set(), key));
  return (
    <Dialog title="Publish several drafts" needs="trade" width="widest" onClose={onClose}>
      <Lead>
        They are published together as they stand here: all of them or, where one is refused or somebody changed it
        meanwhile, none.
      </Lead>
      <div className={compareDialogStyles.scroll}>
        <Table>
          <thead>
            <tr>
              <td className={styles.tickColumn} />
              <th className={styles.pairColumn}>Pair</th>
              <th className={`right ${styles.cellsColumn}`}>Cells</th>
              <th className="right">Best bid</th>
              <th className="right">Best ask</th>
              <th className={styles.checksColumn}>Checks</th>
              <th className={styles.byColumn}>By</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <DraftLineRow
                key={pairKey(row)}
                row={row}
                ticked={isTicked(row)}
                checks={checks.get(pairKey(row))}
                onTick={() => tick(pairKey(row))}
              />
            ))}
            {rows.length === 0 && (
              <tr>
                <td colSpan={7} className="quiet">
                  {isRead ? 'No draft waits.' : ''}
                </td>
              </tr>
            )}
          </tbody>
        </Table>
      </div>
      {followers.length > 0 && (
        <Lead>
          <label>
            <input type="checkbox" checked={keep} onChange={() => setKeep(!keep)} /> {pairsText(followers)}{' '}
            {followers.length === 1 ? 'follows' : 'follow'} the reference:{' '}
            {keep
              ? 'it goes on, in the shape that is published.'
              : 'that ends, and what is published stands still until somebody changes it.'}
          </label>
        </Lead>
      )}
      {dear.length > 0 && (
        <Lead>
          <label>
            <input
              type="checkbox"
              checked={isSure}
              onChange={() => setSure(new Set(isSure ? [] : dear.map(versionKey)))}
            />{' '}
            {pairsText(dear)} {dear.length === 1 ? 'stands' : 'stand'} against the reference: publish{' '}
            {dear.length === 1 ? 'it' : 'them'} all the same.
          </label>
        </Lead>
      )}
      {command.refusal !== null && <RefusalNote refusal={command.refusal} />}
      {undo.refusal !== null && <RefusalNote refusal={undo.refusal} />}
      <DialogActions>
        {replaced.length > 0 && (
          <Button size="large" disabled={undo.busy || command.busy} onClick={() => undo.run()}>
            Undo: {plural(replaced.length, 'pair')} as before
          </Button>
        )}
        <Button size="large" onClick={onClose}>
          {rows.length === 0 ? 'Done' : 'Keep them as drafts'}
        </Button>
        <Button
          look="primary"
          size="large"
          disabled={chosen.length === 0 || command.busy || undo.busy || unchecked.length > 0 || !isSure}
          title={unchecked.length > 0 ? `Not checked yet: ${pairsText(unchecked)}.` : undefined}
          onClick={() => command.run()}
        >
          Publish {plural(chosen.length, 'pair')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

/** What the checks of each draft say, by pair; a draft whose checks are on their way has none yet. */
function useChecks(rows: readonly DraftSummary[]): ReadonlyMap<string, readonly Check[]> {
  const { queries } = useConsole();
  const listed = useDesk((view) => view.listed);
  const read = useSeveralQueries({
    queries: rows.flatMap(({ chainId, pair }) => {
      const input = { chainId, pair };
      // Never from an earlier visit, nor kept for the page of one pair, which is judged by the same.
      const of = { staleTime: EVERY_MS, refetchInterval: 2 * EVERY_MS, gcTime: 0 };
      return [
        queries.ladders.draft.queryOptions({ input, ...of }),
        queries.ladders.published.queryOptions({ input, ...of }),
        queries.ladders.preview.queryOptions({ input, ...of }),
      ];
    }),
  });
  return new Map(
    rows.flatMap((row, index): [string, Check[]][] => {
      const [draft, published, preview] = read.slice(3 * index, 3 * index + 3).map(({ data }) => data) as [
        Draft | undefined,
        PublishedLadder | undefined,
        LadderPreview | undefined,
      ];
      const names = listed.find(({ chainId, pair }) => chainId === row.chainId && pair === row.pair);
      if (draft === undefined || published === undefined || preview === undefined || names === undefined) return [];
      if (draft.version !== row.version || preview.version !== row.version) return []; // of another draft
      const { base, quote } = names;
      const found = checksOf(draft, valuesOfLadder(published.ladder), preview, { base, quote, followNote: null });
      return [[pairKey(row), found.filter(({ level }) => level === 'stop' || level === 'look')]];
    }),
  );
}

function DraftLineRow(props: {
  row: DraftSummary;
  ticked: boolean;
  checks: readonly Check[] | undefined;
  onTick: () => void;
}) {
  const { row, ticked, checks } = props;
  const chain = useDesk((view) => view.chains.find(({ chainId }) => chainId === row.chainId)?.name ?? '');
  return (
    <tr>
      <td>
        <input
          type="checkbox"
          aria-label={`Publish ${row.pair} on ${chain}`}
          checked={ticked}
          disabled={row.faults > 0}
          onChange={props.onTick}
        />
      </td>
      <td>
        <PairName pair={row.pair} /> <span className="quiet">{chain}</span>
      </td>
      <td className="right draft">{countText(row.cells)}</td>
      <MovedPrice from={row.liveBid} to={row.bestBid} />
      <MovedPrice from={row.liveAsk} to={row.bestAsk} />
      <ChecksCell checks={checks} />
      {row.faults > 0 ? (
        <td className="stop">
          <Mark shape="refused" /> {plural(row.faults, 'fault')} to fix
        </td>
      ) : (
        <td className="muted" title={row.editors.join(', ')}>
          {row.editors.join(', ')}
        </td>
      )}
    </tr>
  );
}

function pairsText(rows: readonly DraftSummary[]): string {
  const named = rows.slice(0, 3).map(({ pair }) => pair);
  const more = rows.length - named.length;
  return more > 0 ? `${named.join(', ')} and ${more} more` : named.join(', ');
}

/** The price as it is and as it would be, one below the other, so that neither is cut. */
function MovedPrice({ from, to }: { from: string | null; to: string | null }) {
  const text = (price: string | null) => (price === null ? '—' : exactText(price));
  if (from === to) return <td className="right">{text(to)}</td>;
  return (
    <td className={`right ${styles.moved}`} title={`${text(from)} → ${text(to)}`}>
      <span className="muted">{text(from)}</span> <b className="strong">→ {text(to)}</b>
    </td>
  );
}

function ChecksCell({ checks }: { checks: readonly Check[] | undefined }) {
  if (checks === undefined) return <td className="quiet">checking…</td>;
  const [first] = checks;
  if (first === undefined) {
    return (
      <td>
        <Mark shape="done" tone="ok" /> nothing against it
      </td>
    );
  }
  const said = checks.map(({ title, detail }) => [title, detail].filter(Boolean).join(': ')).join('\n');
  return (
    <td className={`${styles.checks} ${first.level === 'stop' ? 'stop' : 'attn'}`} title={said}>
      <Mark shape={first.level === 'stop' ? 'refused' : 'look'} /> {first.title}
      {checks.length > 1 && ` and ${plural(checks.length - 1, 'other')}`}
    </td>
  );
}

function withOrWithout(keys: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const next = new Set(keys);
  if (!next.delete(key)) next.add(key);
  return next;
}
