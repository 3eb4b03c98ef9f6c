import { History } from 'lucide-react';
import { Link } from 'wouter';
import { type Story, storyName, storyPath } from '../state/story.ts';
import styles from './changes-link.module.css';

/** The way to what the journal tells of a pair, a token or an address. */
export function ChangesLink({ of }: { of: Story }) {
  const name = storyName(of);
  return (
    <Link className={styles.link} href={storyPath(of)} title={name} aria-label={name}>
      <History aria-hidden="true" />
    </Link>
  );
}
