import { useState } from 'react';
import type { Attention } from '../../../electron/contract/desk-view.ts';
import type { Scope } from '../../../electron/contract/trading.ts';
import { Button } from '../../components/button.tsx';
import { ResumeDialog } from '../../components/resume-dialog.tsx';
import { MendButton } from './mend-button.tsx';

/** The action that mends what is wrong, beside it. */
export function AttentionButton({ row }: { row: Pick<Attention, 'action'> }) {
  const { action } = row;
  if (action === undefined) return null;
  return action.kind === 'resume' ? <ResumeButton scope={action.scope} /> : <MendButton mend={action} />;
}

function ResumeButton({ scope }: { scope: Scope }) {
  const [asking, setAsking] = useState(false);
  const { chainId, pair, side } = scope;
  const what = [pair ?? (chainId === undefined ? 'the whole desk' : `chain ${chainId}`), side]
    .filter(Boolean)
    .join(' ');
  return (
    <>
      <Button onClick={() => setAsking(true)}>Resume…</Button>
      {asking && <ResumeDialog scope={scope} what={what} onClose={() => setAsking(false)} />}
    </>
  );
}
