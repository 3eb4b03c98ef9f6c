import { CHAIN_SETTINGS } from '../contract/chain-settings.ts';
import type { DeskChange } from '../contract/desk-changes.ts';
import {
  type BlacklistEntry,
  type ChainConfig,
  type CounterpartyConfig,
  chainConfigSchema,
  type DeskFile,
  type Ladder,
} from '../contract/desk-file.ts';
import { formulaText } from '../contract/formula.ts';
import { CHAIN_LIMITS, LIMITS, TOKEN_LIMITS } from '../contract/limits.ts';
import { ruleText, thenText } from '../contract/protections.ts';
import type { PairReference } from '../contract/sources.ts';
import type { Level, Pair, Token } from '../protocol/wire.ts';

/** Who may call, with the fingerprint of each secret that is known, by domain, and those of access keys where they are compared. */
interface Callers {
  counterparties: readonly CounterpartyConfig[];
  fingerprints: Readonly<Record<string, string | undefined>>;
  accessPrints?: Readonly<Record<string, string | undefined>>;
}

/** What is listed by a key of its own, and compared entry by entry. */
const LISTED: readonly string[] = [
  'spareRpcUrls',
  'reserve',
  'limits',
  'takers',
  'takersLeftOut',
  'off',
  'follow',
  'byHand',
  'formulas',
  'sources',
  'references',
  'tokens',
  'pairs',
  'prices',
  'blacklist',
] satisfies (keyof ChainConfig)[];
const SETTING_NAMES = (Object.keys(CHAIN_SETTINGS) as (keyof typeof CHAIN_SETTINGS)[]).filter(
  (name) => !LISTED.includes(name),
);

type ComparedDesk = Pick<
  DeskFile,
  | 'chains'
  | 'deadlineMs'
  | 'surfaceNames'
  | 'archiveAfterDays'
  | 'lockAfterMinutes'
  | 'remoteSigner'
  | 'protections'
  | 'deadManMinutes'
>;

/**
 * What a desk file would change, entry by entry, each as it is now and as it would be; null where it is not there. Both are
 * without secrets: one that changes shows by its fingerprint.
 */
export function compareDesks(
  before: { desk: ComparedDesk; callers: Callers },
  after: { desk: ComparedDesk; callers: Callers },
): DeskChange[] {
  const ids = [...new Set([...before.desk.chains, ...after.desk.chains].map(({ chainId }) => chainId))];
  const chainOf = ({ chains }: Pick<DeskFile, 'chains'>, id: number) => chains.find(({ chainId }) => chainId === id);
  return [
    ...ids.flatMap((id) => chainChanges(chainOf(before.desk, id), chainOf(after.desk, id))),
    ...callerChanges(before.callers, after.callers),
    ...changed('Desk', 'Answers within, ms', before.desk.deadlineMs, after.desk.deadlineMs),
    ...setChanges('Desk', 'Host name', before.desk.surfaceNames, after.desk.surfaceNames),
    ...changed('Desk', 'Archives quotes after, days', before.desk.archiveAfterDays, after.desk.archiveAfterDays),
    ...changed('Desk', 'Halt and lock after, min', before.desk.lockAfterMinutes, after.desk.lockAfterMinutes),
    ...recordChanges('Desk', (name) => `Key, ${name}`, keyTexts(before.desk), keyTexts(after.desk)),
    ...changed('Desk', 'Halts without a person after, min', before.desk.deadManMinutes, after.desk.deadManMinutes),
    ...recordChanges('Desk', (name) => `Protection ${name}`, protectionTexts(before.desk), protectionTexts(after.desk)),
  ];
}

function chainChanges(before: ChainConfig | undefined, after: ChainConfig | undefined): DeskChange[] {
  if (after === undefined) {
    if (before === undefined) return [];
    return [{ about: called(before), what: 'Chain', before: sizeOf(before), after: null }];
  }
  if (before === undefined) {
    // Against the same chain with nothing set: what follows of itself is not listed.
    const { chainId, name, basePath, rpcUrl, rfqContract, domainName, maker, signer } = after;
    const bare = { chainId, name, basePath, rpcUrl, rfqContract, domainName, maker, signer };
    const given = (['rpcUrl', 'rfqContract', 'domainName', 'maker', 'signer'] as const).map((field) => ({
      about: called(after),
      what: CHAIN_SETTINGS[field],
      before: null,
      after: after[field],
    }));
    const isNew = { about: called(after), what: 'Chain', before: null, after: sizeOf(after) };
    return [isNew, ...given, ...fieldChanges(chainConfigSchema.parse(bare), after)];
  }
  return fieldChanges(before, after);
}

