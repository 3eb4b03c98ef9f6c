import { useRef } from 'react';
import type { EventKindName } from '../../../electron/contract/journal.ts';
import { PROGRAM } from '../../../electron/contract/names.ts';
import { Button } from '../../components/button.tsx';
import { FilterSelect, Input } from '../../components/field.tsx';
import { SavedFilters } from '../../components/saved-filters.tsx';
import { choiceQuery, readChoice } from '../../state/choice-in-address.ts';
import { useDesk } from '../../state/console.tsx';
import { keysText, useShortcuts } from '../../state/shortcuts.ts';
import filterBarStyles from '../firm-log/filter-bar.module.css';
import { TimeFilter } from '../firm-log/filter-bar.tsx';
import { type EventChoice, NO_EVENT_CHOICE, PEOPLE, whatOptions } from './journal-choice.ts';
import styles from './journal-page.module.css';

/** Words, kind, person, pair, chain and time. */
export function JournalFilters(props: {
  choice: EventChoice;
  choose: (next: Partial<EventChoice>) => void;
  kinds: readonly EventKindName[];
  /** Names that were seen in the journal. */
  actors: readonly string[];
  fault: string | null;
  children: React.ReactNode;
}) {
  const { choice, choose, kinds, actors, fault } = props;
  const field = useRef<HTMLInputElement>(null);
  useShortcuts({ filter: () => field.current?.focus() });
  const chains = useDesk((view) => view.chains);
  const rows = useDesk((view) => view.listed);
  const pairs = [...new Set([...rows.map(({ pair }) => pair), ...(choice.pair === '' ? [] : [choice.pair])])].sort();
  const names = [
    ...new Set([...actors, ...PROGRAM, ...(choice.who === '' || choice.who === PEOPLE ? [] : [choice.who])]),
  ];
  const isSet = Object.values(choice).some((value) => value !== '');
  return (
    <search className={filterBarStyles.bar} aria-label="Filter">
      <Input
        ref={field}
        className={styles.words}
        aria-label="Words, hash, address or row"
        placeholder={`Words, hash, address…  ${keysText('filter')}`}
        value={choice.words}
        maxLength={200}
        spellCheck={false}
        onChange={(event) => choose({ words: event.target.value })}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          choose({ words: '' });
          event.currentTarget.blur();
        }}
      />
      <FilterSelect
        label="Kind"
        any="all but quotes and moves"
        value={choice.what}
        options={whatOptions(kinds)}
        onChange={(what) => choose({ what })}
      />
      <FilterSelect
        label="Who"
        any="anyone"
        value={choice.who}
        options={[{ value: PEOPLE, text: 'people' }, ...names.sort().map((name) => ({ value: name, text: name }))]}
        onChange={(who) => choose({ who })}
      />
      <FilterSelect
        label="Pair"
        any="all"
        value={choice.pair}
        options={pairs.map((pair) => ({ value: pair, text: pair }))}
        onChange={(pair) => choose({ pair })}
      />
      {chains.length > 1 && (
        <FilterSelect
          label="Chain"
          any="all"
          value={choice.chain}
          options={chains.map(({ chainId, name }) => ({ value: `${chainId}`, text: name }))}
          onChange={(chain) => choose({ chain })}
        />
      )}
      <TimeFilter choice={choice} choose={choose} fault={fault ?? undefined} />
      <SavedFilters
        page="journal"
        query={choiceQuery(choice)}
        onChoose={(query) => choose(readChoice(NO_EVENT_CHOICE, query))}
      />
      {isSet && (
        <Button look="quiet" onClick={() => choose(NO_EVENT_CHOICE)}>
          Clear
        </Button>
      )}
      <span className="fill" />
      {props.children}
    </search>
  );
}
