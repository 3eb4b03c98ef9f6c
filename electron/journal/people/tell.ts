import type { z } from 'zod';
import type { Named } from '../../contract/given-names.ts';
import {
  change,
  counted,
  named,
  type PastRows,
  quoted,
  shortened,
  type TellingsOf,
  type ToldRow,
  words,
} from '../telling.ts';
import type { PEOPLE_EVENTS } from './events.ts';

type Body<Kind extends keyof typeof PEOPLE_EVENTS> = z.infer<(typeof PEOPLE_EVENTS)[Kind]>;

/** What people said they have looked at, and what they call others. */
export function tellPeople(past: PastRows): TellingsOf<typeof PEOPLE_EVENTS> {
  return {
    alarms_acknowledged: {
      name: 'Alarm acknowledged',
      group: 'stops',
      concerns: () => ({}),
      say: ({ body: { seqs, reason } }) => [
        words(
          `acknowledged ${counted(seqs.length, 'alarm')}: ${seqs.length === 1 ? 'row' : 'rows'} ${seqs.slice(0, 5).join(', ')}${seqs.length > 5 ? '…' : ''}`,
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
    alert_way_set: {
      name: 'Way of alerts',
      group: 'settings',
      concerns: () => ({}),
      say: ({ seq, body: { name, says } }) => {
        const old = past.latest(seq, ['alert_way_set'], ({ body }: ToldRow<Body<'alert_way_set'>>) =>
          body.name === name ? saidWay(body.says) : undefined,
        );
        return [words(`set the way ${named(name)} of alerts: `), ...change(old, saidWay(says))];
      },
    },
    line_told: {
      name: 'Line to the service',
      group: 'desk',
      concerns: ({ body: { chainId } }) => ({ chainId }),
      say: ({ body: { line } }) => [words('sent a line to the service’s log'), ...quoted(line)],
    },
    alert_taken: {
      name: 'Alert taken',
      group: 'stops',
      concerns: () => ({}),
      say: ({ body: { title } }) => [words(`looks after the alert ${named(title, 120)}`)],
    },
    quiet_hours_set: {
      name: 'Quiet hours',
      group: 'settings',
      concerns: () => ({}),
      say: ({ seq, body: { says } }) => {
        const old = past.latest(seq, ['quiet_hours_set'], ({ body }: ToldRow<Body<'quiet_hours_set'>>) =>
          saidWay(body.says),
        );
        return [words('set the quiet hours of alerts: '), ...change(old, saidWay(says))];
      },
    },
  };
}

function saidWay(says: string | null): string {
  return says === null ? 'none' : named(says, 120);
}

function toldWhom({ of, id }: Named): string {
  return of === 'user' ? `user ${shortened(id)}` : `counterparty ${named(id)}`;
}
