import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ExposureRow } from '../../../electron/contract/desk-view.ts';
import type { TransactionRow } from '../../../electron/contract/transactions.ts';
import { plural } from '../../components/figures/counts.ts';
import { useClient } from '../../state/console.tsx';
import { feeText } from './fee-text.ts';
import { OnChainDialog } from './on-chain-dialog.tsx';

/** The two answers that cost gas. Both first show what would be sent. */
export function OnChainAnswers({ quotes, tokens }: { quotes: number; tokens: readonly ExposureRow[] }) {
  const client = useClient();
  const [asking, setAsking] = useState<'cancel' | 'allowance' | null>(null);
  const cancel = useQuery({
    queryKey: ['on-chain', 'cancel', quotes],
    queryFn: () => client.onChain.cancelOrders({ dryRun: true }),
    enabled: quotes > 0,
    staleTime: 30_000,
  });
  const approved = tokens.filter((row) => row.allowance !== '0');
  return (
    <>
      <div className="answer">
        <div className="fill">
          <h3>Cancel on chain</h3>
          <p>
            {quotes === 0
              ? 'No quote is open.'
              : `${cancel.data === undefined ? '' : `${costText(cancel.data)}. `}Ends ${plural(quotes, 'open quote')} for good; until it is mined they can still be filled.`}
          </p>
        </div>
        <button type="button" className="button is-huge" disabled={quotes === 0} onClick={() => setAsking('cancel')}>
          Cancel {plural(quotes, 'order')}…
        </button>
      </div>
      <div className="answer">
        <div className="fill">
          <h3>Set allowance to zero</h3>
          <p>
            {plural(approved.length, 'token')}, one transaction each. Also stops what this desk does not know of. Must
            be approved again before you resume.
          </p>
        </div>
        <button
          type="button"
          className="button is-huge"
          disabled={approved.length === 0}
          onClick={() => setAsking('allowance')}
        >
          Allowance to zero…
        </button>
      </div>
      {asking === 'cancel' && (
        <OnChainDialog
          title={`Cancel ${plural(quotes, 'live order')} on chain?`}
          send={(dryRun) => client.onChain.cancelOrders({ dryRun })}
          keep="Keep them"
          act={`Cancel ${plural(quotes, 'order')}`}
          onClose={() => setAsking(null)}
        />
      )}
      {asking === 'allowance' && (
        <OnChainDialog
          title={`Set the allowance of ${plural(approved.length, 'token')} to zero?`}
          send={async (dryRun) => {
            const sent = [];
            for (const { chainId, tokenId } of approved) {
              sent.push(...(await client.onChain.setAllowance({ chainId, tokenId, amount: '0', dryRun })));
            }
            return sent;
          }}
          keep="Keep the allowance"
          act="Set to zero"
          onClose={() => setAsking(null)}
        />
      )}
    </>
  );
}

/** How many transactions, and what they cost in the chain's own coin as far as the node says. */
function costText(rows: readonly TransactionRow[]): string {
  const fees = rows.map(({ feeWei }) => feeWei);
  const known = fees.every((fee) => fee !== null);
  const cost = known ? `, about ${feeText(String(fees.reduce((sum, fee) => sum + BigInt(fee ?? 0), 0n)))} in gas` : '';
  return `${plural(rows.length, 'transaction')}${cost}`;
}
