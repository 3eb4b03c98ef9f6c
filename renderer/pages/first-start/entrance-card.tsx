import type { ReactNode } from 'react';
import { PageHead } from '../../components/page-head.tsx';
import styles from './entrance.module.css';

/** A page before there is a desk: a form for the passphrase, and beside it what goes with it. */
export function EntranceCard(props: {
  page: string;
  /** Beside the name of the page. */
  says: string;
  actions?: ReactNode;
  title: string;
  /** What the card is called where it is read aloud. */
  label: string;
  lead: ReactNode;
  onSubmit: () => void;
  /** The buttons under the fields. */
  buttons: ReactNode;
  /** What goes with it, each with its name. */
  facts: readonly (readonly [name: string, says: ReactNode])[];
  children: ReactNode;
}) {
  const { page, says, actions, title, label, lead, onSubmit, buttons, facts, children } = props;
  return (
    <>
      <PageHead name={page}>
        <span className="quiet">{says}</span>
        <span className="fill" />
        {actions}
      </PageHead>
      <div className={styles.centre}>
        <section className={styles.unlock} aria-label={label}>
          <form
            onSubmit={(event) => {
              event.preventDefault();
              onSubmit();
            }}
          >
            <h2>{title}</h2>
            <p>{lead}</p>
            {children}
            <div className={styles.actions}>{buttons}</div>
          </form>
          <dl>
            {facts.map(([name, fact]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{fact}</dd>
              </div>
            ))}
          </dl>
        </section>
      </div>
    </>
  );
}

/** The path of a folder, whole. */
export function FolderPath({ folder }: { folder: string }) {
  return <span className={styles.path}>{folder}</span>;
}
