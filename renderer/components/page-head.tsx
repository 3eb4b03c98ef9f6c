import type { ReactNode } from 'react';

export function PageHead({ name, children }: { name: string; children?: ReactNode }) {
  return (
    <div className="page-head">
      <h1>{name}</h1>
      {children}
    </div>
  );
}
