import { Slot } from 'radix-ui';
import type { ComponentProps } from 'react';
import styles from './button.module.css';

/** `primary` does what the place is for, `stop` gives something up for good, `quiet` stands back. */
export type ButtonLook = 'primary' | 'stop' | 'quiet';

/** A button that submits nothing unless its `type` says so. With `asChild` what stands in it, such as a link, looks like one. */
export function Button(
  props: ComponentProps<'button'> & { look?: ButtonLook; size?: 'large' | 'huge'; asChild?: boolean },
) {
  const { look, size, asChild, className = '', ...rest } = props;
  const attributes = { className: `${styles.button} ${className}`, 'data-look': look, 'data-size': size };
  if (asChild) return <Slot.Root {...attributes} {...rest} />;
  return <button type="button" {...attributes} {...rest} />;
}

/** A button in the middle of text. */
export function TextButton({ className = '', ...rest }: ComponentProps<'button'>) {
  return <button type="button" className={`${styles.text} ${className}`} {...rest} />;
}

/** A figure or a mark that can be pressed, and looks like what it is. */
export function PlainButton(props: ComponentProps<'button'>) {
  return <button type="button" className={styles.plain} {...props} />;
}
