import { useState } from 'react';
import { Popover } from '../../components/popover.tsx';
import { saveText } from '../../state/save-text.ts';
import { ImportDialog } from './import-dialog.tsx';
import { LIST_FORMATS, type ListedUser } from './listed-text.ts';

/** Bring a list in, or take this one out. */
export function ListMenu({ chainId, users }: { chainId: number; users: readonly ListedUser[] }) {
  const [importing, setImporting] = useState(false);
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" className="button is-quiet" onClick={() => setImporting(true)}>
        Import…
      </button>
      <Popover
        open={open}
        onOpen={setOpen}
        label="Export the list"
        align="end"
        trigger={
          <button type="button" className="button is-quiet" disabled={users.length === 0}>
            Export
          </button>
        }
      >
        <div className="stack">
          {Object.entries(LIST_FORMATS).map(([ending, { name, type, text }]) => (
            <button
              key={ending}
              type="button"
              className="button"
              onClick={() => {
                void saveText(`blacklist-${chainId}.${ending}`, type, text(users));
                setOpen(false);
              }}
            >
              {name}
            </button>
          ))}
        </div>
      </Popover>
      {importing && <ImportDialog chainId={chainId} listed={users} onClose={() => setImporting(false)} />}
    </>
  );
}
