import { Slot } from 'radix-ui';
import type { ComponentProps } from 'react';
import type { Right } from '../../electron/contract/rights.ts';
import { useMay, useTakesText } from '../state/rights.ts';
import styles from './button.module.css';

/** `primary` does what the place is for, `stop` gives something up for good, `quiet` stands back. */
export type ButtonLook = 'primary' | 'stop' | 'quiet';

/** A button that submits nothing unless its `type` says so. With `asChild` what stands in it, such as a link, looks like one. */
export function Button(
  props: ComponentProps<'button'> & {
    look?: ButtonLook;
    size?: 'large' | 'huge';
    asChild?: boolean;
    /** The right it takes: without it the button is there, cannot be pressed, and says why. */
    needs?: Right;
  },
) {
  const { look, size, asChild, needs, className = '', ...rest } = props;
  if (needs !== undefined) return <NeedingButton {...props} needs={needs} />;
  const attributes = { className: `${styles.button} ${className}`, 'data-look': look, 'data-size': size };
  if (asChild) return <Slot.Root {...attributes} {...rest} />;
  return <button type="button" {...attributes} {...rest} />;
}

function NeedingButton({ needs, ...props }: ComponentProps<typeof Button> & { needs: Right }) {
  const reason = useTakesText(needs);
  return useMay(needs) ? <Button {...props} /> : <Button {...props} disabled title={reason} />;
}

/** A button in the middle of text. */
export function TextButton({ className = '', ...rest }: ComponentProps<'button'>) {
  return <button type="button" className={`${styles.text} ${className}`} {...rest} />;
}

/** A figure or a mark that can be pressed, and looks like what it is. */
export function PlainButton(props: ComponentProps<'button'>) {
  return <button type="button" className={styles.plain} {...props} />;
}
