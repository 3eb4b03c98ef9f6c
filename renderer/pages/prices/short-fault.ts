/** What is wrong with a cell in the few words that fit beside it; the whole sentence stands under Checks and in the tooltip. */
export function shortFault(fault: string): string {
  if (fault.length <= MOST) return fault;
  const readings = fault.replace(/^has a comma: /, '');
  if (readings.length <= MOST) return readings;
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
  [/plain decimal number/, 'is no plain number'],
  [/2\^256/, 'more than an order holds'],
];
