import type { Named } from '../../contract/given-names.ts';
import { change, counted, named, quoted, shortened, type TellingsOf, words } from '../telling.ts';
import type { PEOPLE_EVENTS } from './events.ts';

/** What people said they have looked at, and what they call others. */
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
    person_here: {
      name: 'Person here',
      group: 'stops',
      concerns: () => ({}),
      say: () => [words('said that they are here')],
    },
    name_given: {
      name: 'Name given',
      group: 'settings',
      concerns: () => ({}),
      say: ({ body: { before, name, ...whom } }) => {
        if (name === null) {
          return [
            words(`took the name away from ${toldWhom(whom)}: `),
            { text: named(before ?? 'none'), as: 'before' },
          ];
        }
        return [words(`${before === null ? 'named' : 'renamed'} ${toldWhom(whom)} `), ...change(before, named(name))];
      },
    },
  };
}

function toldWhom({ of, id }: Named): string {
  return of === 'user' ? `user ${shortened(id)}` : `counterparty ${named(id)}`;
}
