import type { ChainBook } from '../book/chain-book.ts';
import type { ChainCheck } from '../chain/chain-check.ts';
import type { Attention } from '../contract/desk-view.ts';
import { isoTime, utcText } from '../contract/names.ts';
import type { PracticeControl } from '../contract/practice.ts';
import { frozenText, nearText, subjectText, thenText, tripText } from '../contract/protections.ts';
import type { HedgeLog } from '../hedge/hedge-log.ts';
import { canGiveUp } from '../hedge/hedge-view.ts';
import type { Hedging } from '../hedge/hedging.ts';
import type { Quoter } from '../quoting/quoter.ts';
import { closedText, holdingsAttention } from './attention-holdings.ts';
import { type AttentionParts, outsideAttention } from './attention-outside.ts';
import { switchAttention } from './attention-switches.ts';
import type { ChainChecks } from './chain-checks.ts';
import type { Outside } from './outside.ts';
import { restrictionAttention } from './restriction-attention.ts';
import type { Rooms } from './rooms.ts';
import { MEND_WITNESS, mendOf } from './self-check.ts';
import { strictBodiesOf } from './strict-bodies.ts';
import type { WatchedChains } from './watched-chains.ts';

const URGENCY: Record<Attention['level'], number> = { stop: 0, look: 1, note: 2 };

const SETTINGS = { kind: 'page', page: 'settings' } as const;
/** Windows near their limit that are told one by one. */
const MOST_NEAR = 10;
const LISTINGS = { kind: 'page', page: 'listings' } as const;
/** What an emergency signed may take so long to be mined before a person is told that it is not done. */
const EMERGENCY_MS = 60_000;
/** What a hedge signed may be looked for so long after its deadline before a person is told. */
const OVERDUE_MS = 600_000;

