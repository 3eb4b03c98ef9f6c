import { type Formula, formulaSchema } from '../../../electron/contract/formula.ts';
import { readNumber, readWhole } from '../../state/number-form.ts';

/** The figures of a formula by their place in it. */
export const FIGURES = [
  'spreadBps',
  'tick',
  'closesAboveSpreadBps',
  'bids.size',
  'bids.levels',
  'bids.stepBps',
  'bids.sizeFactor',
  'asks.size',
  'asks.levels',
  'asks.stepBps',
  'asks.sizeFactor',
  'inventory.target',
  'inventory.limit',
  'inventory.bpsPerUnit',
  'volatility.windowSeconds',
  'volatility.calmBps',
  'volatility.times',
  'volatility.closesAboveBps',
  'age.freeSeconds',
  'age.bpsPerSecond',
] as const;
export type Figure = (typeof FIGURES)[number];

/** What a formula may have and need not. */
export const PARTS = ['inventory', 'volatility', 'age'] as const;
export type Part = (typeof PARTS)[number];

/** A formula as it is typed. */
export interface TypedFormula {
  figures: Record<Figure, string>;
  parts: Record<Part, boolean>;
}

const MOST_LEVELS = 200;
const MOST_WINDOW = 900;

/** What the form of a pair without a formula begins with: about what is live. */
export interface LiveShape {
  spreadTenthBps: number | null;
  bestBid: string | null;
  bestBidAmount: string | null;
  bestAskAmount: string | null;
}

/** A formula as a form begins with it; without one about what is live. */
export function typedOf(formula: Formula | null, live: LiveShape): TypedFormula {
  const { inventory, volatility, age, bids, asks } = formula ?? {};
  const spread = live.spreadTenthBps === null || live.spreadTenthBps <= 0 ? '10' : `${live.spreadTenthBps / 10}`;
  const places = live.bestBid?.split('.')[1]?.length ?? 2;
  const tick = places === 0 ? '1' : `0.${'1'.padStart(places, '0')}`;
  return {
    figures: {
      spreadBps: formula?.spreadBps ?? spread,
      tick: formula?.tick ?? tick,
      closesAboveSpreadBps: formula?.closesAboveSpreadBps ?? '',
      'bids.size': bids?.size ?? live.bestBidAmount ?? '',
      'bids.levels': `${bids?.levels ?? 5}`,
      'bids.stepBps': bids?.stepBps ?? '2',
      'bids.sizeFactor': bids?.sizeFactor ?? '',
      'asks.size': asks?.size ?? live.bestAskAmount ?? '',
      'asks.levels': `${asks?.levels ?? 5}`,
      'asks.stepBps': asks?.stepBps ?? '2',
      'asks.sizeFactor': asks?.sizeFactor ?? '',
      'inventory.target': inventory?.target ?? '0',
      'inventory.limit': inventory?.limit ?? '',
      'inventory.bpsPerUnit': inventory?.bpsPerUnit ?? '',
      'volatility.windowSeconds': `${volatility?.windowSeconds ?? 60}`,
      'volatility.calmBps': volatility?.calmBps ?? '',
      'volatility.times': volatility?.times ?? '1',
      'volatility.closesAboveBps': volatility?.closesAboveBps ?? '',
      'age.freeSeconds': age?.freeSeconds ?? '',
      'age.bpsPerSecond': age?.bpsPerSecond ?? '',
    },
    parts: { inventory: inventory !== undefined, volatility: volatility !== undefined, age: age !== undefined },
  };
}

/** The formula that was typed, or what is wrong with it, each with its place. */
export function readFormula({
  figures,
  parts,
}: TypedFormula): { formula: Formula } | { faults: { path: string; message: string }[] } {
  const faults: { path: string; message: string }[] = [];
  const fault = (path: Figure, message: string) => void faults.push({ path, message });
  const figure = (path: Figure): string | undefined => {
    const { text, fault: wrong } = readNumber(figures[path]);
    if (wrong !== null) fault(path, wrong);
    return text ?? undefined;
  };
  const needed = (path: Figure): string => {
    if (figures[path].trim() === '') fault(path, 'is missing');
    return figure(path) ?? '';
  };
  const whole = (path: Figure, most: number): number => {
    const { value, fault: wrong } = readWhole(figures[path], 1, most);
    if (value === null) fault(path, wrong ?? 'is missing');
    return value ?? 1;
  };
  // Only a target may be below zero: the desk is to be short.
  const signed = (path: Figure): string => {
    const [, minus = '', rest = ''] = /^\s*([-−]?)(.*)$/.exec(figures[path]) ?? [];
    if (rest.trim() === '') fault(path, 'is missing');
    const { text, fault: wrong } = readNumber(rest);
    if (wrong !== null) fault(path, wrong);
    return `${minus === '' || text === '0' ? '' : '-'}${text ?? ''}`;
  };
  const side = (of: 'bids' | 'asks') => {
    const sizeFactor = figure(`${of}.sizeFactor`);
    return {
      size: needed(`${of}.size`),
      levels: whole(`${of}.levels`, MOST_LEVELS),
      stepBps: needed(`${of}.stepBps`),
      ...(sizeFactor !== undefined && { sizeFactor }),
    };
  };
  const typed = {
    spreadBps: needed('spreadBps'),
    tick: needed('tick'),
    bids: side('bids'),
    asks: side('asks'),
    inventory: parts.inventory
      ? {
          target: signed('inventory.target'),
          limit: needed('inventory.limit'),
          bpsPerUnit: needed('inventory.bpsPerUnit'),
        }
      : undefined,
    volatility: parts.volatility
      ? {
          windowSeconds: whole('volatility.windowSeconds', MOST_WINDOW),
          calmBps: needed('volatility.calmBps'),
          times: needed('volatility.times'),
          closesAboveBps: figure('volatility.closesAboveBps'),
        }
      : undefined,
    age: parts.age ? { freeSeconds: needed('age.freeSeconds'), bpsPerSecond: needed('age.bpsPerSecond') } : undefined,
    closesAboveSpreadBps: figure('closesAboveSpreadBps'),
  };
  if (faults.length > 0) return { faults };
  // What is left out is not there at all: the desk compares formulas part by part.
  const given: unknown = JSON.parse(JSON.stringify(typed));
  const checked = formulaSchema.safeParse(given);
  if (checked.success) return { formula: checked.data };
  return { faults: checked.error.issues.map(({ path, message }) => ({ path: path.join('.'), message })) };
}
