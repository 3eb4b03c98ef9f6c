import { useState } from 'react';
import { Field } from '../../components/field.tsx';
import { RefusalNote } from '../../components/note.tsx';
import { useClient } from '../../state/console.tsx';
import { faultOf, faultsElsewhere } from '../../state/refusal-of.ts';
import type { Token } from '../../state/tokens.ts';
import { useCommand } from '../../state/use-command.ts';
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
    <form
      className="form listing-form"
      aria-label={edited === null ? 'Add a token' : `Edit ${edited.tokenId}`}
      onSubmit={(event) => {
        event.preventDefault();
        save.run();
      }}
    >
      <h3 className="label">{edited === null ? 'Add a token' : `Edit ${edited.tokenId}`}</h3>
      <div className="token-fields">
        <Field label="Symbol" {...field('symbol')} />
        <Field label="Name" {...field('name')} />
        <Field label="Decimals" inputMode="numeric" {...field('decimals')} />
        <Field label="Contract" className="mono" placeholder="0x…" {...field('address')} />
        <Field label="Token ID" hint="the symbol, if empty" disabled={edited !== null} {...field('tokenId')} />
        <Field label="Notes" {...field('description')} />
      </div>
      {save.refusal && <RefusalNote refusal={save.refusal} elsewhere={faultsElsewhere(save.refusal, FIELDS)} />}
      <div className="actions">
        <button type="submit" className="button is-primary" disabled={save.busy}>
          {edited === null ? 'Add token' : `Save ${edited.tokenId}`}
        </button>
        {edited !== null && (
          <button type="button" className="button is-quiet" onClick={props.onCancel}>
            Leave it as it is
          </button>
        )}
      </div>
    </form>
  );
}