/** What is wrong now, most urgent first: checks, nodes, what was set apart, and what comes from outside. */
export function attentionOf(
  parts: AttentionParts & {
    rooms: Pick<Rooms, 'journal' | 'accounts'>;
    watched: Pick<WatchedChains, 'view' | 'otherGenesis'>;
    checks: ChainChecks | null;
    outside: { restrictions: Pick<Outside['restrictions'], 'list'> };
    hedging: { auto: Pick<Hedging['auto'], 'alerts'>; engine: { log: Pick<HedgeLog, 'all'> } } | null;
    quoter: Pick<Quoter, 'counts'> | null;
    practice: Pick<PracticeControl, 'ended'> | null;
  },
): Attention[] {
  const { watched, checks } = parts;
  const { book } = parts.rooms;
  const found: Attention[] = [];
  const desk = book.desk();
  const exposure = parts.rooms.guard.orders.rows();
  if (!desk.configured) {
    const detail =
      'Nothing can be quoted until a chain is set up: on the Desk page, or with a desk file (makerdesk import FILE).';
    found.push({
      code: 'not_configured',
      level: 'look',
      title: 'This desk has no configuration',
      detail,
      action: SETTINGS,
    });
  }
  const ended = parts.practice?.ended() ?? null;
  if (ended !== null) {
    found.push({
      code: 'practice_ended',
      level: 'stop',
      title: 'The practice market does not run',
      detail: `${ended} Its chains and its service are gone until it is started again: on the Practice page, or with makerdesk practice restart.`,
      action: { kind: 'page', page: 'practice' },
    });
  }
  const deadMan = parts.rooms.guard.deadMan.state();
  if (deadMan?.isNear && deadMan.haltsAt !== null) {
    const at = `${isoTime(deadMan.haltsAt).slice(11, 19)} UTC`;
    found.push({
      code: 'dead_man',
      level: 'stop',
      title: `Is anybody here? The desk halts at ${at}`,
      detail: `The dead-man switch has seen no sign of a person since ${isoTime(deadMan.lastSign).slice(11, 19)} UTC, and halts after ${deadMan.minutes} min. Say that you are here, or: makerdesk here.`,
      action: { kind: 'here' },
    });
  }
  const keyFault = book.chains().flatMap(({ chainId }) => parts.rooms.guard.orders.of(chainId).keyFault ?? [])[0];
  if (keyFault !== undefined) {
    found.push({
      code: 'signer',
      level: 'stop',
      title: 'The key of this desk, which is held elsewhere, does not sign',
      detail: `${keyFault} Until then nothing is quoted.`,
      action: SETTINGS,
    });
  }
  for (const { kind, chainId, seqs, title, detail } of parts.rooms.guard.alarms.list()) {
    // Named by its newest row, so that whoever was called for those before is called again for what came since.
    const code = `alarm ${kind} ${chainId} ${seqs.at(-1)}`;
    found.push({ code, level: 'stop', title, detail, action: { kind: 'acknowledge', seqs }, covers: seqs.map(String) });
  }
  for (const trip of parts.rooms.guard.protections.standing()) {
    const { chainId, who } = trip;
    // The words below have the whole of an address.
    const called = trip.rule.per === 'user' ? shortAddress(who) : who;
    const what = subjectText(trip.rule, { chainId, who: called });
    const mend = `When it is safe, reset it on the Protections page, or: makerdesk reset-protection ${trip.rule.name} --reason TEXT.`;
    found.push({
      code: `protection ${trip.rule.name} ${trip.chainId ?? 0} ${trip.who}`,
      level: 'stop',
      title: `The protection ${trip.rule.name} has tripped: nothing is signed for ${what}`,
      detail: `${tripText(trip)} ${frozenText(trip)} ${mend}`,
      action: { kind: 'page', page: 'protections' },
    });
  }
  for (const near of parts.rooms.guard.protections.near().slice(0, MOST_NEAR)) {
    const { rule, chainId, who, percent } = near;
    const what = subjectText(rule, { chainId, who: rule.per === 'user' ? shortAddress(who) : who });
    found.push({
      code: `near ${rule.name} ${chainId ?? 0} ${who}`,
      level: 'look',
      title: `The protection ${rule.name} is at ${percent} % of its limit for ${what}`,
      detail: `${nearText(near)} It ${thenText(rule)} when it trips. See whether that flow is meant; a limit is changed on the Protections page.`,
      action: { kind: 'page', page: 'protections' },
    });
  }
  for (const { chainId, check } of checks?.faults() ?? []) {
    const level = check.outcome === 'failed' ? 'stop' : 'look';
    const chain = book.chain(chainId);
    const what = `The check of ${check.name.replaceAll('_', ' ').replace(/^rfq\b/, 'RFQ')}`;
    const where = chain?.config.name ?? `chain ${chainId}`;
    const title =
      check.outcome === 'failed'
        ? `${what} failed on ${where}`
        : `${what} waits for the ${check.name === 'signer' ? 'key' : 'node'} of ${where}`;
    const closed = chain === undefined ? [] : pairsOf(chain, check);
    const detail = closed.length === 0 ? check.sentence : `${check.sentence} ${closedText(closed)}.`;
    const action = mendOf(chainId, check.name, check.scope);
    found.push({ code: `check ${chainId} ${check.name}`, level, title, detail, action });
  }
  for (const { kind, id, fault } of desk.setApart) {
    found.push({
      code: `apart ${kind} ${id}`,
      level: 'stop',
      title: `The ${kind} ${id} is not used`,
      detail: `It ${fault}.`,
      action: SETTINGS,
    });
  }
  for (const chain of book.chains()) {
    const { name } = chain.config;
    const fault = watched.view(chain.chainId)?.fault ?? parts.rooms.guard.clockFault(chain);
    const genesis = watched.otherGenesis(chain.chainId);
    if (fault)
      found.push({
        code: `node ${chain.chainId}`,
        level: 'stop',
        title: unseenTitle(parts.rooms.guard, chain, genesis !== null),
        detail: fault,
        action: genesis === null ? SETTINGS : { kind: 'accept_chain', chainId: chain.chainId, genesis },
      });
    found.push(...emergencyAttention(parts.rooms, chain));
    const spare = watched.view(chain.chainId)?.spare;
    if (spare !== undefined)
      found.push({
        code: `spare ${chain.chainId}`,
        level: 'look',
        title: `A spare node is asked for ${name}`,
        detail: `${spare} Fix the first one, or name another under Settings.`,
        action: SETTINGS,
      });
    const neverThere = watched.view(chain.chainId)?.neverThere;
    if (neverThere !== undefined)
      found.push({
        code: `never there ${chain.chainId}`,
        level: 'look',
        title: `A node of ${name} told something that never happened`,
        detail: `${neverThere} Find out which of your nodes told it, and do not ask that one again. A hedge of such a fill stands, and its position is yours to see to.`,
        action: SETTINGS,
      });
    const unproven = parts.rooms.guard.unprovenFault(chain.chainId);
    if (unproven !== null)
      found.push({
        code: `unproven ${chain.chainId}`,
        level: 'look',
        title: `${name} is closed: more may be live than this desk knows`,
        detail: unproven,
      });
    found.push(...outsideAttention(parts, chain));
    found.push(...restrictionAttention(parts.outside, chain));
    found.push(...holdingsAttention(parts.rooms, chain, exposure));
    found.push(...switchAttention(parts.rooms, chain));
    for (const { body, blame } of strictBodiesOf(chain, parts.rooms.now())) {
      if (blame.length === 0) continue;
      found.push({
        code: `strict ${chain.chainId} ${body}`,
        level: 'look',
        title: `Strict services discard all of /${body} on ${name}`,
        detail: `${blame.join('; ')}. Correct it, or leave such entries out with “What strict services refuse” under Settings.`,
        action: LISTINGS,
      });
    }
    for (const { kind, id, fault: why } of chain.setApart) {
      found.push({
        code: `apart ${chain.chainId} ${kind} ${id}`,
        level: 'stop',
        title: `The ${kind} ${id} is not used on ${name}`,
        detail: why,
        action: LISTINGS,
      });
    }
    for (const pair of chain.pairs.values()) {
      if (pair.fault === null) continue;
      found.push({
        code: `pair ${chain.chainId} ${pair.id}`,
        level: 'stop',
        title: `${pair.id} is not served on ${name}`,
        detail: pair.fault,
        action: { kind: 'pair', chainId: chain.chainId, pair: pair.id },
      });
    }
  }
  for (const { chainId, pair, kind, sentence } of parts.hedging?.auto.alerts() ?? []) {
    const stopped = kind === 'stopped';
    const titles = {
      stopped: `Automatic hedging of ${pair} is switched off`,
      refused: `${pair} is not hedged automatically`,
      in_parts: `${pair} is hedged in parts`,
    };
    found.push({
      code: `hedge ${chainId} ${pair}`,
      level: stopped ? 'stop' : 'look',
      title: titles[kind],
      detail: stopped ? `${sentence} It stays off until a person switches it on again.` : sentence,
      action: { kind: 'page', page: 'hedge' },
    });
  }
  for (const hedge of parts.hedging?.engine.log.all() ?? []) {
    const { seq, opened, note } = hedge;
    const until = opened.deadline * 1_000;
    if (!canGiveUp(hedge) || parts.rooms.now() - until < OVERDUE_MS) continue;
    const of = opened.pair === null ? '' : ` of ${opened.pair}`;
    found.push({
      code: `overdue hedge ${seq}`,
      level: 'look',
      title: `Hedge ${seq}${of} is past its deadline and not over`,
      detail: `${note ?? 'What became of it is not known.'} Its deadline was ${utcText(until)}, and its fills are hedged by nothing else meanwhile. See on the chain what became of it, then give it up with a reason.`,
      action: { kind: 'page', page: 'hedge' },
    });
  }
  const unwitnessed = parts.rooms.journal.witness()?.fault ?? null;
  if (unwitnessed !== null) {
    found.push({
      code: 'witness',
      level: 'look',
      title: 'Nobody would notice if an earlier copy of this folder were put back',
      detail: `${unwitnessed} ${MEND_WITNESS}`,
    });
  }
  const unwritten = parts.quoter?.counts().unwritten ?? 0;
  if (unwritten > 0) {
    found.push({
      code: 'unwritten',
      level: 'note',
      title: `${unwritten} refusals since the start are not in the firm log`,
      detail:
        'A counterparty was refused more often than is written down. Each was answered; counts of refusals are too low.',
    });
  }
  return found.sort((a, b) => URGENCY[a.level] - URGENCY[b.level]);
}

