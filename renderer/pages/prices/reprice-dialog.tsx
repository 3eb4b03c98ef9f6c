import { useQueryClient, useQueries as useSeveralQueries } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { repriced } from '../../../electron/contract/repriced-ladder.ts';
import { Button, TextButton } from '../../components/button.tsx';
import { Dialog, DialogActions, Lead } from '../../components/dialog.tsx';
import { Field } from '../../components/field.tsx';
import { countText, plural } from '../../components/figures/counts.ts';
import { PairName } from '../../components/figures/pair-name.tsx';
import { Mark } from '../../components/mark.tsx';
import { RefusalNote } from '../../components/note.tsx';
import { Table } from '../../components/table.tsx';
import { useConsole, useDesk } from '../../state/console.tsx';
import { type ListedPair, pairKey } from '../../state/live-desk.ts';
import { refusalOf } from '../../state/refusal-of.ts';
import { isInverse, REPRICE_FORMS, type RepriceOrder, readReprice, repriceText } from '../../state/reprice.ts';
import { useCommand } from '../../state/use-command.ts';
import compareDialogStyles from './compare-dialog.module.css';
import { cellText, columnPlaces, spreadOf } from './ladder-figures.ts';
import { editsBetween, type LadderValues } from './ladder-values.ts';
import { othersIn } from './publish-bar.tsx';
import publishSeveralStyles from './publish-several.module.css';
import { PublishSeveral } from './publish-several.tsx';
import styles from './reprice-dialog.module.css';
import { type Repriced, repricedPairs, toReprice, type UnreadPair } from './repriced-pairs.ts';
import { editElsewhere } from './use-draft.ts';

/** How often the drafts are looked at while the dialog stands. Milliseconds. */
const EVERY_MS = 1_000;

/**
 * One change to the ladders of many pairs: written as in the search, shown pair by pair, put into their drafts; and those are
 * checked and published together.
 */
