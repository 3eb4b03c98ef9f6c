import { isHalfHour } from './takes-long.ts';

/**
 * How often something that depends on luck is tried: `short` in `npm test`, `long` in `npm run test:whole`, a third of that in
 * `npm run test:long`, which both run every file that asks this, and MAKERDESK_TIMES as often as any where the environment has it. Where
 * it has a number under `variable`, it is that.
 */
export function howOften(short: number, long: number, variable?: string): number {
  const set = variable === undefined ? undefined : process.env[variable];
  if (set !== undefined) return Number(set);
  const third = Math.max(short, Math.ceil(long / 3));
  const often = process.env.MAKERDESK_LONG !== '1' ? short : isHalfHour ? third : long;
  return often * Number(process.env.MAKERDESK_TIMES ?? 1);
}
