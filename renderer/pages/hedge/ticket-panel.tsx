import type { RefObject } from 'react';
import type { HedgeQuote, HedgeRow, HedgeToken, QuotedWay } from '../../../electron/contract/hedge.ts';
import { Button } from '../../components/button.tsx';
import { Empty, Waiting } from '../../components/empty.tsx';
import { SelectField } from '../../components/field.tsx';
import { QueryError } from '../../components/note.tsx';
import { Panel } from '../../components/panel.tsx';
import { Scroll } from '../../components/scroll.tsx';
import { useDesk } from '../../state/console.tsx';
import { refusalOf } from '../../state/refusal-of.ts';
import { useShortcuts } from '../../state/shortcuts.ts';
import { LOSS_TO_WARN, lossOf, shareText } from './hedge-loss.ts';
import { cutAmount, lifetimeText } from './hedge-words.ts';
import { PlaceBar } from './place-bar.tsx';
import { type PriceTerms, priceOfAmounts, pricesText, priceTerms } from './price-terms.ts';
import { QuoteAge, QuoteTable } from './quote-table.tsx';
import { routed } from './routed.ts';
import { type ReadTicket, readTicket, slicesOf, type Ticket } from './ticket.ts';
import styles from './ticket-fields.module.css';
import { TicketFields } from './ticket-fields.tsx';
import { readAmount } from './typed-amount.ts';
import {
  bridgesOf,
  offerOf,
  offerOver,
  quoteOver,
  shownAmount,
  usePreparation,
  useQuote,
  useRoutes,
} from './use-quote.ts';
import { choicesOf, useVenues } from './venues.ts';

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
  const venues = useVenues();
  const typed = readTicket(ticket, tokens, venues);
  const known = useRoutes(typed);
  const read = routed(typed, known);
  const quote = useQuote(read);
  const preparation = usePreparation(read);
  const askAgain = () => void Promise.all([quote.refetch(), preparation.refetch()]);
  useShortcuts({ way: (at) => set({ mode: choicesOf(venues)[at]?.mode ?? ticket.mode }) });
  // A price is built on while it is the last answer: once the desk fails to give the next one it is none.
  const answer = read.ask === null || read.venue?.isRecord === true || quote.error !== null ? undefined : quote.data;
  const asked = answer === undefined ? undefined : quoteOver(answer, ticket);
  const offer = offerOf(asked, read);
  const isRecord = read.venue?.isRecord === true;
  const { token, against } = read;
  const listed = useDesk((view) => view.listed);
  const terms = token === undefined || against === undefined ? null : priceTerms(token, against, listed);
  return (
    <Panel
      name="Hedge"
      aside={asked === undefined ? undefined : <QuoteAge quote={asked} way={offer?.quote ?? null} />}
      actions={
        asked !== undefined && (
          <Button look="quiet" disabled={quote.isFetching} onClick={askAgain}>
            Ask again
          </Button>
        )
      }
    >
      <Scroll>
        <TicketFields
          chainId={chainId}
          ticket={ticket}
          tokens={tokens}
          venues={venues}
          read={read}
          set={set}
          amountField={props.amountField}
          routes={known.routes}
          isAskingRoutes={known.isPending}
          bridges={answer !== undefined && <BridgeChoice quote={answer} read={read} ticket={ticket} set={set} />}
        />
        <WayHint ticket={ticket} read={read} way={offer?.quote ?? null} terms={terms} />
        {read.ask === null && !isRecord && (
          <Empty title="No price yet">
            Choose fills at the left, press a position’s button, or type an amount: the venues are then asked side by
            side.
          </Empty>
        )}
        {read.ask !== null && !isRecord && asked === undefined && quote.error === null && <Waiting rows={8} />}
        {read.ask !== null && !isRecord && quote.error !== null && (
          <QueryError
            what="What the venues offer is not known: nothing is placed without a price"
            error={quote.error}
            again={askAgain}
          />
        )}
        {asked !== undefined && terms !== null && (
          <QuoteTable
            quote={asked}
            used={read.venue?.name}
            isBound={read.kind?.slippage === 'amount'}
            terms={terms}
            again={askAgain}
          />
        )}
      </Scroll>
      <PlaceBar
        ticket={ticket}
        read={read}
        way={offer?.quote ?? null}
        terms={terms}
        fault={offer?.fault ?? null}
        isAsking={quote.isFetching}
        preparation={read.wish === null ? undefined : preparation.data}
        preparationFault={read.wish === null || preparation.error === null ? null : refusalOf(preparation.error)}
        onPlaced={onPlaced}
      />
    </Panel>
  );
}

/** The bridges of a crossing price, each with what it gives and how long it takes. Nothing where there is no choice. */
function BridgeChoice(props: {
  quote: HedgeQuote;
  read: ReadTicket;
  ticket: Ticket;
  set: (change: Partial<Ticket>) => void;
}) {
  const { quote, read, ticket, set } = props;
  const offer = offerOf(quote, read);
  const names = offer === null ? [] : bridgesOf(offer);
  if (offer === null) return null;
  if (names.length < 2 && ticket.bridge === '') return null;
  const against = quote.side === 'SELL' ? quote.dest : quote.src;
  const textOf = (bridge: string) => {
    const way = offerOver(offer, bridge).quote;
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
  const words = [slicesWords(props.ticket, props.read), limitWords(props)].filter((word) => word !== null);
  if (words.length === 0) return null;
  const loss = lossOf(props.ticket, props.read, props.way);
  const isBad = props.read.limitRaw !== null && loss !== null && loss >= LOSS_TO_WARN;
  return <p className={`${styles.says} ${isBad ? 'attn' : 'muted'}`}>{words.join(' ')}</p>;
}

function slicesWords(ticket: Ticket, { kind, way, ask, token }: ReadTicket): string | null {
  const slices = way === null || kind === undefined ? null : slicesOf(ticket, kind);
  if (slices === null || ask === null || token === undefined) return null;
  const raw = readAmount(ask.amount, token.decimals).raw;
  if (raw === null) return null;
  const slice = cutAmount(`${BigInt(raw) / BigInt(slices.count)}`, token);
  return `${slices.count} slices of ${slice}, the last one ${lifetimeText((slices.count - 1) * slices.interval)} after the first.`;
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
  if (read.venue?.isRecord === true)
    return `That is ${pricesText([price])(price)} ${terms.of.symbol} per ${terms.per.symbol}.`;
  const isSold = ticket.side === 'SELL';
  const said = `${isSold ? 'At least' : 'At most'} ${pricesText([price])(price)} ${terms.of.symbol} per ${terms.per.symbol}`;
  const loss = lossOf(ticket, read, way);
  if (loss === null) return `${said}.`;
  const share = shareText(loss < 0n ? -loss : loss);
  if (loss >= 0n)
    return `${said}: ${share} worse than the price now${read.kind?.isLimit === true ? ', it fills at once' : ''}.`;
  return `${said}: it waits until the price is ${share} better than now.`;
}
