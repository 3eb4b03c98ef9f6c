import { Pencil, X } from 'lucide-react';
import { useState } from 'react';
import type { FilteredPage } from '../../electron/contract/saved-filters.ts';
import { useClient } from '../state/console.tsx';
import { pagePath } from '../state/pages.ts';
import { useSavedFilters } from '../state/saved-filters.ts';
import { useCommand } from '../state/use-command.ts';
import { Button, TextButton } from './button.tsx';
import { Field, FilterButton, Input } from './field.tsx';
import { Popover, PopoverActions } from './popover.tsx';
import styles from './saved-filters.module.css';

/**
 * The filters of a page that somebody saved under names: chosen, renamed, deleted, and the one in force saved. `query` is that one as
 * the part of the address behind `?`, empty where nothing is filtered.
 */
export function SavedFilters(props: { page: FilteredPage; query: string; onChoose: (query: string) => void }) {
  const { page, query, onChoose } = props;
  const client = useClient();
  const filters = useSavedFilters(page) ?? [];
  const [open, setOpen] = useState(false);
  const [renaming, setRenaming] = useState<string | null>(null);
  const [text, setText] = useState('');
  const change = useCommand(async (make: () => Promise<unknown>) => {
    await make();
    setRenaming(null);
    setText('');
  });
  const fault = change.refusal?.sentence ?? null;
  const chosen = filters.find((saved) => saved.query === query);
  const name = text.trim();
  const isKnown = filters.some((saved) => saved.name === name);
  const begin = (next: string | null) => {
    setRenaming(next);
    setText(next ?? '');
    change.reset();
  };
  return (
    <Popover
      open={open}
      onOpen={(next) => {
        setOpen(next);
        begin(null);
      }}
      label="Saved filters"
      trigger={
        <FilterButton isSet={chosen !== undefined}>
          Saved{' '}
          <b className={`strong ${styles.chosen}`} data-may-clip>
            <bdi>{chosen?.name ?? 'none'}</bdi>
          </b>
        </FilterButton>
      }
    >
      {filters.length === 0 && <p className={`muted ${styles.none}`}>You have saved no filter yet.</p>}
      <ul className={styles.list}>
        {filters.map((saved) =>
          saved.name === renaming ? (
            <li key={saved.name}>
              <form
                onSubmit={(event) => {
                  event.preventDefault();
                  change.run(() => client.savedFilters.rename({ page, from: saved.name, to: text }));
                }}
              >
                <Input
                  autoFocus
                  aria-label={`New name of ${saved.name}`}
                  value={text}
                  maxLength={60}
                  dir="auto"
                  aria-invalid={fault === null ? undefined : true}
                  onChange={(event) => setText(event.target.value)}
                />
                <Button type="submit" disabled={name === ''}>
                  Rename
                </Button>
                <TextButton onClick={() => begin(null)}>Leave it</TextButton>
              </form>
            </li>
          ) : (
            <li key={saved.name}>
              <a
                href={`?${saved.query}#${pagePath(page)}`}
                aria-current={saved === chosen ? 'true' : undefined}
                onClick={(event) => {
                  // With a key held it is a link like any other: into a tab or window of its own.
                  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
                  event.preventDefault();
                  onChoose(saved.query);
                  setOpen(false);
                }}
                title={saved.name}
                data-may-clip
              >
                <bdi>{saved.name}</bdi>
              </a>
              <Button
                look="quiet"
                aria-label={`Rename ${saved.name}…`}
                title={`Rename ${saved.name}`}
                onClick={() => begin(saved.name)}
              >
                <Pencil aria-hidden="true" />
              </Button>
              <Button
                look="quiet"
                aria-label={`Delete ${saved.name}`}
                title={`Delete ${saved.name}`}
                onClick={() => change.run(() => client.savedFilters.remove({ page, name: saved.name }))}
              >
                <X aria-hidden="true" />
              </Button>
            </li>
          ),
        )}
      </ul>
      {renaming !== null && fault !== null && (
        <p className="stop" role="alert">
          {fault}
        </p>
      )}
      {renaming === null && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            change.run(() => client.savedFilters.save({ page, filter: { name, query } }));
          }}
        >
          <Field
            label="Save this filter as"
            value={text}
            maxLength={60}
            dir="auto"
            disabled={query === ''}
            hint={
              query === ''
                ? 'Nothing is filtered now.'
                : isKnown
                  ? 'Takes the place of the one of that name.'
                  : undefined
            }
            fault={fault}
            onChange={(event) => setText(event.target.value)}
          />
          <PopoverActions>
            <Button type="submit" disabled={query === '' || name === ''}>
              {isKnown ? 'Replace' : 'Save'}
            </Button>
          </PopoverActions>
        </form>
      )}
    </Popover>
  );
}
