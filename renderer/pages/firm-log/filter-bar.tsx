import { type ReactNode, useRef } from 'react';
import { REFUSALS, type RefusalCode } from '../../../electron/contract/refusal.ts';
import { FilterSelect } from '../../components/filter-select.tsx';
import { Mark } from '../../components/mark.tsx';
import { useDesk } from '../../state/console.tsx';
import { keysText, useShortcuts } from '../../state/shortcuts.ts';
import type { FilterChoice, ReadChoice, SizedToken } from './filter-choice.ts';
import { SizeFilter } from './size-filter.tsx';
import { TimeFilter } from './time-filter.tsx';

const OUTCOMES = [
  { value: 'open', text: 'open' },
  { value: 'filled', text: 'filled' },
  { value: 'expired', text: 'expired unfilled' },
  { value: 'cancelled', text: 'cancelled' },
  { value: 'withheld', text: 'withheld' },
  { value: 'refused', text: 'refused' },
];
const SIDES = [
  { value: 'bids', text: 'buy' },
  { value: 'asks', text: 'sell' },
];
const CODES = (Object.keys(REFUSALS) as RefusalCode[]).map((code) => ({ value: code, text: code }));

/** One search field that knows hashes, addresses, pairs and codes, and one choice a column. */
export function FilterBar(props: {
  choice: FilterChoice;
  choose: (next: Partial<FilterChoice>) => void;
  clear: () => void;
  unknown: ReadChoice['unknown'];
  known: { pairs: readonly string[]; tokens: readonly SizedToken[] };
  filters: number;
  children: ReactNode;
}) {
  const { choice, choose, unknown, known } = props;
  const field = useRef<HTMLInputElement>(null);
  useShortcuts({ filter: () => field.current?.focus() });
  const chains = useDesk((view) => view.chains);
  const pairs = known.pairs.map((pair) => ({ value: pair, text: pair }));
  return (
    <search className="filter-bar" aria-label="Filter">
      <span className="field">
        <input
          className="input"
          ref={field}
          aria-label="Hash, user, pair or code"
          placeholder={`Hash, user, pair, code…  ${keysText('filter')}`}
          value={choice.search}
          aria-invalid={unknown.search === undefined ? undefined : true}
          spellCheck={false}
          onChange={(event) => choose({ search: event.target.value })}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return;
            choose({ search: '' });
            event.currentTarget.blur();
          }}
        />
        {unknown.search !== undefined && (
          <span className="fault with-mark" role="alert">
            <Mark shape="refused" />
            {unknown.search}
          </span>
        )}
      </span>
      <TimeFilter choice={choice} choose={choose} fault={unknown.range} />
      <SizeFilter choice={choice} choose={choose} tokens={known.tokens} fault={unknown.size} />
      <FilterSelect
        label="State"
        any="all"
        value={choice.outcome}
        options={OUTCOMES}
        onChange={(outcome) => choose({ outcome })}
      />
      {chains.length > 1 && (
        <FilterSelect
          label="Chain"
          any="all"
          value={choice.chain}
          options={chains.map(({ chainId, name }) => ({ value: String(chainId), text: name }))}
          onChange={(chain) => choose({ chain })}
        />
      )}
      <FilterSelect label="Pair" any="all" value={choice.pair} options={pairs} onChange={(pair) => choose({ pair })} />
      <FilterSelect label="We" any="both" value={choice.side} options={SIDES} onChange={(side) => choose({ side })} />
      <FilterSelect label="Code" any="any" value={choice.code} options={CODES} onChange={(code) => choose({ code })} />
      {props.filters > 0 && (
        <button type="button" className="button is-quiet" onClick={props.clear}>
          Clear
        </button>
      )}
      <span className="fill" />
      {props.children}
    </search>
  );
}
