import { useState } from 'react';
import type { ApprovalNeed, HedgeRow, HedgeToken, Preparation, QuotedWay } from '../../../electron/contract/hedge.ts';
import { Dialog } from '../../components/dialog.tsx';
import { Address } from '../../components/figures/address.tsx';
import { Mark } from '../../components/mark.tsx';
import { Note, RefusalNote } from '../../components/note.tsx';
import { useDeskNow } from '../../state/clock.ts';
import { useClient, useDesk } from '../../state/console.tsx';
import { type CommandRefusal, faultsElsewhere } from '../../state/refusal-of.ts';
import { useCommand } from '../../state/use-command.ts';
import { actWords, exactAmount } from './hedge-words.ts';
import type { ReadTicket, Ticket } from './ticket.ts';
import { shownAmount } from './use-quote.ts';

/** What will be approved, signed and sent, and the one button that does it. Ctrl Enter presses it. */
export function PlaceBar(props: {
  ticket: Ticket;
  read: ReadTicket;
  /** The price of the way that was chosen, and why there is none. */
  way: QuotedWay | null;
  fault: string | null;
  isAsking: boolean;
  preparation: Preparation | undefined;
  preparationFault: CommandRefusal | null;
  onPlaced: (row: HedgeRow) => void;
}) {
  const { ticket, read, way, preparation, onPlaced } = props;
  const client = useClient();
  const now = useDeskNow();
  const [asking, setAsking] = useState(false);
  const far = useDesk((view) =>
    read.isCrossing ? (view.chains.find(({ chainId }) => chainId === read.dest?.chainId)?.name ?? null) : null,
  );
  const words = actWords(ticket, read, way, far);
  const lack = lackOf(props, now);
  const place = useCommand(async (confirmed: boolean) => {
    if (read.wish === null || way === null) return;
    const shown = shownAmount(way, ticket.side);
    onPlaced(await client.hedge.place({ ...read.wish, shown, confirmed }));
    setAsking(false);
  });
  const isHalted = preparation?.needsConfirmation === true || place.refusal?.code === 'halted_unconfirmed';
  const press = () => {
    place.reset();
    if (isHalted) setAsking(true);
    else place.run(false);
  };
  const refusal = place.refusal?.code === 'halted_unconfirmed' ? null : place.refusal;
  return (
    <footer className="place-bar">
      {(preparation?.warnings ?? []).map((warning) => (
        <Note key={warning} level="look" title={warning} />
      ))}
      {preparation !== undefined && read.src !== undefined && (
        <Plan need={preparation.approval} token={read.src} mode={ticket.mode} handsOut={preparation.handsOut} />
      )}
      {refusal !== null && <RefusalNote refusal={refusal} elsewhere={faultsElsewhere(refusal, [])} />}
      <div className="place-act">
        <button
          type="button"
          className="button is-large is-primary"
          data-place=""
          disabled={lack !== null || place.busy}
          onClick={press}
        >
          {words} <kbd className="narrow-out">Ctrl ⏎</kbd>
        </button>
        {lack !== null && (
          <span className="muted" role="status">
            {lack}
          </span>
        )}
      </div>
      {(asking || place.refusal?.code === 'halted_unconfirmed') && (
        <Dialog
          title="The desk is halted"
          onClose={() => {
            setAsking(false);
            place.reset();
          }}
        >
          <p className="lead">
            While it is halted nothing is sent but what closes a position. Does this close one? {words}.
          </p>
          {refusal !== null && <RefusalNote refusal={refusal} elsewhere={faultsElsewhere(refusal, [])} />}
          <div className="actions">
            <button
              type="button"
              className="button is-large"
              onClick={() => {
                setAsking(false);
                place.reset();
              }}
            >
              Send nothing
            </button>
            <button
              type="button"
              className="button is-large is-primary"
              disabled={place.busy}
              onClick={() => place.run(true)}
            >
              It closes one: send it
            </button>
          </div>
        </Dialog>
      )}
    </footer>
  );
}

/** Who is let to take how much, by what; then what is signed or sent. */
function Plan(props: { need: ApprovalNeed; token: HedgeToken; mode: Ticket['mode']; handsOut: boolean }) {
  const { need, token, mode, handsOut } = props;
  const last = need.amounts.at(-1);
  const isWithoutEnd = last !== undefined && BigInt(last) >= 2n ** 255n;
  const much = last === undefined ? '' : ` ${isWithoutEnd ? `any ${token.symbol}` : exactAmount(last, token)}`;
  const isBad = need.kind === 'refused';
  return (
    <p className="place-plan with-mark" title={need.sentence}>
      <Mark shape={isBad ? 'refused' : 'note'} tone={isBad ? 'stop' : 'quiet'} />
      {need.kind === 'approve' && <>First a transaction that lets the spender take{much}. </>}
      {need.kind === 'permit' && (
        <>First a signed permit that lets the spender take{much === '' ? ' this amount' : much}. </>
      )}
      {need.kind === 'skip' && <>The allowance is enough. </>}
      {need.kind === 'none' && <>No allowance is needed. </>}
      {isBad && `${need.sentence} `}
      {need.spender !== null && (
        <>
          Spender <Address hex={need.spender} of="spender’s address" />.{' '}
        </>
      )}
      {handsOut
        ? 'The maker is a contract: its owner gets the calldata, nothing is sent.'
        : mode === 'market'
          ? 'Then the swap is tried, signed and sent.'
          : 'Then the order is signed and given to the service.'}
    </p>
  );
}

/** What still keeps the button from being pressed, in words; null when nothing does. */
function lackOf(props: Parameters<typeof PlaceBar>[0], now: number): string | null {
  const { ticket, read, way, fault, isAsking, preparation, preparationFault } = props;
  if (read.token === undefined) return `Choose fills, or what to ${ticket.side === 'SELL' ? 'sell' : 'buy'}.`;
  if (read.against === undefined) return 'Choose the other token.';
  const [wrong] = Object.values(read.faults);
  if (wrong !== undefined) return wrong;
  if (ticket.amount.trim() === '') return 'Type an amount.';
  if (read.ask === null) return 'Type the slippage.';
  if (read.way === null) return 'Fill in what this way needs.';
  if (way === null) return fault ?? (isAsking ? 'Asking for a price.' : 'There is no price.');
  if (way.expiresAt <= now) return 'The price is too old: a new one is being asked for.';
  if (preparationFault !== null) return preparationFault.sentence;
  if (preparation === undefined) return 'Looking at balance and allowance.';
  if (preparation.refusal !== null) return preparation.refusal;
  return null;
}
