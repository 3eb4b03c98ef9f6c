import type { z } from 'zod';
import {
  change,
  counted,
  listed,
  named,
  type PastRows,
  quoted,
  shortened,
  type TellingsOf,
  type ToldRow,
  words,
} from '../telling.ts';
import type { DESK_EVENTS } from './events.ts';

const OUTCOMES = {
  sent: 'sent',
  confirmed: 'confirmed',
  failed: 'failed',
  calldata: 'handed out for the maker’s owner',
} as const;

/** Starts, keys and transactions. */
export function tellDesk(past: PastRows): TellingsOf<typeof DESK_EVENTS> {
  return {
    service_key_set: {
      name: 'Service key',
      group: 'settings',
      concerns: () => ({}),
      say: ({ seq, body: { origin, fingerprint } }) => {
        const text = (print: string | null) => (print === null ? 'none' : named(print, 16));
        const old = past.latest(
          seq,
          ['service_key_set'],
          ({ body }: ToldRow<z.infer<typeof DESK_EVENTS.service_key_set>>) =>
            body.origin === origin ? text(body.fingerprint) : undefined,
        );
        return [words(`set the key to ${named(origin, 60)}, by its fingerprint: `), ...change(old, text(fingerprint))];
      },
    },
    token_made: {
      name: 'Token made',
      group: 'settings',
      concerns: () => ({}),
      say: ({ body: { name, rights, fingerprint } }) => [
        words(`handed out the token ${named(name)} for ${named(rights)}, by its fingerprint `),
        { text: named(fingerprint, 16), as: 'after' },
      ],
    },
    token_rights_set: {
      name: 'Rights set',
      group: 'settings',
      concerns: () => ({}),
      say: ({ seq, body: { name, rights } }) => {
        const old = past.latest(
          seq,
          ['token_made', 'token_rights_set'],
          ({ body }: ToldRow<z.infer<typeof DESK_EVENTS.token_rights_set>>) =>
            body.name === name ? named(body.rights) : undefined,
        );
        return [words(`set what the token ${named(name)} may do: `), ...change(old, named(rights))];
      },
    },
    token_revoked: {
      name: 'Token revoked',
      group: 'settings',
      concerns: () => ({}),
      say: ({ body: { name } }) => [words(`revoked the token ${named(name)}`)],
    },
    key_locked: {
      name: 'Key locked',
      group: 'desk',
      concerns: () => ({}),
      say: ({ body: { idleMinutes } }) => [
        words(
          idleMinutes === null
            ? 'locked the key'
            : `locked the key after ${idleMinutes} min without an act of a person`,
        ),
      ],
    },
    key_unlocked: {
      name: 'Key unlocked',
      group: 'desk',
      concerns: () => ({}),
      say: () => [words('unlocked the key; the desk stays halted')],
    },
    desk_started: {
      name: 'Desk started',
      group: 'desk',
      concerns: () => ({}),
      say: ({ seq, body: { version, checks } }) => {
        const old = past.latest(seq, ['desk_started'], ({ body }: ToldRow<z.infer<typeof DESK_EVENTS.desk_started>>) =>
          named(body.version),
        );
        const failed = Object.entries(checks).filter(([, said]) => said !== 'ok');
        const told = failed.slice(0, 3).map(([check, said]) => [words(`${named(check)}: ${named(said, 80)}`)]);
        const rest = failed.length > 3 ? [words(` and ${failed.length - 3} more`)] : [];
        return [
          words('started, version '),
          ...change(old, named(version)),
          ...(failed.length === 0 ? [] : [words('; '), ...listed(told), ...rest]),
        ];
      },
    },
    desk_stopped: {
      name: 'Desk stopped',
      group: 'desk',
      concerns: () => ({}),
      say: () => [words('stopped in good order')],
    },
    past_unproven: {
      name: 'Past not proven',
      group: 'desk',
      concerns: () => ({ wide: true }),
      say: ({ body: { why, handOrders = [] } }) => [
        words('rows may be missing from this journal:'),
        ...quoted(why.join('; ')),
        ...(handOrders.length === 0
          ? []
          : [words(`; ${counted(handOrders.length, 'order')} signed by hand not in it`)]),
      ],
    },
    transaction: {
      name: 'Transaction',
      group: 'desk',
      concerns: ({ body: { chainId } }) => ({ chainId }),
      say: ({ body: { purpose, to, transactionHash, outcome } }) => [
        words(`${named(purpose, 120)} at ${shortened(to)}: `),
        { text: OUTCOMES[outcome], as: 'after' },
        ...(transactionHash === null ? [] : [words(`, ${shortened(transactionHash)}`)]),
      ],
    },
  };
}
