import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useId, useState } from 'react';
import type { ApprovalNeed, HedgeRow, HedgeToken, Preparation, QuotedWay } from '../../../electron/contract/hedge.ts';
import type { VenueField, VenueKind } from '../../../electron/contract/venue.ts';
import { Button } from '../../components/button.tsx';
import { Dialog, DialogActions, Lead } from '../../components/dialog.tsx';
import { Address } from '../../components/figures/address.tsx';
import { Key } from '../../components/key.tsx';
import { Mark } from '../../components/mark.tsx';
import { Note, RefusalNote } from '../../components/note.tsx';
import { useDeskNow } from '../../state/clock.ts';
import { useClient, useDesk, useQueries } from '../../state/console.tsx';
import { type CommandRefusal, faultsElsewhere } from '../../state/refusal-of.ts';
import { useShortcuts } from '../../state/shortcuts.ts';
import { useCommand } from '../../state/use-command.ts';
import { costOf, dollarsText, LOSS_TO_ASK, LOSS_TO_WARN, lossOf, shareText } from './hedge-loss.ts';
import { actWords, cutAmount, exactAmount, shortDigits } from './hedge-words.ts';
import styles from './place-bar.module.css';
import { type PriceTerms, pricesOf, pricesText } from './price-terms.ts';
import { type ReadTicket, type Ticket, typedIn } from './ticket.ts';
import { shownAmount } from './use-quote.ts';
import { useVenuesRead } from './venues.ts';

