import type { ComponentProps } from 'react';
import styles from './table.module.css';

/** A table of figures: its head stays in sight, a row of `data-group` names those below it. */
export function Table({ className = '', ...rest }: ComponentProps<'table'>) {
  return <table className={`${styles.lines} ${styles.table} ${className}`} {...rest} />;
}
