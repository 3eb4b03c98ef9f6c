import type { ChainBook } from '../book/chain-book.ts';
import { judgeTakers } from '../book/judge-takers.ts';
import type { ChainCheck } from '../chain/chain-check.ts';
import type { AttentionAction } from '../contract/desk-view.ts';
import type { CheckScope, SelfCheck } from '../contract/service-view.ts';
import { REFERENCE_URL } from '../contract/sources.ts';
import { isSafeFromOthers } from '../protocol/loopback.ts';
import type { ChainChecks } from './chain-checks.ts';
import type { Outside } from './outside.ts';
import type { Rooms } from './rooms.ts';
import { strictBodiesOf } from './strict-bodies.ts';
import { strictTaste } from './strict-taste.ts';

/** How long a self-check waits for the service, milliseconds. */
const SERVICE_PATIENCE_MS = 4_000;

const SETTINGS = { kind: 'page', page: 'settings' } as const;
const LISTINGS = { kind: 'page', page: 'listings' } as const;

export interface SelfCheckParts {
  rooms: Pick<Rooms, 'book' | 'now' | 'journal'>;
  outside: Pick<Outside, 'references' | 'takers'>;
  checks: Pick<ChainChecks, 'again' | 'holdings'>;
}

/**
 * What a desk should know before the service finds it out: chain, signer, tokens, balances, allowances, and what strict
 * validators dislike. The checks of the chain are made anew, and what they find is in force.
 */
export async function selfCheck(parts: SelfCheckParts, chain: ChainBook): Promise<SelfCheck[]> {
  const { chainId } = chain;
  const [found, holdings, answered] = await Promise.all([
    parts.checks.again([chainId]),
    parts.checks.holdings(chain),
    parts.outside.takers.ask(chainId, SERVICE_PATIENCE_MS),
  ]);
  const ofChain = found.get(chainId) ?? [];
  return [
    ...[...ofChain, ...believedHoldings(ofChain, holdings)].map((check) => shownCheck(chainId, check)),
    ...witnessChecks(parts.rooms),
    ...outsideChecks(parts, chain, answered),
    ...bodyChecks(chain, parts.rooms.now()),
    ...listingChecks(chain),
  ];
}

/** Which checks say between whom an approval is: of the holder, for the contract. */
const SAYS_FOR_WHOM = ['chain_id', 'rfq_contract', 'rfq_signature', 'maker'];
/** What keeps those from being made where it does not pass. */
const MADE_BEFORE = ['signer', 'self_check'];
const ABOUT_WHOM: ReadonlySet<string> = new Set([...SAYS_FOR_WHOM, ...MADE_BEFORE]);

/** What speaks against the chain, the RFQ contract or the maker being what the desk takes them for: failed, or not found out. */
function forWhom(ofChain: readonly ChainCheck[]): readonly ChainCheck[] {
  return ofChain.filter(
    ({ name, outcome }) => ABOUT_WHOM.has(name) && (outcome === 'failed' || outcome === 'unanswered'),
  );
}

/** Why it is not proven between whom an approval would be, in sentences: none where each check that says so was made, and passed. */
export function whyUnproven(ofChain: readonly ChainCheck[]): readonly string[] {
  const against = forWhom(ofChain).map(({ sentence }) => sentence);
  const passed = new Set(ofChain.filter(({ outcome }) => outcome === 'passed').map(({ name }) => name));
  if (against.length > 0 || SAYS_FOR_WHOM.every((name) => passed.has(name))) return against;
  return ['Its self-check was not made.'];
}

/**
 * Nothing of what the maker holds and has approved where chain, RFQ contract or maker are not what the desk takes them for:
 * that would be of somebody else, and whoever mends it would let a stranger's contract take tokens.
 */
export function believedHoldings(
  ofChain: readonly ChainCheck[],
  holdings: readonly ChainCheck[],
): readonly ChainCheck[] {
  return forWhom(ofChain).some(({ outcome }) => outcome === 'failed') ? [] : holdings;
}

const OUTCOMES = { passed: 'passed', warning: 'warning', failed: 'failed', unanswered: 'waiting' } as const;

export function shownOutcome(outcome: ChainCheck['outcome']): SelfCheck['outcome'] {
  return OUTCOMES[outcome];
}

/** A check of the chain as people see it, with the button that mends it. */
export function shownCheck(chainId: number, { name, scope, outcome, sentence }: ChainCheck): SelfCheck {
  const shown: SelfCheck = { name, scope, outcome: shownOutcome(outcome), sentence };
  const isWell = outcome === 'passed' || (outcome === 'warning' && !name.startsWith('allowance '));
  return isWell ? shown : { ...shown, mend: mendOf(chainId, name, scope) };
}

export function mendOf(chainId: number, name: string, scope: CheckScope): AttentionAction {
  if (scope.kind !== 'token') return SETTINGS;
  const { tokenId } = scope;
  return name === `allowance ${tokenId}` ? { kind: 'approve', chainId, tokenId } : { kind: 'token', chainId, tokenId };
}

/** What a person does about a witness that cannot be written. */
export const MEND_WITNESS =
  'Make sure that this folder is there and can be written to, or start the desk with another in MAKERDESK_STATE; it is tried again every second.';

function witnessChecks({ journal }: Pick<Rooms, 'journal'>): SelfCheck[] {
  const witness = journal.witness();
  if (witness === null) return [];
  const { fault } = witness;
  if (fault === null) return [{ name: 'witness', outcome: 'passed', sentence: 'The witness of this desk is written.' }];
  return [{ name: 'witness', outcome: 'warning', sentence: `${fault} ${MEND_WITNESS}` }];
}