export function RepriceDialog({ text: first, onClose }: { text: string; onClose: () => void }) {
  const deskConsole = useConsole();
  const { queries } = deskConsole;
  const cache = useQueryClient();
  const listed = useDesk((view) => view.listed);
  // A draft of an earlier visit is not the one that would be changed.
  const [openedAt] = useState(() => Date.now());
  const [text, setText] = useState(first);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [drafted, setDrafted] = useState<ReadonlySet<string> | null>(null);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.select(), []);
  const read = readReprice(text, listed);
  const order = read !== null && !('fault' in read) ? read : null;
  const pairs = order?.pairs ?? [];
  const drafts = useSeveralQueries({
    queries: pairs.map(({ chainId, pair }) =>
      queries.ladders.draft.queryOptions({
        input: { chainId, pair },
        staleTime: 0,
        // One that could not be read says why until somebody asks again.
        refetchInterval: ({ state }) => (state.dataUpdatedAt < openedAt && state.error !== null ? false : EVERY_MS),
      }),
    ),
  });
  const rows =
    order === null
      ? []
      : repricedPairs(
          order,
          drafts.map(({ data, dataUpdatedAt, error }) => ({
            data: dataUpdatedAt < openedAt ? undefined : data,
            error,
          })),
        );
  const { chosen, unread } = toReprice(rows, left);
  const isReady = chosen.length > 0 && unread.length === 0;
  const command = useCommand(async () => {
    if (order === null) return;
    // Only what was written here: in any other pair there may be a draft of somebody who is not done with it.
    const written = new Set<string>();
    let isRefused = false;
    for (const { pair, draft } of chosen) {
      let changes = 0;
      const refusal = await editElsewhere(deskConsole, draft, (now) => {
        const after = repriced(now, order.change, isInverse(pair, order));
        const edits = after === null ? [] : editsBetween(now, after);
        changes = edits.length;
        return edits;
      });
      if (refusal !== null) {
        isRefused = true;
        deskConsole.toasts.show({ level: 'stop', title: `${pair.pair}: ${refusal.sentence}`, detail: refusal.remedy });
      } else if (changes > 0) written.add(pairKey(pair));
    }
    await cache.invalidateQueries({ queryKey: queries.ladders.key() });
    if (written.size > 0) setDrafted(written);
    else if (!isRefused)
      deskConsole.toasts.show({ level: 'note', title: 'Nothing to change: the drafts say that already' });
  });
  if (drafted !== null) return <PublishSeveral only={drafted} onClose={onClose} />;
  const tick = (key: string) =>
    setLeft((before) =>
      before.has(key) ? new Set([...before].filter((other) => other !== key)) : new Set([...before, key]),
    );
  return (
    <Dialog title="Reprice many pairs" needs="trade" width="widest" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady) command.run();
        }}
      >
        <Field
          ref={field}
          label="Which pairs, and what is done to them"
          hint={`${REPRICE_FORMS.join('   ·   ')}   (also in the search, Ctrl K)`}
          fault={text.trim() === '' || order !== null ? null : faultOf(read)}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        {order !== null && (
          <Lead>
            <b className="strong">{repriceText(order)}.</b> {saysHow(order, chosen.length)} Bids are rounded down, asks
            up, sizes down.
            {unread.length > 0 &&
              ` ${plural(unread.length, 'pair')} could not be looked at yet: wait, ask again, or untick what is to stay.`}
          </Lead>
        )}
        <RepricedPairs
          rows={rows}
          left={left}
          order={order}
          onTick={tick}
          onAgain={({ chainId, pair }) =>
            void cache.refetchQueries({ queryKey: queries.ladders.draft.queryKey({ input: { chainId, pair } }) })
          }
        />
        {command.refusal !== null && <RefusalNote refusal={command.refusal} />}
        <DialogActions>
          <Button size="large" onClick={onClose}>
            Keep the drafts as they are
          </Button>
          <Button type="submit" look="primary" size="large" disabled={!isReady || command.busy}>
            Put into {plural(chosen.length, 'draft')} and check
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

function RepricedPairs(props: {
  rows: readonly (Repriced | UnreadPair)[];
  left: ReadonlySet<string>;
  order: RepriceOrder | null;
  onTick: (key: string) => void;
  onAgain: (pair: ListedPair) => void;
}) {
  const { rows, left, order } = props;
  const chains = useDesk((view) => view.chains);
  const actor = useDesk((view) => view.actor);
  return (
    <div className={compareDialogStyles.scroll}>
      <Table>
        <thead>
          <tr>
            <td className={publishSeveralStyles.tickColumn} />
            <th className={styles.pairColumn}>Pair</th>
            <th className="right">Best bid</th>
            <th className="right">Best ask</th>
            <th className={`right ${styles.spreadColumn}`}>Spread, bps</th>
            <th className={`right ${styles.sizeColumn}`}>First bid size</th>
            <th className={`right ${styles.sizeColumn}`}>First ask size</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const { pair } = row;
            const chain = chains.find(({ chainId }) => chainId === pair.chainId)?.name ?? '';
            const isTicked = !left.has(pairKey(pair));
            const onTick = () => props.onTick(pairKey(pair));
            if (row.draft === null) {
              return (
                <UnreadRow
                  key={pairKey(pair)}
                  row={row}
                  chain={chain}
                  isTicked={isTicked}
                  onTick={onTick}
                  onAgain={() => props.onAgain(pair)}
                />
              );
            }
            const { draft, before, after } = row;
            const others = othersIn(draft, actor);
            const said = [
              order?.change.kind === 'shift' && isInverse(pair, order) && 'the other way',
              others.length > 0 && `with cells of ${others.join(', ')}`,
            ].filter(Boolean);
            const places = columnPlaces({
              bids: [...before.bids, ...(after?.bids ?? [])],
              asks: [...before.asks, ...(after?.asks ?? [])],
            });
            const cell = (side: 'bids' | 'asks', part: 0 | 1) => {
              const text = (values: LadderValues) => {
                const value = values[side][0]?.[part];
                return value === undefined ? '—' : cellText(value, part === 0 ? places.price : places.amount);
              };
              return <Moved from={text(before)} to={after === null ? null : text(after)} />;
            };
            return (
              <tr key={pairKey(pair)}>
                <td>
                  <input
                    type="checkbox"
                    aria-label={`Reprice ${pair.pair} on ${chain}`}
                    checked={after !== null && isTicked}
                    disabled={after === null}
                    onChange={onTick}
                  />
                </td>
                <td
                  className={publishSeveralStyles.moved}
                  title={
                    order !== null && isInverse(pair, order) ? `${pair.quote} is the quote of ${pair.pair}` : undefined
                  }
                >
                  <span>
                    <PairName pair={pair.pair} /> <span className="quiet">{chain}</span>
                  </span>
                  {after === null ? (
                    <span className="stop">
                      <Mark shape="refused" /> has no ladder, or faults
                    </span>
                  ) : (
                    said.length > 0 && <span className="muted">{said.join(', ')}</span>
                  )}
                </td>
                {cell('bids', 0)}
                {cell('asks', 0)}
                <Moved from={spreadOf(before) ?? '—'} to={after === null ? null : (spreadOf(after) ?? '—')} />
                {cell('bids', 1)}
                {cell('asks', 1)}
              </tr>
            );
          })}
        </tbody>
      </Table>
    </div>
  );
}

