import { useQuery } from '@tanstack/react-query';
import { Button } from '../../components/button.tsx';
import { Address } from '../../components/figures/address.tsx';
import { wholeAmountText } from '../../components/figures/amounts.ts';
import { Table } from '../../components/table.tsx';
import { useDesk, useQueries } from '../../state/console.tsx';
import styles from './first-start.module.css';
import type { SetUpOnChain } from './set-up.ts';

/** Tokens that the maker holds too and nobody has listed, each to be taken; nothing where none is proven to be held. */
export function HeldTokens(
  props: Pick<SetUpOnChain, 'chain'> & {
    /** Addresses of the tokens that are listed by now. */
    listed: readonly string[];
    isBusy: boolean;
    onTake: (address: string) => void;
  },
) {
  const { chain, listed, isBusy, onTake } = props;
  const { chainId } = chain;
  const queries = useQueries();
  const chains = useDesk((view) => view.chains);
  // What was held is not kept for the next time: the maker may be another one by then.
  const held = useQuery(queries.listings.heldTokens.queryOptions({ input: { chainId }, gcTime: 0, retry: false }));
  const rows = (held.data ?? []).filter(({ address }) => !listed.includes(address));
  if (rows.length === 0) return null;
  return (
    <section className={styles.held} aria-label="Also held by the maker">
      <h3 className="muted">Also held by the maker, not taken</h3>
      <Table>
        <TokenColumns />
        <tbody>
          {rows.map(({ address, symbol, name, decimals, balance, knownFrom }) => {
            const other = knownFrom.kind === 'chain' ? knownFrom.chainId : null;
            const from = {
              chain: `${chains.find((one) => one.chainId === other)?.name ?? `Chain ${other}`} lists it at the same address.`,
              network: `It is well known on ${chain.name}.`,
              service: 'The service names it.',
            }[knownFrom.kind];
            return (
              <tr key={address}>
                <td />
                <td>
                  <Address hex={address} of="contract’s address" />
                </td>
                <td className="strong" title={`${symbol}. ${from}`}>
                  <span className={styles.logo} aria-hidden="true">
                    {symbol.slice(0, 2).toUpperCase()}
                  </span>
                  {symbol}
                </td>
                <td className="muted narrow-out" title={`${name ?? symbol}. ${from}`}>
                  {name ?? symbol}
                </td>
                <td className="right">{decimals}</td>
                <td className="right live-figure" title={wholeAmountText(balance, decimals)}>
                  {wholeAmountText(balance, decimals)}
                </td>
                <td className="right">
                  <Button disabled={isBusy} aria-label={`Take ${symbol}`} title={from} onClick={() => onTake(address)}>
                    Take
                  </Button>
                </td>
              </tr>
            );
          })}
        </tbody>
      </Table>
    </section>
  );
}

/** The columns of both tables of the step, so that they stand under each other. */
export function TokenColumns() {
  return (
    <colgroup>
      <col className={styles.markColumn} />
      <col className={styles.addressColumn} />
      <col className={styles.symbolColumn} />
      <col className="narrow-out" />
      <col className={styles.numberColumn} />
      <col className={styles.amountColumn} />
      <col className={styles.actionColumn} />
    </colgroup>
  );
}
