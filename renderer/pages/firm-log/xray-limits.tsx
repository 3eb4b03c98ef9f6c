import type { QuoteXray } from '../../../electron/contract/quote-xray.ts';
import { amountText, type TokenFigure } from '../../components/figures/amounts.ts';
import { toPixels, withPlaces } from '../../components/figures/decimal-text.ts';
import { ageText } from '../../components/figures/times.ts';
import { Mark } from '../../components/mark.tsx';
import { Facts } from './facts.tsx';

interface Line {
  name: string;
  used: string;
  of: string | null;
  /** Share used, 0 to 1; null where there is no limit. */
  share: number | null;
  title?: string;
}

/** What the guard saw then, beside the limits as they are now. */
export function XrayLimits({ xray, token }: { xray: QuoteXray; token: TokenFigure | undefined }) {
  const lines = linesOf(xray, token);
  return (
    <Facts name="Limits" aside="as read then, of the limits now">
      <ul className="limit-lines">
        {lines.map(({ name, used, of, share, title }) => (
          <li key={name} title={title}>
            <Mark
              shape={share !== null && share > 1 ? 'refused' : 'done'}
              tone={share !== null && share > 1 ? 'stop' : 'ok'}
            />
            <span>{name}</span>
            <b>{used}</b>
            <span className="quiet">{of === null ? 'no limit' : of === '' ? '' : `of ${of}`}</span>
            <span className="meter">{share !== null && <i style={{ width: `${Math.min(1, share) * 100}%` }} />}</span>
          </li>
        ))}
      </ul>
    </Facts>
  );
}

function linesOf({ quote, limits, walk, userLastMinute }: QuoteXray, token: TokenFigure | undefined): Line[] {
  const figure = (raw: string | bigint) =>
    token === undefined ? `${raw} raw` : `${amountText(raw, token)} ${token.symbol}`;
  const amounts = (name: string, used: string | null, of: string | bigint | null, title?: string): Line[] => {
    if (used === null) return [];
    const unlimited = of !== null && BigInt(of) >= 2n ** 255n;
    return [
      {
        name,
        used: of === null || unlimited ? figure(used) : figure(used).replace(/ \S+$/, ''),
        of: of === null || unlimited ? null : figure(of),
        ...(title === undefined ? {} : { title }),
        share: of === null || unlimited ? null : shareOf(BigInt(used), BigInt(of)),
      },
    ];
  };
  const { makerAmount, exposure, balance, allowance } = quote;
  const withThis = exposure === null || makerAmount === null ? null : `${BigInt(exposure) + BigInt(makerAmount)}`;
  const reserve = BigInt(limits?.reserve ?? 0);
  const covered =
    balance === null || allowance === null
      ? null
      : (BigInt(balance) < BigInt(allowance) ? BigInt(balance) : BigInt(allowance)) - reserve;
  const counts = (name: string, used: number, of: number | undefined, text: (count: number) => string): Line => ({
    name,
    used: text(used),
    of: of ? text(of) : null,
    share: of ? used / of : null,
  });
  const age = walk === null ? null : Math.max(0, Date.parse(quote.time) - walk.publishedAt) / 1_000;
  const taker = limits?.takerListed ?? null;
  return [
    ...amounts('One quote', makerAmount, limits?.maxQuote ?? null),
    ...amounts('Live, with this one', withThis, limits?.maxOutstanding ?? null),
    ...amounts('Cover', withThis, covered, 'The smaller of balance and allowance as read, less the reserve'),
    counts('This user, quotes a minute', userLastMinute, limits?.quotesPerUserPerMinute, String),
    ...(age === null
      ? []
      : [counts('Ladder age', age, limits?.ladderMaxAgeSeconds, (seconds) => ageText(seconds * 1_000))]),
    ...(taker === null
      ? []
      : [{ name: 'Taker contract', used: taker ? 'on the list' : 'not on the list', of: '', share: taker ? 0 : 2 }]),
  ];
}

function shareOf(used: bigint, of: bigint): number {
  if (of <= 0n) return used > 0n ? 2 : 0;
  return toPixels(withPlaces({ digits: (used * 1_000n) / of, places: 3 }, 3, 'down'));
}
