import type { Ladder } from '../contract/desk-file.ts';
import { below } from '../contract/fault-path.ts';
import { pairIdSchema } from '../contract/names.ts';
import { type Pair, pairSchema, type Token } from '../protocol/wire.ts';
import { type Checked, checkForm } from './checked.ts';
import { type Fault, faultsAt } from './faults.ts';
import { checkLadder, type PreparedLadder, prepareLadder } from './ladder-check.ts';
import { nameFaults } from './token-check.ts';

/** A pair with its ladder, as far as they can be read. Paths of faults are seen from the chain. */
export interface PairCheck {
  readonly definition: Pair | null;
  /** Null when the token is not listed, or is not sound itself (which is not a fault of the pair). */
  readonly base: Token | null;
  readonly quote: Token | null;
  readonly ladder: Ladder | null;
  readonly prepared: PreparedLadder | null;
  readonly faults: readonly Fault[];
}

/** One pair by itself: its ID, its tokens, its ladder, and that every amount fits an order (PROTOCOL 2.6, 4.3). */
export function checkPair(
  id: string,
  input: { definition: unknown; ladder: unknown },
  tokens: ReadonlyMap<string, Checked<Token>>,
): PairCheck {
  const atPair = below('pairs', id);
  const atPrices = below('prices', id);
  const { value: definition, faults: listed } = readDefinition(id, input.definition, tokens);
  const faults = faultsAt(atPair, listed);
  const { value: ladder, faults: ladderFaults } = checkLadder(input.ladder);
  if (ladderFaults) faults.push(...faultsAt(atPrices, ladderFaults));
  const base = (definition && tokens.get(definition.base)?.value) ?? null;
  const quote = (definition && tokens.get(definition.quote)?.value) ?? null;
  let prepared: PreparedLadder | null = null;
  if (ladder && base && quote) {
    const sized = prepareLadder(ladder, base, quote);
    if (sized.faults.length === 0) prepared = sized.prepared;
    for (const { side, level, message } of sized.faults)
      faults.push({ path: `${atPrices}.${side}[${level}][1]`, message });
  }
  return { definition, base, quote, ladder, prepared, faults };
}

/** What a pair is, apart from its ladder. Paths of faults are seen from the pair. */
export function readDefinition(
  id: string,
  input: unknown,
  tokens: ReadonlyMap<string, unknown>,
): { value: Pair | null; faults: Fault[] } {
  const { value, faults } = checkForm(pairSchema, input);
  const found = [...nameFaults(id, pairIdSchema), ...(faults ?? [])];
  if (value) found.push(...tokenFaults(value, tokens));
  return { value, faults: found };
}

/** Groups of pair IDs over the same two tokens, in whichever direction: each pair is quoted in one only (PROTOCOL 2.6). */
export function pairsOfOneMarket(pairs: ReadonlyMap<string, { definition: Pair | null }>): string[][] {
  const byMarket = new Map<string, string[]>();
  for (const [id, { definition }] of pairs) {
    if (definition === null) continue;
    const market = JSON.stringify([definition.base, definition.quote].sort());
    const group = byMarket.get(market);
    if (group) group.push(id);
    else byMarket.set(market, [id]);
  }
  return [...byMarket.values()].filter((group) => group.length > 1);
}

function tokenFaults(definition: Pair, tokens: ReadonlyMap<string, unknown>): Fault[] {
  const faults: Fault[] = [];
  for (const end of ['base', 'quote'] as const) {
    if (!tokens.has(definition[end])) {
      faults.push({ path: end, message: `${JSON.stringify(definition[end])} is not a listed token` });
    }
  }
  if (definition.base === definition.quote) faults.push({ path: 'quote', message: 'must not be the base token' });
  return faults;
}
