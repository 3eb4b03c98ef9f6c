import { TicketField, type TicketProps } from './ticket-field.tsx';

/** What one way needs besides. */
export function WayFields(props: TicketProps) {
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
          <div className="is-wide">
            <TicketField {...props} of="handler" label="Handler’s contract" kind="hex" placeholder="0x…" />
          </div>
          <div className="is-wide">
            <TicketField {...props} of="data" label="Handler’s data; 0x is none" kind="hex" />
          </div>
        </>
      );
    case 'productive':
      return (
        <div className="is-wide">
          <TicketField {...props} of="strategy" label="Strategy’s contract" kind="hex" placeholder="0x…" />
        </div>
      );
    default:
      return null;
  }
}
