import { isDeepStrictEqual } from 'node:util';
import type { HeldKind } from '../contract/approvals.ts';
import type { ChainConfig, DeskFile } from '../contract/desk-file.ts';
import { CHAIN_LIMITS, LIMITS, type Limits, TOKEN_LIMITS } from '../contract/limits.ts';
import type { Protection } from '../contract/protections.ts';
import { foldImport, type StoredTradingState } from '../journal/trading/fold.ts';
import { compare, parseDecimal } from '../protocol/decimal.ts';
import { scopeKey } from '../signer/scope-key.ts';

/** Of what kind a setting is, and whether it lets more happen than before; null: no second person is ever asked for it. */
type Rule<Of, Field extends keyof Of> = {
  kind: HeldKind;
  isLooser: (before: Of[Field], after: Of[Field], whole: Of) => boolean;
} | null;
type Rules<Of> = { readonly [Field in keyof Required<Of>]: Rule<Of, Field> };

const changed = (before: unknown, after: unknown) => !isDeepStrictEqual(before ?? null, after ?? null);
const higher = (before = 0, after = 0) => after > before;
const lower = (before = 0, after = 0) => after < before;
/** Where zero, or nothing, is no bound at all. */
const bound = (before = 0, after = 0) => before !== 0 && (after === 0 || after > before);
const switchedOff = (before = true, after = true) => before && !after;
const more = (before: readonly string[] = [], after: readonly string[] = []) =>
  after.some((one) => !before.includes(one));
const fewer = (before: readonly string[] = [], after: readonly string[] = []) => more(after, before);

const network = { kind: 'networks', isLooser: changed } as const;

/** Every setting of a chain. What is traded on it, and at what price, is for whoever trades alone. */
const CHAIN: Rules<ChainConfig> = {
  chainId: network,
  name: network,
  basePath: network,
  rpcUrl: network,
  spareRpcUrls: network,
  secondRpcUrl: network,
  rfqContract: network,
  domainName: network,
  maker: network,
  signer: network,
  quoteLifetimeSeconds: { kind: 'limits', isLooser: higher },
  overfillBps: { kind: 'limits', isLooser: higher },
  clipToBalance: { kind: 'limits', isLooser: switchedOff },
  feedMaxAgeSeconds: network,
  strictListing: network,
  deadSide: network,
  blacklistedAnswer: network,
  balanceMaxAgeSeconds: { kind: 'limits', isLooser: higher },
  headAheadMaxSeconds: { kind: 'limits', isLooser: higher },
  headMaxAgeSeconds: { kind: 'limits', isLooser: higher },
  unknownFillHalts: { kind: 'limits', isLooser: switchedOff },
  referenceMaxAgeSeconds: { kind: 'limits', isLooser: higher },
  referenceCoolDownSeconds: { kind: 'limits', isLooser: lower },
  pricesMaxAgeSeconds: { kind: 'limits', isLooser: higher },
  retireHours: network,
  reserve: { kind: 'limits', isLooser: (before, after) => isAnyAmount(after, before, isMore) },
  limits: { kind: 'limits', isLooser: isLooserLimits },
  // An empty list checks nothing.
  takers: {
    kind: 'takers',
    isLooser: (before, after) => more(before, after) || (after.length === 0 && before.length > 0),
  },
  takersLeftOut: { kind: 'takers', isLooser: fewer },
  // A side that is not switched off any more is quoted.
  off: {
    kind: 'resume',
    isLooser: (before, after, { pairs }) =>
      Object.keys(pairs).some((pair) => fewer(sidesOf(before, pair), sidesOf(after, pair))),
  },
  referenceUrl: network,
  sources: network,
  references: network,
  referenceMinuteBps: { kind: 'limits', isLooser: bound },
  referenceHourBps: { kind: 'limits', isLooser: bound },
  referenceAnchorBps: { kind: 'limits', isLooser: bound },
  offReferenceBps: { kind: 'limits', isLooser: changed },
  offReferenceCloses: { kind: 'limits', isLooser: changed },
  fenceSoftBps: { kind: 'limits', isLooser: bound },
  fenceHardBps: { kind: 'limits', isLooser: bound },
  hedgeFeeMultiple: { kind: 'limits', isLooser: higher },
  hedgeMostGwei: { kind: 'limits', isLooser: higher },
  follow: null,
  formulas: null,
  byHand: null,
  serviceUrl: network,
  intentSegment: network,
  router: network,
  intentContract: network,
  permit2: network,
  partner: network,
  tokens: null,
  pairs: null,
  prices: null,
  blacklist: null,
};

/** Every setting of a desk beside its chains, as a desk file has it. Secrets are told by their fingerprints, by whoever compares them. */
const DESK: Rules<Omit<DeskFile, 'chains'>> = {
  version: null,
  deadlineMs: { kind: 'limits', isLooser: higher },
  counterparties: { kind: 'keys', isLooser: isLooserCallers },
  surfaceNames: { kind: 'networks', isLooser: more },
  archiveAfterDays: null,
  lockAfterMinutes: { kind: 'keys', isLooser: bound },
  remoteSigner: { kind: 'keys', isLooser: changed },
  protections: { kind: 'limits', isLooser: isLooserProtections },
  deadManMinutes: { kind: 'limits', isLooser: bound },
  alerts: null,
  serviceKeys: { kind: 'keys', isLooser: changed },
};

