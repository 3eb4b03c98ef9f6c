import type { QuotedWay } from '../../../electron/contract/hedge.ts';
import { LOSS_TO_WARN, lossOf, shareText } from './hedge-loss.ts';
import { cutAmount, lifetimeText } from './hedge-words.ts';
import { type PriceTerms, priceOfAmounts, pricesText } from './price-terms.ts';
import type { ReadTicket, Ticket } from './ticket.ts';
import { readAmount } from './typed-amount.ts';

/** What the typed bounds of a waiting order mean: its price, how far that is from the price now, its slices. */
export function WayHint(props: { ticket: Ticket; read: ReadTicket; way: QuotedWay | null; terms: PriceTerms | null }) {
  const words = [slicesWords(props.read), limitWords(props)].filter((word) => word !== null);
  if (words.length === 0) return null;
  const loss = lossOf(props.ticket, props.read, props.way);
  const isBad = props.read.limitRaw !== null && loss !== null && loss >= LOSS_TO_WARN;
  return <p className={`hedge-says ${isBad ? 'attn' : 'muted'}`}>{words.join(' ')}</p>;
}

function slicesWords({ way, ask, token }: ReadTicket): string | null {
  if ((way?.mode !== 'twap' && way?.mode !== 'twap-buy') || ask === null || token === undefined) return null;
  const raw = readAmount(ask.amount, token.decimals).raw;
  if (raw === null) return null;
  const slice = cutAmount(`${BigInt(raw) / BigInt(way.slices)}`, token);
  return `${way.slices} slices of ${slice}, the last one ${lifetimeText((way.slices - 1) * way.interval)} after the first.`;
}

/** What a limit comes to as a price, and whether it waits: `3,250.00 USDC per WETH, 4.2 % under the price now: it fills at once.` */
export function limitWords(props: {
  ticket: Ticket;
  read: ReadTicket;
  way: QuotedWay | null;
  terms: PriceTerms | null;
}): string | null {
  const { ticket, read, way, terms } = props;
  const { ask, token, against, limitRaw } = read;
  if (limitRaw === null || terms === null || ask === null || token === undefined || against === undefined) return null;
  const { raw } = readAmount(ask.amount, token.decimals);
  const price = raw === null ? null : priceOfAmounts(terms, { token, raw }, { token: against, raw: limitRaw });
  if (price === null) return null;
  const isSold = ticket.side === 'SELL';
  const said = `${isSold ? 'At least' : 'At most'} ${pricesText([price])(price)} ${terms.of.symbol} per ${terms.per.symbol}`;
  const loss = lossOf(ticket, read, way);
  if (loss === null) return `${said}.`;
  const share = shareText(loss < 0n ? -loss : loss);
  if (loss >= 0n)
    return `${said}: ${share} worse than the price now${read.way?.mode === 'limit' ? ', it fills at once' : ''}.`;
  return `${said}: it waits until the price is ${share} better than now.`;
}
