import type { DeskChange } from '../contract/desk-changes.ts';
import type { HedgeToken } from '../contract/hedge.ts';
import type { HedgeWish } from '../contract/hedge-terms.ts';
import type { VenueField } from '../contract/venue.ts';
import type { HedgeParts } from '../hedge/hedge-parts.ts';
import { endsOf } from '../hedge/hedge-terms.ts';
import { kindOf } from '../hedge/venues/venues.ts';
import { fromRaw } from '../protocol/decimal.ts';

/** So many characters of bytes stand in one row: longer ones are told in parts, none of which is cut. */
const BYTES_OF_A_ROW = 500;

const MAY_TAKE = {
  permit: 'as much as the hedge takes, by a permit where one will do',
  approve: 'as much as the hedge takes',
  approve_without_end: 'no end',
} as const satisfies Record<HedgeWish['approval'], string>;

/** What somebody was told and wants all the same. */
const ACCEPTED = {
  acceptDistance: 'A price far off the reference',
  acceptPromised: 'Taking what quotes or other hedges promise',
  acceptCovered: 'Closing what something under way closes already',
  confirmed: 'Closing a position while the desk is halted',
} as const;

/**
 * A hedge as somebody wants it, for whoever says yes or no to it: in one line, and every term of it in a row of its own. Throws
 * DeskError as `endsOf` does.
 */
export function hedgeInWords(
  book: HedgeParts['book'],
  wish: HedgeWish & { confirmed: boolean },
): { says: string; changes: DeskChange[] } {
  const { ask, way, approval, shown, bridge, deadlineSeconds, fillSeqs } = wish;
  const { chainId, src, dest, side } = endsOf({ book }, ask);
  const isSale = side === 'SELL';
  const [fixed, other] = isSale ? [src, dest] : [dest, src];
  const kind = kindOf(way.mode);
  const nameOf = (id: number) => book.chain(id)?.config.name ?? `chain ${id}`;
  const crosses = dest.chainId !== chainId;
  const deal = `${isSale ? 'sell' : 'buy'} ${ask.amount} ${fixed.symbol} ${isSale ? 'for' : 'with'} ${other.symbol}`;
  const row = (what: string, after: string): DeskChange => ({ about: 'Hedge', what, before: null, after });
  const terms = Object.entries(way)
    .filter(([name, value]) => name !== 'mode' && value !== undefined)
    .flatMap(([name, value]) => {
      const field = kind?.fields.find((one) => one.name === name);
      const texts = termTexts(value, field, other);
      const label = field?.label[side] ?? name;
      return texts.map((text, at) =>
        row(texts.length === 1 ? label : `${label}, part ${at + 1} of ${texts.length}`, text),
      );
    });
  const slippage = kind?.slippage === 'slice' ? 'Slippage of each slice, bps' : 'Slippage, bps';
  const accepted = (Object.keys(ACCEPTED) as (keyof typeof ACCEPTED)[]).filter((name) => wish[name] === true);
  return {
    says: `${deal} on ${nameOf(chainId)}${crosses ? `, to be received on ${nameOf(dest.chainId)}` : ''}`,
    changes: [
      row(isSale ? 'Sells' : 'Buys', `${ask.amount} ${tokenText(fixed)}`),
      row(isSale ? 'For' : 'With', tokenText(other)),
      ...(crosses ? [row('Received on', `${nameOf(dest.chainId)} (${dest.chainId})`)] : []),
      row('Way', kind?.name ?? way.mode),
      ...terms,
      ...(kind?.slippage === 'nothing' ? [] : [row(slippage, `${ask.slippageBps}`)]),
      ...(shown === undefined
        ? []
        : [row('Price as it was seen', `${fromRaw(BigInt(shown), other.decimals)} ${other.symbol}`)]),
      ...(ask.beneficiary === undefined ? [] : [row('Received by', ask.beneficiary)]),
      row(`What it may take of ${src.symbol}`, MAY_TAKE[approval]),
      ...(bridge === undefined ? [] : [row('Bridge', bridge)]),
      row('Ends after, s', `${deadlineSeconds}`),
      ...accepted.map((name) => row(ACCEPTED[name], 'is accepted')),
      ...[...new Set(fillSeqs)].map((seq) => row('For the fill', `row ${seq}`)),
    ],
  };
}

/** A term as a person reads it; bytes that are long in several parts. */
function termTexts(value: unknown, field: VenueField | undefined, other: HedgeToken): string[] {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (field?.kind === 'other') return [`${text} ${other.symbol}`];
  const parts = Math.max(1, Math.ceil(text.length / BYTES_OF_A_ROW));
  if (field?.kind !== 'bytes' || parts === 1) return [text];
  return Array.from({ length: parts }, (_, at) => text.slice(at * BYTES_OF_A_ROW, (at + 1) * BYTES_OF_A_ROW));
}

function tokenText({ symbol, address }: HedgeToken): string {
  return `${symbol} (${address})`;
}
