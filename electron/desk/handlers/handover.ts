import { calendarDay, dateInZone } from '../../contract/calendar-day.ts';
import { DeskError } from '../../protocol/desk-error.ts';
import type { LiveView } from '../live-view.ts';
import { readHandover } from '../read-handover.ts';
import type { Rooms } from '../rooms.ts';
import { os } from './base.ts';

/** So far the clock of whoever asks for today may be ahead. */
const AHEAD_MS = 60_000;

/** A day handed over from one shift to the next. */
export function handoverHandlers({ journal, now }: Pick<Rooms, 'journal' | 'now'>, view: Pick<LiveView, 'whole'>) {
  return {
    day: os.handover.day.handler(({ input: { date, zone }, signal }) => {
      const day = calendarDay(date ?? dateInZone(zone)(now()), zone);
      if (day.since > now() + AHEAD_MS) {
        throw new DeskError('bad_time', `${day.date} has not begun in ${zone}.`, {
          remedy: 'Give today, or a day before it.',
        });
      }
      return readHandover(journal.read, day, { view, now }, signal);
    }),
  };
}
