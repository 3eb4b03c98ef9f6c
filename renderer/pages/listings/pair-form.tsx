import { useState } from 'react';
import { Field } from '../../components/field.tsx';
import { SelectField } from '../../components/select-field.tsx';
import { useClient } from '../../state/console.tsx';
import { faultOf } from '../../state/refusal-of.ts';
import { ListingForm } from './listing-form.tsx';
import { type PairDefinition, pairOf } from './listing-input.ts';
import { useSaveListing } from './use-save-listing.tsx';

const FIELDS = ['pair', 'base', 'quote', 'liquidityUSD', ''] as const;

/** Adds a pair or changes one. The desk judges every field; its reason stands below the field. */
export function PairForm(props: {
  chainId: number;
  tokenIds: readonly string[];
  edited: { pair: string; definition: PairDefinition | undefined } | null;
  onDone: () => Promise<unknown>;
  onCancel: () => void;
}) {
  const { edited, tokenIds } = props;
  const client = useClient();
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
      await client.listings.savePair({ chainId: props.chainId, pair, definition });
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
    <ListingForm what="pair" edited={edited?.pair ?? null} save={save} fields={FIELDS} onCancel={props.onCancel}>
      <div className="pair-fields">
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