/**
 * Of which kinds a change of the configuration lets more happen than before. What is stricter, lower, or gone is of none: nobody waits
 * for that.
 */
export function loosenedKinds(before: DeskFile, after: DeskFile): HeldKind[] {
  const { chains: chainsBefore, ...deskBefore } = before;
  const { chains: chainsAfter, ...deskAfter } = after;
  const kinds = [
    ...kindsOf(DESK, deskBefore, deskAfter),
    ...chainsAfter.flatMap((chain): HeldKind[] => {
      const known = chainsBefore.find(({ chainId }) => chainId === chain.chainId);
      // A new one comes without the limits and with the takers that its file says.
      return known === undefined ? ['networks', 'limits', 'takers'] : kindsOf(CHAIN, known, chain);
    }),
  ];
  return [...new Set(kinds)];
}

function kindsOf<Of extends object>(rules: Rules<Of>, before: Of, after: Of): HeldKind[] {
  const names = Object.keys(rules) as (keyof Of)[];
  return names.flatMap((name) => {
    const rule = rules[name];
    return rule?.isLooser(before[name], after[name], after) ? [rule.kind] : [];
  });
}

/** Zero or missing is no limit; what a balance may drift is the other way round, for it only says what is no alarm. */
function isLooserLimits(before: Limits, after: Limits): boolean {
  return (
    CHAIN_LIMITS.some((name) => bound(before[name], after[name])) ||
    TOKEN_LIMITS.some((name) => {
      const [was = {}, is = {}] = [before[name], after[name]];
      return isAnyAmount(was, is, LIMITS[name].isStop ? isLooserAmount : isMore);
    })
  );
}

function sidesOf(off: ChainConfig['off'], pair: string): readonly string[] {
  return Object.hasOwn(off, pair) ? (off[pair] ?? []) : [];
}

type Amounts = Readonly<Record<string, string>>;

function isAnyAmount(a: Amounts, b: Amounts, is: (a: string, b: string) => boolean): boolean {
  const of = (amounts: Amounts, id: string) => (Object.hasOwn(amounts, id) ? (amounts[id] ?? '0') : '0');
  return [...Object.keys(a), ...Object.keys(b)].some((id) => is(of(a, id), of(b, id)));
}

function isMore(before: string, after: string): boolean {
  return compare(parseDecimal(after), parseDecimal(before)) > 0;
}

function isLooserAmount(before: string, after: string): boolean {
  const isNone = (amount: string) => parseDecimal(amount).n === 0n;
  return !isNone(before) && (isNone(after) || isMore(before, after));
}

/** A rule that is new protects more; one that is kept may only have a lower limit, warn otherwise, or freeze for longer. */
function isLooserProtections(before: readonly Protection[] = [], after: readonly Protection[] = []): boolean {
  return before.some((rule) => {
    const now = after.find(({ name }) => name === rule.name);
    if (now === undefined || isOtherRule(rule, after)) return true;
    // Zero: what is frozen stays so until somebody resets it, which is longest.
    return isMore(rule.limit, now.limit) || bound(now.freezeSeconds, rule.freezeSeconds);
  });
}

/** Whether a rule is not among others under its name, or counts otherwise there. */
export function isOtherRule(rule: Protection, among: readonly Protection[]): boolean {
  const bare = ({ limit: _limit, freezeSeconds: _frozen, warnPercent: _warned, ...counts }: Protection) => counts;
  const now = among.find(({ name }) => name === rule.name);
  return now === undefined || changed(bare(rule), bare(now));
}

/**
 * The stops that stand and would be gone once a desk file is taken over, also of what leaves with it: whoever lists that again
 * trades it. A stop of a side is not gone where its whole pair is stopped.
 */
export function droppedStops(standing: readonly StoredTradingState[], desk: DeskFile): StoredTradingState[] {
  const isStop = ({ state }: StoredTradingState) => state !== 'LIVE';
  const after = foldImport(standing, { time: 0, actor: '', body: { desk, fingerprints: {}, standing: [] } });
  const kept = new Set(after.filter(isStop).map(({ scope }) => scopeKey(scope)));
  return standing.filter((stop) => {
    const { chainId, pair } = stop.scope;
    const isKept = kept.has(scopeKey(stop.scope)) || (pair !== undefined && kept.has(scopeKey({ chainId, pair })));
    return isStop(stop) && !isKept;
  });
}

type Callers = DeskFile['counterparties'];

/** Somebody new may ask, or one of them otherwise than before; or nobody has to sign any more. */
function isLooserCallers(before: Callers, after: Callers): boolean {
  return (
    (after.length === 0 && before.length > 0) ||
    after.some((party) =>
      changed(
        before.find(({ domain }) => domain === party.domain),
        party,
      ),
    )
  );
}
