import { Field } from '../../components/field.tsx';
import type { TicketProps } from './ticket-fields.tsx';

/** What one way needs besides. */
export function WayFields({ ticket, read, set }: TicketProps) {
  const { mode, side } = ticket;
  const unit = read.against?.symbol ?? '';
  if (mode === 'limit') {
    return (
      <Field
        label={`${side === 'SELL' ? 'For at least' : 'For at most'}${unit === '' ? '' : `, ${unit}`}`}
        className="right"
        inputMode="decimal"
        value={ticket.limit}
        fault={read.faults.limit}
        onChange={(event) => set({ limit: event.target.value })}
      />
    );
  }
  if (mode === 'twap') {
    return (
      <>
        <Field
          label="Slices"
          className="right"
          inputMode="numeric"
          value={ticket.slices}
          fault={read.faults.slices}
          onChange={(event) => set({ slices: event.target.value })}
        />
        <Field
          label="One every, s"
          className="right"
          inputMode="numeric"
          value={ticket.interval}
          fault={read.faults.interval}
          onChange={(event) => set({ interval: event.target.value })}
        />
        {side === 'BUY' && (
          <Field
            label={`For at most${unit === '' ? '' : `, ${unit}`}`}
            className="right"
            inputMode="decimal"
            value={ticket.most}
            fault={read.faults.most}
            onChange={(event) => set({ most: event.target.value })}
          />
        )}
      </>
    );
  }
  if (mode === 'external') {
    return (
      <>
        <div className="is-wide">
          <Field
            label="Handler’s contract"
            className="mono"
            placeholder="0x…"
            value={ticket.handler}
            fault={read.faults.handler}
            onChange={(event) => set({ handler: event.target.value.trim() })}
          />
        </div>
        <div className="is-wide">
          <Field
            label="Handler’s data; 0x is none"
            className="mono"
            value={ticket.data}
            fault={read.faults.data}
            onChange={(event) => set({ data: event.target.value.trim() })}
          />
        </div>
      </>
    );
  }
  if (mode === 'productive') {
    return (
      <div className="is-wide">
        <Field
          label="Strategy’s contract"
          className="mono"
          placeholder="0x…"
          value={ticket.strategy}
          fault={read.faults.strategy}
          onChange={(event) => set({ strategy: event.target.value.trim() })}
        />
      </div>
    );
  }
  return null;
}