/** A pair whose draft is not here: it takes part until somebody takes it out, so nothing is written without it unseen. */
function UnreadRow(props: {
  row: UnreadPair;
  chain: string;
  isTicked: boolean;
  onTick: () => void;
  onAgain: () => void;
}) {
  const { row, chain, isTicked, onTick, onAgain } = props;
  const { pair } = row.pair;
  const why = row.error === null ? null : refusalOf(row.error).sentence;
  return (
    <tr>
      <td>
        <input type="checkbox" aria-label={`Reprice ${pair} on ${chain}`} checked={isTicked} onChange={onTick} />
      </td>
      <td>
        <PairName pair={pair} /> <span className="quiet">{chain}</span>
      </td>
      <td colSpan={5} title={why ?? undefined}>
        {why === null ? (
          <span className="quiet">being read…</span>
        ) : (
          <>
            <span className="stop">
              <Mark shape="refused" /> {why}
            </span>{' '}
            <TextButton aria-label={`Ask again for ${pair} on ${chain}`} onClick={onAgain}>
              Ask again
            </TextButton>
          </>
        )}
      </td>
    </tr>
  );
}

function Moved({ from, to }: { from: string; to: string | null }) {
  if (to === null || from === to) return <td className="right quiet">{from}</td>;
  return (
    <td className={`right ${publishSeveralStyles.moved}`} title={`${from} → ${to}`}>
      <span className="muted">{from}</span> <b className="strong">→ {to}</b>
    </td>
  );
}

function faultOf(read: ReturnType<typeof readReprice>): string {
  return read !== null && 'fault' in read ? read.fault : `is not understood. Write it as ${REPRICE_FORMS[0]}`;
}

/** `count`: how many of its pairs are changed. */
function saysHow({ change, pairs }: RepriceOrder, count: number): string {
  const of = plural(pairs.length, 'pair');
  const levels = `every level of ${count === pairs.length ? of : `${countText(count)} of ${of}`}`;
  if (change.kind === 'sizes') return `Prices stay; ${levels} changes its size.`;
  if (change.kind === 'shift') return `Sizes stay; bids and asks of ${levels} move together.`;
  const way = change.bps.startsWith('-') ? 'Bids go up and asks down' : 'Bids go down and asks up';
  return `${way} by that much each, at ${levels}; sizes stay.`;
}
