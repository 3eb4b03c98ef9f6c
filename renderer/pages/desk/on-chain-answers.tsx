import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ExposureRow } from '../../../electron/contract/desk-view.ts';
import type { CancelledIntents } from '../../../electron/contract/still-live.ts';
import type { TransactionRow } from '../../../electron/contract/transactions.ts';
import { Button } from '../../components/button.tsx';
import { Dialog, DialogActions, Lead } from '../../components/dialog.tsx';
import { Waiting } from '../../components/empty.tsx';
import { Countdown } from '../../components/figures/age.tsx';
import { plural } from '../../components/figures/counts.ts';
import { momentText } from '../../components/figures/times.ts';
import { gasText } from '../../components/live-dollars.ts';
import { RefusalNote } from '../../components/note.tsx';
import { Stack } from '../../components/stack.tsx';
import { useClient, useConsole, useDesk } from '../../state/console.tsx';
import { refusalOf } from '../../state/refusal-of.ts';
import { zoneName } from '../../state/time-zone.ts';
import { useCommand } from '../../state/use-command.ts';
import styles from './halted-page.module.css';
import onChainDialogStyles from './on-chain-dialog.module.css';
import { OnChainDialog } from './on-chain-dialog.tsx';
import { useStillLive } from './use-still-live.ts';

/** What can be done beside waiting. Each first shows what would be sent or asked. */
export function OnChainAnswers({ giving, quotesEnd }: { giving: number; quotesEnd: number | null }) {
  const client = useClient();
  const exposure = useDesk((view) => view.exposure);
  const [asking, setAsking] = useState<'cancel' | 'intents' | 'allowance' | null>(null);
  const { data } = useStillLive();
  const live = data?.chains ?? [];
  const counted = live.reduce((sum, chain) => sum + chain.quotes.count + chain.nftOrders.length, 0);
  // What gives an NFT is in no token's exposure, and is cancelled like any other.
  const nfts = live.reduce((sum, { nftOrders }) => sum + nftOrders.filter(({ givesNft }) => givesNft).length, 0);
  // The exposure is of this second, what the chains were asked is some seconds old: it counts only until the other is heard.
  const quotes = exposure.length === 0 ? counted : giving + nfts;
  // Nothing is out of reach as long as anything knows of more.
  const isNoneOpen = data !== undefined && quotes === 0 && counted === 0;
  const orders = live.reduce((sum, chain) => sum + chain.orders.length, 0);
  const allowances = live.reduce((sum, chain) => sum + chain.allowances.length, 0);
  const permits = live.reduce((sum, chain) => sum + chain.permits.length, 0);
  const unread = live.reduce((sum, chain) => sum + chain.unread.length, 0);
  const waiting = live.reduce(
    (sum, { approvals, transactions }) =>
      sum + approvals.length + transactions.filter(({ spender }) => spender !== undefined).length,
    0,
  );
  const isNothingAllowed =
    data !== undefined && allowances + permits + waiting === 0 && live.every(({ unknown }) => unknown.length === 0);
  const cancel = useQuery({
    queryKey: ['on-chain', 'cancel', quotes],
    queryFn: () => client.onChain.cancelOrders({ dryRun: true }),
    enabled: quotes > 0,
    staleTime: 30_000,
    // With each quote that ends it is asked anew: a sentence that came and went would move the buttons under the hand.
    placeholderData: keepPreviousData,
  });
  const cancelSays =
    quotes > 0
      ? `${cancel.data === undefined ? 'Gas not known yet' : costText(cancel.data, exposure)}. Until mined they can still be filled.`
      : isNoneOpen
        ? 'No quote is open.'
        : 'Which are open is not known yet.';
  const intentsSay =
    data === undefined
      ? 'Which are open is not known yet; the service is asked what it has.'
      : orders === 0
        ? 'No order of this desk is open; the service is asked what else it has.'
        : 'Costs no gas. A slice already in its auction goes on.';
  const allowancesSay = `${data === undefined ? 'How many there are is not known yet' : plural(allowances, 'allowance')}${
    unread > 0 ? ` and ${unread} that could not be read` : ''
  }${
    waiting > 0 ? ` and ${plural(waiting, 'approval')} not mined yet` : ''
  }; a transaction each, and permits are used up. Approve again before you resume.`;
  return (
    <>
      <Answer
        name="Cancel on chain"
        says={cancelSays}
        act={quotes === 0 ? 'Cancel orders…' : `Cancel ${plural(quotes, 'order')}…`}
        disabled={isNoneOpen}
        onAct={() => setAsking('cancel')}
      />
      <Answer name="Cancel intent orders" says={intentsSay} act="Cancel intents…" onAct={() => setAsking('intents')} />
      <Answer
        name="Set allowances to zero"
        says={allowancesSay}
        act="Allowances to zero…"
        disabled={isNothingAllowed}
        onAct={() => setAsking('allowance')}
      />
      {asking === 'cancel' && (
        <CancelOrdersDialog live={quotes} quotesEnd={quotesEnd} onClose={() => setAsking(null)} />
      )}
      {asking === 'intents' && <CancelIntentsDialog onClose={() => setAsking(null)} />}
      {asking === 'allowance' && (
        <OnChainDialog
          needs="trade"
          urgent
          title="Set every allowance to zero?"
          send={(dryRun) => client.onChain.zeroAllowances({ dryRun })}
          keep="Keep the allowances"
          act="Set to zero"
          onClose={() => setAsking(null)}
        />
      )}
    </>
  );
}

