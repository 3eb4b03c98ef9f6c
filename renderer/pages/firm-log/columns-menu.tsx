import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Popover, PopoverActions } from '../../components/popover.tsx';
import styles from './columns-menu.module.css';
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
      trigger={<Button>Columns{missing > 0 && <span className="quiet"> {missing} out</span>}</Button>}
    >
      <ul className={styles.menu}>
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
      <PopoverActions>
        <Button look="quiet" onClick={() => onChoose(null)}>
          As they were at first
        </Button>
      </PopoverActions>
    </Popover>
  );
}