function fieldChanges(before: ChainConfig, after: ChainConfig): DeskChange[] {
  const about = called(after);
  const byKey = <V>(what: (key: string) => string, field: (chain: ChainConfig) => Readonly<Record<string, V>>) =>
    recordChanges(about, what, field(before), field(after));
  return [
    ...SETTING_NAMES.flatMap((name) => changed(about, CHAIN_SETTINGS[name], before[name], after[name])),
    ...placeChanges(about, (place) => `Spare node ${place}`, before.spareRpcUrls, after.spareRpcUrls),
    ...CHAIN_LIMITS.flatMap((name) => changed(about, LIMITS[name].label, before.limits[name], after.limits[name])),
    ...TOKEN_LIMITS.flatMap((name) =>
      amountChanges(about, LIMITS[name].label, before.limits[name] ?? {}, after.limits[name] ?? {}),
    ),
    ...amountChanges(about, 'kept back from quoting', before.reserve, after.reserve),
    ...setChanges(about, 'Taker', before.takers, after.takers),
    ...setChanges(about, 'Taker left out', before.takersLeftOut, after.takersLeftOut),
    ...byKey(
      (token) => `Token ${token}`,
      ({ tokens }) => mapped(tokens, tokenText),
    ),
    ...byKey(
      (token) => `Token ${token}: description`,
      ({ tokens }) => mapped(tokens, ({ description }) => description),
    ),
    ...byKey(
      (pair) => `Pair ${pair}`,
      ({ pairs }) => mapped(pairs, pairText),
    ),
    ...byKey(
      (pair) => `${pair}: switched off`,
      ({ off }) => mapped(off, (sides) => [...sides].sort().join(' and ')),
    ),
    ...setChanges(about, 'Follows the reference', before.follow, after.follow),
    ...setChanges(about, 'Priced by hand', before.byHand, after.byHand),
    ...byKey(
      (pair) => `${pair}: formula`,
      ({ formulas = {} }) => mapped(formulas, formulaText),
    ),
    ...byKey(
      (place) => `Source ${place}`,
      ({ sources = {} }) => Object.fromEntries(Object.entries(sources).flatMap(([name, one]) => leavesOf(name, one))),
    ),
    ...byKey(
      (pair) => `${pair}: reference`,
      ({ references = {} }) => mapped(references, referenceText),
    ),
    ...[...new Set([...Object.keys(before.prices), ...Object.keys(after.prices)])].flatMap((pair) =>
      ladderChanges(about, pair, before.prices[pair], after.prices[pair]),
    ),
    ...recordChanges(about, (user) => `Blacklist ${user}`, listed(before.blacklist), listed(after.blacklist)),
  ];
}

/** Amounts by their token: each with its unit. */
function amountChanges(
  about: string,
  what: string,
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
): DeskChange[] {
  return Object.keys({ ...before, ...after }).flatMap((token) =>
    changed(about, `${token}: ${what}`, own(before, token), own(after, token)).map((one) => ({ ...one, unit: token })),
  );
}

/** One row for each level that differs: each has a price, and who takes the file over takes all of them. */
function ladderChanges(
  about: string,
  pair: string,
  before: Ladder | undefined,
  after: Ladder | undefined,
): DeskChange[] {
  return (['bids', 'asks'] as const).flatMap((side) => {
    const [from, to] = [before?.[side] ?? [], after?.[side] ?? []];
    return placeChanges(about, (place) => `${pair}: ${side}, level ${place}`, from.map(levelText), to.map(levelText));
  });
}

function levelText([price, amount]: Level): string {
  return `${price} × ${amount}`;
}

function callerChanges(before: Callers, after: Callers): DeskChange[] {
  const domains = [...before.counterparties, ...after.counterparties].map(({ domain }) => domain);
  return [...new Set(domains)].flatMap((domain) => {
    const about = `Counterparty ${domain}`;
    const [was, is] = [before, after].map(({ counterparties }) => counterparties.find((one) => one.domain === domain));
    const print = ({ fingerprints }: Callers) => fingerprints[domain] ?? null;
    const accessPrint = ({ accessPrints }: Callers) => accessPrints?.[domain] ?? null;
    const own = [
      ...changed(about, 'Access key, by its fingerprint', was && accessPrint(before), is && accessPrint(after)),
      ...changed(about, 'Secret, by its fingerprint', was && print(before), is && print(after)),
    ];
    if (was === undefined || is === undefined) {
      const there = (one: CounterpartyConfig | undefined) => (one === undefined ? null : 'may ask');
      return [...changed(about, 'Counterparty', there(was), there(is)), ...own];
    }
    return [
      ...own,
      ...changed(about, 'Signed path', was.signedPath, is.signedPath),
      ...changed(about, 'One order per signature', was.oneOrderPerSignature ?? true, is.oneOrderPerSignature ?? true),
      ...setChanges(about, 'Address it may ask from', was.addresses, is.addresses),
      ...setChanges(about, 'Proxy that it asks through', was.proxies, is.proxies),
    ];
  });
}

