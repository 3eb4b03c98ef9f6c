import type { RefObject } from 'react';
import type { HedgeRow, HedgeToken } from '../../../electron/contract/hedge.ts';
import { Empty, Waiting } from '../../components/empty.tsx';
import { Panel } from '../../components/panel.tsx';
import { QueryError } from '../../components/query-error.tsx';
import { useDesk } from '../../state/console.tsx';
import { refusalOf } from '../../state/refusal-of.ts';
import { useShortcuts } from '../../state/shortcuts.ts';
import { BridgeChoice } from './bridge-choice.tsx';
import { HEDGE_MODES } from './hedge-modes.ts';
import { PlaceBar } from './place-bar.tsx';
import { priceTerms } from './price-terms.ts';
import { QuoteAge, QuoteTable } from './quote-table.tsx';
import { routed } from './routed.ts';
import { readTicket, type Ticket } from './ticket.ts';
import { TicketFields } from './ticket-fields.tsx';
import { blockOf, quoteOver, usePreparation, useQuote } from './use-quote.ts';
import { useRoutes } from './use-routes.ts';
import { WayHint } from './way-hint.tsx';

/** A hedge from the amount to the press: what, how, at what price, and what will be signed for it. */
export function TicketPanel(props: {
  chainId: number;
  ticket: Ticket;
  tokens: readonly HedgeToken[];
  set: (change: Partial<Ticket>) => void;
  amountField: RefObject<HTMLInputElement | null>;
  onPlaced: (row: HedgeRow) => void;
}) {
  const { chainId, ticket, tokens, set, onPlaced } = props;
  const typed = readTicket(ticket, tokens);
  const known = useRoutes(typed, ticket.mode);
  const read = routed(typed, ticket.mode, known);
  const quote = useQuote(read);
  const preparation = usePreparation(read);
  useShortcuts({ way: (at) => set({ mode: HEDGE_MODES[at]?.mode }) });
  // A price is built on while it is the last answer: once the desk fails to give the next one it is none.
  const answer = read.ask === null || quote.error !== null ? undefined : quote.data;
  const asked = answer === undefined ? undefined : quoteOver(answer, ticket);
  const block = blockOf(asked, ticket);
  const { token, against } = read;
  const listed = useDesk((view) => view.listed);
  const terms = token === undefined || against === undefined ? null : priceTerms(token, against, listed);
  const used = ticket.mode === 'market' ? 'market' : 'intent';
  return (
    <Panel
      name="Hedge"
      className="ticket"
      aside={asked === undefined ? undefined : <QuoteAge quote={asked} way={block?.quote ?? null} />}
      actions={
        asked !== undefined && (
          <button
            type="button"
            className="button is-quiet"
            disabled={quote.isFetching}
            onClick={() => void quote.refetch()}
          >
            Ask again
          </button>
        )
      }
    >
      <div className="scroll">
        <TicketFields
          chainId={chainId}
          ticket={ticket}
          tokens={tokens}
          read={read}
          set={set}
          amountField={props.amountField}
          routes={known.routes}
          bridges={answer !== undefined && <BridgeChoice quote={answer} ticket={ticket} set={set} />}
        />
        <WayHint ticket={ticket} read={read} way={block?.quote ?? null} terms={terms} />
        {read.ask === null && (
          <Empty title="No price yet">
            Choose fills at the left, press a position’s button, or type an amount: market and intent are then asked for
            side by side.
          </Empty>
        )}
        {read.ask !== null && asked === undefined && quote.error === null && <Waiting rows={8} />}
        {read.ask !== null && quote.error !== null && (
          <QueryError error={quote.error} again={() => void quote.refetch()} />
        )}
        {asked !== undefined && terms !== null && (
          <QuoteTable
            quote={asked}
            used={used}
            isBound={ticket.mode !== 'limit' && ticket.mode !== 'twap'}
            terms={terms}
            again={() => void quote.refetch()}
          />
        )}
      </div>
      <PlaceBar
        ticket={ticket}
        read={read}
        way={block?.quote ?? null}
        fault={block?.fault ?? null}
        isAsking={quote.isFetching}
        preparation={read.wish === null ? undefined : preparation.data}
        preparationFault={read.wish === null || preparation.error === null ? null : refusalOf(preparation.error)}
        onPlaced={onPlaced}
      />
    </Panel>
  );
}
