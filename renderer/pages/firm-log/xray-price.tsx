import { Link } from 'wouter';
import type { QuoteXray } from '../../../electron/contract/quote-xray.ts';
import { signedBpsText } from '../../components/figures/bps.ts';
import { countText } from '../../components/figures/counts.ts';
import { decimalText, exactText, pricePlaces } from '../../components/figures/prices.ts';
import { ageText, stampText } from '../../components/figures/times.ts';
import { ladderPath } from '../../state/pages.ts';
import { Checked, Fact, Facts } from './facts.tsx';
import { isByHand } from './log-cells.tsx';

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
      <table className="walk">
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
