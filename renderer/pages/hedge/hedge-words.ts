import type { HedgeRow, HedgeState, HedgeToken, QuotedWay } from '../../../electron/contract/hedge.ts';
import { amountText, wholeAmountText } from '../../components/figures/amounts.ts';
import type { MarkShape } from '../../components/mark.tsx';
import { numberText } from '../../state/number-form.ts';
import { type ReadTicket, slicesOf, type Ticket } from './ticket.ts';

/** All digits of an amount with its unit: what is signed is never cut. */
export function exactAmount(raw: string, token: HedgeToken): string {
  return `${wholeAmountText(raw, token.decimals)}\u00a0${token.symbol}`;
}

/** As tables show it, with its unit; a bound that is given is cut down, one that is paid is cut up. */
export function cutAmount(raw: string, token: HedgeToken, cut: 'down' | 'up' = 'down'): string {
  return `${amountText(raw, token, cut)}\u00a0${token.symbol}`;
}

/** A sentence without the decimals that nobody reads: eight, and an ellipsis for the others. */
export function shortDigits(sentence: string): string {
  return sentence.replace(/([.,]\d{8})\d+/g, '$1…');
}

/** Raw units with their sign: `+12.4000`, `−3.0000`, `0`. */
export function signedAmountText(raw: string, token: HedgeToken): string {
  const text = amountText(raw, token);
  return BigInt(raw) > 0n ? `+${text}` : text;
}