/** One thing that can be done: what it means, and its button. In the smallest window what it means is on hover. */
function Answer(props: { name: string; says: string; act: string; disabled?: boolean; onAct: () => void }) {
  const { name, says, act, disabled, onAct } = props;
  return (
    <div className={styles.answer} title={says}>
      <div className="fill">
        <h3>{name}</h3>
        <p>{says}</p>
      </div>
      <Button size="huge" disabled={disabled} onClick={onAct}>
        {act}
      </Button>
    </div>
  );
}

/** Title and button count what the transactions below them name, which quotes that end meanwhile do not change. */
function CancelOrdersDialog(props: { live: number; quotesEnd: number | null; onClose: () => void }) {
  const { live, quotesEnd, onClose } = props;
  const client = useClient();
  const { desk } = useConsole();
  const [named, setNamed] = useState<number | null>(null);
  const send = async (dryRun: boolean) => {
    const rows = await client.onChain.cancelOrders({ dryRun });
    const counts = rows.flatMap(({ orders }) => orders ?? []);
    // A desk of before does not say how many there are.
    if (dryRun && counts.length === rows.length) setNamed(counts.reduce((sum, count) => sum + count, 0));
    return rows;
  };
  const count = named ?? live;
  return (
    <OnChainDialog
      needs="trade"
      urgent
      title={
        named === 0
          ? 'No order is live any more'
          : `Cancel ${count === 0 ? 'what is live' : plural(count, 'live order')} on chain?`
      }
      lead={
        <>
          Until mined they can still be filled.
          {quotesEnd !== null && (
            <>
              {' '}
              The quotes end by themselves at {momentText(quotesEnd, desk.now())} {zoneName(quotesEnd)}, in{' '}
              <Countdown until={quotesEnd} />.
            </>
          )}
        </>
      }
      send={send}
      keep="Keep them"
      act={count === 0 ? 'Cancel' : `Cancel ${plural(count, 'order')}`}
      onClose={onClose}
    />
  );
}

/** How many transactions, and what they cost on each chain in its own coin and in dollars, as far as the node says. */
function costText(rows: readonly TransactionRow[], exposure: readonly ExposureRow[]): string {
  const fees = new Map<number, bigint>();
  for (const { chainId, feeWei } of rows) fees.set(chainId, (fees.get(chainId) ?? 0n) + BigInt(feeWei ?? 0));
  const known = rows.every(({ feeWei }) => feeWei !== null);
  const costs = [...fees].map(([chainId, wei]) => gasText(chainId, wei, exposure)).join(' and ');
  return `${plural(rows.length, 'transaction')}${known && costs !== '' ? `, at most ${costs} in gas` : ''}`;
}

/** Which orders the service has and would be asked to cancel, then one press for all of them. */
function CancelIntentsDialog({ onClose }: { onClose: () => void }) {
  const client = useClient();
  const chains = useDesk((view) => view.chains);
  const nameOf = (chainId: number) => chains.find((chain) => chain.chainId === chainId)?.name ?? `chain ${chainId}`;
  const found = useQuery({
    queryKey: ['on-chain', 'intents'],
    queryFn: () => client.onChain.cancelIntents({ dryRun: true }),
    gcTime: 0,
  });
  const [asked, setAsked] = useState<CancelledIntents[] | null>(null);
  const act = useCommand(async () => setAsked(await client.onChain.cancelIntents({ dryRun: false })));
  const refusal = act.refusal ?? (found.error === null ? null : refusalOf(found.error));
  const rows = asked ?? found.data ?? [];
  // What is not signed yet has no order to be named by.
  const isUnsigned = ({ orderIds, outcome, reason }: CancelledIntents) =>
    orderIds.length === 0 && outcome !== 'failed' && reason !== null;
  const orders = rows.reduce((sum, row) => sum + (isUnsigned(row) ? 1 : row.orderIds.length), 0);
  const signed = rows.filter((row) => !isUnsigned(row));
  return (
    <Dialog title="Cancel every intent order?" needs="trade" className={onChainDialogStyles.question} onClose={onClose}>
      <Stack>
        {found.isPending && <Waiting rows={2} />}
        {found.isSuccess && rows.length === 0 && <Lead>The service has no order that is open.</Lead>}
        {rows.filter(isUnsigned).map(({ chainId, reason }) => (
          <Lead key={`${chainId} ${reason}`}>
            {nameOf(chainId)}: {reason}
          </Lead>
        ))}
        {signed.map(({ chainId, orderIds, outcome, reason }) => (
          <Lead key={`${chainId} ${orderIds.join()} ${reason}`} className={outcome === 'failed' ? 'strong' : ''}>
            {outcome === 'dry_run' && `${plural(orderIds.length, 'order')} on ${nameOf(chainId)}, one signature.`}
            {outcome === 'asked' &&
              `${plural(orderIds.length, 'order')} on ${nameOf(chainId)}: the service took the cancellation.`}
            {outcome === 'failed' &&
              `${nameOf(chainId)}${orderIds.length > 0 ? `, ${plural(orderIds.length, 'order')} not cancelled` : ''}: ${reason}`}
          </Lead>
        ))}
        {act.busy && <Lead>Signed; the service is being asked.</Lead>}
        {refusal !== null && <RefusalNote refusal={refusal} />}
      </Stack>
      <DialogActions>
        <Button size="large" onClick={onClose}>
          {asked === null ? 'Keep them' : 'Close'}
        </Button>
        {asked === null && (
          <Button
            look="stop"
            size="large"
            disabled={act.busy || !found.isSuccess || orders === 0}
            onClick={() => act.run()}
          >
            {orders === 0 ? 'Cancel orders' : `Cancel ${plural(orders, 'order')}`}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}
