import { isoTime } from '../contract/names.ts';
import { plain } from '../contract/plain-text.ts';
import { type ChainStillLive, outlivingWords, type StillLive } from '../contract/still-live.ts';
import { fromRaw } from '../protocol/decimal.ts';

const ROLES = {
  rfq: 'the RFQ contract',
  router: 'the router',
  intent: 'the intent contract',
  permit2: 'Permit2',
  other: 'an earlier contract',
} as const;

/** From here on an allowance is not written out: nobody could ever use it up. */
const UNLIMITED = 2n ** 255n;

/** What of everything signed can still be used, line by line; that nothing is live only where every chain agrees. */
export function stillLiveText({ nothing, nothingSigned, chains }: StillLive): string {
  const lines = chains.flatMap(linesOf);
  if (nothing) return 'Nothing is live: no quote, order, permit or allowance, and every chain agrees.\n';
  const first = nothingSigned
    ? 'Nothing that was signed is live, and every chain agrees. Contracts may still take:'
    : 'Still live, of what was signed before:';
  return `${[first, ...lines].join('\n')}\n`;
}

function linesOf({
  chainId,
  name,
  unknown,
  quotes,
  nftOrders,
  orders,
  permits,
  transactions,
  approvals,
  allowances,
}: ChainStillLive): string[] {
  const amount = (raw: string, { symbol, decimals }: { symbol: string; decimals: number }) =>
    `${fromRaw(BigInt(raw), decimals)} ${symbol}`;
  const allowance = (raw: string, token: { symbol: string; decimals: number }) =>
    BigInt(raw) >= UNLIMITED ? `unlimited allowance of ${token.symbol}` : `allowance of ${amount(raw, token)}`;
  const until = (time: number | null) => (time === null ? 'without an end' : `until ${isoTime(time)}`);
  const lines = [
    ...unknown.map((sentence) => `not known: ${sentence}`),
    ...(quotes.count > 0
      ? [`${quotes.count} firm ${quotes.count === 1 ? 'quote' : 'quotes'}, ${until(quotes.until)}`]
      : []),
    ...nftOrders.map(
      ({ seq, orderHash, gives, gets, taker, until: end }) =>
        `NFT order ${orderHash} (row ${seq}): gives ${gives} for ${gets} to ${taker}, ${until(end)}`,
    ),
    ...orders.map((order) => {
      const asked = order.cancel === 'no' ? '' : ', its cancellation was asked for';
      const word = outlivingWords(order, isoTime) ?? `${order.status ?? 'not handed over'}${asked}`;
      return `intent order ${order.orderId ?? order.orderHash ?? order.seq} (${order.mode}): ${amount(order.left, order.src)}, ${until(order.until)}, ${word}`;
    }),
    ...permits.map(
      ({ kind, token, spender, amount: raw, until: end }) =>
        `permit (${kind}) of ${amount(raw, token)} for ${spender}, ${until(end)}`,
    ),
    ...transactions.map(
      ({ purpose, hash, src, until: end }) => `transaction ${hash} (${purpose} of ${src.symbol}), ${until(end)}`,
    ),
    ...approvals.map(
      ({ token, spender, amount: raw, hash }) =>
        `an approval that is sent and not mined, ${allowance(raw, token)} to ${spender}: transaction ${hash}, without an end`,
    ),
    ...allowances.map(
      ({ token, spender, role, amount: raw }) =>
        `${allowance(raw, token)} to ${ROLES[role]} ${spender}, until it is set otherwise`,
    ),
  ];
  return lines.map((line) => plain(`  ${name} (${chainId}): ${line}`));
}
