import type { HedgeToken } from '../../../electron/contract/hedge.ts';
import type { HedgeAsk, HedgeWay, HedgeWish } from '../../../electron/contract/hedge-terms.ts';
import type { VenueField, VenueHere, VenueKind } from '../../../electron/contract/venue.ts';
import { readNumber, readWhole } from '../../state/number-form.ts';
import { findToken, type TokenId } from './hedge-token.ts';
import { readAmount, readPercent } from './typed-amount.ts';
import { readMoment } from './typed-moment.ts';
import { meantBy } from './venues.ts';

/** A hedge as it is being typed. */
export interface Ticket {
  side: 'SELL' | 'BUY';
  /** What is sold or bought, and how much of it; and what is paid with or taken for it. */
  token: TokenId | '';
  amount: string;
  against: TokenId | '';
  /** One of the modes of the kind that was chosen. */
  mode: string;
  slippage: string;
  /** Seconds; null: as long as is usual for its kind. */
  deadline: number | null;
  approval: HedgeWish['approval'];
  /** The amount of the other token, where the kind is bound to one. */
  other: string;
  /** What else kinds need, by the names of their fields; what is not here stands as it does at first. */
  fields: Readonly<Record<string, string>>;
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
  deadline: null,
  approval: 'permit',
  other: '',
  fields: {},
  bridge: '',
  beneficiary: '',
  fillSeqs: [],
};

/** What is wrong with a field, by its name. */
export type TicketFaults = Record<string, string>;

/** A ticket as far as it can be read: the question for a price, then the whole wish. */
export interface ReadTicket {
  src: HedgeToken | undefined;
  dest: HedgeToken | undefined;
  /** The token that `amount` is of, and the other one. */
  token: HedgeToken | undefined;
  against: HedgeToken | undefined;
  isCrossing: boolean;
  venue: VenueHere | undefined;
  kind: VenueKind | undefined;
  ask: HedgeAsk | null;
  /** What the way needs besides, once all of it is there. */
  way: HedgeWay | null;
  /** The amount of the other token that its kind is bound to, raw; null for kinds that have none. */
  limitRaw: string | null;
  wish: Omit<HedgeWish, 'shown'> | null;
  faults: TicketFaults;
}

const NO_SLIPPAGE = { bps: 0, fault: null };
const LIFETIMES = [300, 600, 3_600, 14_400, 86_400, 604_800] as const;
const USUAL_LIFETIME = 600;
const LONG_LIFETIME = 86_400;
const ADDRESS = /^0x[0-9a-fA-F]{40}$/;
const BYTES = /^0x([0-9a-fA-F]{2})*$/;

/** Reads what was typed. Nothing is judged that only the desk can know. */
export function readTicket(ticket: Ticket, tokens: readonly HedgeToken[], venues: readonly VenueHere[]): ReadTicket {
  const { venue, kind } = meantBy(ticket, venues);
  const [token, against] = [findToken(tokens, ticket.token), findToken(tokens, ticket.against)];
  const [src, dest] = ticket.side === 'SELL' ? [token, against] : [against, token];
  const amount = readAmount(ticket.amount, token?.decimals ?? 0);
  // A limit is its own bound: the slippage is not of it, and is not asked for.
  const slippage = kind?.slippage === 'nothing' ? NO_SLIPPAGE : readPercent(ticket.slippage);
  const isCrossing = src !== undefined && dest !== undefined && src.chainId !== dest.chainId;
  const faults: TicketFaults = {};
  if (token !== undefined && amount.fault !== null) faults.amount = amount.fault;
  if (slippage.fault !== null) faults.slippage = slippage.fault;
  if (slippage.bps !== null && slippage.bps > 2_000) faults.slippage = 'At most 20 %.';
  if (ticket.token !== '' && ticket.token === ticket.against)
    faults.against = 'Another token than the one at the left.';
  if (isCrossing && venue?.noCrossing != null) faults.against = venue.noCrossing;
  if (ticket.beneficiary !== '' && !ADDRESS.test(ticket.beneficiary)) {
    faults.beneficiary = 'An address has 40 digits after 0x.';
  }
  const way = kind === undefined ? null : wayOf(kind, ticket, against, faults);
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
    venue,
    kind,
    ask,
    way,
    faults,
    limitRaw:
      way === null || against === undefined || !hasOther(kind) ? null : readAmount(ticket.other, against.decimals).raw,
    wish: isWhole
      ? {
          ask,
          way,
          deadlineSeconds: lifetimeOf(ticket, kind),
          ...(isCrossing && ticket.bridge !== '' && { bridge: ticket.bridge }),
          approval: ticket.approval === 'permit' && kind?.waits === true ? 'approve' : ticket.approval,
          fillSeqs: [...ticket.fillSeqs],
        }
      : null,
  };
}

