import type { Attention } from '../../../electron/contract/desk-view.ts';
import { Button } from '../../components/button.tsx';
import { ask } from '../../state/questions.ts';
import { resumeText } from '../stops/stop-text.ts';
import { MendButton } from './mend-button.tsx';

/** The action that mends what is wrong, beside it. */
export function AttentionButton({ row }: { row: Pick<Attention, 'action'> }) {
  const { action } = row;
  if (action === undefined) return null;
  if (action.kind !== 'resume') return <MendButton mend={action} />;
  return <Button onClick={() => ask({ action })}>{resumeText(action.scope)}</Button>;
}
