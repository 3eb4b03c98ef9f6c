/**
 * How often something that depends on luck is tried: `short` in `npm test`, `long` in `npm run test:long`, which runs every
 * file that asks this, and MAKERDESK_TIMES as often as either where the environment has it. Where it has a number under
 * `variable`, it is that.
 */
export function howOften(short: number, long: number, variable?: string): number {
  const set = variable === undefined ? undefined : process.env[variable];
  if (set !== undefined) return Number(set);
  return (process.env.MAKERDESK_LONG === '1' ? long : short) * Number(process.env.MAKERDESK_TIMES ?? 1);
}
