import type { Draft } from '../../../electron/contract/book.ts';
import type { LadderPreview, PreviewSide } from '../../../electron/contract/ladder-preview.ts';
import { bpsText } from '../../../electron/contract/marks.ts';
import { REFUSALS } from '../../../electron/contract/refusal.ts';
import { commaReadings } from '../../../electron/contract/typed-number.ts';
import { plural } from '../../components/figures/counts.ts';
import { compareDecimals, readDecimal } from '../../components/figures/decimal-text.ts';
import { distanceTenthBps, exactText } from '../../components/figures/prices.ts';
import { clockText } from '../../components/figures/times.ts';
import { asSentence } from '../../components/sentence.tsx';
import type { SeenDraft } from './draft-line.ts';
import type { CellAt } from './grid-cells.ts';
import { cellFaults, ladderFaults, roundUnits, shortUnits, spreadOf } from './ladder-figures.ts';
import { type LadderValues, valuesOfDraft } from './ladder-values.ts';

/** One thing the service or a colleague would look at. `stop` keeps the draft from being published. */
export interface Check {
  level: 'stop' | 'look' | 'note' | 'ok';
  title: string;
  detail: string;
  cell?: CellAt;
  /** Publishing asks once more. */
  sure?: boolean;
}

/** Further from the reference than this is probably a slip of the finger; nearer than that on the wrong side still loses. Bps. */
const FAR_BPS = 300;
const DEAR_BPS = 50;

/** That nothing is known of a draft but its figures: whoever publishes it all the same is asked. */
export const UNCHECKED: Check = {
  level: 'look',
  title: 'Not checked',
  detail: 'The desk did not say where the reference is, nor whether these prices are past a fence.',
  sure: true,
};

/**
 * The preview by which a draft is judged that is to be published as it was seen, all of which has arrived: the one at hand where it is of that
 * draft, else what `again` says. What comes into the draft after that is refused when it is published.
 */
export async function previewOfSeen(
  { version, onTheWay }: SeenDraft,
  preview: LadderPreview | undefined,
  again: () => Promise<LadderPreview | undefined>,
): Promise<LadderPreview | undefined> {
  return onTheWay.length === 0 && preview?.version === version ? preview : again();
}

/** Everything there is to say about a draft before it is published, most urgent first. */
export function checksOf(
  draft: Draft,
  live: LadderValues,
  preview: LadderPreview | undefined,
  names: { base: string; quote: string; followNote: string | null },
): Check[] {
  const values = valuesOfDraft(draft);
  const faults: Check[] = [
    ...ladderFaults(draft).map((fault): Check => ({ level: 'stop', title: fault, detail: '' })),
    ...cellFaults(draft).map(
      ({ row, column, name, message }): Check => ({
        level: 'stop',
        title: name,
        detail: message,
        cell: { row, column },
      }),
    ),
  ];
  if (faults.length > 0) return faults;
  if (preview === undefined) return liveChecks(values, live);
  const { reference } = preview;
  const isFresh = reference !== null && !reference.stale && !reference.heldBack;
  const checks = [
    ...fenceChecks(preview),
    ...(isFresh ? [] : liveChecks(values, live)),
    ...(['bids', 'asks'] as const).flatMap((side) => distanceChecks(values, side, preview, names.quote)),
    ...preview.sides.flatMap((side) => coverChecks(side, names)),
    ...(names.followNote === null
      ? []
      : [{ level: 'note', title: 'Following waits:', detail: names.followNote } as const]),
    ...moveChecks(values, live, preview),
    ...preview.strict.map((said): Check => ({ level: 'look', title: 'Strict services', detail: said })),
    ...shapeChecks(values, preview),
  ];
  const order = { stop: 0, look: 1, note: 2, ok: 3 };
  return checks.sort((a, b) => order[a.level] - order[b.level]);
}

/** Prices past a fence around the reference: the desk refuses those past the hard one. */
function fenceChecks({ sides }: LadderPreview): Check[] {
  return sides.flatMap(({ side, fence }): Check[] => {
    if (fence === null) return [];
    const { band, bps, level, tenthBps } = fence;
    const title = `${side === 'bids' ? 'Bid' : 'Ask'} ${level + 1} is ${bpsText(tenthBps)} bps from the reference`;
    const cell = { row: level, column: side === 'bids' ? 1 : 2 } as const;
    if (band === 'hard') return [{ level: 'stop', title, detail: `Nothing is signed beyond ${bps} bps.`, cell }];
    return [
      {
        level: 'look',
        title,
        detail: `That is past the fence of ${bps} bps: it is quoted and alerted.`,
        cell,
        sure: true,
      },
    ];
  });
}

