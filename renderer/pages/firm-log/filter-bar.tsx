import { type ReactNode, useRef, useState } from 'react';
import { REFUSALS, type RefusalCode } from '../../../electron/contract/refusal.ts';
import { Button } from '../../components/button.tsx';
import fieldStyles from '../../components/field.module.css';
import { Field, FilterButton, FilterSelect, Input, SelectField } from '../../components/field.tsx';
import { Mark } from '../../components/mark.tsx';
import { Popover, PopoverActions } from '../../components/popover.tsx';
import { SavedFilters } from '../../components/saved-filters.tsx';
import { Segmented } from '../../components/segmented.tsx';
import { choiceQuery, readChoice } from '../../state/choice-in-address.ts';
import { useDesk } from '../../state/console.tsx';
import { readNumber } from '../../state/number-form.ts';
import { keysText, useShortcuts } from '../../state/shortcuts.ts';
import { zoneName } from '../../state/time-zone.ts';
import styles from './filter-bar.module.css';
import { type FilterChoice, NO_CHOICE, type ReadChoice, type SizedToken } from './filter-choice.ts';
import { RANGES } from './log-filter.ts';

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
    <search className={styles.bar} aria-label="Filter">
      <span className={`${fieldStyles.field} ${styles.search}`}>
        <Input
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
          <span className={`${fieldStyles.fault} with-mark`} role="alert">
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
      <SavedFilters
        page="firm-log"
        query={choiceQuery(choice)}
        onChoose={(query) => choose(readChoice(NO_CHOICE, query))}
      />
      {props.filters > 0 && (
        <Button look="quiet" onClick={props.clear}>
          Clear
        </Button>
      )}
      <span className="fill" />
      {props.children}
    </search>
  );
}

/** How much of which token, on either side of the trade. */
function SizeFilter(props: {
  choice: FilterChoice;
  choose: (next: Partial<FilterChoice>) => void;
  tokens: readonly SizedToken[];
  fault: string | undefined;
}) {
  const { choice, choose, tokens, fault } = props;
  const [open, setOpen] = useState(false);
  const symbols = [...new Set(tokens.map(({ symbol }) => symbol))];
  const { token, min, max } = choice;
  const [least, most] = [readNumber(min), readNumber(max)];
  const isSet = token !== '' && (min !== '' || max !== '');
  return (
    <Popover
      open={open}
      onOpen={(next) => {
        setOpen(next);
        if (next && token === '') choose({ token: symbols.includes('USDC') ? 'USDC' : (symbols[0] ?? '') });
      }}
      label="Size"
      trigger={
        <FilterButton isSet={isSet} aria-invalid={fault !== undefined}>
          Size <b className="strong">{isSet ? sizeText(min, max, token) : 'any'}</b>
        </FilterButton>
      }
    >
      <div className={styles.sizeFields}>
        <Field
          label="At least"
          inputMode="decimal"
          value={min}
          fault={least.fault ?? (most.fault === null ? fault : null)}
          onChange={(event) => choose({ min: event.target.value })}
        />
        <Field
          label="At most"
          inputMode="decimal"
          value={max}
          fault={most.fault}
          onChange={(event) => choose({ max: event.target.value })}
        />
        <SelectField
          label="Token"
          value={token}
          options={symbols.map((symbol) => ({ value: symbol, text: symbol }))}
          onChange={(symbol) => choose({ token: symbol })}
        />
      </div>
      <PopoverActions>
        <Button look="quiet" onClick={() => choose({ token: '', min: '', max: '' })}>
          Any size
        </Button>
        <Button onClick={() => setOpen(false)}>Done</Button>
      </PopoverActions>
    </Popover>
  );
}

function sizeText(min: string, max: string, token: string): string {
  if (max === '') return `over ${min} ${token}`;
  return min === '' ? `to ${max} ${token}` : `${min} to ${max} ${token}`;
}

type Times = Pick<FilterChoice, 'range' | 'from' | 'to'>;

/** When: the last minutes or days, or between two moments. */
export function TimeFilter(props: {
  choice: Times;
  choose: (next: Partial<Times>) => void;
  fault: string | undefined;
}) {
  const { choice, choose, fault } = props;
  const [open, setOpen] = useState(false);
  const { range, from, to } = choice;
  const between = from !== '' || to !== '' ? `${from === '' ? 'the first' : from} to ${to === '' ? 'now' : to}` : '';
  const text = range === 'between' ? between : RANGES.find(({ value }) => value === range)?.text;
  return (
    <Popover
      open={open}
      onOpen={setOpen}
      label="Time"
      trigger={
        <FilterButton isSet={Boolean(text)} aria-invalid={fault !== undefined}>
          Time <b className="strong">{text || 'all'}</b>
        </FilterButton>
      }
    >
      <Segmented
        label="How far back"
        options={[{ value: '', text: 'all' }, ...RANGES]}
        value={range}
        onChoose={(value) => choose({ range: value, from: '', to: '' })}
      />
      <div className={styles.timeFields}>
        <Field
          label={`From, ${zoneName()}`}
          placeholder="2026-11-19 14:20"
          value={from}
          fault={fault}
          onChange={(event) => choose({ range: 'between', from: event.target.value })}
        />
        <Field
          label={`To, ${zoneName()}`}
          placeholder="now"
          value={to}
          onChange={(event) => choose({ range: 'between', to: event.target.value })}
        />
      </div>
    </Popover>
  );
}