function recordChanges<V>(
  about: string,
  what: (key: string) => string,
  before: Readonly<Record<string, V>>,
  after: Readonly<Record<string, V>>,
): DeskChange[] {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return keys.flatMap((key) => changed(about, what(key), own(before, key), own(after, key)));
}

/** Where the order says something: one row for each place, from 1, that differs. */
function placeChanges(
  about: string,
  what: (place: number) => string,
  before: readonly string[] = [],
  after: readonly string[] = [],
): DeskChange[] {
  const most = Math.max(before.length, after.length);
  return Array.from({ length: most }, (_, at) => changed(about, what(at + 1), before[at], after[at])).flat();
}

function setChanges(
  about: string,
  what: string,
  before: readonly string[] = [],
  after: readonly string[] = [],
): DeskChange[] {
  return [
    ...before.filter((one) => !after.includes(one)).flatMap((one) => changed(about, what, one, null)),
    ...after.filter((one) => !before.includes(one)).flatMap((one) => changed(about, what, null, one)),
  ];
}

function changed(about: string, what: string, from: unknown, to: unknown): DeskChange[] {
  const [before, after] = [textOf(from), textOf(to)];
  return before === after ? [] : [{ about, what, before, after }];
}

function textOf(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return String(value);
}

function own<V>(record: Readonly<Record<string, V>>, key: string): V | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

function mapped<V, Text extends string | undefined>(
  record: Readonly<Record<string, V>>,
  text: (value: V) => Text,
): Record<string, Text> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, text(value)]));
}

function listed(entries: readonly BlacklistEntry[]): Record<string, string> {
  return Object.fromEntries(
    entries.map(({ address, reason, until, onlyHere }) => {
      const words = [reason ?? 'no reason', until && `until ${until}`, onlyHere === true && 'on this desk only'];
      return [address, words.filter(Boolean).join(', ')];
    }),
  );
}

function keyTexts({ remoteSigner }: Pick<DeskFile, 'remoteSigner'>): Record<string, string> {
  return Object.fromEntries(Object.entries(remoteSigner ?? {}).map(([name, value]) => [name, `${value}`]));
}

function protectionTexts({ protections = [] }: ComparedDesk): Record<string, string> {
  return Object.fromEntries(protections.map((rule) => [rule.name, `${ruleText(rule)}; ${thenText(rule)}`]));
}

function referenceText({ sources, rule, atLeast, upToSeconds, apartBps, whenApart }: PairReference): string {
  const words = [
    `${rule} of ${sources.join(', ')}`,
    atLeast !== undefined && `at least ${atLeast}`,
    upToSeconds !== undefined && `up to ${upToSeconds} s old`,
    apartBps > 0 && `${whenApart} where more than ${apartBps} bps apart`,
  ];
  return words.filter(Boolean).join(', ');
}

/** Each field of what a source is told, however deep, under its whole way there: one text of all of it would be too long to read. */
function leavesOf(way: string, value: unknown): [string, unknown][] {
  if (typeof value !== 'object' || value === null) return [[way, value ?? 'null']];
  const fields = Object.entries(value);
  if (fields.length === 0) return [[way, JSON.stringify(value)]];
  // In quotes, no name can pass for a way.
  return fields.flatMap(([field, of]) =>
    leavesOf(`${way}, ${/^\w+$/.test(field) ? field : JSON.stringify(field)}`, of),
  );
}

function tokenText({ symbol, name, address, decimals }: Token): string {
  return `${symbol}, ${name}, ${address}, ${decimals} decimals`;
}

function pairText({ base, quote, liquidityUSD }: Pair): string {
  return `${base} in ${quote}, liquidity $${liquidityUSD}`;
}

function called({ name, chainId }: ChainConfig): string {
  return `${name} (${chainId})`;
}

function sizeOf({ tokens, pairs }: ChainConfig): string {
  return `tokens: ${Object.keys(tokens).length}, pairs: ${Object.keys(pairs).length}`;
}
