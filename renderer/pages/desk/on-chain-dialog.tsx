import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import type { Right } from '../../../electron/contract/rights.ts';
import type { TransactionRow } from '../../../electron/contract/transactions.ts';
import { Button } from '../../components/button.tsx';
import { Dialog, DialogActions, Lead } from '../../components/dialog.tsx';
import { Waiting } from '../../components/empty.tsx';
import { Address } from '../../components/figures/address.tsx';
import { plural } from '../../components/figures/counts.ts';
import { type Decimal, sum } from '../../components/figures/decimal-text.ts';
import { dollarText, gasDollars, gasText } from '../../components/live-dollars.ts';
import { Mark } from '../../components/mark.tsx';
import { RefusalNote } from '../../components/note.tsx';
import { Stack } from '../../components/stack.tsx';
import { Table } from '../../components/table.tsx';
import { useDesk } from '../../state/console.tsx';
import { refusalOf } from '../../state/refusal-of.ts';
import { useCommand } from '../../state/use-command.ts';
import styles from './on-chain-dialog.module.css';

/** Consequence before action: what would be sent and what it costs, then the button that cannot be undone. */
export function OnChainDialog(props: {
  title: string;
  /** What it means, before what is sent. */
  lead?: ReactNode;
  send: (dryRun: boolean) => Promise<TransactionRow[]>;
  keep: string;
  act: string;
  /** The right that it takes. */
  needs: Right;
  /** It takes something away, and may be pressed before it is known what that costs. */
  urgent?: boolean;
  onClose: () => void;
}) {
  const id = useId();
  const estimate = useQuery({
    queryKey: ['on-chain', id],
    queryFn: () => props.send(true),
    gcTime: 0,
    staleTime: Infinity,
  });
  const [sent, setSent] = useState<TransactionRow[] | null>(null);
  const act = useCommand(async () => setSent(await props.send(false)));
  const refusal = act.refusal ?? (estimate.error === null ? null : refusalOf(estimate.error));
  return (
    <Dialog title={props.title} needs={props.needs} onClose={props.onClose} width="wide" className={styles.question}>
      <Stack>
        {props.lead !== undefined && sent === null && <Lead>{props.lead}</Lead>}
        {estimate.isPending && <Waiting rows={2} />}
        {props.urgent && sent === null && !act.busy && !estimate.isSuccess && (
          <Lead>What it costs is not known yet. It can be sent all the same.</Lead>
        )}
        {sent === null && estimate.data && <TransactionList rows={estimate.data} />}
        {sent !== null && <TransactionList rows={sent} />}
        {act.busy && <Lead>Sent; waiting until it is mined.</Lead>}
        {refusal !== null && <RefusalNote refusal={refusal} />}
      </Stack>
      <DialogActions>
        <Button size="large" onClick={props.onClose}>
          {sent === null ? props.keep : 'Close'}
        </Button>
        {sent === null && (
          <Button
            look="stop"
            size="large"
            disabled={act.busy || estimate.data?.length === 0 || (props.urgent !== true && !estimate.isSuccess)}
            onClick={() => act.run()}
          >
            {props.act}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}

const OUTCOMES = {
  dry_run: { shape: 'off', tone: 'quiet', word: 'not sent' },
  calldata: { shape: 'note', tone: 'quiet', word: 'for the maker’s owner to send' },
  sent: { shape: 'open', tone: 'quiet', word: 'sent, not mined yet' },
  confirmed: { shape: 'done', tone: 'ok', word: 'mined' },
  failed: { shape: 'refused', tone: 'stop', word: 'failed' },
} as const;

function TransactionList({ rows }: { rows: readonly TransactionRow[] }) {
  const chains = useDesk((view) => view.chains);
  const exposure = useDesk((view) => view.exposure);
  const nameOf = (chainId: number) => chains.find((chain) => chain.chainId === chainId)?.name ?? `chain ${chainId}`;
  if (rows.length === 0) return <Lead>There is nothing to send.</Lead>;
  const dollars = rows.reduce<Decimal | null>(
    (total, { chainId, feeWei }) => {
      const cost = feeWei === null ? null : gasDollars(chainId, feeWei, exposure);
      return total === null || cost === null ? null : sum(total, cost);
    },
    { digits: 0n, places: 2 },
  );
  return (
    <Table className={styles.transactions}>
      <colgroup>
        <col />
        <col className={styles.costColumn} />
        <col className={styles.outcomeColumn} />
      </colgroup>
      <tbody>
        {rows.map((row) => {
          const { shape, tone, word } = OUTCOMES[row.outcome];
          return (
            <tr key={`${row.chainId}:${row.to}:${row.data}:${row.purpose}`}>
              <td>
                {row.purpose} <span className="unit">{nameOf(row.chainId)}</span>
              </td>
              <td className="right">
                {row.feeWei === null ? 'cost not known' : `${gasText(row.chainId, row.feeWei, exposure)} in gas`}
              </td>
              <td className="with-mark right" title={row.reason ?? undefined}>
                <Mark shape={shape} tone={tone} />
                {row.transactionHash !== null && <Address hex={row.transactionHash} of="transaction" />}{' '}
                {row.outcome === 'calldata' ? <Address hex={row.data} of="calldata" /> : word}
              </td>
            </tr>
          );
        })}
      </tbody>
      {rows.length > 1 && (
        <tfoot>
          <tr>
            <td>{plural(rows.length, 'transaction')} in all</td>
            <td className="right">{dollars === null ? 'cost not known' : `${dollarText(dollars)} in gas`}</td>
            <td />
          </tr>
        </tfoot>
      )}
    </Table>
  );
}
