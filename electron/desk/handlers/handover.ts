import { calendarDay, dateInZone } from '../../contract/calendar-day.ts';
import type { LiveView } from '../live-view.ts';
import { readHandover } from '../read-handover.ts';
import type { Rooms } from '../rooms.ts';
import { os } from './base.ts';

/** A day handed over from one shift to the next. */
export function handoverHandlers({ journal, now }: Pick<Rooms, 'journal' | 'now'>, view: Pick<LiveView, 'whole'>) {
  return {
    day: os.handover.day.handler(({ input: { date, zone }, signal }) => {
      const day = calendarDay(date ?? dateInZone(zone)(now()), zone);
      return readHandover(journal.read, day, { view, now }, signal);
    }),
  };
}
