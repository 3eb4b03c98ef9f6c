import { useState } from 'react';
import { Field } from '../../components/field.tsx';
import { useClient } from '../../state/console.tsx';
import { faultOf } from '../../state/refusal-of.ts';
import type { Token } from '../../state/tokens.ts';
import { useCommand } from '../../state/use-command.ts';
import { ListingForm } from './listing-form.tsx';
import { tokenOf } from './listing-input.ts';

const FIELDS = ['tokenId', 'symbol', 'name', 'address', 'decimals', 'description'] as const;

/** Adds a token or changes one. The desk judges every field; its reason stands below the field. */
export function TokenForm(props: {
  chainId: number;
  edited: { tokenId: string; token: Token | undefined } | null;
  onDone: () => Promise<unknown>;
  onCancel: () => void;
}) {
  const { edited } = props;
  const client = useClient();
  const token = edited?.token;
  const fresh = {
    tokenId: edited?.tokenId ?? '',
    symbol: token?.symbol ?? '',
    name: token?.name ?? '',
    address: token?.address ?? '',
    decimals: token === undefined ? '' : String(token.decimals),
    description: token?.description ?? '',
  };
  const [input, setInput] = useState(fresh);
  const save = useCommand(async () => {
    const { tokenId, symbol } = input;
    await client.listings.saveToken({
      chainId: props.chainId,
      tokenId: tokenId.trim() === '' ? symbol.trim() : tokenId.trim(),
      token: tokenOf(input),
    });
    setInput(fresh);
    await props.onDone();
  });
  const field = (name: (typeof FIELDS)[number]) => ({
    value: input[name],
    fault: faultOf(save.refusal, name),
    onChange: (event: { target: { value: string } }) => setInput({ ...input, [name]: event.target.value }),
  });
  return (
    <ListingForm what="token" edited={edited?.tokenId ?? null} save={save} fields={FIELDS} onCancel={props.onCancel}>
      <div className="token-fields">
        <Field label="Symbol" {...field('symbol')} />
        <Field label="Name" {...field('name')} />
        <Field label="Decimals" inputMode="numeric" {...field('decimals')} />
        <Field label="Contract" className="mono" placeholder="0x…" {...field('address')} />
        <Field label="Token ID" hint="the symbol, if empty" disabled={edited !== null} {...field('tokenId')} />
        <Field label="Notes" {...field('description')} />
      </div>
    </ListingForm>
  );
}
