import type { HedgeToken } from '../../../electron/contract/hedge.ts';
import type { HedgeAsk, HedgeWay, HedgeWish } from '../../../electron/contract/hedge-terms.ts';
import { readNumber, readWhole } from '../../../electron/contract/typed-number.ts';
import { type ChosenMode, settlesLater } from './hedge-modes.ts';
import { findToken, type TokenId } from './hedge-token.ts';
import { readAmount, readPercent } from './typed-amount.ts';

/** A hedge as it is being typed. */
export interface Ticket {
  side: 'SELL' | 'BUY';
  /** What is sold or bought, and how much of it; and what is paid with or taken for it. */
  token: TokenId | '';
  amount: string;
  against: TokenId | '';
  mode: ChosenMode;
  slippage: string;
  /** Seconds. */
  deadline: number;
  approval: HedgeWish['approval'];
  limit: string;
  slices: string;
  interval: string;
  most: string;
  handler: string;
  data: string;
  strategy: string;
  /** Over which bridge, by its name; empty: the service's first choice. */
  bridge: string;
  /** Who receives; empty: the maker. */
  beneficiary: string;
  /** The fills that were chosen; none: the oldest unhedged ones that fit. */
  fillSeqs: readonly number[];
}

export const EMPTY_TICKET: Ticket = {
  side: 'SELL',
  token: '',
  amount: '',
  against: '',
  mode: 'market',
  slippage: '0.5',
  deadline: 600,
  approval: 'permit',
  limit: '',
  slices: '3',
  interval: '60',
  most: '',
  handler: '',
  data: '0x',
  strategy: '',
  bridge: '',
  beneficiary: '',
  fillSeqs: [],
};

/** What is wrong with a field, by its name. */
export type TicketFaults = Partial<Record<keyof Ticket, string>>;

/** A ticket as far as it can be read: the question for a price, then the whole wish. */
export interface ReadTicket {
  src: HedgeToken | undefined;
  dest: HedgeToken | undefined;
  /** The token that `amount` is of, and the other one. */
  token: HedgeToken | undefined;
  against: HedgeToken | undefined;
  isCrossing: boolean;
  ask: HedgeAsk | null;
  /** What the way needs besides, once all of it is there. */
  way: HedgeWay | null;
  /** The amount of the other token that a limit or a TWAP that buys is bound to, raw; null for ways that have none. */
  limitRaw: string | null;
  wish: Omit<HedgeWish, 'shown'> | null;
  faults: TicketFaults;
}

const NO_SLIPPAGE = { bps: 0, fault: null };
const LIFETIMES = [300, 600, 3_600, 14_400, 86_400, 604_800] as const;
const MOST_SLICES = 1_000;
const ADDRESS = /^0x[0-9a-fA-F]{40}$/;
const BYTES = /^0x([0-9a-fA-F]{2})*$/;

/** Reads what was typed. Nothing is judged that only the desk can know. */
export function readTicket(ticket: Ticket, tokens: readonly HedgeToken[]): ReadTicket {
  const [token, against] = [findToken(tokens, ticket.token), findToken(tokens, ticket.against)];
  const [src, dest] = ticket.side === 'SELL' ? [token, against] : [against, token];
  const amount = readAmount(ticket.amount, token?.decimals ?? 0);
  // A limit is its own bound: the slippage is not of it, and is not asked for.
  const slippage = ticket.mode === 'limit' ? NO_SLIPPAGE : readPercent(ticket.slippage);
  const isCrossing = src !== undefined && dest !== undefined && src.chainId !== dest.chainId;
  const faults: TicketFaults = {};
  if (token !== undefined && amount.fault !== null) faults.amount = amount.fault;
  if (slippage.fault !== null) faults.slippage = slippage.fault;
  if (slippage.bps !== null && slippage.bps > 2_000) faults.slippage = 'At most 20 %.';
  if (ticket.token !== '' && ticket.token === ticket.against)
    faults.against = 'Another token than the one at the left.';
  if (isCrossing && ticket.mode === 'market') faults.against = 'The router swaps on one chain: choose an intent.';
  if (ticket.beneficiary !== '' && !ADDRESS.test(ticket.beneficiary)) {
    faults.beneficiary = 'An address has 40 digits behind 0x.';
  }
  const way = wayOf(ticket, against, faults);
  const isAskable =
    faults.beneficiary === undefined &&
    faults.amount === undefined &&
    faults.slippage === undefined &&
    (faults.against === undefined || isCrossing);
  const ask: HedgeAsk | null =
    src !== undefined && dest !== undefined && src !== dest && amount.raw !== null && slippage.bps !== null && isAskable
      ? {
          chainId: src.chainId,
          ...(isCrossing && { destChainId: dest.chainId }),
          srcToken: src.address,
          destToken: dest.address,
          side: ticket.side,
          amount: plain(ticket.amount),
          slippageBps: slippage.bps,
          ...(ticket.beneficiary !== '' && { beneficiary: lower(ticket.beneficiary) }),
        }
      : null;
  const isWhole = ask !== null && way !== null && Object.keys(faults).length === 0;
  return {
    src,
    dest,
    token,
    against,
    isCrossing,
    ask,
    way,
    faults,
    limitRaw: way === null || against === undefined ? null : limitOf(way, against),
    wish: isWhole
      ? {
          ask,
          way,
          deadlineSeconds: Math.max(ticket.deadline, lifetimesOf(ticket)[0] ?? ticket.deadline),
          ...(isCrossing && ticket.bridge !== '' && { bridge: ticket.bridge }),
          approval: ticket.approval === 'permit' && settlesLater(ticket.mode) ? 'approve' : ticket.approval,
          fillSeqs: [...ticket.fillSeqs],
        }
      : null,
  };
}

