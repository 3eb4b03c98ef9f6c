import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { PairRow } from '../../../electron/contract/book.ts';
import { Button, TextButton } from '../../components/button.tsx';
import { ChangesLink } from '../../components/changes-link.tsx';
import { ColumnsMenu } from '../../components/columns-menu.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Cells, DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { Field, SelectField } from '../../components/field.tsx';
import { countText, plural } from '../../components/figures/counts.ts';
import { PairName } from '../../components/figures/pair-name.tsx';
import { stampText } from '../../components/figures/times.ts';
import { Mark } from '../../components/mark.tsx';
import { InSight } from '../../components/note.tsx';
import { Panel } from '../../components/panel.tsx';
import type { TableColumn } from '../../components/table-columns.ts';
import { useTableView } from '../../components/use-table-view.ts';
import { useClient, useDesk, useQueries } from '../../state/console.tsx';
import { findPair } from '../../state/live-desk.ts';
import { faultOf } from '../../state/refusal-of.ts';
import { storiesOf } from '../../state/story.ts';
import type { useListings } from '../../state/tokens.ts';
import { toldToAll } from '../../state/told-to-all.ts';
import { ListingForm } from './listing-form.tsx';
import { type PairDefinition, pairOf } from './listing-input.ts';
import listingsPageStyles from './listings-page.module.css';
import styles from './pairs-panel.module.css';
import { useOpenForm } from './use-open-form.ts';
import { useSaveListing } from './use-save-listing.tsx';

/** A pair as it is listed, and what stands in its way. */
type PairLine = PairDefinition & Pick<PairRow, 'pair' | 'fault' | 'retiredUntil'>;

interface PairFacts {
  row: PairLine;
  chainId: number;
  onEdit: (pair: string) => void;
  onRetire: (pair: string) => void;
}

const COLUMNS: readonly TableColumn<PairLine, PairFacts>[] = [
  {
    id: 'pair',
    name: 'Pair',
    head: ['Pair'],
    width: 90,
    grows: 1,
    rank: 0,
    sortedBy: ({ pair }) => pair,
    cell: ({ row: { pair, base, quote } }) => (
      <>
        <PairName pair={pair} />{' '}
        {pair !== `${base}/${quote}` && (
          <span className="unit">
            {base} for {quote}
          </span>
        )}
      </>
    ),
  },
  {
    id: 'liquidity',
    name: 'Liquidity, USD',
    head: ['Liquidity, USD'],
    width: 84,
    grows: 0.1,
    rank: 1,
    align: 'right',
    sortedBy: ({ liquidityUSD }) => liquidityUSD,
    cell: ({ row: { liquidityUSD } }) => countText(Math.floor(liquidityUSD)),
  },
  {
    id: 'state',
    name: 'State',
    head: ['State'],
    width: 52,
    grows: 0.6,
    rank: 0,
    sortedBy: (row) => stateText(row),
    cell: ({ row }) => (
      <span className={row.fault === null ? 'muted' : 'stop with-mark'}>
        {row.fault !== null && <Mark shape="refused" />}
        {stateText(row)}
      </span>
    ),
  },
  {
    id: 'actions',
    name: 'Changes, edit, retire',
    head: [],
    width: 126,
    grows: 0,
    rank: 0,
    align: 'right',
    className: listingsPageStyles.actions,
    cell: ({ row: { pair, retiredUntil }, chainId, onEdit, onRetire }) => (
      <>
        <ChangesLink of={{ kind: 'pair', chainId, pair }} /> <TextButton onClick={() => onEdit(pair)}>Edit</TextButton>{' '}
        {retiredUntil === null && <TextButton onClick={() => onRetire(pair)}>Retire…</TextButton>}
      </>
    ),
  },
];

function stateText({ fault, retiredUntil }: PairLine): string {
  return fault ?? (retiredUntil === null ? 'listed' : `retired, listed until ${stampText(retiredUntil)}`);
}

const NONE: Record<string, never> = {};

