import type { ChainBook } from '../book/chain-book.ts';
import type { Attention } from '../contract/desk-view.ts';
import { isoTime } from '../contract/names.ts';
import type { Scope } from '../contract/trading.ts';
import type { StoredTradingState } from '../journal/trading/fold.ts';
import type { Rooms } from './rooms.ts';

/** Switches that are told one by one; of more only the number is. */
const MOST_NAMED = 5;

type Guarded = Pick<Rooms, 'guard'>;

/** What people switched off on a chain while the desk trades: so that nobody forgets it, with the way back. */
export function switchAttention({ guard }: Guarded, chain: ChainBook): Attention[] {
  if (guard.trading.stateOf({}) === 'HALTED') return [];
  const { chainId, config } = chain;
  const ofChain = guard.trading.said({ chainId });
  if (ofChain?.state === 'HALTED') {
    const title = `${config.name} is HALTED, the rest of the desk is not`;
    const scope = { chainId };
    return [
      { code: `halted ${chainId}`, level: 'look', title, detail: whoText(ofChain), action: { kind: 'resume', scope } },
    ];
  }
  const off = [...chain.pairs.keys()].flatMap((pair) => offIn(guard, chainId, pair));
  if (off.length > MOST_NAMED) {
    const detail = `${off
      .slice(0, MOST_NAMED)
      .map(({ what }) => what)
      .join(', ')} and ${off.length - MOST_NAMED} more.`;
    return [
      { code: `off ${chainId}`, level: 'note', title: `${off.length} switches of ${config.name} are off`, detail },
    ];
  }
  return off.map(({ scope, what, is, said }) => ({
    code: `off ${chainId} ${what}`,
    level: 'note',
    title: `${what} ${is} switched off on ${config.name}`,
    detail: whoText(said),
    action: { kind: 'resume', scope },
  }));
}

function offIn(
  guard: Rooms['guard'],
  chainId: number,
  pair: string,
): { scope: Scope; what: string; is: 'is' | 'are'; said: StoredTradingState }[] {
  const scopes: { scope: Scope; what: string; is: 'is' | 'are' }[] = [
    { scope: { chainId, pair }, what: pair, is: 'is' },
    { scope: { chainId, pair, side: 'bids' }, what: `${pair} bids`, is: 'are' },
    { scope: { chainId, pair, side: 'asks' }, what: `${pair} asks`, is: 'are' },
  ];
  return scopes.flatMap((one) => {
    const said = guard.trading.said(one.scope);
    return said?.state === 'HALTED' ? [{ ...one, said }] : [];
  });
}

/** Since when, by whom and why; times of day in UTC. */
function whoText({ actor, reason, cause, since }: StoredTradingState): string {
  const why = reason ?? cause;
  return `Since ${isoTime(since).slice(11, 19)} UTC by ${actor}${why === null ? ', without a reason.' : `: “${why.replace(/\.$/, '')}”.`}`;
}
