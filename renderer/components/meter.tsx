import styles from './meter.module.css';

/** How much of something is left or used, `share` from 0 to 1; nothing is drawn where it is null. */
export function Meter({ share, className = '' }: { share: number | null; className?: string }) {
  return (
    <span className={`${styles.meter} ${className}`}>
      {share !== null && <i style={{ width: `${Math.min(1, share) * 100}%` }} />}
    </span>
  );
}
