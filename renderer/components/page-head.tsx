import type { ComponentProps, ReactNode } from 'react';
import styles from './page-head.module.css';

export function PageHead({ name, children }: { name: string; children?: ReactNode }) {
  return (
    <div className={styles.head}>
      <h1>{name}</h1>
      {children}
    </div>
  );
}

/** What stands below the head: a grid of panels, drawn by the page. */
export function PageBody({ className = '', ...rest }: ComponentProps<'div'>) {
  return <div className={`${styles.body} ${className}`} {...rest} />;
}
