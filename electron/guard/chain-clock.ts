import type { ChainConfig } from '../contract/desk-file.ts';

/** How far the clock of a chain may be from ours, in seconds, before nothing is signed there. */
export type ClockLimits = Pick<ChainConfig, 'headAheadMaxSeconds' | 'headMaxAgeSeconds'>;

/** What is wrong between the newest block of a chain and our clock. */
export interface ClockFault {
  kind: 'ahead' | 'behind' | 'backwards';
  /** By how much: the block before or behind our clock, or behind a block that was seen before it. */
  seconds: number;
}

/**
 * Judges the time of the newest block (Unix seconds) by our clock (Unix milliseconds) and by the latest time that a block
 * was believed to have. Which of the clocks is wrong cannot be told from here, so none of them is believed.
 */
export function clockFault(
  blockTime: number,
  latestBelieved: number,
  now: number,
  { headAheadMaxSeconds, headMaxAgeSeconds }: ClockLimits,
): ClockFault | null {
  const ahead = blockTime - now / 1_000;
  if (ahead > headAheadMaxSeconds) return { kind: 'ahead', seconds: Math.ceil(ahead) };
  if (-ahead > headMaxAgeSeconds) return { kind: 'behind', seconds: Math.ceil(-ahead) };
  if (blockTime < latestBelieved) return { kind: 'backwards', seconds: latestBelieved - blockTime };
  return null;
}

/** What is wrong, what it means and what to do, for a person. */
export function clockSentence({ kind, seconds }: ClockFault): string {
  const wrong = {
    ahead: `The newest block is ${seconds} s ahead of this machine’s clock.`,
    behind: `The newest block is ${seconds} s old by this machine’s clock.`,
    backwards: `The newest block is ${seconds} s older than one that was seen before it.`,
  }[kind];
  const meaning =
    'Which orders can still be filled is not certain then, so the chain is closed until the clocks agree.';
  const remedy = {
    ahead: 'See whether this machine’s clock is right; if it is, name another node.',
    behind: 'See whether the node still follows its chain, and whether this machine’s clock is right.',
    backwards: 'It opens again when the chain has caught up. If that lasts, name another node.',
  }[kind];
  return `${wrong} ${meaning} ${remedy}`;
}
