import { useCallback, useState } from 'react';
import { changed, EMPTY_TICKET, type Ticket } from './ticket.ts';

/** What was being typed stays as long as this console is open, whatever page is looked at meanwhile. */
let kept: Ticket = EMPTY_TICKET;

export function useKeptTicket(): [Ticket, (change: Partial<Ticket>) => void] {
  const [ticket, setTicket] = useState(kept);
  const set = useCallback((change: Partial<Ticket>) => {
    kept = changed(kept, change);
    setTicket(kept);
  }, []);
  return [ticket, set];
}
