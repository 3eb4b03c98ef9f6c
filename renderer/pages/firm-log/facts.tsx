import type { ReactNode } from 'react';
import { type TokenFigure, wholeAmountText } from '../../components/figures/amounts.ts';
import { Mark } from '../../components/mark.tsx';
import styles from './facts.module.css';

/** A named part of the X-ray. */
export function Facts({ name, aside, children }: { name: string; aside?: ReactNode; children: ReactNode }) {
  return (
    <section className={styles.facts}>
      <h3>
        {name}
        {aside !== undefined && <span className="quiet">{aside}</span>}
      </h3>
      {children}
    </section>
  );
}

/** One fact, and the raw figure behind it. */
export function Fact({ name, raw, children }: { name: string; raw?: string | null; children: ReactNode }) {
  return (
    <div className={styles.fact}>
      <dt>{name}</dt>
      <dd>
        {children}
        {raw !== null && raw !== undefined && <span className={`mono quiet ${styles.raw}`}>{raw}</span>}
      </dd>
    </div>
  );
}

/** Whether something that was worked out once more came out the same. */
export function Checked({ holds, children }: { holds: boolean; children: ReactNode }) {
  return (
    <span className={`with-mark ${holds ? '' : 'stop'}`}>
      <Mark shape={holds ? 'done' : 'refused'} tone={holds ? 'ok' : 'stop'} />
      {children}
    </span>
  );
}

/** An amount with all its digits; raw units of a token that is not known. */
export function wholeText(raw: string | null, token: TokenFigure | undefined): string {
  if (raw === null) return '—';
  return token === undefined ? `${raw} raw` : `${wholeAmountText(raw, token.decimals)} ${token.symbol}`;
}