/** What will be approved, signed and sent, and the one button that does it. Ctrl Enter presses it. */
export function PlaceBar(props: {
  ticket: Ticket;
  read: ReadTicket;
  /** The price of the way that was chosen, and why there is none. */
  way: QuotedWay | null;
  /** How a price of its two tokens is said. */
  terms: PriceTerms | null;
  fault: string | null;
  isAsking: boolean;
  preparation: Preparation | undefined;
  preparationFault: CommandRefusal | null;
  onPlaced: (row: HedgeRow) => void;
}) {
  const { ticket, read, way, terms, preparation, onPlaced } = props;
  const client = useClient();
  const now = useDeskNow();
  const lackId = useId();
  const [asking, setAsking] = useState(false);
  const far = useDesk((view) =>
    read.isCrossing ? (view.chains.find(({ chainId }) => chainId === read.dest?.chainId)?.name ?? null) : null,
  );
  const isRecord = read.venue?.isRecord === true;
  const words = actWords(ticket, read, way, far);
  const deal = way === null || terms === null ? null : dealWords(ticket, read, way, terms);
  const isTooOld = way !== null && way.expiresAt <= now;
  const lack = lackOf(props, now, useVenuesRead().error !== null);
  const loss = lossOf(ticket, read, way);
  const lost = loss !== null && loss >= LOSS_TO_WARN ? lossWords(read, way, shareText(loss)) : null;
  const place = useCommand(async (said: Said) => {
    if (read.wish === null || (way === null && !isRecord)) return;
    // What is signed goes over the bridge whose figures were looked at.
    const bridge = way?.bridge?.choice ?? null;
    const over = read.isCrossing && bridge !== null ? { bridge } : {};
    const shown = way === null ? {} : { shown: shownAmount(way, ticket.side) };
    onPlaced(await client.hedge.place({ ...read.wish, ...over, ...shown, ...said }));
    setAsking(false);
  });
  const isHalted = preparation?.needsConfirmation === true || place.refusal?.code === 'halted_unconfirmed';
  const farOff =
    place.refusal?.code === 'off_reference_unconfirmed' ? place.refusal.sentence : (preparation?.farOff ?? null);
  const promised =
    place.refusal?.code === 'promised_unconfirmed' ? place.refusal.sentence : (preparation?.promised ?? null);
  const { covered, covering } =
    place.refusal?.code === 'covered_unconfirmed'
      ? { covered: place.refusal.sentence, covering: place.refusal.covering ?? [] }
      : { covered: preparation?.covered ?? null, covering: preparation?.covering ?? [] };
  const isMuch = loss !== null && loss >= LOSS_TO_ASK;
  const asks = isHalted || farOff !== null || promised !== null || covered !== null || isMuch;
  const press = () => {
    if (lack !== null || place.busy) return;
    place.reset();
    if (asks) setAsking(true);
    else place.run({ confirmed: false, acceptDistance: false, acceptPromised: false, acceptCovered: false });
  };
  useShortcuts({ place: press });
  const leave = () => {
    setAsking(false);
    place.reset();
  };
  // What was refused was another wish.
  const { reset } = place;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the ticket is what the refusal was of
  useEffect(() => reset(), [ticket, reset]);
  const isQuestion = place.refusal !== null && QUESTIONS.has(place.refusal.code);
  const refusal = isQuestion ? null : place.refusal;
  return (
    <footer className={styles.bar}>
      {promised !== null && (
        <Note level="look" title={promised}>
          Hedge less, or wait until those quotes are over.
        </Note>
      )}
      {covered !== null && (
        <Note level="look" title={covered}>
          Hedge less, or wait until that is over.
        </Note>
      )}
      {lost !== null && lack === null && read.limitRaw === null && <Note level="look" title={lost} />}
      {preparation !== undefined && preparation.refusal === null && read.src !== undefined && !isRecord && (
        <Plan
          need={preparation.approval}
          token={read.src}
          does={read.venue?.does ?? ''}
          handsOut={preparation.handsOut}
          receiver={read.ask?.beneficiary ?? null}
        />
      )}
      {preparation?.unpinned != null && read.ask !== null && (
        <Unpinned chainId={read.ask.chainId} unpinned={preparation.unpinned} />
      )}
      {refusal !== null && <RefusalNote refusal={refusal} elsewhere={faultsElsewhere(refusal, [])} />}
      {deal !== null && (
        <p className={`live-figure ${isTooOld ? 'quiet' : 'strong'}`}>{isTooOld ? <s>{deal}</s> : deal}</p>
      )}
      <div className={styles.act}>
        <Button
          look="primary"
          size="large"
          needs="trade"
          // Not `disabled`: it would lose the focus each time the price is asked for anew.
          aria-disabled={lack !== null || place.busy}
          aria-describedby={lack === null ? undefined : lackId}
          title={words}
          onClick={press}
        >
          {shortDigits(words)}
          {asks && '…'} <Key of="place" className="narrow-out" />
        </Button>
        {lack !== null && (
          <span id={lackId} className="muted" role="status">
            {lack}
          </span>
        )}
      </div>
      {(asking || isQuestion) && (
        <Dialog title={titleOf({ isHalted, isMuch, farOff, covered })} onClose={leave}>
          <Lead>
            {isHalted && 'While it is halted, only what closes a position is sent. '}
            {isHalted && read.token !== undefined && <Held token={read.token} />}
            {isHalted && 'Does this close one? '}
            <span title={words}>{shortDigits(words)}</span>
            {read.ask?.beneficiary === undefined ? '' : `, received by ${read.ask.beneficiary}`}. {farOff} {promised}{' '}
            {covered} {lost}
          </Lead>
          {lack !== null && <p className="muted">{lack}</p>}
          {refusal !== null && <RefusalNote refusal={refusal} elsewhere={faultsElsewhere(refusal, [])} />}
          <DialogActions>
            <Button size="large" onClick={leave}>
              Send nothing
            </Button>
            <Button
              // What was given away comes back from nobody.
              look={isMuch ? 'stop' : 'primary'}
              size="large"
              disabled={lack !== null || place.busy}
              onClick={() =>
                place.run({
                  confirmed: isHalted,
                  acceptDistance: farOff !== null,
                  acceptPromised: promised !== null,
                  acceptCovered: covered !== null,
                  ...(covered !== null && { seenCovering: [...covering] }),
                })
              }
            >
              {isHalted ? 'It closes one: send it' : 'Send it all the same'}
            </Button>
          </DialogActions>
        </Dialog>
      )}
    </footer>
  );
}

