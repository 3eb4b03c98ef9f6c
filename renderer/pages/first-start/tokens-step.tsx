import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button, TextButton } from '../../components/button.tsx';
import { Empty, ReadState } from '../../components/empty.tsx';
import { Input } from '../../components/field.tsx';
import { Address } from '../../components/figures/address.tsx';
import { wholeAmountText } from '../../components/figures/amounts.ts';
import { Mark } from '../../components/mark.tsx';
import { Note, RefusalNote } from '../../components/note.tsx';
import { Table } from '../../components/table.tsx';
import { useClient, useDesk, useQueries } from '../../state/console.tsx';
import { refusalOf } from '../../state/refusal-of.ts';
import { useCommand } from '../../state/use-command.ts';
import styles from './first-start.module.css';
import { HeldTokens, TokenColumns } from './held-tokens.tsx';
import type { SetUpOnChain } from './set-up.ts';

/** An address that was not taken, and why. */
interface NotTaken {
  text: string;
  why: string;
}

const ADDRESS = /^0x[0-9a-f]{40}$/;

/** Tokens by address. What stands on the chain is read, never typed. */
export function TokensStep({ chain, onChanged }: SetUpOnChain) {
  const { chainId } = chain;
  const client = useClient();
  const cache = useQueryClient();
  const queries = useQueries();
  const listed = useQuery(queries.listings.list.queryOptions({ input: { chainId } }));
  const exposure = useDesk((view) => view.exposure);
  const [text, setText] = useState('');
  const [notTaken, setNotTaken] = useState<readonly NotTaken[]>([]);
  const rows = Object.entries(listed.data?.tokens ?? {});
  const changed = async () => {
    await cache.invalidateQueries({ queryKey: queries.listings.list.key() });
    onChanged();
  };
  const read = useCommand(async (words: readonly string[]) => {
    const known = new Map(rows.map(([tokenId, { address }]) => [tokenId, address.toLowerCase()]));
    const refused: NotTaken[] = [];
    for (const word of new Set(words)) {
      if ([...known.values()].includes(word)) continue;
      const why = await take(word, known).catch((error: unknown) => refusalOf(error).sentence);
      if (why !== null) refused.push({ text: word, why });
    }
    setNotTaken(refused);
    await changed();
  });
  /** Returns why it is not taken; null where it is. */
  const take = async (word: string, known: Map<string, string>): Promise<string | null> => {
    if (!ADDRESS.test(word)) return 'This is not an address: one has 40 digits after 0x.';
    const address = word as `0x${string}`;
    const { symbol, name, decimals } = await client.listings.readToken({ chainId, address });
    if (symbol === null || decimals === null) {
      return `No token answers at this address on ${chain.name}. Perhaps it was copied from another chain.`;
    }
    const tokenId = known.has(symbol) ? `${symbol}-${address.slice(2, 6)}` : symbol;
    const token = { symbol, name: name ?? symbol, address, decimals, type: 'ERC20' as const };
    await client.listings.saveToken({ chainId, tokenId, token });
    known.set(tokenId, word);
    return null;
  };
  const remove = useCommand(async (tokenId: string) => {
    await client.listings.removeToken({ chainId, tokenId });
    await changed();
  });
  return (
    <>
      <form
        className={styles.add}
        onSubmit={(event) => {
          event.preventDefault();
          const words = text.toLowerCase().split(/[\s,;]+/);
          read.run(words.filter((word) => word !== ''));
          setText('');
        }}
      >
        <Input
          aria-label="Addresses of tokens"
          large
          className="mono"
          placeholder="0x… one address, or paste a column of them"
          autoComplete="off"
          spellCheck={false}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onPaste={(event) => {
            event.preventDefault();
            setText(`${text} ${event.clipboardData.getData('text')}`.replace(/\s+/g, ' ').trim());
          }}
        />
        <Button type="submit" size="large" disabled={text.trim() === '' || read.busy}>
          {read.busy ? 'Reading…' : 'Read from chain'}
        </Button>
      </form>
      {notTaken.map((one) => (
        <Note
          key={one.text}
          level="stop"
          title={<span className="mono">{one.text}</span>}
          actions={<Button onClick={() => setNotTaken(notTaken.filter((other) => other !== one))}>Take it off</Button>}
        >
          {one.why}
        </Note>
      ))}
      {read.refusal !== null && <RefusalNote refusal={read.refusal} />}
      {remove.refusal !== null && <RefusalNote refusal={remove.refusal} />}
      {listed.data === undefined ? (
        <ReadState read={listed} rows={3} />
      ) : rows.length === 0 ? (
        <Empty title="No token yet">A pair needs two. The chain says their symbols, names and decimals.</Empty>
      ) : (
        <Table>
          <TokenColumns />
          <thead>
            <tr>
              <td />
              <th>Address</th>
              <th>Symbol</th>
              <th className="narrow-out">Name</th>
              <th className="right">Decimals</th>
              <th className="right">Maker holds</th>
              <td />
            </tr>
          </thead>
          <tbody>
            {rows.map(([tokenId, { symbol, name, address, decimals }]) => {
              const held = exposure.find((row) => row.chainId === chainId && row.tokenId === tokenId)?.balance ?? null;
              return (
                <tr key={tokenId}>
                  <td>
                    <Mark shape="done" tone="ok" />
                  </td>
                  <td>
                    <Address hex={address} of="contract’s address" />
                  </td>
                  <td className="strong" title={tokenId === symbol ? symbol : `${symbol}, listed as ${tokenId}`}>
                    <span className={styles.logo} aria-hidden="true">
                      {symbol.slice(0, 2).toUpperCase()}
                    </span>
                    {tokenId}
                  </td>
                  <td className="muted narrow-out" title={name}>
                    {name}
                  </td>
                  <td className="right">{decimals}</td>
                  <td className="right live-figure">{held === null ? '—' : wholeAmountText(held, decimals)}</td>
                  <td className="right">
                    <TextButton aria-label={`Take off ${tokenId}`} onClick={() => remove.run(tokenId)}>
                      Take off
                    </TextButton>
                  </td>
                </tr>
              );
            })}
          </tbody>
        </Table>
      )}
      <HeldTokens
        chain={chain}
        listed={rows.map(([, { address }]) => address)}
        isBusy={read.busy}
        onTake={(address) => read.run([address])}
      />
    </>
  );
}
