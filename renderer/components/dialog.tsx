import { Dialog as RadixDialog } from 'radix-ui';
import { type ComponentProps, type ReactNode, useRef } from 'react';
import type { Right } from '../../electron/contract/rights.ts';
import { useMay } from '../state/rights.ts';
import { useCoversPage } from '../state/shortcuts.ts';
import { Button } from './button.tsx';
import styles from './dialog.module.css';
import { NotAllowed } from './needs.tsx';

/** The second press of a double press comes within this. */
const DOUBLE_PRESS_MS = 500;

/** Where everything that floats is put: before HALT in the page, so that HALT stays last in the order of Tab. */
export function layers(): HTMLElement | null {
  return document.getElementById('layers');
}

/**
 * A question or a form over the page. It is not modal to the browser: a modal one would make HALT unreachable. It begins
 * below the strip; Esc and a click beside it close it, but not the second press of the double press that opened it, nor one on a notice,
 * nor a focus that goes elsewhere: what was typed is not lost to that.
 * HALT closes it always. The focus goes back to where it was.
 */
export function Dialog(props: {
  title: string;
  onClose: () => void;
  /** Where what stands first says it to the eye. */
  hideTitle?: boolean;
  width?: 'wide' | 'widest';
  className?: string;
  /** The right that what it asks takes: without it, that stands in its place. */
  needs?: Right;
  children: ReactNode;
}) {
  const openedAt = useRef(performance.now());
  const focusedBefore = useRef(document.activeElement);
  useCoversPage();
  return (
    <RadixDialog.Root open modal={false} onOpenChange={(open) => !open && props.onClose()}>
      <RadixDialog.Portal container={layers()}>
        <div className={styles.veil} aria-hidden="true" />
        <RadixDialog.Content
          className={`${styles.dialog} ${props.className ?? ''}`}
          data-width={props.width}
          aria-describedby={undefined}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            const { current: before } = focusedBefore;
            // Whoever closed it by going somewhere else stays there.
            if (before instanceof HTMLElement && document.activeElement === document.body) before.focus();
          }}
          onFocusOutside={(event) => event.preventDefault()}
          onPointerDownOutside={(event) => {
            const { target, timeStamp } = event.detail.originalEvent;
            const on = (what: string) => target instanceof Element && target.closest(what) !== null;
            // Who puts a notice away does not throw away what they typed.
            if (on('#notices')) event.preventDefault();
            if (!on('#halt') && timeStamp - openedAt.current < DOUBLE_PRESS_MS) event.preventDefault();
          }}
        >
          <RadixDialog.Title asChild>
            <h2 className={props.hideTitle ? 'only-read' : styles.title}>{props.title}</h2>
          </RadixDialog.Title>
          {props.needs === undefined ? props.children : <Allowed {...props} needs={props.needs} />}
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}

function Allowed(props: { needs: Right; onClose: () => void; children: ReactNode }) {
  if (useMay(props.needs)) return props.children;
  return (
    <>
      <NotAllowed right={props.needs} />
      <DialogActions>
        <Button size="large" onClick={props.onClose}>
          Leave it
        </Button>
      </DialogActions>
    </>
  );
}

/** What is asked, or what follows from it, in the first lines of a dialog. */
export function Lead({ className = '', ...rest }: ComponentProps<'div'>) {
  return <div className={`${styles.lead} ${className}`} {...rest} />;
}

/** The answers at the foot of a dialog, the safe one first. */
export function DialogActions(props: ComponentProps<'div'>) {
  return <div className={styles.actions} {...props} />;
}
