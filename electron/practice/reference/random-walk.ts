/**
 * Steps further back than this weigh less than a thousandth of the newest, and are left out: what a walk is at a step then
 * depends on that many numbers, whatever happened before.
 */
const REMEMBERED = 1_400;

/** Each second a walk loses one two-hundredth of its distance from where it began. */
const PULL = 200n;

const SCALE = 10n ** 18n;

const WEIGHTS = weights();

/**
 * How far a price has wandered from where it began, in units of 1e-18 (1e18 is 100 %), `step` seconds after its begin. It
 * wanders by at most `stepMilliBps` a second and is drawn back the more the further it is away (the discrete Ornstein–Uhlenbeck
 * process), so it never leaves a band of 200 times that around 0. The same seed, name and step always give the same.
 */
export function wandered({
  seed,
  name,
  step,
  stepMilliBps,
}: {
  seed: number;
  name: string;
  step: number;
  /** In thousandths of a basis point, a whole number. */
  stepMilliBps: number;
}): bigint {
  const key = keyOf(seed, name);
  let sum = 0n;
  for (let back = 0; back < REMEMBERED && back < step; back += 1) {
    sum += (WEIGHTS[back] ?? 0n) * BigInt(shock(key, step - back));
  }
  return (sum * BigInt(stepMilliBps)) / (10_000_000n * SHOCK_SCALE);
}

const SHOCK_SCALE = 2n ** 31n;

/** The push of one second: a whole number from -2^31 to 2^31 - 1, evenly spread. */
function shock(key: number, step: number): number {
  let mixed = (key ^ Math.imul(step, 0x9e3779b9)) | 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) | 0;
}

/** FNV-1a over seed and name. */
function keyOf(seed: number, name: string): number {
  let hash = 0x811c9dc5 | 0;
  for (const character of `${seed} ${name}`) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return hash;
}

function weights(): bigint[] {
  let weight = SCALE;
  return Array.from({ length: REMEMBERED }, () => {
    const now = weight;
    weight -= weight / PULL;
    return now;
  });
}