export function PairsPanel({ chainId, listed }: { chainId: number; listed: ReturnType<typeof useListings> }) {
  const pairs: Record<string, PairDefinition> = listed.data?.pairs ?? NONE;
  const client = useClient();
  const cache = useQueryClient();
  const queries = useQueries();
  const live = useDesk((view) => view.pairs);
  const { form, key, isAdding, around, open, anew, close } = useOpenForm();
  const [retiring, setRetiring] = useState<string | null>(null);
  const reread = async () => {
    await cache.invalidateQueries({ queryKey: queries.listings.list.key() });
    await toldToAll();
  };
  const isRetired = (pair: string) => (findPair(live, chainId, pair)?.retiredUntil ?? null) !== null;
  const rows = Object.entries(pairs).map(([pair, definition]) => {
    const { fault = null, retiredUntil = null } = findPair(live, chainId, pair) ?? {};
    return { pair, ...definition, fault, retiredUntil };
  });
  const view = useTableView({ name: 'pairs', columns: COLUMNS, rows });
  return (
    <Panel
      name="Pairs"
      aside={listed.data && plural(rows.length, 'pair')}
      actions={
        <>
          <Button
            needs="settings"
            disabled={listed.data === undefined}
            aria-expanded={isAdding}
            onClick={() => open(null)}
          >
            Add a pair…
          </Button>
          <ColumnsMenu view={view} of="Pairs" />
        </>
      }
    >
      <DataTable
        name="Pairs"
        view={view}
        rows={view.rows}
        read={listed}
        unknown="The pairs are not known here; they are served as before"
        bars={5}
        row={(row, columns) => (
          <tr
            key={row.pair}
            aria-selected={form?.edited === row.pair}
            {...storiesOf({ kind: 'pair', chainId, pair: row.pair })}
          >
            <Cells columns={columns} facts={{ row, chainId, onEdit: open, onRetire: setRetiring }} />
          </tr>
        )}
      >
        <Empty title="No pair yet">Press “Add a pair…” above; then give it prices (G P).</Empty>
      </DataTable>
      {listed.data !== undefined && form !== null && (
        <InSight of={form.edited}>
          <div {...around}>
            <PairForm
              key={key}
              chainId={chainId}
              tokenIds={Object.keys(listed.data.tokens)}
              edited={
                form.edited === null
                  ? null
                  : { pair: form.edited, definition: pairs[form.edited], retired: isRetired(form.edited) }
              }
              showNow={() => void reread().then(anew)}
              onDone={() => {
                close();
                return reread();
              }}
              onCancel={close}
            />
          </div>
        </InSight>
      )}
      {retiring !== null && (
        <ConfirmDialog
          needs="settings"
          title={`Retire ${retiring}?`}
          keep="Keep quoting it"
          act={`Retire ${retiring}`}
          onClose={() => setRetiring(null)}
          send={async () => {
            await client.listings.retirePair({ chainId, pair: retiring });
            await reread();
          }}
        >
          Its prices are served as {'{}'} from now on and no quote is signed. After {listed.data?.retireHours} h it
          leaves /pairs. What is signed stays fillable until it expires.
        </ConfirmDialog>
      )}
    </Panel>
  );
}

const FIELDS = ['pair', 'base', 'quote', 'liquidityUSD', ''] as const;

/** Adds a pair or changes one. The desk judges every field; its reason stands below the field. */
export function PairForm(props: {
  chainId: number;
  tokenIds: readonly string[];
  edited: { pair: string; definition: PairDefinition | undefined; retired: boolean } | null;
  onDone: () => Promise<unknown>;
  onCancel?: () => void;
  showNow: () => void;
}) {
  const { edited, tokenIds } = props;
  const client = useClient();
  // As it was when the form was opened, whatever is listed by now.
  const [seen] = useState(edited?.definition === undefined ? null : { ...edited.definition, retired: edited.retired });
  const fresh = {
    pair: edited?.pair ?? '',
    base: edited?.definition?.base ?? '',
    quote: edited?.definition?.quote ?? '',
    liquidityUSD: edited?.definition === undefined ? '' : String(edited.definition.liquidityUSD),
  };
  const [input, setInput] = useState(fresh);
  const usual = input.base === '' || input.quote === '' ? '' : `${input.base}/${input.quote}`;
  const { save, question } = useSaveListing(props.chainId, () => {
    const pair = input.pair.trim() === '' ? usual : input.pair.trim();
    const definition = pairOf(input);
    const send = async () => {
      await client.listings.savePair({ chainId: props.chainId, pair, definition, seen });
      setInput(fresh);
      await props.onDone();
    };
    return { what: pair, change: { kind: 'pair', pair, definition }, save: send };
  });
  const field = (name: Exclude<(typeof FIELDS)[number], ''>) => ({
    value: input[name],
    // What is wrong with the pair as a whole stands beside its name.
    fault: faultOf(save.refusal, name) ?? (name === 'pair' ? faultOf(save.refusal, '') : null),
    onChange: (event: { target: { value: string } }) => setInput({ ...input, [name]: event.target.value }),
  });
  const tokens = [{ value: '', text: 'choose' }, ...tokenIds.map((tokenId) => ({ value: tokenId, text: tokenId }))];
  const choice = (name: 'base' | 'quote') => ({
    ...field(name),
    onChange: (tokenId: string) => setInput({ ...input, [name]: tokenId }),
  });
  return (
    <ListingForm
      what="pair"
      edited={edited?.pair ?? null}
      save={save}
      fields={FIELDS}
      showNow={edited === null ? undefined : props.showNow}
      onCancel={props.onCancel}
    >
      <div className={styles.fields}>
        <SelectField label="Base" options={tokens} {...choice('base')} />
        <SelectField label="Quote" options={tokens} {...choice('quote')} />
        <Field label="Liquidity, USD" inputMode="decimal" hint="rough, for route search" {...field('liquidityUSD')} />
        <Field
          label="Pair ID"
          placeholder={usual}
          hint="BASE/QUOTE, if empty"
          disabled={edited !== null}
          {...field('pair')}
        />
      </div>
      {question}
    </ListingForm>
  );
}
