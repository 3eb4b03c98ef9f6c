import { REFUSALS, type RefusalCode } from '../../../electron/contract/refusal.ts';
import { countText } from '../../components/figures/counts.ts';
import { FilterSelect } from '../../components/filter-select.tsx';
import { Mark } from '../../components/mark.tsx';
import { useConnected, useDesk } from '../../state/console.tsx';
import { RANGES } from './log-filter.ts';
import type { FilterChoice } from './use-filter.ts';

const STATES = [
  { value: 'live', text: 'open' },
  { value: 'part_filled', text: 'partly filled' },
  { value: 'filled', text: 'filled' },
  { value: 'expired', text: 'expired' },
  { value: 'cancelled', text: 'cancelled' },
  { value: 'withheld', text: 'withheld' },
  { value: 'refused', text: 'refused' },
] as const;
const SIDES = [
  { value: 'bids', text: 'we buy' },
  { value: 'asks', text: 'we sell' },
] as const;
const CODES = (Object.keys(REFUSALS) as RefusalCode[]).map((code) => ({ value: code, text: code }));

/** One search field that knows hashes, addresses, pairs and codes, and one choice a column. */
export function FilterBar(props: {
  choice: FilterChoice;
  choose: (next: Partial<FilterChoice>) => void;
  clear: () => void;
  unknown: string | null;
  filters: number;
  held: boolean;
  waiting: number;
  onHold: () => void;
}) {
  const { choice, choose, unknown } = props;
  const pairs = useDesk((view) => view.listed);
  const connected = useConnected();
  const names = [...new Set(pairs.map(({ pair }) => pair))].map((pair) => ({ value: pair, text: pair }));
  return (
    <search className="filter-bar" aria-label="Filter">
      <span className="field">
        <input
          className="input"
          data-filter
          aria-label="Hash, user, pair or code"
          placeholder="Hash, user, pair, code…  /"
          value={choice.search}
          aria-invalid={unknown === null ? undefined : true}
          spellCheck={false}
          onChange={(event) => choose({ search: event.target.value })}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return;
            choose({ search: '' });
            event.currentTarget.blur();
          }}
        />
        {unknown !== null && (
          <span className="fault with-mark" role="alert">
            <Mark shape="refused" />
            {unknown}
          </span>
        )}
      </span>
      <FilterSelect
        label="Time"
        any="all"
        value={choice.range}
        options={RANGES}
        onChange={(range) => choose({ range })}
      />
      <FilterSelect
        label="State"
        any="all"
        value={choice.state}
        options={STATES}
        onChange={(state) => choose({ state })}
      />
      <FilterSelect label="Pair" any="all" value={choice.pair} options={names} onChange={(pair) => choose({ pair })} />
      <FilterSelect label="We" any="both" value={choice.side} options={SIDES} onChange={(side) => choose({ side })} />
      <FilterSelect label="Code" any="any" value={choice.code} options={CODES} onChange={(code) => choose({ code })} />
      {props.filters > 0 && (
        <button type="button" className="button is-quiet" onClick={props.clear}>
          Clear
        </button>
      )}
      <span className="fill" />
      <button
        type="button"
        className="button is-quiet"
        aria-pressed={props.held}
        onClick={props.onHold}
        disabled={!connected}
      >
        <Mark shape={props.held || !connected ? 'withheld' : 'live'} tone={props.held || !connected ? '' : 'ok'} />
        {connected ? tailText(props.held, props.waiting) : 'Not live'} <kbd>Space</kbd>
      </button>
    </search>
  );
}

function tailText(held: boolean, waiting: number): string {
  if (held) return `Held · ${countText(waiting)} new`;
  return waiting === 0 ? 'Live tail' : `${countText(waiting)} new above`;
}
