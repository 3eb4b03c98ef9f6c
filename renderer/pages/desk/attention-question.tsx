import { useState } from 'react';
import type { AttentionAction } from '../../../electron/contract/desk-view.ts';
import { Button } from '../../components/button.tsx';
import { Dialog, DialogActions, Lead } from '../../components/dialog.tsx';
import { ResumeDialog } from '../../components/resume-dialog.tsx';
import { useClient, useDesk } from '../../state/console.tsx';
import { answered, useAsked } from '../../state/questions.ts';
import { AcceptChainDialog } from './accept-chain-dialog.tsx';
import { AcknowledgeDialog } from './acknowledge-dialog.tsx';
import { OnChainDialog } from './on-chain-dialog.tsx';

/** What buttons that mend something ask. It stands beside no row, so that no row takes it along when it goes. */
export function AttentionQuestions() {
  return useAsked().map((question) => (
    <AttentionQuestion key={question.id} action={question.action} onClose={() => answered(question)} />
  ));
}

function AttentionQuestion({ action, onClose }: { action: AttentionAction; onClose: () => void }) {
  if (action.kind === 'approve') return <ApproveDialog {...action} onClose={onClose} />;
  if (action.kind === 'accept_chain') return <AcceptChainDialog {...action} onClose={onClose} />;
  if (action.kind === 'acknowledge') return <AcknowledgeDialog seqs={action.seqs} onClose={onClose} />;
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
  const held = row?.balance == null || row.balance === '0' ? null : plainUnits(row.balance, row.decimals);
  // What was shown with its cost is what is sent, whatever a later look finds.
  const [amount, setAmount] = useState(held);
  if (amount === null && held !== null) setAmount(held);
  if (amount === null) {
    return (
      <Dialog title={`Approve ${tokenId} for the RFQ contract?`} onClose={onClose}>
        <Lead>Not now: the maker holds nothing, or how much it holds is not known. The desk keeps looking.</Lead>
        <DialogActions>
          <Button size="large" onClick={onClose}>
            Leave it
          </Button>
        </DialogActions>
      </Dialog>
    );
  }
  return (
    <OnChainDialog
      needs="settings"
      title={`Approve ${amount} ${tokenId} for the RFQ contract?`}
      send={(dryRun) => client.onChain.setAllowance({ chainId, tokenId, amount, dryRun })}
      keep="Leave it"
      act={`Approve ${tokenId}`}
      onClose={onClose}
    />
  );
}

/** Raw units of a token as the decimal that the desk takes. */
export function plainUnits(raw: string, decimals: number): string {
  const text = raw.padStart(decimals + 1, '0');
  const fraction = text.slice(text.length - decimals).replace(/0+$/, '');
  const whole = text.slice(0, text.length - decimals);
  return decimals === 0 || fraction === '' ? whole : `${whole}.${fraction}`;
}
