import type { z } from 'zod';
import type { SentencePart } from '../../contract/journal.ts';
import { isoTime } from '../../contract/names.ts';
import type { Scope } from '../../contract/trading.ts';
import { change, named, type PastRows, quoted, type TellingsOf, type ToldRow, words } from '../telling.ts';
import type { TRADING_EVENTS } from './events.ts';
import { placeOf } from './place.ts';

type State = z.infer<typeof TRADING_EVENTS.trading_state>;

/** Stops and starts, with the state of the same scope before. */
export function tellTrading(past: PastRows): TellingsOf<typeof TRADING_EVENTS> {
  const concerns = ({ body: { scope } }: { body: { scope: Scope } }) => ({
    chainId: scope.chainId,
    pair: scope.pair,
    wide: scope.pair === undefined,
  });
  return {
    trading_state: {
      name: 'Stop or start',
      group: 'stops',
      concerns,
      say: ({ seq, body: { scope, state, reason, until, cause } }) => {
        const place = placeOf(scope).join(' ');
        const old = past.latest(seq, ['trading_state'], ({ body }: ToldRow<State>) =>
          placeOf(body.scope).join(' ') === place ? body.state : undefined,
        );
        const isSwitch = scope.pair !== undefined;
        const shown = (value: State['state']) =>
          !isSwitch ? value : value === 'LIVE' ? 'on' : value === 'HALTED' ? 'off' : 'drain';
        const deed = { LIVE: 'resumed', DRAIN: 'drained', HALTED: 'halted' }[state];
        const end = until === null ? '' : ` until ${isoTime(until).slice(11, 19)}`;
        return [
          words(`${isSwitch ? 'switched' : deed} ${scopeWords(scope)}: `),
          ...change(old && shown(old), `${shown(state)}${end}`),
          ...quoted(reason),
          ...causeParts(cause),
        ];
      },
    },
    stop_explained: {
      name: 'Why it was stopped',
      group: 'stops',
      concerns,
      say: ({ time, body: { scope, stoppedAt, reason } }) => {
        const [day, clock] = isoTime(stoppedAt).slice(0, 19).split('T');
        const at = isoTime(time).slice(0, 10) === day ? clock : `${day} ${clock}`;
        return [words(`said why ${scopeWords(scope)} was stopped at ${at} UTC:`), ...quoted(reason)];
      },
    },
  };
}

function causeParts(cause: string | null): SentencePart[] {
  return cause === null || cause === '' ? [] : [words(', by itself:'), ...quoted(cause)];
}

function scopeWords({ chainId, pair, side }: Scope): string {
  if (pair !== undefined) return side === undefined ? named(pair) : `${named(pair)} ${side}`;
  return chainId === undefined ? 'the desk' : 'the chain';
}
