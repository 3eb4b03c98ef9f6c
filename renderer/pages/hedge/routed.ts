import type { HedgeRoutes, HedgeToken } from '../../../electron/contract/hedge.ts';
import type { ReadTicket, Ticket } from './ticket.ts';

/** What the services have routes for, as far as it is known. */
export interface KnownRoutes {
  /** Null while nobody has said. */
  routes: HedgeRoutes | null;
  /** Of the source and the destination of the ticket: whether intent orders of it are taken. */
  src: boolean | null;
  dest: boolean | null;
}

/** Whether an intent order may go from the one to the other; null where the service does not say. */
export function crosses(routes: HedgeRoutes | null, src: { chainId: number }, dest: HedgeToken): boolean | null {
  const lanes = routes?.find(({ chainId }) => chainId === src.chainId)?.lanes ?? null;
  if (lanes === null) return null;
  return lanes.some(({ destChainId, tokens }) => destChainId === dest.chainId && tokens.includes(dest.address));
}

/**
 * The tokens of other chains that a ticket offers against its own, and why some are not: what has no route is left out, and what
 * is not known is offered.
 */
export function offeredOthers(
  { side, against }: Pick<Ticket, 'side' | 'against'>,
  routes: HedgeRoutes | null,
  { token, chainId, others }: { token: HedgeToken | undefined; chainId: number; others: readonly HedgeToken[] },
): { offered: HedgeToken[]; hint: string | undefined } {
  const known = others.map((other) => {
    // A token that is bought stands here; one on another chain is then the source.
    if (side === 'SELL') return crosses(routes, { chainId }, other);
    return token === undefined ? null : crosses(routes, other, token);
  });
  const offered = others.filter((other, at) => known[at] !== false || against === `${other.chainId}:${other.address}`);
  const left = others.filter((_, at) => known[at] === false).map(({ symbol }) => symbol);
  if (left.length > 0) {
    const names = [...new Set(left)].slice(0, 5).join(', ');
    return { offered, hint: `No route to or from other chains: ${names}.` };
  }
  const isUnknown = known.some((one) => one === null) && (side === 'SELL' || token !== undefined);
  return { offered, hint: isUnknown ? 'Not known what crosses: the service does not say.' : undefined };
}

/** The ticket with a fault where its service has no route for it: it is neither asked for nor placed. */
export function routed(read: ReadTicket, { routes, src, dest }: KnownRoutes): ReadTicket {
  const fault = noRoute(read, { routes, src, dest });
  if (fault === null) return read;
  const ask = read.venue?.routes === 'lanes' ? null : read.ask;
  return { ...read, ask, wish: null, faults: { against: fault, ...read.faults } };
}

function noRoute(read: ReadTicket, { routes, src, dest }: KnownRoutes): string | null {
  if (read.src === undefined || read.dest === undefined) return null;
  const { chainId } = read.src;
  switch (read.venue?.routes) {
    case 'chains': {
      const isServed = routes?.find((one) => one.chainId === chainId)?.isServed ?? null;
      return isServed === false ? 'The service does not serve this chain.' : null;
    }
    case 'lanes': {
      const refused = src === false ? read.src : dest === false ? read.dest : null;
      if (refused !== null) return `The service takes no intent order in ${refused.symbol}.`;
      return read.isCrossing && crosses(routes, read.src, read.dest) === false
        ? `The service has no route to ${read.dest.symbol} there: choose another token.`
        : null;
    }
    default:
      return null;
  }
}
