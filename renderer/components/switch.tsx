import type { ComponentProps } from 'react';
import styles from './switch.module.css';

/** On or off; `guarded` while the guard keeps closed what it switches on. It is named by its `aria-label`. */
export function Switch({
  on,
  guarded,
  ...rest
}: Omit<ComponentProps<'button'>, 'type' | 'role'> & { on: boolean; guarded?: boolean }) {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={on}
      className={styles.switch}
      data-guarded={guarded || undefined}
      {...rest}
    />
  );
}