function outsideChecks({ rooms, outside }: SelfCheckParts, chain: ChainBook, answered: boolean): SelfCheck[] {
  const { chainId, config } = chain;
  const checks: SelfCheck[] = [];
  const unsigned = rooms.book.desk().counterparties.length === 0;
  checks.push({
    name: 'counterparties',
    outcome: unsigned ? 'warning' : 'passed',
    sentence: unsigned
      ? 'Nobody has to sign their requests, so the surface listens on this machine only.'
      : 'Requests have to be signed.',
    ...(unsigned && { mend: SETTINGS }),
  });
  if (config.referenceUrl !== null) {
    const { fault: silent, answeredAt } = outside.references.of(chainId);
    const unasked = answeredAt === null && silent === null;
    const sentence = silent ?? (unasked ? 'The reference was not asked yet.' : 'The reference answers.');
    const outcome = silent ? 'failed' : unasked ? 'waiting' : 'passed';
    checks.push({ name: 'reference', outcome, sentence, ...(silent && { mend: SETTINGS }) });
    if (!isSafeFromOthers(config.referenceUrl)) {
      const open = 'It is asked over http, so whoever sits between can set its prices.';
      checks.push({ name: 'reference', outcome: 'warning', sentence: open, mend: SETTINGS });
    }
  }
  for (const { name, fault: silent, lastAt } of outside.references.sources(chainId)) {
    if (name === REFERENCE_URL) continue;
    const heard = lastAt === null ? 'has said nothing yet' : 'is heard';
    const outcome = silent ? 'failed' : lastAt === null ? 'waiting' : 'passed';
    checks.push({
      name: 'source',
      outcome,
      sentence: silent ?? `The source ${name} ${heard}.`,
      ...(silent && { mend: SETTINGS }),
    });
  }
  for (const [name, { url }] of Object.entries(config.sources ?? {})) {
    if (url === undefined || isSafeFromOthers(url.replace(/^ws/, 'http'))) continue;
    const open = `The source ${name} is heard over an open connection, so whoever sits between can set its prices.`;
    checks.push({ name: 'source', outcome: 'warning', sentence: open, mend: SETTINGS });
  }
  const { fault: refused, fetchedAt, named } = outside.takers.of(chainId);
  const { waiting, never } = judgeTakers(chain, named);
  const isNever = fetchedAt === null ? 'The service was not asked yet.' : null;
  const fault = refused ?? (answered ? isNever : 'The service does not answer.');
  if (config.serviceUrl !== null && fault !== null) {
    const sentence = `${fault} The takers in force stay so.`;
    checks.push({ name: 'list of takers', outcome: 'waiting', sentence, mend: SETTINGS });
  }
  for (const address of waiting) {
    const sentence = `The service names ${address} as a taker, and nobody has said yet whether orders may name it.`;
    checks.push({ name: 'list of takers', outcome: 'warning', sentence, mend: { kind: 'page', page: 'service' } });
  }
  for (const { address, is } of never) {
    const sentence = `The service names ${address} as a taker, which is ${is}: no order ever names it.`;
    checks.push({ name: 'list of takers', outcome: 'warning', sentence, mend: { kind: 'page', page: 'service' } });
  }
  if (config.serviceUrl !== null && fault === null && waiting.length + never.length === 0) {
    const sentence = 'It answers, and names no taker that waits.';
    checks.push({ name: 'list of takers', outcome: 'passed', sentence });
  }
  return checks;
}

/** Each body as it is served, whole: one entry that a strict counterparty does not take costs all of them. */
function bodyChecks(chain: ChainBook, now: number): SelfCheck[] {
  return strictBodiesOf(chain, now).map(({ body, blame }): SelfCheck => {
    const name = `body /${body}`;
    if (blame.length === 0) return { name, outcome: 'passed', sentence: `Strict services take /${body} as it is.` };
    const sentence = `Strict services discard all of /${body}: ${blame.join('; ')}. Correct it, or leave it out with “What strict services refuse” under Settings.`;
    return { name, outcome: 'warning', sentence, mend: { kind: 'page', page: 'listings' } };
  });
}

function listingChecks(chain: ChainBook): SelfCheck[] {
  const checks = chain.setApart.map(
    ({ kind, id, fault }): SelfCheck => ({
      name: `${kind} ${id}`,
      outcome: 'failed',
      sentence: `It is not served: ${fault}.`,
      mend: kind === 'chain' || kind === 'counterparty' ? SETTINGS : LISTINGS,
    }),
  );
  for (const pair of chain.pairs.values()) {
    const name = `pair ${pair.id}`;
    const ladder = { kind: 'pair', chainId: chain.chainId, pair: pair.id } as const;
    if (pair.fault !== null) {
      checks.push({ name, outcome: 'failed', sentence: `It is not served: ${pair.fault}.`, mend: ladder });
    }
    const said = pair.fault === null ? strictTaste(chain, pair, pair.ladder.ladder) : [];
    for (const sentence of said) checks.push({ name, outcome: 'warning', sentence, mend: ladder });
    if (pair.fault === null && said.length === 0) {
      checks.push({ name, outcome: 'passed', sentence: 'Strict services take it as it is.' });
    }
  }
  if (chain.config.blacklistedAnswer === 'omit') {
    const sentence =
      'A blacklisted user is answered without an order, as the spec has it; a strict service then skips ' +
      'the pair for 15 minutes. With 403 as the answer (Settings, Chains) it blacklists the user instead, for good.';
    checks.push({ name: 'blacklisted users', outcome: 'warning', sentence, mend: SETTINGS });
  }
  return checks;
}
