import type { ComponentProps, ReactNode, RefObject } from 'react';
import type { HedgeRoutes, HedgeToken } from '../../../electron/contract/hedge.ts';
import type { VenueField, VenueHere } from '../../../electron/contract/venue.ts';
import { ReadState } from '../../components/empty.tsx';
import { Field, SelectField, type SelectOption } from '../../components/field.tsx';
import { Segmented } from '../../components/segmented.tsx';
import { useDesk } from '../../state/console.tsx';
import { type TokenId, tokenId } from './hedge-token.ts';
import { lifetimeText } from './hedge-words.ts';
import { offeredOthers } from './routed.ts';
import { lifetimeOf, lifetimesOf, type ReadTicket, type Ticket, typedIn } from './ticket.ts';
import styles from './ticket-fields.module.css';
import { choicesOf, useVenuesRead } from './venues.ts';

const APPROVALS: readonly SelectOption<Ticket['approval']>[] = [
  { value: 'permit', text: 'by permit' },
  { value: 'approve', text: 'this amount' },
  { value: 'approve_without_end', text: 'unlimited' },
];

/** What is sold or bought, the way of it, and only the fields that this way needs. */
export function TicketFields(
  props: TicketProps & {
    chainId: number;
    tokens: readonly HedgeToken[];
    venues: readonly VenueHere[];
    amountField: RefObject<HTMLInputElement | null>;
    routes: HedgeRoutes | null;
    isAskingRoutes: boolean;
    /** The bridges to choose from, beside who receives. */
    bridges: ReactNode;
  },
) {
  const { ticket, read, set, chainId, tokens, venues } = props;
  const venuesRead = useVenuesRead();
  const { side, mode } = ticket;
  const { kind, venue } = read;
  const isRecord = venue?.isRecord === true;
  const ours = tokens.filter((token) => token.chainId === chainId);
  const others = tokens.filter((token) => token.chainId !== chainId);
  const { offered, hint } = isRecord
    ? { offered: others, hint: undefined }
    : offeredOthers(ticket, props.routes, { token: read.token, chainId, others });
  const chains = useDesk((view) => view.chains);
  const named = (token: HedgeToken): SelectOption<TokenId> => {
    const chain = chains.find((candidate) => candidate.chainId === token.chainId)?.name ?? `chain ${token.chainId}`;
    return { value: tokenId(token), text: token.chainId === chainId ? token.symbol : `${token.symbol} on ${chain}` };
  };
  const lifetimes = lifetimesOf(ticket, kind);
  const lifetime = lifetimeOf(ticket, kind);
  const lack = venue?.chains.find((one) => one.chainId === chainId)?.lack ?? null;
  return (
    <>
      {venuesRead.data === undefined ? (
        <ReadState
          read={venuesRead}
          rows={1}
          unknown="Where hedges can be done is not known: none can be placed until it is, and those that run go on"
        />
      ) : (
        <Segmented
          label="Way"
          className={styles.modes}
          options={choicesOf(venues).map((each, index) => ({
            value: each.choice,
            text: each.choice,
            title: `${each.says}   Alt ${index + 1}`,
          }))}
          value={kind?.choice}
          onChoose={(choice) => set({ mode: choicesOf(venues).find((each) => each.choice === choice)?.mode ?? mode })}
        />
      )}
      <p className={`muted ${styles.says}`}>{lack ?? kind?.says}</p>
      <div className={styles.fields}>
        <SelectField
          label="We"
          value={side}
          options={[
            { value: 'SELL', text: isRecord ? 'sold' : 'sell' },
            { value: 'BUY', text: isRecord ? 'bought' : 'buy' },
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
          // Read while there is something to choose: afterwards its room is the price's.
          hint={ticket.against === '' && !props.isAskingRoutes ? hint : undefined}
          fault={read.faults.against}
          onChange={(against) => set({ against })}
        />
        {kind?.fields.map((field) => (
          <KindField key={field.name} field={field} ticket={ticket} read={read} set={set} />
        ))}
        {kind?.slippage !== 'nothing' && (
          <TicketField ticket={ticket} read={read} set={set} of="slippage" label="Slippage, %" />
        )}
        {!isRecord && (
          <>
            <SelectField
              label="Ends after"
              value={String(lifetime)}
              options={lifetimes.map((seconds) => ({ value: String(seconds), text: lifetimeText(seconds) }))}
              onChange={(seconds) => set({ deadline: Number(seconds) })}
            />
            <SelectField
              label="Allowance"
              value={kind?.waits === true && ticket.approval === 'permit' ? 'approve' : ticket.approval}
              options={APPROVALS.filter(({ value }) => value !== 'permit' || kind?.waits !== true)}
              onChange={(approval) => set({ approval })}
            />
            <div className={styles.whole}>
              <TicketField
                ticket={ticket}
                read={read}
                set={set}
                of="beneficiary"
                label="Received by"
                isHex
                placeholder="the maker, or 0x…"
              />
            </div>
          </>
        )}
        {props.bridges}
      </div>
    </>
  );
}

/** How a field of each sort is typed, and how wide it stands. */
const SORTS: Record<VenueField['kind'], { input: 'decimal' | 'numeric' | undefined; look: string; isWide: boolean }> = {
  other: { input: 'decimal', look: 'right', isWide: false },
  whole: { input: 'numeric', look: 'right', isWide: false },
  dollars: { input: 'decimal', look: 'right', isWide: false },
  address: { input: undefined, look: 'mono', isWide: true },
  bytes: { input: undefined, look: 'mono', isWide: true },
  moment: { input: undefined, look: '', isWide: false },
  text: { input: undefined, look: '', isWide: false },
};
const PLACEHOLDERS: Partial<Record<VenueField['kind'], string>> = { address: '0x…', moment: 'now', dollars: '0.00' };

/** Something that a kind needs besides. */
function KindField({ field, ticket, read, set }: TicketProps & { field: VenueField }) {
  const { name, kind, label } = field;
  const { input, look, isWide } = SORTS[kind];
  const unit = kind === 'other' && read.against !== undefined ? `, ${read.against.symbol}` : '';
  const isHex = look === 'mono';
  const control = (
    <Field
      label={`${label[ticket.side]}${unit}`}
      className={look}
      inputMode={input}
      placeholder={PLACEHOLDERS[kind]}
      maxLength={kind === 'text' ? 500 : undefined}
      value={kind === 'other' ? ticket.other : typedIn(field, ticket)}
      fault={read.faults[name]}
      onChange={({ target }) => {
        const value = isHex ? target.value.trim() : target.value;
        set(kind === 'other' ? { other: value } : { fields: { ...ticket.fields, [name]: value } });
      }}
    />
  );
  return isWide ? <div className={styles.wide}>{control}</div> : control;
}

/** What every part of the form is given. */
interface TicketProps {
  ticket: Ticket;
  read: ReadTicket;
  set: (change: Partial<Ticket>) => void;
}

/** A field that every kind has: a figure, or hex where it is marked so. */
function TicketField(
  props: TicketProps &
    Pick<ComponentProps<'input'>, 'placeholder' | 'ref'> & {
      of: 'amount' | 'slippage' | 'beneficiary';
      label: string;
      isHex?: boolean;
    },
) {
  const { ticket, read, set, of, label, placeholder, ref, isHex = false } = props;
  return (
    <Field
      label={label}
      className={isHex ? 'mono' : 'right'}
      inputMode={isHex ? undefined : 'decimal'}
      placeholder={placeholder}
      ref={ref}
      value={ticket[of]}
      fault={read.faults[of]}
      onChange={({ target }) => set({ [of]: isHex ? target.value.trim() : target.value })}
    />
  );
}
