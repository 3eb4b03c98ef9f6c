import { useState } from 'react';
import type { AutoHedgeRow } from '../../../electron/contract/hedge.ts';
import { Dialog } from '../../components/dialog.tsx';
import { Empty, Waiting } from '../../components/empty.tsx';
import { amountText } from '../../components/figures/amounts.ts';
import { PairName } from '../../components/figures/pair-name.tsx';
import { exactText } from '../../components/figures/prices.ts';
import { momentText } from '../../components/figures/times.ts';
import { Mark } from '../../components/mark.tsx';
import { QueryError } from '../../components/query-error.tsx';
import { AUTO_WORDS, autoState, useAuto } from '../../state/auto-hedge.ts';
import { useConsole, useDesk } from '../../state/console.tsx';
import { AutoForm } from './auto-form.tsx';
import { signedAmountText } from './hedge-words.ts';

/** Automatic hedging, a pair each: off until somebody switches it on; a dry run says what it would do and does nothing. */
export function AutoDialog({ onClose }: { onClose: () => void }) {
  const read = useAuto();
  const [chosen, setChosen] = useState<string | null>(null);
  const rows = read.data ?? [];
  const edited = rows.find((row) => keyOf(row) === chosen);
  return (
    <Dialog title="Automatic hedging" onClose={onClose} className="is-wide is-auto">
      <p className="lead">
        Once as much of a pair is unhedged as stands under From, the desk hedges it by itself, up to so much a day, and
        never without a fresh reference. It stops with the desk. Amounts are of the pair’s first token.
      </p>
      {read.isPending && <Waiting rows={4} />}
      {read.error !== null && <QueryError error={read.error} again={() => void read.refetch()} />}
      {read.isSuccess && rows.length === 0 && <Empty title="No pair yet">List one under Tokens & pairs first.</Empty>}
      {rows.length > 0 && (
        <div className="auto-scroll">
          <table className="grid">
            <thead>
              <tr>
                <th className="h-pair">Pair</th>
                <th className="h-state">State</th>
                <th className="right h-open">Unhedged</th>
                <th className="right h-sum">From</th>
                <th className="right h-sum">Today</th>
                <th className="right h-sum">A day</th>
                <th className="h-last">Last</th>
                <td className="h-act">
                  <span className="only-read">Change</span>
                </td>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <Row
                  key={keyOf(row)}
                  row={row}
                  isChosen={keyOf(row) === chosen}
                  onChoose={() => setChosen(keyOf(row))}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {edited !== undefined && (
        <AutoForm key={keyOf(edited)} row={edited} onDone={() => void read.refetch()} onClose={() => setChosen(null)} />
      )}
    </Dialog>
  );
}

function Row({ row, isChosen, onChoose }: { row: AutoHedgeRow; isChosen: boolean; onChoose: () => void }) {
  const { desk } = useConsole();
  const several = useDesk((view) => view.chains.length > 1);
  const chain = useDesk((view) => view.chains.find(({ chainId }) => chainId === row.chainId)?.name ?? '');
  const state = autoState(row.settings);
  const last = row.last === null ? '—' : `${momentText(row.last.time, desk.now())} ${row.last.sentence}`;
  return (
    <tr aria-selected={isChosen}>
      <td>
        <PairName pair={row.pair} /> {several && <span className="unit">{chain}</span>}
      </td>
      <td className="with-mark">
        <Mark
          shape={row.stopped ? 'octagon' : state === 'on' ? 'live' : state === 'dry' ? 'part' : 'off'}
          tone={row.stopped ? 'stop' : state === 'on' ? 'ok' : 'quiet'}
        />
        {row.stopped ? 'stopped' : AUTO_WORDS[state]}
      </td>
      <td className="right">{signedAmountText(row.unhedged, row.base)}</td>
      <td className="right">{state === 'off' ? '—' : exactText(row.settings.threshold)}</td>
      <td className="right">{amountText(row.hedgedToday, row.base, 'up')}</td>
      <td className="right">{state === 'off' ? '—' : exactText(row.settings.capPerDay)}</td>
      <td className="muted" title={last} data-may-clip="">
        {last}
      </td>
      <td className="right">
        <button type="button" className="link" aria-label={`Change ${row.pair} on ${chain}`} onClick={onChoose}>
          Change…
        </button>
      </td>
    </tr>
  );
}

function keyOf({ chainId, pair }: AutoHedgeRow): string {
  return `${chainId}:${pair}`;
}
