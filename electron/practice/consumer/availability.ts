import type { PracticeLog } from '../practice-log.ts';
import { printable } from './printable.ts';

export interface Availability {
  enable(): void;
  disable(why: string): void;
  status(): { enabled: boolean; since: number; why: string | null };
}

/** Whether the maker is routed to on this chain (PROTOCOL 4.3.8), since when, and why not. */
export function openAvailability(now: () => number, log: PracticeLog): Availability {
  let since = now();
  let why: string | null = 'its prices were not read yet';
  return {
    enable() {
      if (why === null) return;
      since = now();
      why = null;
      log.info('the maker is enabled');
    },
    disable(reason) {
      if (why === null) {
        since = now();
        log.warn(`the maker is disabled: ${printable(reason)}`);
      }
      why = printable(reason);
    },
    status: () => ({ enabled: why === null, since, why }),
  };
}