function distanceChecks(
  values: LadderValues,
  side: 'bids' | 'asks',
  { reference, sides }: LadderPreview,
  quote: string,
): Check[] {
  const mid = reference?.mid;
  const levels = values[side];
  const [best, last] = [levels[0]?.[0], levels.at(-1)?.[0]];
  if (best === undefined || last === undefined) return [];
  const weTrade = side === 'bids' ? 'Bid' : 'Ask';
  const column = side === 'bids' ? 1 : 2;
  if (mid === undefined || mid === null) return [];
  const given = (price: string) => outwards(price, mid, side);
  const through = levels.filter(([price]) => (given(price) ?? 0) < 0).length;
  if (through > 0) {
    const gives = side === 'bids' ? ['pays more', 'pay more'] : ['takes less', 'take less'];
    const loss = sides.find((whole) => whole.side === side)?.worst;
    const by = -(given(best) ?? 0);
    // A preview that knows of no loss is of an earlier version of the draft.
    const cost =
      loss === null || loss === undefined || !/[1-9]/.test(loss)
        ? ''
        : ` At worst that costs ${shortUnits(loss.replace('-', ''), quote)} ${quote}.`;
    return [
      {
        level: 'look',
        title: `${weTrade} 1 is ${bpsText(by)} bps through the reference`,
        detail: `${plural(through, 'level')} ${gives[through === 1 ? 0 : 1]} than ${exactText(mid)}.${cost}`,
        cell: { row: 0, column },
        sure: by >= DEAR_BPS * 10,
      },
    ];
  }
  const farthest = given(last) ?? 0;
  if (farthest > FAR_BPS * 10) {
    return [
      {
        level: 'look',
        title: `${weTrade} ${levels.length} is ${bpsText(farthest)} bps from the reference`,
        detail: `More than ${FAR_BPS} bps from ${exactText(mid)}: see whether it is meant.`,
        cell: { row: levels.length - 1, column },
      },
    ];
  }
  return [
    {
      level: 'ok',
      title: '',
      detail: `${side === 'bids' ? 'Bids' : 'Asks'} ${bpsText(given(best) ?? 0)} to ${bpsText(farthest)} bps from the reference, limit ${FAR_BPS}`,
    },
  ];
}

/** While no reference says where the market is, what is live does: further from it than this is asked about. */
function liveChecks(values: LadderValues, live: LadderValues): Check[] {
  return (['bids', 'asks'] as const).flatMap((side): Check[] => {
    const [before, after] = [live[side][0]?.[0], values[side][0]?.[0]];
    const moved = before === undefined || after === undefined ? null : outwards(after, before, side);
    if (moved === null || Math.abs(moved) <= FAR_BPS * 10) return [];
    return [
      {
        level: 'look',
        title: `${side === 'bids' ? 'Bid' : 'Ask'} 1 is ${bpsText(Math.abs(moved))} bps from what is live`,
        detail: `${exactText(after ?? '')} in place of ${exactText(before ?? '')}, and no fresh reference says whether that is right.`,
        cell: { row: 0, column: side === 'bids' ? 1 : 2 },
        sure: true,
      },
    ];
  });
}

/** Tenths of a basis point away from the reference towards our side of it; below zero is through it. */
function outwards(price: string, mid: string, side: 'bids' | 'asks'): number | null {
  const tenths = distanceTenthBps(price, mid);
  if (tenths === null) return null;
  return Number(side === 'bids' ? -tenths : tenths);
}

