import type { RefObject } from 'react';
import type { HedgeQuote, HedgeRow, HedgeToken, QuotedWay } from '../../../electron/contract/hedge.ts';
import { Button } from '../../components/button.tsx';
import { Empty, Waiting } from '../../components/empty.tsx';
import { SelectField } from '../../components/field.tsx';
import { QueryError } from '../../components/note.tsx';
import { Panel } from '../../components/panel.tsx';
import { useDesk } from '../../state/console.tsx';
import { refusalOf } from '../../state/refusal-of.ts';
import { useShortcuts } from '../../state/shortcuts.ts';
import { LOSS_TO_WARN, lossOf, shareText } from './hedge-loss.ts';
import { HEDGE_MODES } from './hedge-modes.ts';
import { cutAmount, lifetimeText } from './hedge-words.ts';
import { PlaceBar } from './place-bar.tsx';
import { type PriceTerms, priceOfAmounts, pricesText, priceTerms } from './price-terms.ts';
import { QuoteAge, QuoteTable } from './quote-table.tsx';
import { routed } from './routed.ts';
import { type ReadTicket, readTicket, type Ticket } from './ticket.ts';
import styles from './ticket-fields.module.css';
import { TicketFields } from './ticket-fields.tsx';
import { readAmount } from './typed-amount.ts';
import { blockOf, bridgesOf, quoteOver, shownAmount, usePreparation, useQuote, useRoutes } from './use-quote.ts';

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
      aside={asked === undefined ? undefined : <QuoteAge quote={asked} way={block?.quote ?? null} />}
      actions={
        asked !== undefined && (
          <Button look="quiet" disabled={quote.isFetching} onClick={() => void quote.refetch()}>
            Ask again
          </Button>
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

/** The bridges of a crossing price, each with what it gives and how long it takes. Nothing where there is no choice. */
function BridgeChoice(props: { quote: HedgeQuote; ticket: Ticket; set: (change: Partial<Ticket>) => void }) {
  const { quote, ticket, set } = props;
  const names = bridgesOf(quote);
  if (names.length < 2 && ticket.bridge === '') return null;
  const against = quote.side === 'SELL' ? quote.dest : quote.src;
  const textOf = (bridge: string) => {
    const way = quoteOver(quote, { bridge }).intent.quote;
    if (way === null) return `${bridge}: not offered now`;
    const gives = cutAmount(shownAmount(way, quote.side), against, quote.side === 'SELL' ? 'down' : 'up');
    const seconds = way.bridge?.seconds ?? null;
    return `${bridge}: ${quote.side === 'SELL' ? 'gives' : 'takes'} ${gives}${seconds === null ? '' : `, ${seconds}\u00a0s`}`;
  };
  const offered = names.includes(ticket.bridge) || ticket.bridge === '' ? names : [...names, ticket.bridge];
  const [first] = names;
  return (
    <div className={styles.bridge}>
      <SelectField
        label="Over"
        value={ticket.bridge}
        options={[
          {
            value: '',
            text: first === undefined ? 'first choice of the service' : `first choice, ${first}`,
          },
          ...offered.map((bridge) => ({ value: bridge, text: textOf(bridge) })),
        ]}
        onChange={(bridge) => set({ bridge })}
      />
    </div>
  );
}

/** What the typed bounds of a waiting order mean: its price, how far that is from the price now, its slices. */
function WayHint(props: { ticket: Ticket; read: ReadTicket; way: QuotedWay | null; terms: PriceTerms | null }) {
  const words = [slicesWords(props.read), limitWords(props)].filter((word) => word !== null);
  if (words.length === 0) return null;
  const loss = lossOf(props.ticket, props.read, props.way);
  const isBad = props.read.limitRaw !== null && loss !== null && loss >= LOSS_TO_WARN;
  return <p className={`${styles.says} ${isBad ? 'attn' : 'muted'}`}>{words.join(' ')}</p>;
}

function slicesWords({ way, ask, token }: ReadTicket): string | null {
  if ((way?.mode !== 'twap' && way?.mode !== 'twap-buy') || ask === null || token === undefined) return null;
  const raw = readAmount(ask.amount, token.decimals).raw;
  if (raw === null) return null;
  const slice = cutAmount(`${BigInt(raw) / BigInt(way.slices)}`, token);
  return `${way.slices} slices of ${slice}, the last one ${lifetimeText((way.slices - 1) * way.interval)} after the first.`;
}

/** What a limit comes to as a price, and whether it waits: `3,250.00 USDC per WETH, 4.2 % under the price now: it fills at once.` */
export function limitWords(props: {
  ticket: Ticket;
  read: ReadTicket;
  way: QuotedWay | null;
  terms: PriceTerms | null;
}): string | null {
  const { ticket, read, way, terms } = props;
  const { ask, token, against, limitRaw } = read;
  if (limitRaw === null || terms === null || ask === null || token === undefined || against === undefined) return null;
  const { raw } = readAmount(ask.amount, token.decimals);
  const price = raw === null ? null : priceOfAmounts(terms, { token, raw }, { token: against, raw: limitRaw });
  if (price === null) return null;
  const isSold = ticket.side === 'SELL';
  const said = `${isSold ? 'At least' : 'At most'} ${pricesText([price])(price)} ${terms.of.symbol} per ${terms.per.symbol}`;
  const loss = lossOf(ticket, read, way);
  if (loss === null) return `${said}.`;
  const share = shareText(loss < 0n ? -loss : loss);
  if (loss >= 0n)
    return `${said}: ${share} worse than the price now${read.way?.mode === 'limit' ? ', it fills at once' : ''}.`;
  return `${said}: it waits until the price is ${share} better than now.`;
}
