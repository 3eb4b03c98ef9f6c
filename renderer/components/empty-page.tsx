import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { Empty } from './empty.tsx';
import { PageHead } from './page-head.tsx';

/** A page that has nothing to show at all: why, and the way to where that is mended. */
export function EmptyPage(props: {
  name: string;
  title: string;
  children: ReactNode;
  go?: { to: string; text: string };
}) {
  const { name, title, children, go } = props;
  const link = go && (
    <Link href={go.to} className="button">
      {go.text}
    </Link>
  );
  return (
    <>
      <PageHead name={name} />
      <div className="page-body">
        <section className="panel" aria-label={name}>
          <Empty title={title} heading="h2" actions={link}>
            {children}
          </Empty>
        </section>
      </div>
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
