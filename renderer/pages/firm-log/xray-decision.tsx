import { Link } from 'wouter';
import { isByHand } from '../../../electron/contract/quote-log.ts';
import type { QuoteXray } from '../../../electron/contract/quote-xray.ts';
import { REFUSALS } from '../../../electron/contract/refusal.ts';
import { Chip } from '../../components/chip.tsx';
import { Address } from '../../components/figures/address.tsx';
import { amountText, type TokenFigure } from '../../components/figures/amounts.ts';
import { countText, signedBpsText } from '../../components/figures/counts.ts';
import { toPixels, withPlaces } from '../../components/figures/decimal-text.ts';
import { Counterparty, User } from '../../components/figures/party.tsx';
import { decimalText, exactText, pricePlaces } from '../../components/figures/prices.ts';
import { ageText, preciseClockText, stampText } from '../../components/figures/times.ts';
import { Mark } from '../../components/mark.tsx';
import { Meter } from '../../components/meter.tsx';
import { LeftOf, QuoteState } from '../../components/quote-state.tsx';
import { Unreadable } from '../../components/unreadable.tsx';
import { numberText } from '../../state/number-form.ts';
import { ladderPath } from '../../state/pages.ts';
import { hasMoreThanDust, useQuoteFigures } from '../../state/quote-figures.ts';
import factsStyles from './facts.module.css';
import { Checked, Fact, Facts, wholeText } from './facts.tsx';
import styles from './xray-decision.module.css';

/** What it was, in one sentence. */
export function XrayHead({ xray: { quote } }: { xray: QuoteXray }) {
  const { base, quote: against, price } = useQuoteFigures(quote);
  const isPart = quote.outcome === 'open' && quote.filledMakerAmount !== '0';
  return (
    <section className={factsStyles.head}>
      <p>
        <Chip>
          <QuoteState row={quote} />
        </Chip>
        {isPart && quote.expiry !== null && hasMoreThanDust(quote, against) && (
          <>
            {' '}
            rest open for
            <LeftOf expiry={quote.expiry} />
          </>
        )}
      </p>
      {quote.unreadable !== undefined && (
        <p className={factsStyles.said}>
          <Unreadable seq={quote.seq} why={quote.unreadable} /> What was stored of it stands under the raw bytes.
        </p>
      )}
      {quote.code !== null && (
        <p className={factsStyles.said}>
          <b className="mono stop">{quote.code}</b> {REFUSALS[quote.code].sentence}
        </p>
      )}
      {isByHand(quote) && <p className={factsStyles.said}>Signed by hand. {quote.requestBody}</p>}
      {quote.orderHash !== null && !isByHand(quote) && (
        <p className={factsStyles.said}>
          We {quote.side === 'bids' ? 'buy' : 'sell'} <b>{wholeText(base.raw, base.token)}</b> for{' '}
          <b>{wholeText(against.raw, against.token)}</b> {quote.side === 'bids' ? 'from' : 'to'}{' '}
          <User address={quote.userAddress} />, at <b>{price ?? '—'}</b>
          {quote.edgeTenthBps !== null && <> ({signedBpsText(quote.edgeTenthBps)} bps against the reference)</>}.
        </p>
      )}
    </section>
  );
}

/** What was asked, by whom, and how long the answer took. */
export function XrayRequest({ xray: { quote }, gives, gets }: Props) {
  const received = Date.parse(quote.time);
  if (isByHand(quote)) {
    return (
      <Facts name="By hand" aside={stampText(received).slice(0, -9)}>
        <dl>
          <Fact name={preciseClockText(received)}>a person confirmed the words above, and this is what was signed</Fact>
          <Fact name="Taker">
            <Address hex={quote.takerAddress} of="taker’s address" />
          </Fact>
        </dl>
      </Facts>
    );
  }
  const named = quote.given === 'makerAmount' ? gives : gets;
  const amount = quote.given === 'makerAmount' ? quote.makerAmount : quote.takerAmount;
  const bytes = quote.requestBytes ?? new TextEncoder().encode(quote.requestBody).length;
  return (
    <Facts name="Request" aside={stampText(received).slice(0, -9)}>
      <dl>
        <Fact name={preciseClockText(received)}>
          POST /firm, {bytes} bytes, from{' '}
          <b>{quote.counterparty === null ? 'nobody in particular' : <Counterparty domain={quote.counterparty} />}</b>
        </Fact>
        <Fact name="Auth">
          {quote.counterparty === null
            ? 'no HMAC is asked for: loopback only'
            : `HMAC of ${quote.counterparty} matches`}
        </Fact>
        <Fact name="Asks for" raw={amount === null ? null : `${quote.given} ${amount}`}>
          {quote.given === 'makerAmount' ? 'wants' : 'sells'} <b>{wholeText(amount, named)}</b>; we name the{' '}
          {(quote.given === 'makerAmount' ? gets : gives)?.symbol ?? 'other amount'}
        </Fact>
        <Fact name="User">
          <User address={quote.userAddress} copies renames />
        </Fact>
        <Fact name="Took">
          <b>{numberText(quote.latencyMs.toFixed(2))} ms</b> from the first byte to the decision
          {quote.signingMs !== undefined && `, ${quote.signingMs} of them for the key, which is elsewhere`}
        </Fact>
      </dl>
      <details>
        <summary className="quiet">raw bytes</summary>
        {quote.requestBytes === undefined ? (
          <p className={`mono ${factsStyles.whole}`}>{quote.requestBody}</p>
        ) : (
          <p className="quiet">Bodies of more than 2 KiB are not kept. What the request asked for is above.</p>
        )}
      </details>
    </Facts>
  );
}

