import { useDesk } from '../../state/console.tsx';
import { Countdown } from '../figures/age.tsx';
import { shortAmountText, wholeAmountText } from '../figures/amounts.ts';
import { plural } from '../figures/counts.ts';
import { liveTokens, stillLive } from '../still-live.ts';

const AT_MOST = 2;

/** What is signed and can still be filled, per token, and when the last of it is gone. Cut up: it is what we may still owe. */
export function StripExposure() {
  const exposure = useDesk((view) => view.exposure);
  const { quotes, zeroAt } = stillLive(exposure);
  const tokens = liveTokens(exposure);
  const live = tokens.filter((token) => token.live > 0n);
  const rest = live.length - AT_MOST;
  const all = tokens.map((token) => `${wholeAmountText(token.live, token.decimals)} ${token.symbol}`).join('\n');
  return (
    <div className="cell exposure">
      <div className="label">Signed and still live</div>
      <div className="value live-figure" title={all}>
        {zeroAt === null ? (
          'nothing'
        ) : (
          <>
            {live.slice(0, AT_MOST).map((token) => (
              <span key={`${token.symbol}:${token.decimals}`} className="token">
                {shortAmountText(token.live, token, 'up')} <span className="unit">{token.symbol}</span>
              </span>
            ))}
            {rest > 0 && <span className="unit">+{rest}</span>}
          </>
        )}
      </div>
      <div className="rest">
        {zeroAt === null ? (
          'no quote can be filled'
        ) : (
          <>
            zero in{' '}
            <b className="strong">
              <Countdown until={zeroAt} />
            </b>{' '}
            · <span className="live-figure">{plural(quotes, 'quote')}</span>
          </>
        )}
      </div>
    </div>
  );
}
