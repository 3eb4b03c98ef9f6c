import type { ComponentProps, ReactNode, RefObject } from 'react';
import type { HedgeRoutes, HedgeToken } from '../../../electron/contract/hedge.ts';
import { Field, SelectField, type SelectOption } from '../../components/field.tsx';
import { Segmented } from '../../components/segmented.tsx';
import { useDesk } from '../../state/console.tsx';
import { HEDGE_MODES, settlesLater } from './hedge-modes.ts';
import { type TokenId, tokenId } from './hedge-token.ts';
import { lifetimeText } from './hedge-words.ts';
import { offeredOthers } from './routed.ts';
import { lifetimesOf, type ReadTicket, type Ticket } from './ticket.ts';
import styles from './ticket-fields.module.css';

const APPROVALS: readonly SelectOption<Ticket['approval']>[] = [
  { value: 'permit', text: 'by permit' },
  { value: 'approve', text: 'this amount' },
  { value: 'approve_without_end', text: 'unlimited' },
];

const MODE_OPTIONS = HEDGE_MODES.map(({ mode, name, says }, index) => ({
  value: mode,
  text: name,
  title: `${says}   Alt ${index + 1}`,
}));

/** What is sold or bought, the way of it, and only the fields that this way needs. */
export function TicketFields(
  props: TicketProps & {
    chainId: number;
    tokens: readonly HedgeToken[];
    amountField: RefObject<HTMLInputElement | null>;
    routes: HedgeRoutes | null;
    /** The bridges to choose from, beside who receives. */
    bridges: ReactNode;
  },
) {
  const { ticket, read, set, chainId, tokens } = props;
  const { side, mode } = ticket;
  const ours = tokens.filter((token) => token.chainId === chainId);
  const others = tokens.filter((token) => token.chainId !== chainId);
  const { offered, hint } = offeredOthers(ticket, props.routes, { token: read.token, chainId, others });
  const chains = useDesk((view) => view.chains);
  const named = (token: HedgeToken): SelectOption<TokenId> => {
    const chain = chains.find((candidate) => candidate.chainId === token.chainId)?.name ?? `chain ${token.chainId}`;
    return { value: tokenId(token), text: token.chainId === chainId ? token.symbol : `${token.symbol} on ${chain}` };
  };
  const lifetimes = lifetimesOf(ticket);
  const deadline = lifetimes.includes(ticket.deadline) ? ticket.deadline : (lifetimes[0] ?? ticket.deadline);
  return (
    <>
      <Segmented
        label="Way"
        className={styles.modes}
        options={MODE_OPTIONS}
        value={mode}
        onChoose={(each) => set({ mode: each })}
      />
      <p className={`muted ${styles.says}`}>{HEDGE_MODES.find((candidate) => candidate.mode === mode)?.says}</p>
      <div className={styles.fields}>
        <SelectField
          label="We"
          value={side}
          options={[
            { value: 'SELL', text: 'sell' },
            { value: 'BUY', text: 'buy' },
          ]}
          onChange={(next) => set({ side: next })}
        />
        <TicketField
          ticket={ticket}
          read={read}
          set={set}
          of="amount"
          ref={props.amountField}
          label="Amount"
          placeholder="0.00"
        />
        <SelectField
          label="Token"
          value={ticket.token}
          options={[{ value: '' as const, text: 'choose' }, ...ours.map(named)]}
          onChange={(token) => set({ token })}
        />
        <SelectField
          label={side === 'SELL' ? 'For' : 'With'}
          value={ticket.against}
          options={[{ value: '' as const, text: 'choose' }, ...[...ours, ...offered].map(named)]}
          hint={hint}
          fault={read.faults.against}
          onChange={(against) => set({ against })}
        />
        <WayFields ticket={ticket} read={read} set={set} />
        {mode !== 'limit' && <TicketField ticket={ticket} read={read} set={set} of="slippage" label="Slippage, %" />}
        <SelectField
          label="Ends after"
          value={String(deadline)}
          options={lifetimes.map((seconds) => ({ value: String(seconds), text: lifetimeText(seconds) }))}
          onChange={(seconds) => set({ deadline: Number(seconds) })}
        />
        <SelectField
          label="Allowance"
          value={settlesLater(mode) && ticket.approval === 'permit' ? 'approve' : ticket.approval}
          options={APPROVALS.filter(({ value }) => value !== 'permit' || !settlesLater(mode))}
          onChange={(approval) => set({ approval })}
        />
        <div className={styles.whole}>
          <TicketField
            ticket={ticket}
            read={read}
            set={set}
            of="beneficiary"
            label="Received by"
            kind="hex"
            placeholder="the maker, or 0x…"
          />
        </div>
        {props.bridges}
      </div>
    </>
  );
}

/** What one way needs besides. */
function WayFields(props: TicketProps) {
  const { mode, side } = props.ticket;
  const unit = props.read.against === undefined ? '' : `, ${props.read.against.symbol}`;
  switch (mode) {
    case 'limit':
      return <TicketField {...props} of="limit" label={`${side === 'SELL' ? 'For at least' : 'For at most'}${unit}`} />;
    case 'twap':
      return (
        <>
          <TicketField {...props} of="slices" label="Slices" kind="numeric" />
          <TicketField {...props} of="interval" label="One every, s" kind="numeric" />
          {side === 'BUY' && <TicketField {...props} of="most" label={`For at most${unit}`} />}
        </>
      );
    case 'external':
      return (
        <>
          <div className={styles.wide}>
            <TicketField {...props} of="handler" label="Handler’s contract" kind="hex" placeholder="0x…" />
          </div>
          <div className={styles.wide}>
            <TicketField {...props} of="data" label="Handler’s data; 0x is none" kind="hex" />
          </div>
        </>
      );
    case 'productive':
      return (
        <div className={styles.wide}>
          <TicketField {...props} of="strategy" label="Strategy’s contract" kind="hex" placeholder="0x…" />
        </div>
      );
    default:
      return null;
  }
}

/** What every part of the form is given. */
interface TicketProps {
  ticket: Ticket;
  read: ReadTicket;
  set: (change: Partial<Ticket>) => void;
}

/** The fields that are typed. */
type Typed =
  | 'amount'
  | 'slippage'
  | 'limit'
  | 'slices'
  | 'interval'
  | 'most'
  | 'handler'
  | 'data'
  | 'strategy'
  | 'beneficiary';

/** A field of the ticket that is typed: a figure, or hex where it is marked so. */
function TicketField(
  props: TicketProps & Pick<ComponentProps<'input'>, 'placeholder' | 'ref'> & { of: Typed; label: string; kind?: Kind },
) {
  const { ticket, read, set, of, label, placeholder, ref, kind = 'decimal' } = props;
  const isHex = kind === 'hex';
  return (
    <Field
      label={label}
      className={isHex ? 'mono' : 'right'}
      inputMode={isHex ? undefined : kind}
      placeholder={placeholder}
      ref={ref}
      value={ticket[of]}
      fault={read.faults[of]}
      onChange={({ target }) => set({ [of]: isHex ? target.value.trim() : target.value })}
    />
  );
}

type Kind = 'decimal' | 'numeric' | 'hex';