interface Props {
  xray: QuoteXray;
  gives: TokenFigure | undefined;
  gets: TokenFigure | undefined;
}

/** The ladder as it stood, and what was taken of each level. */
export function XrayPrice({ xray }: { xray: QuoteXray }) {
  const { quote, walk, reference } = xray;
  if (walk === null || quote.pair === null) {
    return (
      <Facts name="Price">
        <p className="muted">
          {isByHand(quote)
            ? 'Agreed with the taker, on no ladder.'
            : quote.ladderRevision === null
              ? 'Refused before it was priced.'
              : `Priced on revision ${countText(quote.ladderRevision)}; its pair or tokens are not listed any more.`}
        </p>
      </Facts>
    );
  }
  const received = Date.parse(quote.time);
  const buys = quote.side === 'bids';
  const places = pricePlaces(walk.levels.map(({ price: level }) => level));
  return (
    <Facts
      name="Price"
      aside={
        <>
          <Link href={ladderPath(quote.chainId, quote.pair)}>revision {countText(walk.revision)}</Link>
          {`, ${ageText(received - walk.publishedAt)} old, by ${walk.publishedBy}`}
        </>
      }
    >
      <table className={styles.walk}>
        <thead>
          <tr>
            <th>#</th>
            <th className="right">
              {buys ? 'Bid' : 'Ask'}, {walk.quoteSymbol}
            </th>
            <th className="right">There, {walk.baseSymbol}</th>
            <th className="right">Taken, {walk.baseSymbol}</th>
            <th className="right">{walk.quoteSymbol}</th>
          </tr>
        </thead>
        <tbody>
          {walk.levels.map((level, index) => (
            <tr key={`${level.price} ${level.there} ${level.over}`}>
              <td className="quiet">{level.over ? 'over' : index + 1}</td>
              <td className={`right ${buys ? 'bid' : 'ask'}`}>{decimalText(level.price, places)}</td>
              <td className="right muted">{level.over ? '—' : exactText(level.there)}</td>
              <td className="right">{fewDigits(level.taken)}</td>
              <td className="right">{fewDigits(level.value)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {walk.matches !== null && (
        <p>
          <Checked holds={walk.matches}>
            {walk.matches
              ? 'Walked once more: the same amounts, to the raw unit.'
              : 'Walked once more with today’s settings it gives other amounts: a token, the overfill or the revision changed since.'}
          </Checked>
        </p>
      )}
      <dl>
        <Fact name="Reference">
          {reference === null ? (
            <span className="muted">none at that moment</span>
          ) : (
            <>
              {exactText(reference.mid)} <span className="quiet">of {stampText(reference.time)}</span>
              {quote.edgeTenthBps !== null && <>, edge {signedBpsText(quote.edgeTenthBps)} bps</>}
            </>
          )}
        </Fact>
      </dl>
    </Facts>
  );
}

/** Enough digits for a narrow column; cut, never rounded. All of them stand in the bundle. */
function fewDigits(text: string): string {
  const [whole = '', fraction = ''] = text.split('.');
  const kept = fraction.slice(0, 6);
  return exactText(kept === '' ? whole : `${whole}.${kept}`);
}

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
    <Facts name="Limits" aside="as read then, against the limits now">
      <ul className={styles.limitLines}>
        {lines.map(({ name, used, of, share, title }) => (
          <li key={name} title={title}>
            <Mark
              shape={share !== null && share > 1 ? 'refused' : 'done'}
              tone={share !== null && share > 1 ? 'stop' : 'ok'}
            />
            <span>{name}</span>
            <b>{used}</b>
            <span className="quiet">{of === null ? 'no limit' : of === '' ? '' : `of ${of}`}</span>
            <Meter share={share} />
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