/** What a person said to the questions that they were asked. */
interface Said {
  confirmed: boolean;
  acceptDistance: boolean;
  acceptPromised: boolean;
  acceptCovered: boolean;
  /** The hedges that they were told of then. */
  seenCovering?: number[];
}

function titleOf(asked: { isHalted: boolean; isMuch: boolean; farOff: string | null; covered: string | null }): string {
  if (asked.isHalted) return 'The desk is halted';
  if (asked.covered !== null) return 'This may be hedged already';
  if (asked.isMuch) return 'This gives a lot away';
  return asked.farOff === null ? 'This is promised already' : 'Far off the reference';
}

/** Refusals that ask a person something. */
const QUESTIONS: ReadonlySet<CommandRefusal['code']> = new Set([
  'halted_unconfirmed',
  'off_reference_unconfirmed',
  'promised_unconfirmed',
  'covered_unconfirmed',
]);

const CONTRACTS = { market: 'router', intent: 'intent contract' } as const;

/** A contract that nobody has confirmed: asked once, by its address. */
function Unpinned(props: { chainId: number; unpinned: NonNullable<Preparation['unpinned']> }) {
  const { chainId, unpinned } = props;
  const { mode, address, pinned } = unpinned;
  const client = useClient();
  const queries = useQueryClient();
  const pin = useCommand(async () => {
    await client.hedge.pin({ chainId, mode, address });
    await queries.invalidateQueries();
  });
  const name = CONTRACTS[mode];
  return (
    <Note
      level="stop"
      title={`The service names ${address} as its ${name}, and nobody has confirmed that`}
      actions={
        <Button needs="settings" disabled={pin.busy} onClick={() => pin.run()}>
          It is the right one
        </Button>
      }
    >
      {pinned === null ? 'None is known for this chain.' : `The one that is known is ${pinned}.`} Compare it with what
      the service publishes: it may take what is approved for it.
      {pin.refusal !== null && <RefusalNote refusal={pin.refusal} elsewhere={faultsElsewhere(pin.refusal, [])} />}
    </Note>
  );
}

/** What the desk holds of a token, long or short, to be compared with what would be sent. */
function Held({ token }: { token: HedgeToken }) {
  const { chainId, address } = token;
  const { data } = useQuery(useQueries().hedge.positions.queryOptions({ input: { chainId } }));
  const net = data?.find((position) => position.token.address === address)?.net ?? '0';
  if (net === '0') return null;
  return `The desk is ${net.startsWith('-') ? 'short' : 'long'} ${cutAmount(net.replace('-', ''), token)}. `;
}

/** Who is let to take how much, by what; then what is signed or sent. */
function Plan(props: {
  need: ApprovalNeed;
  token: HedgeToken;
  /** What its venue does then. */
  does: string;
  handsOut: boolean;
  /** Who gets what is bought, where it is not left to the maker. */
  receiver: string | null;
}) {
  const { need, token, does, handsOut, receiver } = props;
  const last = need.amounts.at(-1);
  const isWithoutEnd = last !== undefined && BigInt(last) >= 2n ** 255n;
  const exact = last === undefined || isWithoutEnd ? null : exactAmount(last, token);
  const what = isWithoutEnd ? `any ${token.symbol}` : exact && shortDigits(exact);
  const much = what === null ? '' : ` of ${what}`;
  return (
    <p
      className={`${styles.plan} with-mark`}
      title={exact === null ? need.sentence : `${need.sentence} It is for ${exact}.`}
    >
      <Mark shape="note" tone="quiet" />
      {need.kind === 'approve' && `First sends an approval${much}`}
      {need.kind === 'permit' && `First signs a permit${much}`}
      {need.kind === 'skip' && 'The allowance is enough'}
      {need.kind === 'none' && 'No allowance is needed'}
      {need.spender !== null && (
        <>
          {' for '}
          <Address hex={need.spender} of="spender’s address" />
        </>
      )}
      {'. '}
      {handsOut ? 'The maker is a contract: its owner gets the calldata, nothing is sent.' : does}
      {receiver !== null && (
        <b className="strong">
          {' '}
          Received by <Address hex={receiver} of="receiver’s address" />.
        </b>
      )}
    </p>
  );
}

