import { utcText } from '../contract/names.ts';
import type { HedgeOpened } from '../journal/hedges/events.ts';
import { type HedgeRecord, isEnded } from '../journal/hedges/fold.ts';
import { DeskError } from '../protocol/desk-error.ts';
import { coveringHedges, readFills } from './fills-to-hedge.ts';
import type { HedgeParts } from './hedge-parts.ts';
import { isHalted } from './hedge-run.ts';

type End = Pick<HedgeOpened['src'], 'chainId' | 'address'>;
type Traded = Pick<HedgeOpened, 'src' | 'dest' | 'side' | 'amount'>;

/** What a person has to be asked before a hedge is placed, and the rows of the hedges that close the same already. */
interface CoverQuestion {
  sentence: string;
  covering: number[];
}

/**
 * While the desk is halted only what closes a position is sent, and only when a person said so: the source is held long by at
 * least what is sold, or the destination short by at least what is bought. While it is alone in its fleet nothing is, whoever says so.
 * Whether something under way may close the same is another question, `questionOfCover`. Throws DeskError `fleet_alone`, `halted`,
 * `halted_unconfirmed`.
 */
export async function checkHalted(
  { guard, journal, now }: Pick<HedgeParts, 'guard' | 'journal' | 'now'>,
  traded: Traded & Pick<HedgeOpened, 'chainId'>,
  confirmed: boolean,
): Promise<void> {
  guard.trading.demandNotAlone();
  if (!isHalted({ guard }, traded.chainId)) return;
  const { net } = await positionOf({ journal, now }, traded, []);
  if (net < BigInt(traded.amount)) {
    throw new DeskError('halted', 'The desk is halted, and this does not close a position: it would open one.', {
      remedy: 'Resume the desk, or hedge no more than the position.',
    });
  }
  if (confirmed) return;
  throw new DeskError('halted_unconfirmed', 'The desk is halted: say that this closes a position, then it is sent.', {
    remedy: 'Confirm it.',
  });
}

/**
 * Why a person has to be asked before a hedge is placed: one of its fills, or without chosen ones, and while the desk is halted, a part
 * of the position that it would close, is closed already by what is under way. Null where nothing is to be asked, and where all of that
 * was `seen` by whoever wants it.
 */
export async function questionOfCover(
  parts: Pick<HedgeParts, 'guard' | 'journal' | 'now'>,
  traded: Traded & Pick<HedgeOpened, 'chainId'>,
  asked: { chosen: readonly number[]; underWay: readonly HedgeRecord[]; seen?: readonly number[] },
): Promise<CoverQuestion | null> {
  const { chosen, underWay, seen = [] } = asked;
  const question = (covering: readonly HedgeRecord[], room: bigint | null): CoverQuestion | null => {
    const unseen = covering.filter(({ seq }) => !seen.includes(seq));
    if (unseen.length === 0) return null;
    const unknown = room === null ? 'How much of the position is closed by what is under way is not known. ' : '';
    const sentence = `${unknown}${coveredWords(unseen, parts.now())}`;
    return { sentence, covering: covering.map(({ seq }) => seq) };
  };
  if (underWay.length === 0) return null;
  const ofFills =
    chosen.length === 0 ? [] : coveringHedges(underWay, await readFills(parts.journal, parts.now, chosen));
  if (chosen.length > 0 && !isHalted(parts, traded.chainId)) return question(ofFills, 0n);
  const { net, room, covering } = await positionOf(parts, traded, underWay);
  const isFree = net <= 0n || (room !== null && room >= BigInt(traded.amount));
  const others = covering.filter(({ seq }) => !isFree && ofFills.every((one) => one.seq !== seq));
  return question([...ofFills, ...others], isFree ? 0n : room);
}

/** What closes a position already, and what another hedge would do, for a person. `now` is Unix milliseconds. */
export function coveredWords(hedges: readonly HedgeRecord[], now: number): string {
  // What has ended is what nobody would think of.
  const first = hedges.find(isEnded) ?? hedges[0];
  if (first === undefined) return '';
  const { seq, opened } = first;
  const others = hedges.length > 1 ? `, beside ${hedges.length - 1} more` : '';
  const isOver = opened.deadline * 1_000 < now;
  const is = !isEnded(first)
    ? `is on its way${others}`
    : isOver
      ? `has ended${others}, and whether it was filled before its deadline is still looked up`
      : `has ended${others}, but its signature is good until ${utcText(opened.deadline * 1_000)}: it may still be filled`;
  return `Hedge ${seq} ${is}. Another hedge of the same would close the position twice.`;
}

/**
 * What this would close, raw units: the net of the end whose amount is fixed, and what of it is left when all that is under way has
 * come to its end; null where that is not known.
 */
async function positionOf(
  { journal, now }: Pick<HedgeParts, 'journal' | 'now'>,
  { src, dest, side }: Traded,
  underWay: readonly HedgeRecord[],
): Promise<{ net: bigint; room: bigint | null; covering: HedgeRecord[] }> {
  const positions = await journal.read.positions(null, now());
  const sells = side === 'SELL';
  const end = sells ? src : dest;
  // A position that cannot be read is none that could be closed: its figures are 0.
  const held = BigInt(positions.find(({ token }) => isSame(token, end))?.net ?? '0');
  const net = sells ? held : -held;
  let room: bigint | null = net;
  const covering: HedgeRecord[] = [];
  for (const hedge of underWay) {
    const left = leftOf(hedge, end, sells);
    if (left !== 0n) covering.push(hedge);
    room = room === null || left === null ? null : room - left;
  }
  return { net, room, covering };
}

/** What a hedge that is under way may still sell of this token, or buy of it; null where that is not fixed. */
function leftOf({ opened, spent, received }: HedgeRecord, end: End, sells: boolean): bigint | null {
  if (!isSame(sells ? opened.src : opened.dest, end)) return 0n;
  if ((opened.side === 'SELL') !== sells) return null;
  const left = BigInt(opened.amount) - BigInt(sells ? spent : received);
  return left > 0n ? left : 0n;
}

function isSame(one: End, other: End): boolean {
  return one.chainId === other.chainId && one.address === other.address;
}