/** What a change of one field means for the others. */
export function changed(ticket: Ticket, change: Partial<Ticket>): Ticket {
  const next = { ...ticket, ...change };
  if (change.mode !== undefined && change.mode !== ticket.mode) next.deadline = null;
  const isOther = (['token', 'against', 'side'] as const).some((field) => next[field] !== ticket[field]);
  if (!isOther) return next;
  // Limits are in the other token, bridges between these chains, and the fills were of these two.
  return { ...next, other: '', bridge: '', fillSeqs: change.fillSeqs ?? [] };
}

/** How long it may take: one in slices lasts longer than all of its intervals together. Seconds. */
export function lifetimesOf(ticket: Pick<Ticket, 'fields'>, kind: VenueKind | undefined): number[] {
  const least = kind === undefined ? 0 : (slicesOf(ticket, kind)?.lasts ?? 0);
  const fitting = LIFETIMES.filter((seconds) => seconds >= least);
  return fitting.length > 0 ? fitting : [least];
}

/** How long this one may take. Seconds. */
export function lifetimeOf(ticket: Pick<Ticket, 'fields' | 'deadline'>, kind: VenueKind | undefined): number {
  const usual = kind?.waits === true ? LONG_LIFETIME : USUAL_LIFETIME;
  const wanted = ticket.deadline ?? usual;
  return Math.max(wanted, lifetimesOf(ticket, kind)[0] ?? wanted);
}

/** In how many slices it goes, how many seconds lie between two of them, and how long all of it takes; null where it is in one. */
export function slicesOf(
  ticket: Pick<Ticket, 'fields'>,
  kind: VenueKind,
): { count: number; interval: number; lasts: number } | null {
  const { slices, fields } = kind;
  if (slices === null) return null;
  const read = (name: string) => {
    const field = fields.find((one) => one.name === name);
    return field === undefined ? 0 : (wholeIn(field, ticket).value ?? field.least ?? 0);
  };
  const [count, interval] = [read(slices.count), read(slices.interval)];
  return { count, interval, lasts: count * interval + slices.last };
}

/** What stands in a field of a kind. */
export function typedIn(field: VenueField, ticket: Pick<Ticket, 'fields'>): string {
  return ticket.fields[field.name] ?? field.first;
}

function wholeIn(field: VenueField, ticket: Pick<Ticket, 'fields'>) {
  return readWhole(typedIn(field, ticket), field.least ?? 0, field.most ?? Number.MAX_SAFE_INTEGER);
}

/** Whether a kind is bound to an amount of the other token. */
function hasOther(kind: VenueKind | undefined): boolean {
  return kind?.fields.some((field) => field.kind === 'other') === true;
}

/** What a kind needs, read field by field; null while one that it needs is missing or wrong. */
function wayOf(
  kind: VenueKind,
  ticket: Ticket,
  against: HedgeToken | undefined,
  faults: TicketFaults,
): HedgeWay | null {
  const way: HedgeWay = { mode: kind.mode };
  let isWhole = true;
  for (const field of kind.fields) {
    const { value, fault } = readField(field, ticket, against);
    if (fault !== null) faults[field.name] = fault;
    if (value !== null) way[field.name] = value;
    else if (fault !== null || field.lack !== null || field.kind === 'whole') isWhole = false;
  }
  return isWhole ? way : null;
}

function readField(
  field: VenueField,
  ticket: Ticket,
  against: HedgeToken | undefined,
): { value: string | number | null; fault: string | null } {
  const typed = field.kind === 'other' ? ticket.other : typedIn(field, ticket).trim();
  switch (field.kind) {
    case 'other': {
      if (against === undefined) return { value: null, fault: null };
      const { raw, fault } = readAmount(typed, against.decimals);
      return { value: raw === null ? null : plain(typed), fault };
    }
    case 'whole':
      return wholeIn(field, ticket);
    case 'dollars': {
      const { text, fault } = readNumber(typed);
      return { value: text, fault };
    }
    case 'address': {
      const isOne = typed === '' || ADDRESS.test(typed);
      const fault = isOne ? null : 'An address has 40 digits after 0x.';
      return { value: typed === '' || !isOne ? null : lower(typed), fault };
    }
    case 'bytes':
      return BYTES.test(typed)
        ? { value: lower(typed), fault: null }
        : { value: null, fault: 'Bytes as hex after 0x.' };
    case 'moment': {
      const { iso, fault } = readMoment(typed);
      return { value: iso, fault };
    }
    case 'text':
      return { value: typed === '' ? null : typed, fault: null };
  }
}

/** As the desk takes it: `1,234.50` is `1234.50`. */
function plain(typed: string): string {
  return readNumber(typed).text ?? '';
}

function lower(hex: string): `0x${string}` {
  return hex.toLowerCase() as `0x${string}`;
}
