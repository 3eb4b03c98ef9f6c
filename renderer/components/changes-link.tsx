import { History } from 'lucide-react';
import { Link } from 'wouter';
import { journalPath } from '../state/pages.ts';
import styles from './changes-link.module.css';

/** The way to everything that changed a pair, or a token of a chain. */
export function ChangesLink(props: { chainId: number; pair: string } | { chainId: number; tokenId: string }) {
  const what = 'pair' in props ? props.pair : props.tokenId;
  return (
    <Link
      className={styles.link}
      href={journalPath(props)}
      title={`What changed ${what}`}
      aria-label={`What changed ${what}`}
    >
      <History aria-hidden="true" />
    </Link>
  );
}
