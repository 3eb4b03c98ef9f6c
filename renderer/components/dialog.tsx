import { Dialog as RadixDialog } from 'radix-ui';
import type { ReactNode } from 'react';

/** Where everything that floats is put: before HALT in the page, so that HALT stays last in the order of Tab. */
export function layers(): HTMLElement | null {
  return document.getElementById('layers');
}

/**
 * A question or a form over the page. It is not modal to the browser: a modal one would make HALT unreachable. It begins
 * below the strip; Esc and a click beside it close it.
 */
export function Dialog(props: { title: string; onClose: () => void; className?: string; children: ReactNode }) {
  return (
    <RadixDialog.Root open modal={false} onOpenChange={(open) => !open && props.onClose()}>
      <RadixDialog.Portal container={layers()}>
        <div className="drawer-veil" aria-hidden="true" />
        <RadixDialog.Content className={`dialog ${props.className ?? ''}`} aria-describedby={undefined}>
          <RadixDialog.Title asChild>
            <h2 className="dialog-title">{props.title}</h2>
          </RadixDialog.Title>
          {props.children}
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}
