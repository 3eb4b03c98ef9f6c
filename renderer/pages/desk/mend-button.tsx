import { useLocation } from 'wouter';
import type { AttentionAction } from '../../../electron/contract/desk-view.ts';
import { Button } from '../../components/button.tsx';
import { ladderPath, PAGES, pagePath, tokenPath } from '../../state/pages.ts';
import { ask } from '../../state/questions.ts';

import { HereButton } from './here-button.tsx';

/** What mends something without starting anything. */
export type Mend = Exclude<AttentionAction, { kind: 'resume' }>;

/** The button of what mends it. `onLeave`: another page is opened; `onDone`: the question it asked is closed. */
export function MendButton({ mend, onLeave, onDone }: { mend: Mend; onLeave?: () => void; onDone?: () => void }) {
  const [, navigate] = useLocation();
  const go = (path: string) => {
    navigate(path);
    onLeave?.();
  };
  const act = () => {
    if (mend.kind === 'page') go(pagePath(mend.page));
    else if (mend.kind === 'token') go(tokenPath(mend.chainId, mend.tokenId));
    else if (mend.kind === 'pair') go(ladderPath(mend.chainId, mend.pair));
    else ask({ action: mend, onDone });
  };
  if (mend.kind === 'here') return <HereButton />;
  return <Button onClick={act}>{wordOf(mend)}</Button>;
}

function wordOf(action: Exclude<Mend, { kind: 'here' }>): string {
  if (action.kind === 'acknowledge') return 'I have looked…';
  if (action.kind === 'accept_chain') return 'It was reset…';
  if (action.kind === 'approve') return `Approve ${action.tokenId}…`;
  if (action.kind === 'token') return `Correct ${action.tokenId}…`;
  if (action.kind === 'pair') return 'Open its ladder';
  return `Open ${PAGES.find(({ id }) => id === action.page)?.name ?? 'the page'}`;
}
