import type { Draft } from '../../../electron/contract/book.ts';
import { countText } from '../../components/figures/counts.ts';
import { exactText } from '../../components/figures/prices.ts';
import { Mark } from '../../components/mark.tsx';
import { Panel } from '../../components/panel.tsx';
import type { CellAt } from './grid-cells.ts';
import { cellFaults, ladderFaults, spreadOf } from './ladder-figures.ts';
import { type LadderValues, valuesOfDraft } from './ladder-values.ts';

/** What stands against publishing, each a way to its cell; and what is in order. */
export function ChecksPanel(props: { draft: Draft; live: LadderValues; onGoTo: (cell: CellAt) => void }) {
  const { draft, onGoTo } = props;
  const values = valuesOfDraft(draft);
  const faults = cellFaults(draft);
  const whole = ladderFaults(draft);
  const count = faults.length + whole.length;
  const [bid, ask] = [values.bids[0]?.[0], values.asks[0]?.[0]];
  return (
    <Panel
      name="Checks"
      className="checks"
      actions={
        count > 0 && (
          <span className="chip is-stop">
            <Mark shape="refused" />
            {countText(count)} to mend
          </span>
        )
      }
    >
      <ul className="scroll checks-list">
        {whole.map((fault) => (
          <li key={fault} className="stop">
            <Mark shape="refused" /> <span className="strong">{fault}</span>
          </li>
        ))}
        {faults.map(({ row, column, name, message }) => (
          <li key={`${row}-${column}`} className="stop">
            <Mark shape="refused" />
            <span>
              <button type="button" className="link strong" onClick={() => onGoTo({ row, column })}>
                {name}
              </button>{' '}
              {message}
            </span>
          </li>
        ))}
        {count === 0 && bid !== undefined && ask !== undefined && (
          <Passed>
            Not crossed: {exactText(bid)} under {exactText(ask)}, {spreadOf(values)} bps apart
          </Passed>
        )}
        {count === 0 && <Passed>Every price and size is a plain decimal above zero, best first</Passed>}
        {bid === undefined && <Open>No bid: publishing switches buying off for this pair</Open>}
        {ask === undefined && <Open>No ask: publishing switches selling off for this pair</Open>}
      </ul>
    </Panel>
  );
}

function Passed({ children }: { children: React.ReactNode }) {
  return (
    <li className="muted">
      <Mark shape="done" tone="ok" />
      <span>{children}</span>
    </li>
  );
}

function Open({ children }: { children: React.ReactNode }) {
  return (
    <li>
      <Mark shape="look" tone="attn" />
      <span>{children}</span>
    </li>
  );
}
