import type { Formula } from '../../../electron/contract/formula.ts';
import type { FormulaClosing } from '../../../electron/contract/formula-prices.ts';
import { Empty } from '../../components/empty.tsx';
import { Panel } from '../../components/panel.tsx';
import { Scroll } from '../../components/scroll.tsx';
import { Table } from '../../components/table.tsx';
import styles from './closings-panel.module.css';
import { closingFigure, closingName } from './pricing-words.ts';

/** What closes the pair or one of its sides, and how near each is: what does now first. */
export function ClosingsPanel(props: {
  closings: readonly FormulaClosing[];
  formula: Formula;
  base: string;
  /** Of a draft. */
  isDraft?: boolean;
  /** A person has the pair: what its formula closes by does not close it. */
  isByHand?: boolean;
}) {
  const { closings, formula, base, isDraft, isByHand } = props;
  const name = isDraft ? 'What would close this pair' : 'What closes this pair';
  return (
    <Panel
      name={name}
      aside={isByHand === true ? 'grey: not while by hand' : ''}
      actions={<span className="quiet">nearest first</span>}
      className={styles.closings}
    >
      <Scroll>
        {closings.length === 0 ? (
          <Empty title="Not known yet">It stands here as soon as the reference has spoken.</Empty>
        ) : (
          <Table aria-label={name}>
            <thead>
              <tr>
                <th>If</th>
                <th className={`right ${styles.figure}`}>now</th>
                <th className={`right ${styles.figure}`}>limit</th>
                <th className={styles.bar}>
                  <span className="only-read">on the way</span>
                </th>
                <th className={`right ${styles.near}`}>near</th>
              </tr>
            </thead>
            <tbody>
              {closings.map((closing) => (
                <ClosingRow
                  key={`${closing.by} ${closing.closes}`}
                  closing={closing}
                  name={closingName(closing, formula, base)}
                  isOff={isByHand === true && !OF_REFERENCE.includes(closing.by)}
                />
              ))}
            </tbody>
          </Table>
        )}
      </Scroll>
    </Panel>
  );
}

/** What closes a pair whoever prices it. */
const OF_REFERENCE: readonly FormulaClosing['by'][] = ['age', 'sources_fresh', 'sources_apart'];

function ClosingRow({ closing, name, isOff }: { closing: FormulaClosing; name: string; isOff: boolean }) {
  const { closes, now, limit, nearPercent } = closing;
  const why = isOff ? null : closing.why;
  const side = closes === 'pair' ? '' : closes;
  const asked = closing.by === 'spread' ? ', before the prices are rounded to the tick' : '';
  return (
    <tr data-closed={why !== null || undefined} data-off={isOff || undefined} title={why ?? undefined}>
      <td
        title={why ?? `${name}${asked}: closes the ${side === '' ? 'pair' : side}${isOff ? ', not while by hand' : ''}`}
        data-may-clip
      >
        {name} <span className="quiet">{side}</span>
      </td>
      <td className="right">{closingFigure(closing, now)}</td>
      <td className="right muted">{closingFigure(closing, limit)}</td>
      <td>
        <span className={styles.meter} aria-hidden="true">
          <i style={{ width: `${nearPercent}%` }} />
        </span>
      </td>
      <td className={`right ${why === null ? 'muted' : 'stop strong'}`}>
        {why === null ? `${nearPercent}\u00a0%` : 'closed'}
      </td>
    </tr>
  );
}
