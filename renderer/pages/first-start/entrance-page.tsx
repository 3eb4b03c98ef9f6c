import { useState } from 'react';
import type { EntranceView } from '../../../electron/contract/entrance.ts';
import { ChoosePage } from './choose-page.tsx';
import { NewDeskPage } from './new-desk-page.tsx';
import { UnlockPage } from './unlock-page.tsx';

/** What the desktop app shows before there is a desk: a locked one is unlocked, in an empty folder a person chooses what it is to be. */
export function EntrancePage({ view }: { view: Extract<EntranceView, { stage: 'new' | 'locked' }> }) {
  const [isReal, setReal] = useState(false);
  if (view.stage === 'locked') return <UnlockPage view={view} />;
  if (isReal) return <NewDeskPage folder={view.folder} onBack={() => setReal(false)} />;
  return <ChoosePage onReal={() => setReal(true)} />;
}
