import { useState } from 'react';
import { useLocation } from 'wouter';
import type { AttentionAction } from '../../../electron/contract/desk-view.ts';
import { Button } from '../../components/button.tsx';
import { useClient, useDesk } from '../../state/console.tsx';
import { ladderPath, PAGES, pagePath, tokenPath } from '../../state/pages.ts';
import { AcceptChainDialog } from './accept-chain-dialog.tsx';
import { AcknowledgeDialog } from './acknowledge-dialog.tsx';
import { OnChainDialog } from './on-chain-dialog.tsx';

/** What mends something without starting anything. */
export type Mend = Exclude<AttentionAction, { kind: 'resume' }>;

/** The button of what mends it. `onLeave`: another page is opened; `onDone`: the question it asked is closed. */
export function MendButton({ mend, onLeave, onDone }: { mend: Mend; onLeave?: () => void; onDone?: () => void }) {
  const [asking, setAsking] = useState(false);
  const [, navigate] = useLocation();
  const go = (path: string) => {
    navigate(path);
    onLeave?.();
  };
  const act = () => {
    if (mend.kind === 'page') go(pagePath(mend.page));
    else if (mend.kind === 'token') go(tokenPath(mend.chainId, mend.tokenId));
    else if (mend.kind === 'pair') go(ladderPath(mend.chainId, mend.pair));
    else setAsking(true);
  };
  const close = () => {
    setAsking(false);
    onDone?.();
  };
  return (
    <>
      <Button onClick={act}>{wordOf(mend)}</Button>
      {asking && mend.kind === 'approve' && <ApproveDialog {...mend} onClose={close} />}
      {asking && mend.kind === 'accept_chain' && <AcceptChainDialog {...mend} onClose={close} />}
      {asking && mend.kind === 'acknowledge' && <AcknowledgeDialog seqs={mend.seqs} onClose={close} />}
    </>
  );
}

/** Approves as much as the maker holds: what it could ever pay, and no more. */
function ApproveDialog({ chainId, tokenId, onClose }: { chainId: number; tokenId: string; onClose: () => void }) {
  const client = useClient();
  const row = useDesk((view) => view.exposure.find((token) => token.chainId === chainId && token.tokenId === tokenId));
  const amount = row?.balance === null || row === undefined ? '0' : plainUnits(row.balance, row.decimals);
  return (
    <OnChainDialog
      title={`Approve ${amount} ${tokenId} for the RFQ contract?`}
      send={(dryRun) => client.onChain.setAllowance({ chainId, tokenId, amount, dryRun })}
      keep="Leave it"
      act={`Approve ${tokenId}`}
      onClose={onClose}
    />
  );
}

function plainUnits(raw: string, decimals: number): string {
  const text = raw.padStart(decimals + 1, '0');
  const fraction = text.slice(text.length - decimals).replace(/0+$/, '');
  const whole = text.slice(0, text.length - decimals);
  return decimals === 0 || fraction === '' ? whole : `${whole}.${fraction}`;
}

function wordOf(action: Mend): string {
  if (action.kind === 'acknowledge') return 'I have looked…';
  if (action.kind === 'accept_chain') return 'It was begun anew…';
  if (action.kind === 'approve') return `Approve ${action.tokenId}…`;
  if (action.kind === 'token') return `Correct ${action.tokenId}…`;
  if (action.kind === 'pair') return 'Open its ladder';
  return `Open ${PAGES.find(({ id }) => id === action.page)?.name ?? 'the page'}`;
}
