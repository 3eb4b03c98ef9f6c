import type { ExposureRow } from '../../../electron/contract/desk-view.ts';
import { useDesk } from '../../state/console.tsx';
import { allowanceText, shortAmountText, wholeAmountText } from '../figures/amounts.ts';
import { Mark } from '../mark.tsx';

/** What the maker holds on the first chain, as much as there is room for; a triangle where it approved less than it holds. */
export function StripBalances() {
  const exposure = useDesk((view) => view.exposure);
  const chain = useDesk((view) => view.chains[0]);
  if (chain === undefined) return null;
  return (
    <div className="cell balances">
      <div className="label">Balances, {chain.name}</div>
      <dl>
        {exposure
          .filter(({ chainId }) => chainId === chain.chainId)
          .map((row) => (
            <div key={row.address}>
              <dt>{row.tokenId}</dt>
              <dd className="live-figure" title={balanceTitle(row)}>
                {isShort(row) && <Mark shape="look" tone="attn" />}{' '}
                {row.balance === null
                  ? '—'
                  : shortAmountText(row.balance, { symbol: row.tokenId, decimals: row.decimals })}
              </dd>
            </div>
          ))}
      </dl>
    </div>
  );
}

function isShort({ balance, allowance }: ExposureRow): boolean {
  return balance !== null && allowance !== null && BigInt(allowance) < BigInt(balance);
}

function balanceTitle({ balance, allowance, decimals, tokenId }: ExposureRow): string {
  if (balance === null || allowance === null) return 'Not read from the chain yet';
  return `${wholeAmountText(balance, decimals)} ${tokenId} held\n${allowanceText(allowance, { symbol: tokenId, decimals })} approved for the RFQ contract`;
}
