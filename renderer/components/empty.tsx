import type { ReactNode } from 'react';

/** Nothing to show yet: why, and what would change it. */
export function Empty(props: { title: string; heading?: 'h2' | 'h3'; children?: ReactNode; actions?: ReactNode }) {
  const { title, heading: Heading = 'h3', children, actions } = props;
  return (
    <div className="empty">
      <Heading>{title}</Heading>
      {children !== undefined && <p>{children}</p>}
      {actions !== undefined && <div className="actions">{actions}</div>}
    </div>
  );
}

/** Rows on their way: shown by CSS only after 300 ms, at the height they will have. */
export function Waiting({ rows = 3 }: { rows?: number }) {
  return (
    <div className="bars" role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, row) => `bar ${row}`).map((name) => (
        <i key={name} />
      ))}
    </div>
  );
}
