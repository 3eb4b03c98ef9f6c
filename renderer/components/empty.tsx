import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { Button } from './button.tsx';
import styles from './empty.module.css';
import { QueryError } from './note.tsx';
import { PageBody, PageHead } from './page-head.tsx';
import { PanelBox } from './panel.tsx';

/** Nothing to show yet: why, and what would change it. */
export function Empty(props: { title: string; heading?: 'h2' | 'h3'; children?: ReactNode; actions?: ReactNode }) {
  const { title, heading: Heading = 'h3', children, actions } = props;
  return (
    <div className={styles.empty}>
      <Heading>{title}</Heading>
      {children !== undefined && <p>{children}</p>}
      {actions !== undefined && <div className={styles.actions}>{actions}</div>}
    </div>
  );
}

/** Rows on their way: shown by CSS only after 300 ms, at the height they will have; those of a table leave room for its head. */
export function Waiting({ rows = 3, isTable = false }: { rows?: number; isTable?: boolean }) {
  return (
    <div className={`${styles.bars} ${isTable ? styles.below : ''}`} role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, row) => `bar ${row}`).map((name) => (
        <i key={name} />
      ))}
    </div>
  );
}

/** A question to the desk, as far as the screen tells of it. */
export interface Read {
  isPending: boolean;
  error: unknown;
  refetch(): unknown;
}

/**
 * What stands in place of what is read: bars while it is under way, or why it failed and a button that asks again. `unknown` says
 * what is not known by that, and what goes on all the same.
 */
export function ReadState(props: { read: Read; rows?: number; isTable?: boolean; unknown?: string }) {
  const { read, rows, isTable, unknown } = props;
  if (read.error !== null) return <QueryError what={unknown} error={read.error} again={() => void read.refetch()} />;
  return read.isPending ? <Waiting rows={rows} isTable={isTable} /> : null;
}

/** A page that has nothing to show at all: why, and the way to where that is mended. */
export function EmptyPage(props: {
  name: string;
  title: string;
  children: ReactNode;
  go?: { to: string; text: string };
}) {
  const { name, title, children, go } = props;
  const link = go && (
    <Button asChild>
      <Link href={go.to}>{go.text}</Link>
    </Button>
  );
  return (
    <>
      <PageHead name={name} />
      <PageBody>
        <PanelBox aria-label={name}>
          <Empty title={title} heading="h2" actions={link}>
            {children}
          </Empty>
        </PanelBox>
      </PageBody>
    </>
  );
}

/** The same for a desk that trades nowhere yet. */
export function NoChainPage({ name, children }: { name: string; children: ReactNode }) {
  return (
    <EmptyPage name={name} title="No chain yet" go={{ to: '/', text: 'Set up the first one' }}>
      {children}
    </EmptyPage>
  );
}
