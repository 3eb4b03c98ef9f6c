import type { ReactNode } from 'react';
import { RIGHTS, type Right } from '../../electron/contract/rights.ts';
import { useDesk } from '../state/console.tsx';
import { useMay, useTakesText } from '../state/rights.ts';
import styles from './needs.module.css';
import { Note } from './note.tsx';

/** What only those with a right may use. Others see it, cannot press or type anything of it, and are told why. */
export function Needs({ right, children }: { right: Right; children: ReactNode }) {
  if (useMay(right)) return children;
  return (
    <>
      <NotAllowed right={right} />
      <fieldset className={styles.bare} disabled>
        {children}
      </fieldset>
    </>
  );
}

/** In place of what somebody without the right has asked for. */
export function NotAllowed({ right }: { right: Right }) {
  const actor = useDesk((view) => view.actor);
  const reason = useTakesText(right);
  return (
    <Note level="note" title={`${actor} may not do this here.`}>
      {reason} It covers: {RIGHTS[right].says}.
    </Note>
  );
}
