import type { ComponentProps } from 'react';
import styles from './chip.module.css';

/** A word or two about what they stand beside. */
export function Chip({
  tone,
  className = '',
  ...rest
}: ComponentProps<'span'> & { tone?: 'attn' | 'stop' | 'draft' | 'outline' }) {
  return <span className={`${styles.chip} ${className}`} data-tone={tone} {...rest} />;
}
