import { useState } from 'react';
import { useLocation } from 'wouter';
import type { Scope } from '../../../electron/contract/trading.ts';
import { useConsole } from '../../state/console.tsx';
import type { PaletteDeed } from '../../state/palette-commands.ts';
import { refusalOf } from '../../state/refusal-of.ts';
import { toggleTheme } from '../../state/theme.ts';
import { useDrain } from '../../state/use-drain.ts';
import { ResumeDialog } from '../resume-dialog.tsx';
import { Palette } from './palette.tsx';

/** The palette, and the question that a start from it asks. */
export function PaletteLayer({ open, onKeys, onClose }: { open: boolean; onKeys: () => void; onClose: () => void }) {
  const { halt, toasts } = useConsole();
  const [, navigate] = useLocation();
  const drain = useDrain();
  const [starting, setStarting] = useState<{ scope: Scope; what: string } | null>(null);

  const stop = (scope: Scope) => {
    if (scope.chainId === undefined) return halt.now();
    halt.scope(scope).catch((error: unknown) => {
      const { sentence, remedy } = refusalOf(error);
      toasts.show({ level: 'stop', title: `Not stopped: ${sentence}`, detail: remedy });
    });
  };
  const perform = (deed: PaletteDeed) => {
    onClose();
    if (deed.kind === 'go') navigate(deed.path);
    else if (deed.kind === 'halt') stop(deed.scope);
    else if (deed.kind === 'drain') drain(deed.scope);
    else if (deed.kind === 'resume') setStarting(deed);
    else if (deed.kind === 'theme') toggleTheme();
    else onKeys();
  };
  return (
    <>
      {open && <Palette onDo={perform} onClose={onClose} />}
      {starting !== null && <ResumeDialog {...starting} onClose={() => setStarting(null)} />}
    </>
  );
}
