import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Dialog, DialogActions, Lead } from '../../components/dialog.tsx';
import fieldStyles from '../../components/field.module.css';
import { countText, plural } from '../../components/figures/counts.ts';
import { RefusalNote } from '../../components/note.tsx';
import { Popover } from '../../components/popover.tsx';
import { Stack } from '../../components/stack.tsx';
import { useConsole } from '../../state/console.tsx';
import { useNames } from '../../state/names.tsx';
import { saveText } from '../../state/save-text.ts';
import { useCommand } from '../../state/use-command.ts';
import { BlacklistReach, endText } from './blacklist-terms.tsx';
import styles from './list-menu.module.css';
import { LIST_FORMATS, type ListedUser, readList } from './listed-text.ts';

/** Bring a list in, or take this one out: neither before it is known who is on it, or what is brought in would be told as new. */
export function ListMenu({ chainId, users }: { chainId: number; users: readonly ListedUser[] | undefined }) {
  const names = useNames();
  const [importing, setImporting] = useState(false);
  const [open, setOpen] = useState(false);
  const why = users === undefined ? 'Who is on the list is not known yet' : undefined;
  return (
    <>
      <Button look="quiet" disabled={users === undefined} title={why} onClick={() => setImporting(true)}>
        Import…
      </Button>
      <Popover
        open={open}
        onOpen={setOpen}
        label="Export the list"
        align="end"
        trigger={
          <Button
            look="quiet"
            disabled={!users?.length}
            title={why ?? (users?.length === 0 ? 'Nobody is on the list' : undefined)}
          >
            Export
          </Button>
        }
      >
        <Stack tight>
          {Object.entries(LIST_FORMATS).map(([ending, { name, type, text }]) => (
            <Button
              key={ending}
              onClick={() => {
                void saveText(`blacklist-${chainId}.${ending}`, type, text(users ?? [], names));
                setOpen(false);
              }}
            >
              {name}
            </Button>
          ))}
        </Stack>
      </Popover>
      {importing && users !== undefined && (
        <ImportDialog chainId={chainId} listed={users} onClose={() => setImporting(false)} />
      )}
    </>
  );
}

const AT_ONCE = 20;
const FAULTS_SHOWN = 5;

/** Puts many users on the list: pasted or from a file, looked at first, then one after another. */
function ImportDialog(props: { chainId: number; listed: readonly ListedUser[]; onClose: () => void }) {
  const { chainId, listed, onClose } = props;
  const { connection, queries, toasts, desk } = useConsole();
  const cache = useQueryClient();
  const [text, setText] = useState('');
  const [onlyHere, setOnlyHere] = useState(false);
  const [done, setDone] = useState(0);
  const stopped = useRef(false);
  const { users: read, faults } = useMemo(() => readList(text), [text]);
  // A line that says “only here” is never put on the public list.
  const users = read.map((user) => ({ ...user, onlyHere: onlyHere || user.onlyHere }));
  const known = useMemo(() => new Map(listed.map((user) => [user.address, user])), [listed]);
  const over = users.filter(({ until }) => until !== null && until <= desk.now());
  const fresh = users.filter((user) => {
    const now = known.get(user.address);
    const isSame = now?.reason === user.reason && now.until === user.until && now.onlyHere === user.onlyHere;
    return !isSame && !over.includes(user);
  });
  const hidden = fresh.filter((user) => user.onlyHere).length;
  const replaced = fresh.filter(({ address }) => known.has(address)).length;
  const ends = endsText(fresh);
  const bring = useCommand(async () => {
    stopped.current = false;
    let brought = 0;
    try {
      for (let from = 0; from < fresh.length && !stopped.current; from += AT_ONCE) {
        const some = fresh.slice(from, from + AT_ONCE);
        await Promise.all(
          some.map(({ address, reason, until, onlyHere }) =>
            connection.client.blacklist.add({
              chainId,
              address,
              ...(reason === null ? {} : { reason }),
              ...(until === null ? {} : { until }),
              ...(onlyHere ? { onlyHere } : {}),
              confirmed: known.has(address),
            }),
          ),
        );
        brought += some.length;
        setDone(brought);
      }
    } finally {
      await cache.invalidateQueries({ queryKey: queries.blacklist.key() });
    }
    toasts.show({ level: 'done', title: `${plural(brought, 'user')} put on the list` });
    onClose();
  });
  const close = () => {
    stopped.current = true;
    if (!bring.busy) onClose();
  };
  return (
    <Dialog title="Import a list" needs="trade" onClose={close}>
      <Lead>One address a line, or CSV or JSON with address, reason, until and onlyHere, as the export writes it.</Lead>
      <Stack>
        <textarea
          className={`${fieldStyles.input} ${styles.importText} mono`}
          aria-label="Addresses"
          rows={8}
          spellCheck={false}
          placeholder={'0x…\n0x…,asks a lot and pays badly,2026-12-24T18:00:00Z'}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <label className={styles.fileChoice}>
          From a file{' '}
          <input
            type="file"
            accept=".txt,.csv,.json,text/*,application/json"
            onChange={async (event) => setText((await event.target.files?.[0]?.text()) ?? '')}
          />
        </label>
        {text.trim() !== '' && (
          <div role="status">
            <b>{plural(fresh.length, 'user')} to put on the list</b>
            {hidden > 0 && ` (${countText(hidden)} by this desk only)`},{' '}
            {countText(users.length - fresh.length - over.length)} on it already
            {over.length > 0 && `, ${countText(over.length)} whose end is past`}
            {ends !== null && <p className="muted">{ends}</p>}
            {replaced > 0 && (
              <p className="strong">
                {plural(replaced, 'of them stands', 'of them stand')} on it otherwise: what is brought takes its place.
              </p>
            )}
            {faults.length > 0 && (
              <ul className="stop">
                {faults.slice(0, FAULTS_SHOWN).map(({ line, reason }) => (
                  <li key={line}>
                    Line {line}: {reason}
                  </li>
                ))}
                {faults.length > FAULTS_SHOWN && (
                  <li>and {faults.length - FAULTS_SHOWN} more lines that cannot be read</li>
                )}
              </ul>
            )}
          </div>
        )}
        <BlacklistReach onlyHere={onlyHere} onChange={setOnlyHere} />
        {bring.busy && <progress max={fresh.length} value={done} aria-label="Import" />}
        {bring.refusal && <RefusalNote refusal={bring.refusal} />}
      </Stack>
      <DialogActions>
        <Button size="large" onClick={close}>
          {bring.busy ? 'Stop here' : 'Leave the list as it is'}
        </Button>
        <Button look="primary" size="large" disabled={bring.busy || fresh.length === 0} onClick={() => bring.run()}>
          {bring.busy
            ? `${countText(done)} of ${countText(fresh.length)}`
            : `Blacklist ${plural(fresh.length, 'user')}`}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

/** When what is put on the list comes off it again, as it was read; null where all of it is for good. */
function endsText(users: readonly ListedUser[]): string | null {
  const ends = users.flatMap(({ until }) => until ?? []).sort((a, b) => a - b);
  const [first, last] = [ends[0], ends.at(-1)];
  if (first === undefined || last === undefined) return null;
  const when = first === last ? `at ${endText(first)}` : `between ${endText(first)} and ${endText(last)}`;
  return `${plural(ends.length, 'ends', 'end')} ${when}${ends.length < users.length ? ', the others never' : ''}.`;
}
