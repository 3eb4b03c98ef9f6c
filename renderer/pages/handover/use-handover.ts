import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { dateInZone } from '../../../electron/contract/calendar-day.ts';
import type { Handover } from '../../../electron/contract/handover.ts';
import { useDeskNow } from '../../state/clock.ts';
import { useConsole } from '../../state/console.tsx';
import { localZone, useTimeZone } from '../../state/time-zone.ts';

const DAY_MS = 86_400_000;
/** A day that is not over is read anew so often. Milliseconds. */
const AGAIN = 60_000;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** The date before or after another one by so many days. */
export function dateBeside(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/** The day that a page shows: the one that its address names, or today, in the zone that this viewer reads times in. */
export function useShownDay(asked: string | undefined): { date: string; today: string; zone: string } {
  const choice = useTimeZone();
  const zone = choice === 'local' ? localZone() : choice;
  const today = dateInZone(zone)(useDeskNow());
  return { date: asked !== undefined && DATE.test(asked) ? asked : today, today, zone };
}

/** A day as the desk tells it, with how far it has come, in thousandths. */
export function useHandover({ date, today, zone }: ReturnType<typeof useShownDay>) {
  const { connection, queries } = useConsole();
  const [thousandths, setThousandths] = useState(0);
  const read = useQuery({
    queryKey: [...queries.handover.day.key(), date, zone],
    queryFn: async ({ signal }): Promise<Handover> => {
      for await (const step of await connection.client.handover.day({ date, zone }, { signal })) {
        setThousandths(step.thousandths);
        if (step.handover !== null) return step.handover;
      }
      throw new Error('The handover ended early.');
    },
    refetchInterval: date >= today ? AGAIN : false,
  });
  return { read, thousandths };
}
