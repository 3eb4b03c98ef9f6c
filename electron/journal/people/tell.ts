import { counted, quoted, type TellingsOf, words } from '../telling.ts';
import type { PEOPLE_EVENTS } from './events.ts';

/** What people said they have looked at. */
export function tellPeople(): TellingsOf<typeof PEOPLE_EVENTS> {
  return {
    alarms_acknowledged: {
      name: 'Alarm looked at',
      group: 'stops',
      concerns: () => ({}),
      say: ({ body: { seqs, reason } }) => [
        words(
          `looked at ${counted(seqs.length, 'alarm')}: ${seqs.length === 1 ? 'row' : 'rows'} ${seqs.slice(0, 5).join(', ')}${seqs.length > 5 ? '…' : ''}`,
        ),
        ...quoted(reason),
      ],
    },
  };
}
