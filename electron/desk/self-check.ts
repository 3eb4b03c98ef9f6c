import type { ChainBook } from '../book/chain-book.ts';
import type { ChainCheck } from '../chain/chain-check.ts';
import type { SelfCheck } from '../contract/service-view.ts';
import type { Outside } from './outside.ts';
import type { Rooms } from './rooms.ts';
import { strictTaste } from './strict-taste.ts';
import type { WatchedChains } from './watched-chains.ts';

export interface SelfCheckParts {
  rooms: Pick<Rooms, 'book' | 'now'>;
  watched: Pick<WatchedChains, 'view'>;
  outside: Pick<Outside, 'references' | 'takers'>;
  /** Fresh checks of signer and chain; null where no desk runs. */
  examine: ((chain: ChainBook) => Promise<ChainCheck[]>) | null;
}

/** What a desk should know before the service finds it out: chain, signer, balances, allowances, and what strict validators dislike. */
export async function selfCheck(parts: SelfCheckParts, chain: ChainBook): Promise<SelfCheck[]> {
  const examined = (await parts.examine?.(chain)) ?? [];
  return [
    ...examined.map(
      ({ name, outcome, sentence }): SelfCheck => ({
        name,
        outcome: outcome === 'unanswered' ? 'waiting' : outcome,
        sentence,
      }),
    ),
    ...holdingChecks(parts, chain),
    ...outsideChecks(parts, chain),
    ...listingChecks(chain),
  ];
}

function holdingChecks({ watched }: SelfCheckParts, chain: ChainBook): SelfCheck[] {
  const view = watched.view(chain.chainId);
  const needed = new Set([...chain.pairs.values()].flatMap(({ definition: { base, quote } }) => [base, quote]));
  return [...chain.tokens].flatMap(([id, { address }]): SelfCheck[] => {
    if (!needed.has(id)) return [];
    const held = view?.balances.get(address);
    if (held === undefined) {
      return [{ name: `balance ${id}`, outcome: 'waiting', sentence: `What the maker holds of ${id} is not known.` }];
    }
    const { balance, allowance } = held;
    const balanceCheck: SelfCheck =
      balance > 0n
        ? { name: `balance ${id}`, outcome: 'passed', sentence: `The maker holds ${id}.` }
        : { name: `balance ${id}`, outcome: 'warning', sentence: `The maker holds no ${id}, so none can be sold.` };
    return [balanceCheck, allowanceCheck(id, balance, allowance)];
  });
}

function allowanceCheck(id: string, balance: bigint, allowance: bigint): SelfCheck {
  const name = `allowance ${id}`;
  if (allowance === 0n) {
    const sentence = `The RFQ contract may take no ${id}, so no order that gives it can be filled. Approve it first.`;
    return { name, outcome: 'failed', sentence };
  }
  if (allowance < balance) {
    return { name, outcome: 'warning', sentence: `The RFQ contract may take less ${id} than the maker holds.` };
  }
  return { name, outcome: 'passed', sentence: `The RFQ contract may take all the ${id} that the maker holds.` };
}

function outsideChecks({ rooms, outside }: SelfCheckParts, { chainId, config }: ChainBook): SelfCheck[] {
  const checks: SelfCheck[] = [];
  const unsigned = rooms.book.desk().counterparties.length === 0;
  checks.push({
    name: 'counterparties',
    outcome: unsigned ? 'warning' : 'passed',
    sentence: unsigned
      ? 'Nobody has to sign his requests, so the surface listens on this machine only.'
      : 'Requests have to be signed.',
  });
  if (config.referenceUrl !== null) {
    const { fault, answeredAt } = outside.references.of(chainId);
    const waiting = answeredAt === null && fault === null;
    const sentence = fault ?? (waiting ? 'The reference was not asked yet.' : 'The reference answers.');
    checks.push({ name: 'reference', outcome: fault ? 'failed' : waiting ? 'waiting' : 'passed', sentence });
  }
  const takers = outside.takers.of(chainId);
  const count = config.takers.length;
  const inForce = count === 0 ? 'Any taker may be named.' : `Orders are signed for ${count} takers only.`;
  checks.push({
    name: 'takers',
    outcome: takers.fault !== null || count === 0 ? 'warning' : 'passed',
    sentence: takers.fault === null ? inForce : `${takers.fault} ${inForce}`,
  });
  return checks;
}

function listingChecks(chain: ChainBook): SelfCheck[] {
  const checks = chain.setApart.map(
    ({ kind, id, fault }): SelfCheck => ({
      name: `${kind} ${id}`,
      outcome: 'failed',
      sentence: `It is not served: ${fault}.`,
    }),
  );
  for (const pair of chain.pairs.values()) {
    const name = `pair ${pair.id}`;
    if (pair.fault !== null) checks.push({ name, outcome: 'failed', sentence: `It is not served: ${pair.fault}.` });
    const said = pair.fault === null ? strictTaste(chain, pair, pair.ladder.ladder) : [];
    for (const sentence of said) checks.push({ name, outcome: 'warning', sentence });
    if (pair.fault === null && said.length === 0) {
      checks.push({ name, outcome: 'passed', sentence: "The service's strict validators take it as it is." });
    }
  }
  if (chain.config.blacklistedAnswer === 'omit') {
    const sentence =
      'A blacklisted user is answered without an order, as the spec has it; the public adapter then keeps away from ' +
      'the pair for 15 minutes. "blacklistedAnswer": "forbidden" makes it bar the user instead, for good.';
    checks.push({ name: 'blacklisted users', outcome: 'warning', sentence });
  }
  return checks;
}
