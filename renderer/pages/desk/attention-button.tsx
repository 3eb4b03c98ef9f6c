import { useState } from 'react';
import { useLocation } from 'wouter';
import type { Attention, AttentionAction } from '../../../electron/contract/desk-view.ts';
import { ResumeDialog } from '../../components/resume-dialog.tsx';
import { useClient, useDesk } from '../../state/console.tsx';
import { ladderPath, PAGES, pagePath } from '../../state/pages.ts';
import { OnChainDialog } from './on-chain-dialog.tsx';

/** The action that mends what is wrong, beside it. */
export function AttentionButton({ row }: { row: Attention }) {
  const [asking, setAsking] = useState(false);
  const [, navigate] = useLocation();
  const { action } = row;
  if (action === undefined) return null;
  const act = () => {
    if (action.kind === 'page') navigate(pagePath(action.page));
    else if (action.kind === 'pair') navigate(ladderPath(action.chainId, action.pair));
    else setAsking(true);
  };
  return (
    <>
      <button type="button" className="button" onClick={act}>
        {wordOf(action)}
      </button>
      {asking && <Question action={action} onClose={() => setAsking(false)} />}
    </>
  );
}

function Question({ action, onClose }: { action: AttentionAction; onClose: () => void }) {
  if (action.kind === 'approve') return <ApproveDialog {...action} onClose={onClose} />;
  if (action.kind !== 'resume') return null;
  const { chainId, pair, side } = action.scope;
  const what = [pair ?? (chainId === undefined ? 'the whole desk' : `chain ${chainId}`), side]
    .filter(Boolean)
    .join(' ');
  return <ResumeDialog scope={action.scope} what={what} onClose={onClose} />;
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

function wordOf(action: AttentionAction): string {
  if (action.kind === 'resume') return 'Resume…';
  if (action.kind === 'approve') return `Approve ${action.tokenId}…`;
  if (action.kind === 'pair') return 'Open its ladder';
  return `Open ${PAGES.find(({ id }) => id === action.page)?.name ?? 'the page'}`;
}
