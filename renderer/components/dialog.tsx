import { Dialog as RadixDialog } from 'radix-ui';
import { type ReactNode, useRef } from 'react';
import { useCoversPage } from '../state/shortcuts.ts';

/** The second press of a double press comes within this. */
const DOUBLE_PRESS_MS = 500;

/** Where everything that floats is put: before HALT in the page, so that HALT stays last in the order of Tab. */
export function layers(): HTMLElement | null {
  return document.getElementById('layers');
}

/**
 * A question or a form over the page. It is not modal to the browser: a modal one would make HALT unreachable. It begins
 * below the strip; Esc and a click beside it close it, but not the second press of the double press that opened it, nor one on a notice.
 * HALT closes it always.
 */
export function Dialog(props: { title: string; onClose: () => void; className?: string; children: ReactNode }) {
  const openedAt = useRef(performance.now());
  useCoversPage();
  return (
    <RadixDialog.Root open modal={false} onOpenChange={(open) => !open && props.onClose()}>
      <RadixDialog.Portal container={layers()}>
        <div className="drawer-veil" aria-hidden="true" />
        <RadixDialog.Content
          className={`dialog ${props.className ?? ''}`}
          aria-describedby={undefined}
          onPointerDownOutside={(event) => {
            const { target, timeStamp } = event.detail.originalEvent;
            const on = (what: string) => target instanceof Element && target.closest(what) !== null;
            // Who puts a notice away does not throw away what they typed.
            if (on('.toasts')) event.preventDefault();
            if (!on('#halt') && timeStamp - openedAt.current < DOUBLE_PRESS_MS) event.preventDefault();
          }}
        >
          <RadixDialog.Title asChild>
            <h2 className="dialog-title">{props.title}</h2>
          </RadixDialog.Title>
          {props.children}
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}
