/**
 * How often something that depends on luck is tried: `short` in `npm test`, `long` in `npm run test:long`, which runs every
 * file that asks this. Where the environment has a number under `variable`, it is that.
 */
export function howOften(short: number, long: number, variable?: string): number {
  const set = variable === undefined ? undefined : process.env[variable];
  return set === undefined ? (process.env.MAKERDESK_LONG === '1' ? long : short) : Number(set);
}
