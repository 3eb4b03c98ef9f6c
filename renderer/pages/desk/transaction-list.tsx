import type { TransactionRow } from '../../../electron/contract/transactions.ts';
import { Address } from '../../components/figures/address.tsx';
import { Mark } from '../../components/mark.tsx';
import { useDesk } from '../../state/console.tsx';
import { feeText } from './fee-text.ts';

const OUTCOMES = {
  dry_run: { shape: 'off', tone: 'quiet', word: 'not sent' },
  calldata: { shape: 'note', tone: 'quiet', word: 'for the maker’s owner to send' },
  sent: { shape: 'open', tone: 'quiet', word: 'sent, not mined yet' },
  confirmed: { shape: 'done', tone: 'ok', word: 'mined' },
  failed: { shape: 'refused', tone: 'stop', word: 'failed' },
} as const;

export function TransactionList({ rows }: { rows: readonly TransactionRow[] }) {
  const chains = useDesk((view) => view.chains);
  const nameOf = (chainId: number) => chains.find((chain) => chain.chainId === chainId)?.name ?? `chain ${chainId}`;
  if (rows.length === 0) return <p className="lead">There is nothing to send.</p>;
  return (
    <table className="grid transactions">
      <colgroup>
        <col />
        <col className="t-cost" />
        <col className="t-outcome" />
      </colgroup>
      <tbody>
        {rows.map((row) => {
          const { shape, tone, word } = OUTCOMES[row.outcome];
          return (
            <tr key={`${row.chainId}:${row.to}:${row.data}`}>
              <td>
                {row.purpose} <span className="unit">{nameOf(row.chainId)}</span>
              </td>
              <td className="right">{row.feeWei === null ? 'cost not known' : `${feeText(row.feeWei)} in gas`}</td>
              <td className="with-mark right">
                <Mark shape={shape} tone={tone} />
                {row.transactionHash !== null && <Address hex={row.transactionHash} of="transaction" />}{' '}
                {row.outcome === 'calldata' ? <Address hex={row.data} of="calldata" /> : word}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
