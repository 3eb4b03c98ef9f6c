import { Popover as RadixPopover } from 'radix-ui';
import type { ReactNode } from 'react';
import { layers } from './dialog.tsx';

/** A small form that hangs from the button that opens it; Esc and a click beside it close it. */
export function Popover(props: {
  open: boolean;
  onOpen: (open: boolean) => void;
  label: string;
  trigger: ReactNode;
  align?: 'start' | 'end';
  children: ReactNode;
}) {
  return (
    <RadixPopover.Root open={props.open} onOpenChange={props.onOpen}>
      <RadixPopover.Trigger asChild>{props.trigger}</RadixPopover.Trigger>
      <RadixPopover.Portal container={layers()}>
        <RadixPopover.Content
          className="popover"
          aria-label={props.label}
          align={props.align ?? 'start'}
          sideOffset={4}
          collisionPadding={8}
          onKeyDown={(event) => event.stopPropagation()}
        >
          {props.children}
        </RadixPopover.Content>
      </RadixPopover.Portal>
    </RadixPopover.Root>
  );
}
