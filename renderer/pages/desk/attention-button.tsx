import type { Attention } from '../../../electron/contract/desk-view.ts';
import { Button } from '../../components/button.tsx';
import { ask } from '../../state/questions.ts';
import { MendButton } from './mend-button.tsx';

/** The action that mends what is wrong, beside it. */
export function AttentionButton({ row }: { row: Pick<Attention, 'action'> }) {
  const { action } = row;
  if (action === undefined) return null;
  if (action.kind !== 'resume') return <MendButton mend={action} />;
  const { pair, side } = action.scope;
  // Of a switch it is what the switch is called; the desk and a chain are resumed.
  return (
    <Button onClick={() => ask({ action })}>{pair === undefined ? 'Resume…' : `Switch ${side ?? 'it'} on…`}</Button>
  );
}
