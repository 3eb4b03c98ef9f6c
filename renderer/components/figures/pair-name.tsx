import styles from './pair-name.module.css';
/** A pair's name, its base stronger than its quote. */
export function PairName({ pair }: { pair: string | null }) {
  if (pair === null) return <span className="quiet">no pair</span>;
  const slash = pair.indexOf('/');
  if (slash < 0) return <span className={styles.pairName}>{pair}</span>;
  return (
    <span className={styles.pairName}>
      {pair.slice(0, slash)}
      <i>{pair.slice(slash)}</i>
    </span>
  );
}
