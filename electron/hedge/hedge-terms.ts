import type { HedgeAsk, HedgeWish } from '../contract/hedge-terms.ts';
import type { HedgeOpened } from '../journal/hedges/events.ts';
import { fromRaw, toRaw } from '../protocol/decimal.ts';
import { DeskError } from '../protocol/desk-error.ts';
import { chainOf, type HedgeParts } from './hedge-parts.ts';
import { hedgeToken } from './hedge-tokens.ts';
import type { Ends } from './venues/venue.ts';
import { venueOf } from './venues/venues.ts';

/** What is asked, in raw units, with its tokens as they are listed. Throws DeskError `bad_ask`, `unknown_chain`, `unknown_token`. */
export function endsOf(parts: Pick<HedgeParts, 'book'>, ask: HedgeAsk): Ends {
  const { chainId, destChainId = chainId, side, slippageBps, beneficiary = null } = ask;
  const src = hedgeToken(parts, chainId, ask.srcToken);
  const dest = hedgeToken(parts, destChainId, ask.destToken);
  if (src.chainId === dest.chainId && src.address === dest.address) {
    throw new DeskError('bad_ask', 'A token is not hedged with itself.');
  }
  const fixed = side === 'SELL' ? src : dest;
  const amount = toRaw(ask.amount, fixed.decimals);
  if (fromRaw(amount, fixed.decimals) !== plain(ask.amount)) {
    throw new DeskError('bad_ask', `${fixed.symbol} has ${fixed.decimals} decimals: ${ask.amount} has more.`);
  }
  if (amount === 0n) throw new DeskError('bad_ask', 'The amount must be above zero.');
  const { maker } = chainOf(parts, chainId).config;
  return { chainId, maker, src, dest, side, amount: `${amount}`, slippageBps, beneficiary };
}

/** The event that opens a hedge of this wish. Throws as `endsOf` does, and `bad_terms`. */
export function openingOf(
  parts: Pick<HedgeParts, 'book' | 'now'>,
  wish: HedgeWish,
  more: Pick<HedgeOpened, 'pair' | 'fillSeqs' | 'automatic' | 'confirmed'>,
): HedgeOpened {
  const ends = endsOf(parts, wish.ask);
  const deadline = Math.floor(parts.now() / 1_000) + wish.deadlineSeconds;
  if (wish.bridge !== undefined && ends.dest.chainId === ends.chainId) {
    throw new DeskError('bad_terms', 'A swap on one chain takes no bridge.');
  }
  const chosen = wish.bridge === undefined ? {} : { bridge: wish.bridge };
  const makerThere = chainOf(parts, ends.dest.chainId).config.maker;
  if (ends.beneficiary === null && makerThere !== ends.maker) {
    const { name } = chainOf(parts, ends.dest.chainId).config;
    throw new DeskError(
      'bad_terms',
      `The maker on ${name} is ${makerThere}, not ${ends.maker}: say who receives there.`,
    );
  }
  const { way, approval, shown = null } = wish;
  const opened: HedgeOpened = { ...ends, way, deadline, approval, shown, ...chosen, ...more };
  venueOf(way.mode).check(opened, parts.now());
  return opened;
}

/** A decimal without needless zeros. */
function plain(text: string): string {
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}
