import { momentText } from './figures/times.ts';
import { Mark } from './mark.tsx';

/** Stands where a row of the journal cannot be shown, and says why; the rows around it are as they are. */
export function Unreadable({ seq, why }: { seq: number; why: string }) {
  const text = `Row ${seq} of the journal cannot be shown: ${why}.`;
  return (
    <span className="with-mark stop" title={text}>
      <Mark shape="look" tone="stop" />
      {text}
    </span>
  );
}

/** The same in the place of a table's row: `columns` of them; times are Unix milliseconds. */
export function UnreadableRow(props: {
  row: { seq: number; time: number };
  why: string;
  columns: number;
  now: number;
}) {
  const { row, why, columns, now } = props;
  return (
    <tr data-seq={row.seq}>
      <td colSpan={columns}>
        <span className="muted">{momentText(row.time, now)}</span> <Unreadable seq={row.seq} why={why} />
      </td>
    </tr>
  );
}
