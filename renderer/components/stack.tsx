import type { ComponentProps } from 'react';
import styles from './stack.module.css';

/** Fields and notes one below the other; `tight` in what hangs from a button. */
export function Stack({ tight, ...rest }: ComponentProps<'div'> & { tight?: boolean }) {
  return <div className={`${styles.stack} ${tight ? styles.tight : ''}`} {...rest} />;
}

/** The same as a form. */
export function FormStack(props: ComponentProps<'form'>) {
  return <form className={styles.stack} {...props} />;
}