function shortAddress(address: string): string {
  return `${address.slice(0, 6)}…${address.slice(-4)}`;
}

/** The pairs that a token which did not pass its check keeps closed. */
function pairsOf(chain: ChainBook, { scope, outcome }: ChainCheck): string[] {
  if (scope.kind !== 'token' || outcome !== 'failed') return [];
  const { tokenId } = scope;
  return [...chain.pairs.values()]
    .filter(({ definition: { base, quote } }) => base === tokenId || quote === tokenId)
    .map(({ id }) => id);
}

/** What is wrong between the desk and a node, in a few words: what it has, or what that does to the chain. */
function unseenTitle(guard: AttentionParts['rooms']['guard'], chain: ChainBook, isAnother: boolean): string {
  const { name } = chain.config;
  if (isAnother) return `The node of ${name} has another chain`;
  if (guard.closure(chain) !== null) return `${name} is closed`;
  return guard.trading.stateOf({ chainId: chain.chainId }) === 'HALTED'
    ? `${name} is not seen`
    : `${name} is not seen and closes soon`;
}

/** What emergencies signed on a chain, and no receipt says that it happened. */
function emergencyAttention(
  { accounts, now }: Pick<Rooms, 'accounts' | 'now'>,
  { chainId, config: { name } }: ChainBook,
): Attention[] {
  const open = accounts.emergencies.all().filter((call) => call.chainId === chainId && now() - call.at > EMERGENCY_MS);
  const [first, ...more] = open;
  if (first === undefined) return [];
  const what = open.map(({ purpose }) => purpose).join(', ');
  return [
    {
      code: `emergency ${chainId}`,
      level: 'stop',
      title: `${open.length} emergency ${more.length === 0 ? 'transaction' : 'transactions'} of ${name} not carried out yet`,
      detail: `${what}: signed at ${utcText(first.at)}, and no receipt says that it happened. It is handed to the node again and again. Look at the node and at what a unit of gas costs, and press once more on the page of the halted desk. Each emergency sends along what was not done.`,
      covers: open.map(({ hashes }) => hashes.at(-1) ?? ''),
    },
  ];
}
