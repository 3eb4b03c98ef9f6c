import { Popover as RadixPopover } from 'radix-ui';
import type { ComponentProps, ReactNode } from 'react';
import { layers } from './dialog.tsx';
import styles from './popover.module.css';

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
          className={styles.popover}
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

/** The buttons at its foot. */
export function PopoverActions(props: ComponentProps<'div'>) {
  return <div className={styles.actions} {...props} />;
}
