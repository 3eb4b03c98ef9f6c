import { useRef, useState } from 'react';
import { Link } from 'wouter';
import type { LogFilter } from '../../../electron/contract/quote-log.ts';
import type { RfqOrderRecord } from '../../../electron/contract/service-view.ts';
import { Button } from '../../components/button.tsx';
import { Empty, Waiting } from '../../components/empty.tsx';
import { Fact } from '../../components/fact.tsx';
import { Field } from '../../components/field.tsx';
import { Address } from '../../components/figures/address.tsx';
import { Amount } from '../../components/figures/amount.tsx';
import { User } from '../../components/figures/party.tsx';
import { stampText } from '../../components/figures/times.ts';
import { RefusalNote } from '../../components/note.tsx';
import { Panel } from '../../components/panel.tsx';
import { Scroll } from '../../components/scroll.tsx';
import { useClient } from '../../state/console.tsx';
import { faultOf, InputRefused } from '../../state/refusal-of.ts';
import { useShortcuts } from '../../state/shortcuts.ts';
import { zoneName } from '../../state/time-zone.ts';
import { useTokenFinder } from '../../state/tokens.ts';
import { useCommand } from '../../state/use-command.ts';
import { shortenedHex } from '../firm-log/log-filter.ts';
import styles from './order-panel.module.css';
import servicePageStyles from './service-page.module.css';

/** What the service has stored of one of our orders, by its hash. */
export function OrderPanel({ chainId }: { chainId: number }) {
  const client = useClient();
  const [hash, setHash] = useState('');
  const [last, setFound] = useState<{ record: RfqOrderRecord; fetchedAt: number; typed: string } | null>(null);
  // An order is not shown under another hash than it was asked by.
  const found = last?.typed === hash ? last : null;
  const ask = useCommand(async () => {
    setFound(null);
    const orderHash = await hashMeant(hash, (filter) => client.log.page({ filter: { ...filter, chainId }, limit: 50 }));
    const order = await client.service.order({ chainId, orderHash });
    setFound({ ...order, typed: hash });
  });
  const field = useRef<HTMLInputElement>(null);
  useShortcuts({ filter: () => field.current?.focus() });
  const fault = faultOf(ask.refusal, 'orderHash');
  return (
    <Panel name="Order lookup" aside="as the service has it" className={servicePageStyles.orderLookup}>
      <form
        className={styles.lookUp}
        onSubmit={(event) => {
          event.preventDefault();
          ask.run();
        }}
      >
        <Field
          label="Order hash"
          className="mono"
          placeholder="0x…"
          value={hash}
          fault={fault}
          ref={field}
          onChange={(event) => setHash(event.target.value)}
        />
        <Button type="submit" className="below-label" disabled={hash.trim() === '' || ask.busy}>
          Ask the service
        </Button>
      </form>
      <Scroll>
        {ask.refusal !== null && fault === null && <RefusalNote refusal={ask.refusal} />}
        {ask.busy && <Waiting rows={6} />}
        {found === null && ask.refusal === null && !ask.busy && (
          <Empty title="Any order we signed">
            Hashes are in the <Link href="/firm-log">Firm log</Link>; the service keeps what it took.
          </Empty>
        )}
        {found !== null && <OrderFacts {...found} chainId={chainId} />}
      </Scroll>
    </Panel>
  );
}

/** The hash that was typed; of one that is shortened as on the screen the only order in the firm log that it may be. */
async function hashMeant(
  typed: string,
  find: (filter: Pick<LogFilter, 'hex'>) => Promise<{ rows: { orderHash: string | null }[] }>,
): Promise<`0x${string}`> {
  const isHash = (text: string | null): text is `0x${string}` => /^0x[0-9a-f]{64}$/.test(text ?? '');
  const whole = typed.trim().toLowerCase();
  if (isHash(whole)) return whole;
  const hex = shortenedHex(whole);
  const refused = (message: string) => new InputRefused([{ path: 'orderHash', message }]);
  if (hex === null) throw refused('An order hash has 64 digits after 0x; shortened it begins with four of them.');
  const { rows } = await find({ hex });
  const { starts, ends } = hex;
  const found = rows.map(({ orderHash }) => orderHash).filter((one) => one?.startsWith(starts) && one.endsWith(ends));
  const [hash = null, other] = [...new Set(found)];
  if (other !== undefined) throw refused('More than one order begins and ends so: write more of it.');
  if (!isHash(hash)) throw refused('No order in the firm log begins and ends so.');
  return hash;
}

function OrderFacts({ record, fetchedAt, chainId }: { record: RfqOrderRecord; fetchedAt: number; chainId: number }) {
  const find = useTokenFinder();
  const tokenOf = (address: string | undefined) => (address === undefined ? undefined : find(chainId, address));
  const time = (seconds: number | undefined) =>
    seconds === undefined ? '—' : `${stampText(seconds * 1_000)} ${zoneName(seconds * 1_000)}`;
  return (
    <dl className={styles.orderFacts}>
      <Fact name="State">
        <b className="strong">{record.state ?? 'not said'}</b>
      </Fact>
      <Fact name="Maker gives">
        <Amount raw={record.makerAmount ?? null} token={tokenOf(record.makerAsset)} />
      </Fact>
      <Fact name="Taker gives">
        <Amount raw={record.takerAmount ?? null} token={tokenOf(record.takerAsset)} />
      </Fact>
      <Fact name="Not filled yet">
        <Amount raw={record.fillableBalance ?? null} token={tokenOf(record.makerAsset)} />
      </Fact>
      <Fact name="Fillable now">
        {/* A taker looks for PENDING before they fill: whatever it says beside another state, nobody fills it. */}
        <Amount
          raw={record.state === 'PENDING' ? (record.swappableBalance ?? null) : '0'}
          token={tokenOf(record.makerAsset)}
        />
      </Fact>
      <Fact name="User">{record.takerFromMeta ? <User address={record.takerFromMeta} copies renames /> : '—'}</Fact>
      <Fact name="Expiry">{time(record.expiry)}</Fact>
      <Fact name="Created">{time(record.createdAt)}</Fact>
      <Fact name="Updated">{time(record.updatedAt)}</Fact>
      <Fact name="Transaction">
        {record.transactionHash ? <Address hex={record.transactionHash} of="transaction" /> : 'not filled'}
      </Fact>
      <Fact name="Asked at">
        {stampText(fetchedAt)} {zoneName(fetchedAt)}
      </Fact>
    </dl>
  );
}
