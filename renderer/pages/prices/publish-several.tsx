import { useQuery, useQueryClient, useQueries as useSeveralQueries } from '@tanstack/react-query';
import { useState } from 'react';
import type { Draft, PublishedLadder } from '../../../electron/contract/book.ts';
import type { DraftSummary, LadderPreview } from '../../../electron/contract/ladder-preview.ts';
import { Button } from '../../components/button.tsx';
import { Dialog, DialogActions, Lead } from '../../components/dialog.tsx';
import { countText, plural } from '../../components/figures/counts.ts';
import { PairName } from '../../components/figures/pair-name.tsx';
import { exactText } from '../../components/figures/prices.ts';
import { Mark } from '../../components/mark.tsx';
import { Table } from '../../components/table.tsx';
import { useConsole, useDesk } from '../../state/console.tsx';
import { findPair, pairKey } from '../../state/live-desk.ts';
import { refusalOf } from '../../state/refusal-of.ts';
import { useCommand } from '../../state/use-command.ts';
import { type Check, checksOf } from './checks-of.ts';
import compareDialogStyles from './compare-dialog.module.css';
import { editsBetween, valuesOfDraft, valuesOfLadder } from './ladder-values.ts';
import styles from './publish-several.module.css';

const EVERY_MS = 1_000;

/** What was live of a pair before this dialog published it, whether it followed, and the revision that took its place. */
interface Replaced {
  before: PublishedLadder;
  followed: boolean;
  revision: number;
}

/**
 * Every draft that waits, with what it would change and what its checks say; those ticked are published one after the other,
 * as they stand here. What was live before can be published again as long as the dialog stands.
 */
export function PublishSeveral({ onClose }: { onClose: () => void }) {
  const { connection, queries, toasts } = useConsole();
  const cache = useQueryClient();
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [refused, setRefused] = useState<ReadonlyMap<string, string>>(new Map());
  const drafts = useQuery(queries.ladders.drafts.queryOptions({ refetchInterval: EVERY_MS }));
  const rows = drafts.data ?? [];
  const chosen = rows.filter((row) => row.faults === 0 && !left.has(pairKey(row)));
  const [keep, setKeep] = useState(true);
  const following = useDesk((view) => view.pairs);
  const follows = (row: DraftSummary) => findPair(following, row.chainId, row.pair)?.follow?.on === true;
  const followers = chosen.filter(follows);
  const [replaced, setReplaced] = useState<readonly Replaced[]>([]);
  const checks = useChecks(rows);
  const dear = chosen.filter((row) => checks.get(pairKey(row))?.some(({ sure }) => sure === true));
  const [sure, setSure] = useState(false);
  const { ladders } = connection.client;
  const command = useCommand(async () => {
    const said = new Map<string, string>();
    const done: Replaced[] = [];
    for (const row of chosen) {
      const { chainId, pair, version } = row;
      const followed = follows(row);
      try {
        const before = await ladders.published({ chainId, pair });
        const { revision } = await ladders.publish({ chainId, pair, version, keepFollowing: keep && followed });
        done.push({ before, followed, revision });
      } catch (error) {
        said.set(pairKey({ chainId, pair }), refusalOf(error).sentence);
      }
    }
    setRefused(said);
    setReplaced(done);
    setSure(false);
    if (done.length > 0) toasts.show({ level: 'done', title: `${plural(done.length, 'pair')} published` });
    await cache.invalidateQueries({ queryKey: queries.ladders.key() });
  });
  const undo = useCommand(async () => {
    const said = new Map<string, string>();
    for (const { before, followed, revision } of replaced) {
      const { chainId, pair } = before;
      try {
        const draft = await ladders.draft({ chainId, pair });
        const edits = editsBetween(valuesOfDraft(draft), valuesOfLadder(before.ladder));
        if (draft.baseRevision !== revision) {
          said.set(pairKey({ chainId, pair }), 'It has moved since, so it stays as it is.');
          continue;
        }
        const { version } = await ladders.edit({ chainId, pair, edits, seen: draft.version });
        await ladders.publish({ chainId, pair, version, keepFollowing: followed });
      } catch (error) {
        said.set(pairKey({ chainId, pair }), refusalOf(error).sentence);
      }
    }
    const back = replaced.length - said.size;
    if (back > 0) toasts.show({ level: 'done', title: `${plural(back, 'pair')} as before` });
    for (const [key, sentence] of said) {
      toasts.show({ level: 'look', title: `Not taken back: ${key.slice(key.indexOf(' ') + 1)}`, detail: sentence });
    }
    setReplaced([]);
    await cache.invalidateQueries({ queryKey: queries.ladders.key() });
  });
  const tick = (key: string) => setLeft((before) => withOrWithout(before, key));
  return (
    <Dialog title="Publish several drafts" width="widest" onClose={onClose}>
      <Lead>Each is published as it stands here. One that somebody changes meanwhile is refused and stays.</Lead>
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
                ticked={row.faults === 0 && !left.has(pairKey(row))}
                refused={refused.get(pairKey(row))}
                checks={checks.get(pairKey(row))}
                onTick={() => tick(pairKey(row))}
              />
            ))}
            {rows.length === 0 && (
              <tr>
                <td colSpan={7} className="quiet">
                  {drafts.isPending ? '' : 'No draft waits.'}
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
            <input type="checkbox" checked={sure} onChange={() => setSure(!sure)} /> {pairsText(dear)}{' '}
            {dear.length === 1 ? 'stands' : 'stand'} against the reference: publish {dear.length === 1 ? 'it' : 'them'}{' '}
            all the same.
          </label>
        </Lead>
      )}
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
          disabled={chosen.length === 0 || command.busy || undo.busy || (dear.length > 0 && !sure)}
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
      const of = { staleTime: EVERY_MS, refetchInterval: 2 * EVERY_MS };
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
  refused: string | undefined;
  checks: readonly Check[] | undefined;
  onTick: () => void;
}) {
  const { row, ticked, refused, checks } = props;
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
      {refused !== undefined || row.faults > 0 ? (
        <td className="stop" title={refused}>
          <Mark shape="refused" /> {refused ?? `${plural(row.faults, 'fault')} to mend`}
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
    <td className={first.level === 'stop' ? 'stop' : 'attn'} title={said}>
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
