import type { ComponentProps } from 'react';
import { Field } from '../../components/field.tsx';
import type { ReadTicket, Ticket } from './ticket.ts';

/** What every part of the form is given. */
export interface TicketProps {
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
export function TicketField(
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
