import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Field } from '../../components/field.tsx';
import { useClient, useQueries, useToasts } from '../../state/console.tsx';
import { faultOf } from '../../state/refusal-of.ts';
import type { Token } from '../../state/tokens.ts';
import { ListingForm } from './listing-form.tsx';
import { tokenOf } from './listing-input.ts';
import styles from './token-form.module.css';
import { useSaveListing } from './use-save-listing.tsx';

const FIELDS = ['tokenId', 'symbol', 'name', 'address', 'decimals', 'description'] as const;

/** Adds a token or changes one. The desk judges every field; its reason stands below the field. */
export function TokenForm(props: {
  chainId: number;
  edited: { tokenId: string; token: Token | undefined } | null;
  onDone: () => Promise<unknown>;
  onCancel: () => void;
  showNow: () => void;
}) {
  const { edited } = props;
  const client = useClient();
  const toasts = useToasts();
  const token = edited?.token;
  // As it was when the form was opened, whatever is listed by now.
  const [seen] = useState(token === undefined ? null : { ...token, description: token.description ?? null });
  const fresh = {
    tokenId: edited?.tokenId ?? '',
    symbol: token?.symbol ?? '',
    name: token?.name ?? '',
    address: token?.address ?? '',
    decimals: token === undefined ? '' : String(token.decimals),
    description: token?.description ?? '',
  };
  const [input, setInput] = useState(fresh);
  const { save, question } = useSaveListing(props.chainId, () => {
    const saved = tokenOf(input);
    const tokenId = input.tokenId.trim() === '' ? saved.symbol : input.tokenId.trim();
    const send = async () => {
      const { waits } = await client.listings.saveToken({ chainId: props.chainId, tokenId, token: saved, seen });
      if (waits !== undefined) {
        const detail = `${waits} Nothing of it is signed until the chain has said what it is.`;
        toasts.show({ level: 'look', title: `${tokenId} is saved, and its pairs are closed`, detail });
      }
      setInput(fresh);
      await props.onDone();
    };
    return { what: tokenId, change: { kind: 'token', tokenId, token: saved }, save: send };
  });
  const address = /^0x[0-9a-fA-F]{40}$/.test(input.address.trim()) ? (input.address.trim() as `0x${string}`) : null;
  const { data: onChain, error: unread } = useQuery(
    useQueries().listings.readToken.queryOptions({
      input: { chainId: props.chainId, address: address ?? '0x' },
      enabled: address !== null,
      retry: false,
      staleTime: 60_000,
    }),
  );
  // What the contract says stands in the fields that nobody has written in; of another contract, in those again.
  const filled = useRef<Partial<Record<'symbol' | 'name' | 'decimals', string>>>({});
  useEffect(() => {
    if (onChain === undefined) return;
    const said = {
      symbol: onChain.symbol ?? '',
      name: onChain.name ?? '',
      decimals: onChain.decimals === null ? '' : String(onChain.decimals),
    };
    const before = filled.current;
    filled.current = said;
    setInput((now) => {
      const pick = (name: keyof typeof said) =>
        now[name] === '' || now[name] === before[name] ? said[name] : now[name];
      return { ...now, symbol: pick('symbol'), name: pick('name'), decimals: pick('decimals') };
    });
  }, [onChain]);
  const field = (name: (typeof FIELDS)[number]) => ({
    value: input[name],
    fault: faultOf(save.refusal, name),
    onChange: (event: { target: { value: string } }) => setInput({ ...input, [name]: event.target.value }),
  });
  return (
    <ListingForm
      what="token"
      edited={edited?.tokenId ?? null}
      save={save}
      fields={FIELDS}
      showNow={edited === null ? undefined : props.showNow}
      onCancel={props.onCancel}
    >
      <div className={styles.fields}>
        <Field
          label="Contract"
          className="mono"
          placeholder="0x…: the chain says symbol, name and decimals"
          {...field('address')}
        />
        <Field label="Symbol" hint={otherOnChain(onChain?.symbol, input.symbol)} {...field('symbol')} />
        <Field label="Name" hint={otherOnChain(onChain?.name, input.name)} {...field('name')} />
        <Field
          label="Decimals"
          inputMode="numeric"
          hint={decimalsHint(onChain?.decimals, address !== null && unread !== null)}
          {...field('decimals')}
          fault={wrongDecimals(onChain?.decimals, input.decimals) ?? faultOf(save.refusal, 'decimals')}
        />
        <Field label="Token ID" hint="the symbol, if empty" disabled={edited !== null} {...field('tokenId')} />
        <Field label="Notes" {...field('description')} />
      </div>
      {question}
    </ListingForm>
  );
}

/** Decimals that are not those on chain; said while they are typed, for an amount would be worth another one. */
function wrongDecimals(onChain: number | null | undefined, typed: string): string | null {
  if (onChain === null || onChain === undefined || typed.trim() === '' || typed.trim() === String(onChain)) return null;
  return `the token has ${onChain} decimals on chain: the desk takes no other`;
}

function decimalsHint(onChain: number | null | undefined, unread: boolean): string | undefined {
  if (unread) return 'the node does not answer: its pairs wait until it does';
  if (onChain === undefined) return undefined;
  return onChain === null ? 'none found at that address' : `${onChain} on chain`;
}

function otherOnChain(onChain: string | null | undefined, typed: string): string | undefined {
  return onChain && typed.trim() !== onChain ? `${onChain} on chain` : undefined;
}
