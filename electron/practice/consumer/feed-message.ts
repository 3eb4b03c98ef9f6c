import type { Address } from '../../protocol/address.ts';
import type { AnswerRules, Judged } from './answer-rules.ts';
import type { CachedMaker } from './cached-maker.ts';

const PARTS = ['tokens', 'pairs', 'prices', 'blacklist'] as const;

/** A message of the channel, judged part by part: a part that cannot be used is left out. */
export interface FeedParts extends Partial<Omit<CachedMaker, 'blacklist'>> {
  blacklist?: Address[];
}

/**
 * Judges a message of the channel (PROTOCOL 6): any of the GETs' bodies in one object and a `message`. The parts are judged
 * as the GETs are; the first message must have all four, otherwise the value is null. Never throws.
 */
export function judgeMessage(text: string, rules: AnswerRules, isFirst: boolean): Judged<FeedParts> {
  const nothing = (fault: string): Judged<FeedParts> => ({ value: null, faults: [fault], message: null });
  const json = parseObject(text);
  if (json === null) return nothing('is no JSON object');
  const missing = PARTS.filter((part) => !Object.hasOwn(json, part));
  if (isFirst && missing.length > 0) return nothing(`is the first one and has no ${missing.join(', ')}`);
  const faults: string[] = [];
  const judge = <T>(part: (typeof PARTS)[number], rule: (body: unknown) => Judged<T>): T | undefined => {
    if (!Object.hasOwn(json, part)) return undefined;
    const judged = rule({ [part]: json[part] });
    faults.push(...judged.faults);
    return judged.value ?? undefined;
  };
  const value = {
    tokens: judge('tokens', rules.tokens),
    pairs: judge('pairs', rules.pairs),
    prices: judge('prices', rules.prices),
    blacklist: judge('blacklist', rules.blacklist),
  };
  const strange = Object.keys(json).filter((key) => key !== 'message' && !PARTS.some((part) => part === key));
  if (strange.length > 0) faults.push(`holds ${strange.slice(0, 5).join(', ')}, which belongs to no message`);
  const { message } = json;
  if (message !== undefined && typeof message !== 'string') faults.push('has a message that is no text');
  return { value, faults, message: typeof message === 'string' ? message : null };
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const json: unknown = JSON.parse(text);
    return typeof json === 'object' && json !== null && !Array.isArray(json) ? (json as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
