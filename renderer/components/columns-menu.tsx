import type { RowData } from '@tanstack/react-table';
import { ArrowDown, ArrowUp, ChevronsLeftRight, ChevronsRightLeft, Columns3, Pin, PinOff } from 'lucide-react';
import { type ComponentProps, memo, useState } from 'react';
import { Button } from './button.tsx';
import styles from './columns-menu.module.css';
import { Popover, PopoverActions } from './popover.tsx';
import type { TableColumn } from './table-columns.ts';
import { sameColumns, type TableView } from './use-table-view.ts';

const STEP = 16;

/** Which columns a table shows, in which order and how wide; those for which there is no room come back with it. */
export const ColumnsMenu = memo(
  Menu,
  (old, next) => old.of === next.of && sameColumns(old.view, next.view),
) as typeof Menu;

function Menu<T extends RowData, C extends TableColumn<T, never>>(props: { view: TableView<T, C>; of?: string }) {
  const { view, of } = props;
  const { ordered, chosen, shown } = view;
  const [open, setOpen] = useState(false);
  const missing = chosen.length - shown.length;
  const label = of === undefined ? 'Columns' : `Columns of ${of}`;
  return (
    <Popover
      open={open}
      onOpen={setOpen}
      label={label}
      align="end"
      trigger={
        <Button look={of === undefined ? undefined : 'quiet'} title={of === undefined ? undefined : label}>
          {of === undefined ? (
            'Columns'
          ) : (
            <>
              <Columns3 aria-hidden="true" />
              <span className="only-read">{label}</span>
            </>
          )}
          {missing > 0 && of === undefined && <span className="quiet"> {missing} hidden</span>}
        </Button>
      }
    >
      <ul className={styles.menu}>
        {ordered.map((column, place) => {
          const { id, name, rank } = column;
          const isChosen = chosen.includes(column);
          const isShown = shown.includes(column);
          return (
            <li key={id}>
              <label>
                <input
                  type="checkbox"
                  checked={isChosen}
                  disabled={rank === 0}
                  onChange={(event) => view.show(id, event.target.checked)}
                />
                {name}
                {isChosen && !isShown && <span className="quiet">no room</span>}
              </label>
              <Act
                name={view.isPinned(id) ? `${name}: scrolls with the others` : `${name}: stays in sight at the left`}
                disabled={!isShown}
                onClick={() => view.pin(id, !view.isPinned(id))}
              >
                {view.isPinned(id) ? <PinOff aria-hidden="true" /> : <Pin aria-hidden="true" />}
              </Act>
              <Act name={`${name}: narrower`} disabled={!isShown} onClick={() => view.widen(id, -STEP)}>
                <ChevronsRightLeft aria-hidden="true" />
              </Act>
              <Act name={`${name}: wider`} disabled={!isShown} onClick={() => view.widen(id, STEP)}>
                <ChevronsLeftRight aria-hidden="true" />
              </Act>
              <Act name={`${name}: further left`} disabled={place === 0} onClick={() => view.move(id, place - 1)}>
                <ArrowUp aria-hidden="true" />
              </Act>
              <Act
                name={`${name}: further right`}
                disabled={place === ordered.length - 1}
                onClick={() => view.move(id, place + 1)}
              >
                <ArrowDown aria-hidden="true" />
              </Act>
            </li>
          );
        })}
      </ul>
      <PopoverActions>
        <Button look="quiet" onClick={view.reset}>
          Reset the columns
        </Button>
      </PopoverActions>
    </Popover>
  );
}

/** A button that keeps the focus when its row moves. */
function Act({ name, onClick, ...rest }: ComponentProps<'button'> & { name: string; onClick: () => void }) {
  return (
    <Button
      look="quiet"
      title={name}
      aria-label={name}
      {...rest}
      onClick={({ currentTarget }) => {
        onClick();
        requestAnimationFrame(() => currentTarget.focus());
      }}
    />
  );
}
