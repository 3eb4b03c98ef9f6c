import type { ExposureRow } from '../../../electron/contract/desk-view.ts';
import { useDesk, useEntrance } from '../../state/console.tsx';
import { useSize } from '../../state/use-size.ts';
import { Countdown } from '../figures/age.tsx';
import { allowanceText, shortAmountText, wholeAmountText } from '../figures/amounts.ts';
import { plural } from '../figures/counts.ts';
import { dollarsUp, dollarText, liveWorth, wholeDollarText } from '../live-dollars.ts';
import { Mark, TradingMark } from '../mark.tsx';
import { liveName, liveText, stillLive } from '../still-live.ts';
import { HeardAgo } from './not-connected.tsx';
import styles from './strip.module.css';
import { StripChains } from './strip-chains.tsx';

/** The strip over everything: trading and polling per chain, what is signed and live, balances. HALT is laid over its right end. */
export function Strip() {
  const heard = useDesk((view) => view.status !== null);
  const entrance = useEntrance();
  return (
    <section className={styles.strip} aria-label="Status">
      {entrance !== null && (
        <StripEntrance stage={entrance.stage} opensLive={entrance.stage === 'locked' && entrance.comesBackLive} />
      )}
      {entrance === null && heard && (
        <>
          <StripChains />
          <StripExposure />
          <StripBalances place={0} />
          <StripBalances place={1} className="wide-only" />
        </>
      )}
      {entrance === null && <HeardAgo />}
    </section>
  );
}

/** Before there is a desk: nothing is quoted, and of a locked one nobody knows what is still live. */
function StripEntrance({ stage, opensLive }: { stage: 'new' | 'locked'; opensLive: boolean }) {
  return (
    <>
      <table>
        <thead>
          <tr>
            <th>Trading</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <td>
              {opensLive ? (
                <span className="with-mark">
                  <Mark shape="open" tone="quiet" />
                  <b>LOCKED</b>
                </span>
              ) : (
                <TradingMark state="HALTED" />
              )}
              <span className={styles.none}>
                {opensLive ? 'opens LIVE; HALT keeps it halted' : stage === 'new' ? 'no chain yet' : 'locked'}
              </span>
            </td>
          </tr>
        </tbody>
      </table>
      <div className={`${styles.cell} ${styles.exposure}`}>
        <div className="label">Signed and still live</div>
        <div className={styles.value}>{stage === 'new' ? 'nothing' : 'not known'}</div>
        <div className={styles.rest}>{stage === 'new' ? 'no quote was ever signed' : 'read after unlocking'}</div>
      </div>
    </>
  );
}

/** One balance and the room beside it, as the style has them. CSS pixels. */
const [BALANCE, BESIDE] = [122, 20];

/**
 * What the maker holds on the chain at a place, as much as there is room for in two lines, and how many more there are; a triangle
 * where it approved less than it holds.
 */
function StripBalances({ place, className = '' }: { place: number; className?: string }) {
  const exposure = useDesk((view) => view.exposure);
  const chain = useDesk((view) => view.chains[place]);
  const { ref, width } = useSize<HTMLDListElement>();
  if (chain === undefined) return null;
  const rows = exposure.filter(({ chainId, unlisted }) => chainId === chain.chainId && unlisted === undefined);
  const places = 2 * Math.floor((width + BESIDE) / (BALANCE + BESIDE));
  const [shown, rest] = [rows.slice(0, places), rows.slice(places)];
  return (
    <div className={`${styles.cell} ${styles.balances} ${className}`}>
      <div className="label" title={rest.map((row) => `${row.tokenId} ${balanceText(row)}`).join('\n') || undefined}>
        {rest.some(isShort) && <Mark shape="look" tone="attn" />} Balances, {chain.name}
        {rest.length > 0 && ` · ${rest.length} more`}
      </div>
      <dl ref={ref}>
        {shown.map((row) => (
          <div key={row.address}>
            <dt>{row.tokenId}</dt>
            <dd className="live-figure" title={balanceTitle(row)}>
              {isShort(row) && <Mark shape="look" tone="attn" />} {balanceText(row)}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

function balanceText({ balance, tokenId, decimals }: ExposureRow): string {
  return balance === null ? '—' : shortAmountText(balance, { symbol: tokenId, decimals });
}

function isShort({ balance, allowance }: ExposureRow): boolean {
  return balance !== null && allowance !== null && BigInt(allowance) < BigInt(balance);
}

function balanceTitle({ balance, allowance, decimals, tokenId }: ExposureRow): string {
  if (balance === null || allowance === null) return 'Not read from the chain yet';
  return `${wholeAmountText(balance, decimals)} ${tokenId} held\n${allowanceText(allowance, { symbol: tokenId, decimals })} approved for the RFQ contract`;
}

/**
 * What is signed and can still be filled, in dollars, and when the last of it is gone. Cut up: it is what we may still owe. A token
 * without a price stands beside the dollars with its amount.
 */
function StripExposure() {
  const exposure = useDesk((view) => view.exposure);
  const { rows, orders, zeroAt } = stillLive(exposure);
  const { dollars, unpriced } = liveWorth(exposure);
  const [first, ...more] = unpriced;
  return (
    <div className={`${styles.cell} ${styles.exposure}`}>
      <div className="label">Signed and still live</div>
      <div className={`${styles.value} live-figure`} title={rows.map(liveTitle).join('\n') || undefined}>
        {zeroAt === null ? (
          'nothing'
        ) : (
          <>
            {(first === undefined || dollars.digits > 0n) && wholeDollarText(dollars)}
            {first !== undefined && (
              <span className="unit">
                {dollars.digits > 0n && ' + '}
                {liveText(first)}
                {more.length > 0 && ` and ${more.map(liveName).join(', ')}`}
              </span>
            )}
          </>
        )}
      </div>
      <div className={styles.rest}>
        {zeroAt === null ? (
          'no quote can be filled'
        ) : (
          <>
            zero in{' '}
            <b className="strong">
              <Countdown until={zeroAt} />
            </b>{' '}
            · <span className="live-figure">{plural(orders, 'order')}</span>
          </>
        )}
      </div>
    </div>
  );
}

function liveTitle({ live, tokenId, decimals, dollars, unlisted }: ExposureRow): string {
  if (unlisted === true) return `${wholeAmountText(live, decimals)} raw units of ${tokenId}: not listed now`;
  const worth = dollarsUp(live, decimals, dollars);
  const said = worth === null ? 'no dollar price is known' : dollarText(worth);
  return `${wholeAmountText(live, decimals)} ${tokenId}: ${said}`;
}
