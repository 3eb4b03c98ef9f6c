import { type ChainStillLive, outlivingWords, type SpenderRole } from '../../../electron/contract/still-live.ts';
import { Address } from '../../components/figures/address.tsx';
import { Countdown } from '../../components/figures/age.tsx';
import { Amount } from '../../components/figures/amount.tsx';
import { momentText } from '../../components/figures/times.ts';
import { QueryError } from '../../components/note.tsx';
import { Table } from '../../components/table.tsx';
import styles from './halted-page.module.css';
import { useStillLive } from './use-still-live.ts';

const ROLES: Record<SpenderRole, string> = {
  rfq: 'RFQ contract',
  router: 'router',
  intent: 'intent contract',
  permit2: 'Permit2',
  other: 'earlier contract',
};

interface Line {
  key: string;
  what: string;
  /** Under what it is, for a person. */
  about: string;
  token: { symbol: string; decimals: number };
  /** Raw units; null where it is not said, and `token` is all there is. */
  amount: string | null;
  /** All of what is shown, where it is shortened. */
  whole?: string;
  hex: string;
  of: string;
  until: number | null;
}

/** What is signed beside firm quotes: orders, permits, transactions, with their ends; or what contracts may take without one. */
export function OtherSigned({ what: wanted }: { what: 'signed' | 'allowed' }) {
  const asked = useStillLive();
  const isSigned = wanted === 'signed';
  if (asked.error !== null && !isSigned) return null;
  if (asked.error !== null) {
    const what = 'What else is signed is not known here; it can be taken from us all the same';
    return <QueryError what={what} error={asked.error} again={() => void asked.refetch()} />;
  }
  const chains = asked.data?.chains ?? [];
  const lines = chains.flatMap((chain) =>
    (isSigned ? signedLines(chain, asked.data?.at ?? 0) : allowedLines(chain)).map((line) => ({ ...line, chain })),
  );
  if (isSigned && asked.isSuccess && lines.length === 0 && chains.every(({ unknown }) => unknown.length === 0))
    return null;
  return (
    <Table className={styles.otherSigned} aria-label={isSigned ? 'Orders and permits' : 'Allowances'}>
      <colgroup>
        <col />
        <col className={styles.amountColumn} />
        <col className={styles.quotesColumn} />
        <col className={styles.leftColumn} />
      </colgroup>
      <thead>
        <tr>
          <th>{isSigned ? 'Orders and permits' : 'Allowances'}</th>
          <th className="right">At most</th>
          <th className="right">Which</th>
          <th className="right">Ends in</th>
        </tr>
      </thead>
      <tbody>
        {asked.isPending && (
          <tr>
            <td colSpan={4} className="muted">
              The chains are being asked.
            </td>
          </tr>
        )}
        {!isSigned && asked.data?.nothing && (
          <tr>
            <td colSpan={4} className="muted">
              None, and every chain agrees.
            </td>
          </tr>
        )}
        {chains.flatMap(({ chainId, name, unknown }) =>
          (isSigned ? unknown : []).map((sentence) => (
            <tr key={`${chainId} ${sentence}`}>
              <td colSpan={4} className="strong">
                Not known on {name}: {sentence}
              </td>
            </tr>
          )),
        )}
        {lines.map(({ key, what, about, token, amount, whole, hex, of, until, chain: { chainId, name } }) => (
          <tr key={`${chainId} ${key}`}>
            <td>
              <b className="strong">{what}</b> <span className="unit">{[about, name].filter(Boolean).join(' · ')}</span>
            </td>
            <td className="right live-figure" title={amount === null ? whole : undefined}>
              {amount === null && token.symbol}
              {amount !== null && isUnlimited(amount) && `no limit ${token.symbol}`}
              {amount !== null && !isUnlimited(amount) && <Amount raw={amount} token={token} cut="up" narrow />}
            </td>
            <td className="right">
              <Address hex={hex} of={of} />
            </td>
            <td className="right strong">{until === null ? 'no end' : <Countdown until={until} />}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

/** An allowance without end is no figure that a person reads. */
function isUnlimited(amount: string): boolean {
  return BigInt(amount) >= 2n ** 255n;
}

/** An NFT's contract is on hover: with it the line is cut where it matters. */
function withoutContract(side: string): string {
  return side.replace(/ of 0x[0-9a-f]{40}$/, '');
}

function signedLines({ nftOrders, orders, permits, transactions, approvals }: ChainStillLive, now: number): Line[] {
  return [
    ...nftOrders.map(({ seq, orderHash, gives, gets, until }): Line => {
      const about = `for ${withoutContract(gets)}`;
      const which = { hex: orderHash, of: 'order' };
      return {
        key: `nft ${seq}`,
        what: 'NFT order',
        about,
        token: { symbol: withoutContract(gives), decimals: 0 },
        whole: gives,
        amount: null,
        ...which,
        until,
      };
    }),
    ...orders.map((order): Line => {
      const { seq, orderHash, mode, src, left, until, status, cancel } = order;
      const asked = cancel === 'no' ? '' : ', cancellation asked';
      const running = `${(status ?? 'not handed over').toLowerCase()}${asked}`;
      const about = `${mode}, ${outlivingWords(order, (time) => momentText(time, now)) ?? running}`;
      const which = { hex: orderHash ?? `${seq}`, of: 'order' };
      return { key: `order ${seq}`, what: 'Intent order', about, token: src, amount: left, ...which, until };
    }),
    ...permits.map(({ seq, kind, token, spender, amount, until }): Line => {
      const about = kind === 'permit2' ? 'through Permit2, not used' : 'not used';
      return {
        key: `permit ${seq} ${spender}`,
        what: 'Permit',
        about,
        token,
        amount,
        hex: spender,
        of: 'spender',
        until,
      };
    }),
    ...transactions.map(({ seq, purpose, hash, src, until }): Line => {
      const about = `${purpose}, not mined`;
      const which = { hex: hash, of: 'transaction' };
      return { key: `transaction ${seq}`, what: 'Transaction', about, token: src, amount: null, ...which, until };
    }),
    ...approvals.map(({ token, amount, hash }): Line => {
      const which = { hex: hash, of: 'transaction' };
      return {
        key: `approval ${hash}`,
        what: 'Approval',
        about: 'sent, not mined',
        token,
        amount,
        ...which,
        until: null,
      };
    }),
  ];
}

function allowedLines({ allowances }: ChainStillLive): Line[] {
  return allowances.map(({ token, spender, role, amount }) => {
    const key = `allowance ${token.address} ${spender}`;
    return { key, what: token.symbol, about: ROLES[role], token, amount, hex: spender, of: 'spender', until: null };
  });
}
