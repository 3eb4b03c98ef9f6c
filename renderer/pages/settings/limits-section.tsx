import { Empty } from '../../components/empty.tsx';
import { LimitsForm } from './limits-form.tsx';
import type { SectionProps } from './section-props.ts';

/** What the guard allows at most, per chain. Empty or 0 is no limit. */
export function LimitsSection({ settings, onChanged }: SectionProps) {
  if (settings.desk.chains.length === 0) return <Empty title="No chain yet">Limits belong to a chain.</Empty>;
  return settings.desk.chains.map((chain) => (
    <section key={chain.chainId} className="setting" aria-label={`Limits of ${chain.name}`}>
      <header>
        <h3>{chain.name}</h3>
        <span className="quiet">in token units; empty is no limit</span>
      </header>
      <LimitsForm key={JSON.stringify(chain.limits)} chain={chain} onSaved={onChanged} />
    </section>
  ));
}
