import { Chip } from '../../components/chip.tsx';
import { Note } from '../../components/note.tsx';
import { Segmented } from '../../components/segmented.tsx';
import { clockIn, momentOf, zoneName } from '../../state/time-zone.ts';

/** Where somebody is blacklisted. */
const REACHES = [
  { value: false, text: 'on the public list' },
  { value: true, text: 'by this desk only' },
] as const;

/**
 * Whether the service is told of who is blacklisted: what it does with either is not ours to say, so it is told before. `isIdle`:
 * nobody is named yet, so that there is nothing to look out for.
 */
export function BlacklistReach(props: { onlyHere: boolean; isIdle?: boolean; onChange: (onlyHere: boolean) => void }) {
  const { onlyHere, isIdle = false, onChange } = props;
  return (
    <>
      <Segmented label="Where" options={REACHES} value={onlyHere} onChoose={onChange} />
      {!isIdle && <ReachNote onlyHere={onlyHere} />}
    </>
  );
}

function ReachNote({ onlyHere }: { onlyHere: boolean }) {
  return onlyHere ? (
    <Note level="look" title="Each of their requests probably costs us the pair for 15 minutes.">
      The service is not told and goes on routing this user to us. Each request is refused with 422, and the service
      then probably skips that pair for 15 minutes, in both directions. Nothing of this entry stays with it at the end;
      the public list, once read, is probably for good.
    </Note>
  ) : (
    <Note level="look" title="The service may not take an address off again.">
      When the entry ends, we quote this user again. The service probably keeps the address for good once it has read it
      from our list or was answered 403 for it: expect that this user is never routed to us again.
    </Note>
  );
}

/** What a press puts in force: where, until when, and whether the service is told. `where` is null where there is one chain. */
export function actText(where: string | null, end: End, onlyHere: boolean): string {
  if (end.kind === 'wrong') return 'Blacklist';
  const place = where === null ? '' : ` on ${where}`;
  const time = end.kind === 'at' ? `until ${endText(end.time)}` : 'for good';
  return `Blacklist${place} ${time}${onlyHere ? ', by this desk only' : ''}`;
}

/** Why somebody is blacklisted, and that it is by this desk only. */
export function BlacklistReason({ reason, onlyHere }: { reason: string | null; onlyHere: boolean }) {
  return (
    <>
      {onlyHere && <Chip tone="outline">only here</Chip>} {reason ?? <span className="quiet">none given</span>}
    </>
  );
}

/** When an entry ends, as typed: for good, at a time in Unix milliseconds, or why it cannot be read. */
type End = { kind: 'never' } | { kind: 'at'; time: number } | { kind: 'wrong'; reason: string };

/** Ends that are offered; the empty one is for good. */
export const END_CHOICES = ['1 h', '24 h', '7 d', ''].map((value) => ({ value, text: value || 'for good' }));

const UNITS: Record<string, number> = { min: 60_000, h: 3_600_000, d: 86_400_000 };

/** Reads `24 h`, `7 d`, `2026-12-24` or `2026-12-24 18:00`, in the viewer’s time zone, in UTC with a Z. */
export function readEnd(text: string, now: number): End {
  const typed = text.trim();
  if (typed === '') return { kind: 'never' };
  const [, count, unit] = /^([0-9]{1,6})\s*(min|h|d)$/.exec(typed) ?? [];
  if (count !== undefined && unit !== undefined)
    return { kind: 'at', time: Math.floor(now + Number(count) * (UNITS[unit] ?? 0)) };
  const [, day, clock = '00:00', z] =
    /^([0-9]{4}-[0-9]{2}-[0-9]{2})(?:[ T]([0-9]{2}:[0-9]{2}))?(Z?)$/.exec(typed) ?? [];
  const time = day === undefined ? null : momentOf(`${day}T${clock}:00`, z === 'Z');
  if (time === null) return { kind: 'wrong', reason: 'Write 24 h, 7 d, or a day and time such as 2026-12-24 18:00.' };
  if (time <= now) return { kind: 'wrong', reason: 'This is over already.' };
  return { kind: 'at', time };
}

/** The end of an entry in Unix milliseconds, in the viewer’s time zone: `2026-12-24 18:00 UTC`. */
export function endText(until: number): string {
  return `${clockIn(until).slice(0, 16).replace('T', ' ')} ${zoneName(until)}`;
}
