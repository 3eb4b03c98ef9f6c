import type { PastDeskView, PastToken } from '../../../electron/contract/past.ts';
import { amountText, wholeAmountText } from '../../components/figures/amounts.ts';
import { countText } from '../../components/figures/counts.ts';
import { ageText, countdownText, stampText } from '../../components/figures/times.ts';
import { Scroll } from '../../components/scroll.tsx';
import { Table } from '../../components/table.tsx';
import styles from './past-page.module.css';

/** What was signed and still open of each token, and what the maker had of it as a decision had read it last. */
export function PastTokens({ desk, tokens }: { desk: PastDeskView; tokens: readonly PastToken[] }) {
  const name = (chainId: number) => desk.chains.find((chain) => chain.chainId === chainId)?.name ?? `${chainId}`;
  return (
    <Scroll>
      <Table aria-label="Exposure and balances then">
        <thead>
          <tr>
            <th>Token</th>
            <th>Chain</th>
            <th className="right">Signed and live</th>
            <th className={`${styles.spread} right`}>Quotes</th>
            <th className={`${styles.age} right`}>Zero in</th>
            <th className="right">Balance</th>
            <th className={`${styles.read} right`}>Read before</th>
          </tr>
        </thead>
        <tbody>
          {tokens.map(({ chainId, tokenId, decimals, live, quotes, zeroAt, held }) => {
            const token = { symbol: tokenId, decimals };
            return (
              <tr key={`${chainId} ${tokenId}`}>
                <td className="strong">{tokenId}</td>
                <td className="muted">{name(chainId)}</td>
                <td
                  className={`right ${quotes > 0 ? 'strong' : 'quiet'}`}
                  title={`${wholeAmountText(live, decimals)} ${tokenId}`}
                >
                  {amountText(live, token, 'up')}
                </td>
                <td className="right">{quotes === 0 ? '' : countText(quotes)}</td>
                <td className="right" title={zeroAt === null ? undefined : stampText(zeroAt)}>
                  {zeroAt === null ? '' : countdownText(zeroAt - desk.at)}
                </td>
                <td
                  className="right"
                  title={held === null ? undefined : `${wholeAmountText(held.balance, decimals)} ${tokenId}`}
                >
                  {held === null ? <span className="quiet">not known</span> : amountText(held.balance, token)}
                </td>
                <td
                  className="right muted"
                  title={
                    held === null
                      ? 'No earlier decision had read it'
                      : `By the decision of row ${countText(held.seq)}, ${stampText(held.time)}`
                  }
                >
                  {held === null ? '' : ageText(desk.at - held.time)}
                </td>
              </tr>
            );
          })}
        </tbody>
      </Table>
    </Scroll>
  );
}