/**
 * What the chosen way comes to at the price now, in one line: `We get 3,057.48 USDC · 3,057.48 USDC per WETH · costs 12.1 bps,
 * $3.71`. What waits, or goes in slices, may come to another price: `Now we would get …`.
 */
export function dealWords(ticket: Ticket, read: ReadTicket, way: QuotedWay, terms: PriceTerms): string {
  const { src, against, kind, limitRaw } = read;
  if (src === undefined || against === undefined) return '';
  const isSold = ticket.side === 'SELL';
  const isOfLater = limitRaw !== null || kind?.slippage === 'slice';
  const deed = `${isOfLater ? 'Now we would' : 'We'} ${isSold ? 'get' : 'pay'}`;
  const { price } = pricesOf(way, src, terms);
  const cost = costOf(way);
  return [
    `${deed} ${cutAmount(shownAmount(way, ticket.side), against, isSold ? 'down' : 'up')}`,
    `${pricesText([price])(price)}\u00a0${terms.of.symbol} per ${terms.per.symbol}`,
    cost === null ? 'costs not known' : `costs ${shareText(cost.share)}, ${dollarsText(cost.usd)}`,
  ].join(' · ');
}

/** What is lost at this price, and what to do about it. */
export function lossWords({ limitRaw }: Pick<ReadTicket, 'limitRaw'>, way: QuotedWay | null, share: string): string {
  if (limitRaw !== null) return `The limit is ${share} worse than the price now.`;
  const cost = way === null ? null : costOf(way);
  const dollars = cost === null ? '' : `, ${dollarsText(cost.usd)},`;
  return `This costs ${share}${dollars} of what is given. Hedge less at once, or in slices.`;
}

/** What still keeps the button from being pressed, in words; null when nothing does. */
function lackOf(props: Parameters<typeof PlaceBar>[0], now: number, isVenuesLost: boolean): string | null {
  const { ticket, read, way, fault, isAsking, preparation, preparationFault } = props;
  if (read.venue === undefined || read.kind === undefined) {
    return isVenuesLost ? 'Where hedges can be done is not known.' : 'Asking the desk where hedges can be done.';
  }
  if (read.token === undefined) return `Choose fills, or what to ${ticket.side === 'SELL' ? 'sell' : 'buy'}.`;
  if (read.against === undefined) return 'Choose the other token.';
  const [wrong] = Object.values(read.faults);
  if (wrong !== undefined) return wrong;
  if (ticket.amount.trim() === '') return 'Type an amount.';
  if (read.ask === null) return 'Type the slippage.';
  if (read.way === null) return lackingIn(read.kind, ticket) ?? 'Fill in what this way needs.';
  if (!read.venue.isRecord) {
    if (way === null)
      return isAsking ? 'Asking for a price.' : fault === null ? 'There is no price.' : read.venue.noPrice;
    if (way.expiresAt <= now) return 'The price is too old: a new one is being asked for.';
  }
  if (preparationFault !== null) return preparationFault.sentence;
  if (preparation === undefined) return 'Looking at balance and allowance.';
  if (preparation.refusal !== null) return preparation.refusal;
  return null;
}

/** What is to be typed first of what a kind needs. */
function lackingIn(kind: VenueKind, ticket: Ticket): string | null {
  const isEmpty = (field: VenueField) => (field.kind === 'other' ? ticket.other : typedIn(field, ticket)).trim() === '';
  return kind.fields.find((field) => field.lack !== null && isEmpty(field))?.lack ?? null;
}
