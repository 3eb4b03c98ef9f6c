import { useState } from 'react';
import { Popover } from '../../components/popover.tsx';
import { LOG_COLUMNS, type LogColumn, type LogColumnId } from './log-columns.ts';

/** Which columns are wanted; those for which there is no room come back with it. */
export function ColumnsMenu(props: {
  chosen: readonly LogColumnId[];
  shown: readonly LogColumn[];
  onChoose: (columns: readonly LogColumnId[] | null) => void;
}) {
  const { chosen, shown, onChoose } = props;
  const [open, setOpen] = useState(false);
  const missing = chosen.length - shown.length;
  return (
    <Popover
      open={open}
      onOpen={setOpen}
      label="Columns"
      align="end"
      trigger={
        <button type="button" className="button">
          Columns{missing > 0 && <span className="quiet"> {missing} out</span>}
        </button>
      }
    >
      <ul className="columns-menu">
        {LOG_COLUMNS.map(({ id, name, rank }) => (
          <li key={id}>
            <label>
              <input
                type="checkbox"
                checked={chosen.includes(id)}
                disabled={rank === 0}
                onChange={(event) =>
                  onChoose(
                    LOG_COLUMNS.map((column) => column.id).filter((column) =>
                      column === id ? event.target.checked : chosen.includes(column),
                    ),
                  )
                }
              />
              {name}
              {chosen.includes(id) && !shown.some((column) => column.id === id) && (
                <span className="quiet">no room</span>
              )}
            </label>
          </li>
        ))}
      </ul>
      <div className="actions">
        <button type="button" className="button is-quiet" onClick={() => onChoose(null)}>
          As they were at first
        </button>
      </div>
    </Popover>
  );
}
