import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { DraftSummary } from '../../../electron/contract/ladder-preview.ts';
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
import compareDialogStyles from './compare-dialog.module.css';
import styles from './publish-several.module.css';

const EVERY_MS = 1_000;

/** Every draft that waits, with what it would change; those ticked are published one after the other, as they stand here. */
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
  const command = useCommand(async () => {
    const said = new Map<string, string>();
    for (const row of chosen) {
      const { chainId, pair, version } = row;
      try {
        await connection.client.ladders.publish({ chainId, pair, version, keepFollowing: keep && follows(row) });
      } catch (error) {
        said.set(pairKey({ chainId, pair }), refusalOf(error).sentence);
      }
    }
    setRefused(said);
    const done = chosen.length - said.size;
    if (done > 0) toasts.show({ level: 'done', title: `${plural(done, 'pair')} published` });
    await cache.invalidateQueries({ queryKey: queries.ladders.key() });
    if (said.size === 0) onClose();
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
              <th>By</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <DraftLineRow
                key={pairKey(row)}
                row={row}
                ticked={row.faults === 0 && !left.has(pairKey(row))}
                refused={refused.get(pairKey(row))}
                onTick={() => tick(pairKey(row))}
              />
            ))}
            {rows.length === 0 && (
              <tr>
                <td colSpan={6} className="quiet">
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
      <DialogActions>
        <Button size="large" onClick={onClose}>
          Keep them as drafts
        </Button>
        <Button
          look="primary"
          size="large"
          disabled={chosen.length === 0 || command.busy}
          onClick={() => command.run()}
        >
          Publish {plural(chosen.length, 'pair')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function DraftLineRow(props: { row: DraftSummary; ticked: boolean; refused: string | undefined; onTick: () => void }) {
  const { row, ticked, refused } = props;
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
      <td className="right">{moveText(row.liveBid, row.bestBid)}</td>
      <td className="right">{moveText(row.liveAsk, row.bestAsk)}</td>
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

function moveText(from: string | null, to: string | null): string {
  const text = (price: string | null) => (price === null ? '—' : exactText(price));
  return from === to ? text(to) : `${text(from)} → ${text(to)}`;
}

function withOrWithout(keys: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const next = new Set(keys);
  if (!next.delete(key)) next.add(key);
  return next;
}
