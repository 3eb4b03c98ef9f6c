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
