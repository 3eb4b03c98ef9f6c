import { useRef, useState } from 'react';
import { csvText, jsonText } from '../../../electron/contract/log-text.ts';
import type { LogFilter } from '../../../electron/contract/quote-log.ts';
import { Button } from '../../components/button.tsx';
import { Dialog, DialogActions, Lead } from '../../components/dialog.tsx';
import { countText, plural } from '../../components/figures/counts.ts';
import { RefusalNote } from '../../components/note.tsx';
import { useConsole } from '../../state/console.tsx';
import { useNames } from '../../state/names.tsx';
import { openTextFile } from '../../state/save-text.ts';
import { useCommand } from '../../state/use-command.ts';
import styles from './export-button.module.css';

const FORMATS = {
  csv: { name: 'CSV', type: 'text/csv', text: csvText },
  json: { name: 'JSON', type: 'application/json', text: jsonText },
} as const;
type Format = keyof typeof FORMATS;
interface Written {
  rows: number;
  thousandths: number;
}

/** Writes what the filter lets through to a file, oldest first, as it is read. */
export function ExportButton({ filter, disabled }: { filter: LogFilter; disabled: boolean }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button disabled={disabled} onClick={() => setOpen(true)}>
        Export…
      </Button>
      {open && <ExportDialog filter={filter} onClose={() => setOpen(false)} />}
    </>
  );
}

function ExportDialog({ filter, onClose }: { filter: LogFilter; onClose: () => void }) {
  const { connection, desk, toasts } = useConsole();
  const names = useNames();
  const [written, setWritten] = useState<Written>({ rows: 0, thousandths: 0 });
  const stop = useRef<AbortController | null>(null);
  const run = useCommand(async (format: Format) => {
    const { type, text } = FORMATS[format];
    const name = `firm-log-${new Date(desk.now()).toISOString().slice(0, 19).replace(/[:T]/g, '-')}.${format}`;
    const file = await openTextFile(name, type);
    if (file === null) return;
    const abort = new AbortController();
    stop.current = abort;
    const { begin, row, end } = text(names);
    let rows = 0;
    try {
      await file.write(begin);
      for await (const batch of await connection.client.log.all({ filter }, { signal: abort.signal })) {
        if (abort.signal.aborted) break;
        rows += batch.rows.length;
        await file.write(batch.rows.map(row).join(''));
        const { first, last, at } = batch.progress;
        setWritten({ rows, thousandths: Math.floor((1_000 * (at - first + 1)) / Math.max(1, last - first + 1)) });
      }
    } catch (error) {
      await file.drop();
      if (abort.signal.aborted) return;
      throw error;
    }
    if (abort.signal.aborted) {
      await file.drop();
      return;
    }
    await file.write(end);
    await file.done();
    toasts.show({ level: 'done', title: `Wrote ${plural(rows, 'quote')}`, detail: name });
    onClose();
  });
  const close = () => {
    stop.current?.abort();
    onClose();
  };
  const filters = Object.keys(filter).length;
  return (
    <Dialog title="Export the firm log" onClose={close}>
      <Lead>
        {filters === 0 ? 'Every quote' : `Every quote that matches ${plural(filters, 'filter')}`}, oldest first, amounts
        in raw units: the columns of <span className="mono">makerdesk log</span>.
      </Lead>
      {run.busy && (
        <div className={styles.progress} role="status">
          <progress max={1_000} value={written.thousandths} aria-label="Export" />
          <span>
            {countText(written.rows)} quotes written · {Math.floor(written.thousandths / 10)} % of the log read
          </span>
        </div>
      )}
      {run.refusal && <RefusalNote refusal={run.refusal} />}
      <DialogActions>
        <Button size="large" onClick={close}>
          {run.busy ? 'Stop, keep no file' : 'Don’t export'}
        </Button>
        <Button size="large" disabled={run.busy} onClick={() => run.run('json')}>
          Export JSON
        </Button>
        <Button look="primary" size="large" disabled={run.busy} onClick={() => run.run('csv')}>
          Export CSV
        </Button>
      </DialogActions>
    </Dialog>
  );
}