function coverChecks(side: PreviewSide, { base, quote }: { base: string; quote: string }): Check[] {
  if (side.levels === 0) {
    const what = side.side === 'bids' ? ['No bid', 'buying'] : ['No ask', 'selling'];
    return [{ level: 'look', title: `${what[0]}:`, detail: `publishing switches ${what[1]} off for this pair.` }];
  }
  const checks: Check[] = [];
  const token = side.side === 'bids' ? quote : base;
  const name = side.side === 'bids' ? 'Bids' : 'Asks';
  const needed = roundUnits(side.needed, token);
  const { overfillBps = 0 } = side;
  const over = overfillBps === 0 ? '' : ` with the ${exactText(`${overfillBps / 100}`)} % on top`;
  if (side.signable === null) {
    checks.push({
      level: 'look',
      title: `What we hold of ${token} is not seen.`,
      detail: 'Nothing of this side is quoted until it is.',
    });
  } else if (isLess(side.signable, side.needed)) {
    const short =
      side.allowance !== null && side.balance !== null && isLess(side.allowance, side.balance) ? 'approved' : 'held';
    checks.push({
      level: 'look',
      title: `${name} need ${needed} ${token}${over}, ${roundUnits(side.signable, token)} can be signed.`,
      detail: `${roundUnits((short === 'approved' ? side.allowance : side.balance) ?? '0', token)} are ${short}, ${roundUnits(side.live, token)} already signed. The rest is not served.`,
    });
  } else {
    checks.push({
      level: 'ok',
      title: '',
      detail: `${name} covered: ${needed}${over}${over === '' ? '' : ','} of ${roundUnits(side.signable, token)} ${token}`,
    });
  }
  if (side.maxQuote !== null && isLess(side.maxQuote, side.needed)) {
    checks.push({
      level: 'note',
      title: `One quote gives at most ${roundUnits(side.maxQuote, token)} ${token}.`,
      detail: 'Larger requests are refused (quote limit).',
    });
  }
  if (side.closed !== null) {
    checks.push({
      level: 'note',
      title: `${name} are not served now.`,
      detail: `${REFUSALS[side.closed].sentence} Published prices wait until they are.`,
    });
  }
  return checks;
}

/** A better price elsewhere does not take back what was signed at the old one. */
function moveChecks(values: LadderValues, live: LadderValues, { sides }: LadderPreview): Check[] {
  return sides.flatMap((side): Check[] => {
    const [before, after] = [live[side.side][0]?.[0], values[side.side][0]?.[0]];
    if (before === undefined || after === undefined || side.quotes === 0) return [];
    const moved = outwards(after, before, side.side);
    if (moved === null || moved <= 0 || side.zeroAt === null) return [];
    return [
      {
        level: 'note',
        title: `Best ${side.side === 'bids' ? 'bid' : 'ask'} moves ${bpsText(moved)} bps away`,
        detail: `while ${plural(side.quotes, 'signed quote')} giving ${side.token} stand at earlier prices until ${clockText(side.zeroAt)}.`,
      },
    ];
  });
}

function shapeChecks(values: LadderValues, { strict, reference }: LadderPreview): Check[] {
  const checks: Check[] = [];
  const [bid, ask] = [values.bids[0]?.[0], values.asks[0]?.[0]];
  const levels = values.bids.length + values.asks.length;
  if (reference === null) {
    checks.push({
      level: 'note',
      title: 'No reference for this pair.',
      detail: 'Distances are against the mid of what is live.',
    });
  } else if (reference.heldBack) {
    checks.push({ level: 'look', title: 'The reference is held back.', detail: asSentence(reference.heldBack) });
  } else if (reference.stale) {
    checks.push({
      level: 'look',
      title: 'The reference is stale.',
      detail: `Last said ${exactText(reference.mid)} at ${clockText(reference.time)}.`,
    });
  }
  if (bid !== undefined && ask !== undefined) {
    checks.push({
      level: 'ok',
      title: '',
      detail: `Not crossed: ${exactText(bid)} under ${exactText(ask)}, ${spreadOf(values)} bps apart`,
    });
  }
  if (strict.length === 0 && levels > 0) {
    checks.push({
      level: 'ok',
      title: '',
      detail: `Strict services take all ${plural(levels, 'level')}, in order`,
    });
  }
  return checks;
}

function isLess(a: string, b: string): boolean {
  const [x, y] = [readDecimal(a), readDecimal(b)];
  return x !== null && y !== null && compareDecimals(x, y) < 0;
}

/** What is wrong with a cell in the few words that fit beside it; the whole sentence stands under Checks and in the tooltip. */
export function shortFault({ value, fault }: { value: string; fault: string }): string {
  if (fault.length <= MOST) return fault;
  const readings = commaReadings(value)?.join(' or ');
  if (readings !== undefined && readings.length < MOST) return `${readings}?`;
  return SHORT.find(([told]) => told.test(fault))?.[1] ?? 'look under Checks';
}

/** Letters that fit. */
const MOST = 26;

const SHORT: readonly (readonly [RegExp, string])[] = [
  [/book is crossed/, 'the book is crossed'],
  [/must not be above .* best price first/, 'above the level before'],
  [/must not be below .* best price first/, 'below the level before'],
  [/without an exponent/, 'has an exponent'],
  [/comma/, 'has a misplaced comma'],
  [/plain decimal number/, 'is not a plain number'],
  [/2\^256/, 'more than an order holds'],
];