/** A sentence as it is read: of a web page that came instead of an answer only its words. */
export function spoken(sentence: string): string {
  return sentence
    .replace(/<[^>]*>?/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/** The same with an end, so that another sentence can follow. */
export function spokenWhole(sentence: string): string {
  const said = spoken(sentence);
  return said === '' || /[.!?…]$/.test(said) ? said : `${said}.`;
}

/** `5 min`, `24 h`, `7 d`. */
export function lifetimeText(seconds: number): string {
  if (seconds < 3_600) return `${Math.ceil(seconds / 60)}\u00a0min`;
  if (seconds < 172_800) return `${Math.ceil(seconds / 360) / 10}\u00a0h`;
  return `${Math.ceil(seconds / 8_640) / 10}\u00a0d`;
}

/**
 * The words of the one button: what will be sold or bought, and the worst that it may come to. `way` is the price that the
 * chosen way has now.
 */
export function actWords(ticket: Ticket, read: ReadTicket, way: QuotedWay | null, chainName: string | null): string {
  const { token, against } = read;
  if (read.venue?.isRecord === true) return recordWords(ticket, read);
  const deed = ticket.side === 'SELL' ? 'Sell' : 'Buy';
  if (token === undefined || against === undefined || read.ask === null) return deed;
  const what = `${deed} ${grouped(read.ask.amount)}\u00a0${token.symbol}`;
  const where = chainName === null ? '' : ` on ${chainName}`;
  const slices = read.kind === undefined ? null : slicesOf(ticket, read.kind);
  const inSlices = slices === null ? '' : ` in ${slices.count} slices`;
  return `${what}${inSlices} for ${boundText(ticket, read, way)}${where}`;
}

/** What was done elsewhere, as it will be entered. */
function recordWords(ticket: Ticket, { token, against, ask, limitRaw }: ReadTicket): string {
  const deed = ticket.side === 'SELL' ? 'Enter: sold' : 'Enter: bought';
  if (token === undefined || against === undefined || ask === null || limitRaw === null) return deed;
  return `${deed} ${grouped(ask.amount)}\u00a0${token.symbol} for ${exactAmount(limitRaw, against)}`;
}

/** What the price may come to at worst. What goes in slices is bound slice by slice, each by the price of its moment. */
function boundText({ other }: Ticket, { kind, limitRaw, against, ask }: ReadTicket, way: QuotedWay | null): string {
  if (against === undefined || ask === null) return '';
  const isSold = ask.side === 'SELL';
  const [word, cut] = isSold ? (['at least', 'down'] as const) : (['at most', 'up'] as const);
  if (limitRaw !== null) return `${word} ${grouped(other.replaceAll(',', '').trim())}\u00a0${against.symbol}`;
  if (way === null) return against.symbol;
  if (kind?.slippage === 'slice')
    return `${against.symbol}, each at most ${ask.slippageBps / 100}\u00a0% under its price`;
  return `${word} ${cutAmount(way.bound, against, cut)}`;
}

/** `1234.5` typed is `1,234.5` read. */
function grouped(decimal: string): string {
  return numberText(decimal);
}

/** `Sell 1.2 WETH for USDC · Market`, all its digits. */
export function rowWords(row: HedgeRow): string {
  return wordsOf(row, exactAmount);
}

/** The same as tables show it. */
export function shortRowWords(row: HedgeRow): string {
  return wordsOf(row, cutAmount);
}

function wordsOf({ side, src, dest, amount, way }: HedgeRow, say: (raw: string, token: HedgeToken) => string): string {
  const [token, against] = side === 'SELL' ? [src, dest] : [dest, src];
  const between = side === 'SELL' ? 'for' : 'with';
  return `${side === 'SELL' ? 'Sell' : 'Buy'} ${say(amount, token)} ${between} ${against.symbol} · ${way}`;
}

const STATES: Record<HedgeState, { shape: MarkShape; tone: string; word: string }> = {
  opened: { shape: 'off', tone: 'quiet', word: 'opened' },
  approving: { shape: 'open', tone: 'quiet', word: 'approving' },
  built: { shape: 'open', tone: 'quiet', word: 'built' },
  simulated: { shape: 'open', tone: 'quiet', word: 'tried' },
  signed: { shape: 'open', tone: 'quiet', word: 'signed' },
  sent: { shape: 'open', tone: 'quiet', word: 'sent' },
  mined: { shape: 'part', tone: 'ok', word: 'mined' },
  submitted: { shape: 'part', tone: 'quiet', word: 'with the service' },
  done: { shape: 'filled', tone: 'ok', word: 'done' },
  failed: { shape: 'refused', tone: 'stop', word: 'failed' },
  cancelled: { shape: 'cancelled', tone: 'quiet', word: 'cancelled' },
  handed_out: { shape: 'note', tone: 'quiet', word: 'for the owner' },
};

/** What became of it by shape, tone and word; an order that the service has says its status in the service's word, and how much is filled. */
export function stateLook(row: HedgeRow): { shape: MarkShape; tone: string; word: string } {
  if (row.held) return { shape: 'look', tone: 'attn', word: 'held' };
  if (row.state === 'handed_out' && row.endedAt === null) {
    return { shape: 'open', tone: 'attn', word: 'awaits the wallet' };
  }
  const look = STATES[row.state];
  const word = row.state === 'submitted' && row.orderStatus !== null ? row.orderStatus : look.word;
  const filled = row.state === 'done' ? null : filledPercent(row);
  return { ...look, word: filled === null ? word : `${word} ${filled}\u00a0%` };
}

/** How much of what was wanted has moved, in whole percent; null for nothing. */
function filledPercent({ side, spent, received, amount }: HedgeRow): string | null {
  const moved = BigInt(side === 'SELL' ? spent : received);
  return moved === 0n || amount === '0' ? null : `${(moved * 100n) / BigInt(amount)}`;
}

const STATUSES: Record<string, string> = {
  PENDING: 'Waits for a solver to bid.',
  AWAITING_SIGNATURE: 'The service waits for a signature.',
  ACTIVE: 'Solvers may fill it now.',
  SUSPENDED: 'Balance or allowance became too small; it goes on once they are enough.',
  CANCELLING: 'Is being cancelled; what is under way may still be filled.',
  BRIDGING: 'Filled here, on its way over the bridge.',
  COMPLETED: 'Filled.',
  FAILED: 'Failed.',
  EXPIRED: 'Its deadline passed.',
  REFUNDING: 'The bridge did not deliver; the tokens are on their way back.',
  CANCELLED: 'Cancelled.',
  REFUNDED: 'The tokens came back.',
};

/** A status of an order in a sentence; one that is not known stays as it is on the wire. */
export function statusSentence(status: string): string {
  return STATUSES[status] ?? status;
}

/** Whether nothing comes after this. */
export function isOver({ endedAt }: Pick<HedgeRow, 'endedAt'>): boolean {
  return endedAt !== null;
}