/** What a change of one field means for the others. */
export function changed(ticket: Ticket, change: Partial<Ticket>): Ticket {
  const next = { ...ticket, ...change };
  if (change.mode !== undefined && settlesLater(change.mode) !== settlesLater(ticket.mode)) {
    next.deadline = settlesLater(change.mode) ? 86_400 : 600;
  }
  const isOther = (['token', 'against', 'side'] as const).some((field) => next[field] !== ticket[field]);
  if (!isOther) return next;
  // Limits are in the other token, bridges between these chains, and the fills were of these two.
  return { ...next, limit: '', most: '', bridge: '', fillSeqs: change.fillSeqs ?? [] };
}

/** How long it may take: a TWAP lasts longer than all of its intervals together. Seconds. */
export function lifetimesOf(ticket: Pick<Ticket, 'mode' | 'slices' | 'interval'>): number[] {
  const slices = readWhole(ticket.slices, 2, MOST_SLICES).value ?? 2;
  const interval = readWhole(ticket.interval, 60, 86_400).value ?? 60;
  const least = ticket.mode === 'twap' ? slices * interval + 60 : 0;
  const fitting = LIFETIMES.filter((seconds) => seconds >= least);
  return fitting.length > 0 ? fitting : [least];
}

function wayOf(ticket: Ticket, against: HedgeToken | undefined, faults: TicketFaults): HedgeWay | null {
  const { mode } = ticket;
  if (mode === 'market' || mode === 'intent') return { mode };
  if (mode === 'limit') {
    const limitAmount = amountIn(ticket, 'limit', against, faults);
    return limitAmount === null ? null : { mode, limitAmount };
  }
  if (mode === 'external') {
    if (ticket.handler !== '' && !ADDRESS.test(ticket.handler)) faults.handler = 'An address has 40 digits behind 0x.';
    if (!BYTES.test(ticket.data)) faults.data = 'Bytes as hex behind 0x.';
    const isRead = ticket.handler !== '' && faults.handler === undefined && faults.data === undefined;
    return isRead ? { mode, handler: lower(ticket.handler), data: lower(ticket.data) } : null;
  }
  if (mode === 'productive') {
    if (ticket.strategy !== '' && !ADDRESS.test(ticket.strategy))
      faults.strategy = 'An address has 40 digits behind 0x.';
    const isRead = ticket.strategy !== '' && faults.strategy === undefined;
    return isRead ? { mode, strategy: lower(ticket.strategy) } : null;
  }
  const slices = readWhole(ticket.slices, 2, MOST_SLICES);
  const interval = readWhole(ticket.interval, 60, 86_400);
  if (slices.fault !== null) faults.slices = slices.fault;
  if (interval.fault !== null) faults.interval = interval.fault;
  if (slices.value === null || interval.value === null) return null;
  const both = { slices: slices.value, interval: interval.value };
  if (ticket.side === 'SELL') return { mode, ...both };
  const maxSrcAmount = amountIn(ticket, 'most', against, faults);
  return maxSrcAmount === null ? null : { mode: 'twap-buy', ...both, maxSrcAmount };
}

function amountIn(
  ticket: Ticket,
  field: 'limit' | 'most',
  token: HedgeToken | undefined,
  faults: TicketFaults,
): string | null {
  if (token === undefined) return null;
  const { raw, fault } = readAmount(ticket[field], token.decimals);
  if (fault !== null) faults[field] = fault;
  return raw === null ? null : plain(ticket[field]);
}

function limitOf(way: HedgeWay, { decimals }: HedgeToken): string | null {
  const typed = way.mode === 'limit' ? way.limitAmount : way.mode === 'twap-buy' ? way.maxSrcAmount : null;
  return typed === null ? null : readAmount(typed, decimals).raw;
}

/** As the desk takes it: `1,234.50` is `1234.50`. */
function plain(typed: string): string {
  return readNumber(typed).text ?? '';
}

function lower(hex: string): `0x${string}` {
  return hex.toLowerCase() as `0x${string}`;
}
