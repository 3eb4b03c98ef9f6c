import { countText } from '../../components/figures/counts.ts';
import { Mark } from '../../components/mark.tsx';
import type { Check } from './checks-of.ts';
import type { CellAt } from './grid-cells.ts';

const SHAPES = {
  stop: { shape: 'refused', tone: 'stop' },
  look: { shape: 'look', tone: 'attn' },
  note: { shape: 'note', tone: 'quiet' },
  ok: { shape: 'done', tone: 'quiet' },
} as const;

/** How many checks want a look, as a chip. */
export function ChecksChip({ checks }: { checks: readonly Check[] }) {
  const [stops, looks] = (['stop', 'look'] as const).map(
    (level) => checks.filter((check) => check.level === level).length,
  );
  if (stops !== undefined && stops > 0) {
    return (
      <span className="chip is-stop">
        <Mark shape="refused" />
        {countText(stops)} to mend
      </span>
    );
  }
  if (looks === undefined || looks === 0) return null;
  return (
    <span className="chip is-attn">
      <Mark shape="look" />
      {countText(looks)} to read
    </span>
  );
}

/** What stands against publishing and what is worth knowing, each a way to its cell; then what is in order. */
export function ChecksList({ checks, onGoTo }: { checks: readonly Check[]; onGoTo: (cell: CellAt) => void }) {
  return (
    <ul className="scroll ladder-checks">
      {checks.map(({ level, title, detail, cell }) => (
        <li key={`${level} ${title} ${detail}`} className={`is-${level}`}>
          <Mark {...SHAPES[level]} />
          <span>
            {title !== '' &&
              (cell === undefined ? (
                <b>{title} </b>
              ) : (
                <>
                  <button type="button" className="link strong" onClick={() => onGoTo(cell)}>
                    {title}
                  </button>{' '}
                </>
              ))}
            {detail}
          </span>
        </li>
      ))}
    </ul>
  );
}
