import type { Database } from 'better-sqlite3';
import type { z } from 'zod';
import { chainSettingName } from '../../contract/chain-settings.ts';
import { type ChainConfig, earlierOf, type Ladder } from '../../contract/desk-file.ts';
import { formulaOf, formulaTexts } from '../../contract/formula.ts';
import type { SentencePart } from '../../contract/journal.ts';
import { LIMITS, type Limits } from '../../contract/limits.ts';
import { FORMULA, isoTime, tokenOf } from '../../contract/names.ts';
import { type Protection, ruleText, thenText } from '../../contract/protections.ts';
import { add, compare, div, formatDecimal, mul, parseDecimal, sub } from '../../protocol/decimal.ts';
import type { Level } from '../../protocol/wire.ts';
import {
  change,
  changes,
  counted,
  differences,
  figure,
  listed,
  named,
  type PastRows,
  quoted,
  shortened,
  type TellingsOf,
  type ToldRow,
  user,
  words,
} from '../telling.ts';
import type { BOOK_EVENTS } from './events.ts';
import { readRevisions } from './revisions.ts';

type Body<Kind extends keyof typeof BOOK_EVENTS> = z.infer<(typeof BOOK_EVENTS)[Kind]>;
type PairRow = ToldRow<{ chainId: number; pair: string }>;
/** What an import says of a chain. */
type Imported = ChainConfig | undefined;

/** What changed in the configuration, in sentences with what was before. */
export function tellBook(past: PastRows, db: Database): TellingsOf<typeof BOOK_EVENTS> {
  const ladderAt = laddersOf(db);
  const ofPair = ({ body: { chainId, pair } }: PairRow) => ({ chainId, pair });
  const ofChain = ({ body: { chainId } }: { body: { chainId: number } }) => ({ chainId, wide: true });
  const ofToken = ({ body }: { body: { chainId: number; tokenId: string } }) => ({
    chainId: body.chainId,
    tokenId: body.tokenId,
  });

  /** What `of` says of the same subject, or what an import said of it, whichever came later. */
  function before<Kind extends keyof typeof BOOK_EVENTS, T>(
    { seq }: { seq: number },
    kinds: readonly Kind[],
    of: {
      row: (body: Body<Kind>, kind: Kind) => T | undefined;
      imported: (desk: Body<'desk_configured'>['desk']) => T;
    },
  ): T | undefined {
    return past.latest(seq, [...kinds, 'desk_configured'], (row) => {
      const { kind, body } = row as ToldRow<unknown>;
      if (kind === 'desk_configured') return of.imported((body as Body<'desk_configured'>).desk);
      return of.row(body as Body<Kind>, kind as Kind);
    });
  }
  const chainIn = ({ chains }: Body<'desk_configured'>['desk'], chainId: number): Imported =>
    chains.find((chain) => chain.chainId === chainId);

  return {
    desk_configured: {
      name: 'Desk file imported',
      group: 'settings',
      concerns: () => ({ wide: true }),
      say: ({ seq, body: { desk } }) => {
        const old = past.latest(seq, ['desk_configured'], ({ body }: ToldRow<Body<'desk_configured'>>) => body.desk);
        return [words('imported a desk file: '), ...importedParts(old, desk)];
      },
    },
    chain_set: {
      name: 'Chain settings',
      group: 'settings',
      concerns: ofChain,
      say: (row) => {
        const { chainId, config } = row.body;
        const old = before(row, ['chain_set'], {
          row: (body) => (body.chainId === chainId ? (body.config as Record<string, unknown>) : undefined),
          imported: (desk) => settingsOf(chainIn(desk, chainId)),
        });
        const parts = differences(old, config as Record<string, unknown>, (field) => `“${chainSettingName(field)}”`);
        return parts.length === 0 ? [words('set the chain as it was')] : [words('set the chain: '), ...parts];
      },
    },
    desk_set: {
      name: 'Desk settings',
      group: 'settings',
      concerns: () => ({}),
      say: ({ seq, body }) => {
        const before = Object.keys(body).map((field) => {
          const was = past.latest(seq, ['desk_set', 'desk_configured'], ({ kind, body: told }) => {
            const from = kind === 'desk_configured' ? (told as Body<'desk_configured'>).desk : told;
            const said = new Map<string, unknown>(Object.entries(from));
            return kind === 'desk_configured' || said.has(field) ? (said.get(field) ?? null) : undefined;
          });
          return [field, was ?? null];
        });
        const parts = differences(Object.fromEntries(before), body);
        return parts.length === 0 ? [words('set the desk as it was')] : [words('set the desk: '), ...parts];
      },
    },
    counterparties_set: {
      name: 'Counterparties',
      group: 'settings',
      concerns: () => ({}),
      say: (row) => {
        const { counterparties, fingerprints } = row.body;
        const domains = (from: readonly { domain: string; addresses?: readonly string[] | undefined }[]) =>
          from.map(({ domain, addresses }) => `${named(domain)}${fromText(addresses)}`).join(', ') || 'none';
        type Before = { who: string; fingerprints: Record<string, string> };
        const old = past.latest(row.seq, ['counterparties_set', 'desk_configured'], ({ kind, body }): Before => {
          const told = body as Body<'counterparties_set'> | Body<'desk_configured'>;
          const from =
            kind === 'desk_configured' ? (told as Body<'desk_configured'>).desk : (told as Body<'counterparties_set'>);
          return { who: domains(from.counterparties), fingerprints: told.fingerprints };
        });
        const renewed = counterparties.filter(({ domain }) => {
          const was = old?.fingerprints[domain];
          return was !== undefined && was !== fingerprints[domain];
        });
        const isTaken = (prints: Record<string, string> | undefined, domain: string) =>
          prints?.[earlierOf(domain)] !== undefined;
        const both = counterparties.filter(({ domain }) => isTaken(fingerprints, domain));
        const ended = counterparties.filter(
          ({ domain }) => isTaken(old?.fingerprints, domain) && !isTaken(fingerprints, domain),
        );
        const keys = [
          ...(renewed.length === 0 ? [] : [words(`; new keys of ${domains(renewed)}`)]),
          ...(both.length === 0 ? [] : [words(`; the earlier keys of ${domains(both)} are taken as well`)]),
          ...(ended.length === 0 ? [] : [words(`; the earlier keys of ${domains(ended)} are not taken any more`)]),
        ];
        return [words('set who may ask: '), ...change(old?.who, domains(counterparties)), ...keys];
      },
    },
    protections_set: {
      name: 'Protections set',
      group: 'settings',
      concerns: () => ({ wide: true }),
      say: (row) => {
        const texts = (rules: readonly Protection[] = []) =>
          Object.fromEntries(rules.map((rule) => [rule.name, `${ruleText(rule)}; ${thenText(rule)}`]));
        const old = past.latest(row.seq, ['protections_set', 'desk_configured'], ({ kind, body }) => {
          const told = body as Body<'protections_set'> | Body<'desk_configured'>;
          const from =
            kind === 'desk_configured' ? (told as Body<'desk_configured'>).desk : (told as Body<'protections_set'>);
          return texts(from.protections);
        });
        return [words('set the protections: '), ...differences(old ?? {}, texts(row.body.protections))];
      },
    },
    ladder_published: {
      name: 'Ladder published',
      group: 'prices',
      concerns: ofPair,
      say: ({ actor, body: { chainId, pair, revision, ladder, followed } }) => {
        const old = ladderAt(chainId, pair, revision - 1);
        const isMoved = followed !== undefined && tokenOf(actor) === null;
        const began = isMoved ? movedWith(actor) : 'published';
        return [words(`${began} revision ${figure(`${revision}`)}: `), ...ladderParts(old, ladder)];
      },
    },
    ladders_moved: {
      name: 'Ladders moved',
      group: 'prices',
      concerns: ({ body: { chainId, moves } }) => {
        const pairs = moves.map(([pair]) => pair);
        return pairs.length === 1 ? { chainId, pair: pairs[0] ?? null } : { chainId, pairs };
      },
      // Who moved it and that it was moved stand beside the sentence: the prices have its room.
      say: ({ body: { chainId, moves } }) => {
        const told = moves.slice(0, MOST_MOVES).flatMap(([pair, revision, ...to], index): SentencePart[] => {
          const [old, now] = [revision - 1, revision].map((number) => ladderAt(chainId, pair, number));
          const which = moves.length === 1 ? '' : `${named(pair)} `;
          return [
            words(`${index === 0 ? '' : '; '}${which}r${figure(`${revision}`)}: `),
            ...(now === undefined
              ? [words(`to ${to.map((price) => (price === null ? NONE : figure(price))).join(' / ')}`)]
              : ladderParts(old, now)),
          ];
        });
        const left = moves.length - MOST_MOVES;
        return left > 0 ? [...told, words(`; and ${counted(left, 'pair')} more`)] : told;
      },
    },
    follow_set: {
      name: 'Following',
      group: 'prices',
      concerns: ofPair,
      say: (row) => {
        const { chainId, pair, on } = row.body;
        // A person who publishes ends following as well.
        const old = past.latest(row.seq, ['follow_set', 'ladder_published', 'desk_configured'], ({ kind, body }) => {
          if (kind === 'desk_configured')
            return chainIn((body as Body<'desk_configured'>).desk, chainId)?.follow.includes(pair) ?? false;
          const told = body as Body<'follow_set'> | Body<'ladder_published'>;
          if (told.chainId !== chainId || told.pair !== pair) return undefined;
          return kind === 'follow_set'
            ? (told as Body<'follow_set'>).on
            : (told as Body<'ladder_published'>).followed !== undefined;
        });
        return [words('following the reference: '), ...change(old === undefined ? null : onOff(old), onOff(on))];
      },
    },
    hand_set: {
      name: 'Pricing by hand',
      group: 'prices',
      concerns: ofPair,
      say: ({ body: { on } }) => [
        words(on ? 'took it over: no engine and no formula prices it' : 'gave it back to its engine or formula'),
      ],
    },
    formula_set: {
      name: 'Formula',
      group: 'prices',
      concerns: ofPair,
      say: (row) => {
        const { chainId, pair, formula } = row.body;
        const old = before(row, ['formula_set'], {
          row: (body) => (body.chainId === chainId && body.pair === pair ? body.formula : undefined),
          imported: (desk) => formulaOf(chainIn(desk, chainId) ?? {}, pair),
        });
        if (formula === null) return [words('removed its formula: it stands where it is')];
        const parts = differences(old == null ? undefined : formulaTexts(old), formulaTexts(formula));
        if (parts.length === 0) return [words('set its formula as it was')];
        return [words(old == null ? 'priced it by a formula: ' : 'set its formula: '), ...parts];
      },
    },
    token_saved: {
      name: 'Token saved',
      group: 'settings',
      concerns: ofToken,
      say: (row) => {
        const { chainId, tokenId, token } = row.body;
        const old = before(row, ['token_saved', 'token_removed'], {
          row: (body, kind) => {
            if (body.chainId !== chainId || body.tokenId !== tokenId) return undefined;
            return kind === 'token_removed' ? null : (body as Body<'token_saved'>).token;
          },
          imported: (desk) => chainIn(desk, chainId)?.tokens[tokenId] ?? null,
        });
        return saved(`the token ${named(tokenId)}`, old, token);
      },
    },
    token_removed: {
      name: 'Token removed',
      group: 'settings',
      concerns: ofToken,
      say: ({ body: { tokenId } }) => [words(`removed the token ${named(tokenId)}`)],
    },
    pair_saved: {
      name: 'Pair saved',
      group: 'settings',
      concerns: ofPair,
      say: (row) => {
        const { chainId, pair, definition } = row.body;
        const old = before(row, ['pair_saved', 'pair_removed'], {
          row: (body, kind) => {
            if (body.chainId !== chainId || body.pair !== pair) return undefined;
            return kind === 'pair_removed' ? null : (body as Body<'pair_saved'>).definition;
          },
          imported: (desk) => chainIn(desk, chainId)?.pairs[pair] ?? null,
        });
        return saved(`the pair ${named(pair)}`, old, definition);
      },
    },
    pair_retired: {
      name: 'Pair retired',
      group: 'settings',
      concerns: ofPair,
      say: ({ body: { pair, until } }) => [
        words(`retired ${named(pair)}: no more prices, removed after `),
        { text: minute(until), as: 'after' },
      ],
    },
    pair_removed: {
      name: 'Pair removed',
      group: 'settings',
      concerns: ofPair,
      say: ({ body: { pair } }) => [words(`removed the pair ${named(pair)}`)],
    },
    limits_set: {
      name: 'Limits',
      group: 'settings',
      concerns: ofChain,
      say: (row) => {
        const { chainId, limits } = row.body;
        const old = before(row, ['limits_set'], {
          row: (body) => (body.chainId === chainId ? body.limits : undefined),
          imported: (desk) => chainIn(desk, chainId)?.limits,
        });
        const parts = limitParts(old, limits);
        return parts.length === 0 ? [words('set the limits as they were')] : [words('set limits: '), ...changes(parts)];
      },
    },
    takers_set: {
      name: 'Takers',
      group: 'settings',
      concerns: ofChain,
      say: (row) => {
        const { chainId, takers, leftOut, reason } = row.body;
        type Before = { takers: readonly string[]; leftOut?: readonly string[] | undefined };
        const old = before<'takers_set', Before | undefined>(row, ['takers_set'], {
          row: (body) => (body.chainId === chainId ? body : undefined),
          imported: (desk) => {
            const chain = chainIn(desk, chainId);
            return chain && { takers: chain.takers, leftOut: chain.takersLeftOut };
          },
        });
        const said = listed([
          ...changedNames('added', takers, old?.takers),
          ...changedNames('took off', old?.takers ?? [], takers),
          ...changedNames('left out', leftOut ?? [], old?.leftOut ?? []),
          [words('takers '), ...change(old && `${old.takers.length}`, `${takers.length}`)],
        ]);
        return [...said, ...quoted(reason)];
      },
    },
    contract_pinned: {
      name: 'Contract confirmed',
      group: 'settings',
      concerns: ({ body: { chainId } }) => ({ chainId }),
      say: (row) => {
        const { chainId, mode, address } = row.body;
        const old = past.latest(row.seq, ['contract_pinned'], ({ body }: ToldRow<Body<'contract_pinned'>>) =>
          body.chainId === chainId && body.mode === mode ? body.address : undefined,
        );
        const which = mode === 'market' ? 'router' : 'intent contract';
        return [
          words(`confirmed that the service’s ${which} may be given tokens: `),
          ...change(old && shortened(old), shortened(address)),
        ];
      },
    },
    blacklist_added: {
      name: 'Blacklisted',
      group: 'settings',
      concerns: ({ body: { chainId } }) => ({ chainId }),
      say: ({ body: { address, reason, until, onlyHere } }) => [
        words('blacklisted '),
        ...user(past, address),
        words(`${onlyHere ? ' here only' : ''}${until === null ? '' : ` until ${minute(until)}`}`),
        ...quoted(reason),
      ],
    },
    blacklist_removed: {
      name: 'Off the blacklist',
      group: 'settings',
      concerns: ({ body: { chainId } }) => ({ chainId }),
      say: ({ body: { address, reason } }) => [
        words('took '),
        ...user(past, address),
        words(' off the blacklist'),
        ...quoted(reason),
      ],
    },
  };
}

/** What moved ladders, by who did it. */
function movedWith(actor: string): string {
  if (actor === FORMULA) return 'priced by formula:';
  return tokenOf(actor) === null ? 'moved with the reference:' : 'moved to pushed mids:';
}

/** Of a row with more moves the first ones are told. */
const MOST_MOVES = 3;

/** The ladder of a pair as it was at a revision; undefined where it had none yet, or it cannot be read. */
function laddersOf(db: Database) {
  const { upTo, published } = readRevisions(db);
  return (chainId: number, pair: string, revision: number): Ladder | undefined => {
    const place = upTo(chainId, pair, revision);
    const was = place === null ? undefined : published(chainId, pair, place);
    return was?.unreadable === undefined ? was?.ladder : undefined;
  };
}

const NONE = 'none';

/** Best prices, spread and depth: what changed of them, or that something deeper did. */
function ladderParts(old: Ladder | undefined, now: Ladder): SentencePart[] {
  const best = (levels: readonly Level[]) => (levels[0] === undefined ? NONE : figure(levels[0][0]));
  const facts = (ladder: Ladder) =>
    [
      ['we buy', best(ladder.bids)],
      ['we sell', best(ladder.asks)],
      ['spread', spreadText(ladder)],
      ['size', `${sizeText(ladder.bids)} / ${sizeText(ladder.asks)}`],
      ['levels', `${ladder.bids.length} / ${ladder.asks.length}`],
    ] as const;
  const [was, is] = [old && facts(old), facts(now)];
  const parts = is.flatMap(([name, text], index) => {
    const before = was?.[index]?.[1];
    return before === text ? [] : [[words(`${name} `), ...change(before, text)]];
  });
  if (parts.length > 0) return listed(parts);
  const same = JSON.stringify(old) === JSON.stringify(now);
  return [words(same ? 'as it was' : 'the best prices as they were, deeper levels changed')];
}

function sizeText([first]: readonly Level[]): string {
  return first === undefined ? NONE : figure(first[1]);
}

/** Of the best prices against their middle, bps with one decimal. */
function spreadText({ bids: [bid], asks: [ask] }: Ladder): string {
  if (bid === undefined || ask === undefined) return NONE;
  const [low, high] = [parseDecimal(bid[0]), parseDecimal(ask[0])];
  const sum = add(low, high);
  if (sum.n === 0n) return NONE;
  const difference = sub(high, low);
  const crossed = compare(high, low) < 0;
  const bps = div(mul(crossed ? { n: -difference.n, d: difference.d } : difference, { n: 20_000n, d: 1n }), sum);
  return `${crossed ? '−' : ''}${figure(formatDecimal(bps, 1, 'floor'))} bps`;
}

function limitParts(old: Limits | undefined, now: Limits): SentencePart[][] {
  return (Object.keys(LIMITS) as (keyof typeof LIMITS)[]).flatMap((name): SentencePart[][] => {
    const { label, none } = LIMITS[name];
    const text = (value: unknown) => (value === undefined || value === 0 ? none : figure(`${value}`));
    const [was, is] = [old?.[name], now[name]];
    if (typeof was !== 'object' && typeof is !== 'object') {
      return was === is ? [] : [[words(`${label} `), ...change(old && text(was), text(is))]];
    }
    const [past, next] = [amountsOf(was), amountsOf(is)];
    return [...new Set([...past.keys(), ...next.keys()])]
      .filter((token) => past.get(token) !== next.get(token))
      .map((token) => [
        words(`${label} ${named(token, 16)} `),
        ...change(old && text(past.get(token)), text(next.get(token))),
      ]);
  });
}

/** By token ID, which may be any text. */
function amountsOf(value: unknown): ReadonlyMap<string, unknown> {
  return new Map(typeof value === 'object' && value !== null ? Object.entries(value) : []);
}

/** `old`: null where it was not listed, undefined where nothing is known of before. */
function saved(what: string, old: object | null | undefined, now: object): SentencePart[] {
  if (old === null) return [words(`added ${what}: `), ...differences(undefined, { ...now })];
  const parts = differences(old === undefined ? undefined : { ...old }, { ...now });
  return parts.length === 0 ? [words(`saved ${what} as it was`)] : [words(`saved ${what}: `), ...parts];
}

/** Names of one list that another lacks. */
function changedNames(deed: string, names: readonly string[], others: readonly string[] | undefined): SentencePart[][] {
  const without = new Set(others?.map((name) => name.toLowerCase()));
  const found = others === undefined ? [] : names.filter((name) => !without.has(name.toLowerCase()));
  if (found.length === 0) return [];
  const left = found.length > 3 ? ` and ${found.length - 3} more` : '';
  return [[words(`${deed} `), { text: `${found.slice(0, 3).map(shortened).join(' and ')}${left}`, as: 'after' }]];
}

function settingsOf(chain: Imported): Record<string, unknown> | undefined {
  if (chain === undefined) return undefined;
  const { chainId: _id, tokens: _t, pairs: _p, prices: _r, blacklist: _b, off: _o, ...rest } = chain;
  const { limits: _l, takers: _k, takersLeftOut: _n, follow: _f, byHand: _h, formulas: _m, ...config } = rest;
  return config;
}

type Desk = Body<'desk_configured'>['desk'];

/** How many of everything, and which chains and pairs came and went. */
function importedParts(old: Desk | undefined, now: Desk): SentencePart[] {
  const pairs = ({ chains }: Desk) =>
    chains.flatMap((chain) => Object.keys(chain.pairs).map((pair) => `${chain.chainId} ${pair}`));
  const counts = (desk: Desk) => ({
    chains: desk.chains.length,
    tokens: desk.chains.reduce((sum, { tokens }) => sum + Object.keys(tokens).length, 0),
    pairs: pairs(desk).length,
    counterparties: desk.counterparties.length,
  });
  const [was, is] = [old && counts(old), counts(now)];
  const names = { chains: 'chain', tokens: 'token', pairs: 'pair', counterparties: 'counterparty' } as const;
  const told = (Object.keys(names) as (keyof typeof names)[]).map((name): SentencePart[] => {
    const many = name === 'counterparties' ? 'counterparties' : undefined;
    const before = was === undefined || was[name] === is[name] ? null : `${was[name]}`;
    return change(before, counted(is[name], names[name], many));
  });
  const pairList = (list: readonly string[]) =>
    list
      .slice(0, 3)
      .map((pair) => named(pair.slice(pair.indexOf(' ') + 1)))
      .join(', ');
  const known = new Set(old && pairs(old));
  const added = old === undefined ? [] : pairs(now).filter((pair) => !known.has(pair));
  const stays = new Set(pairs(now));
  const gone = old === undefined ? [] : pairs(old).filter((pair) => !stays.has(pair));
  return listed([
    ...told,
    ...(added.length > 0 ? [[words(`new: ${pairList(added)}${added.length > 3 ? '…' : ''}`)]] : []),
    ...(gone.length > 0 ? [[words(`gone: ${pairList(gone)}${gone.length > 3 ? '…' : ''}`)]] : []),
  ]);
}

function onOff(on: boolean): string {
  return on ? 'on' : 'off';
}

/** `2026-11-19 14:22 UTC`. */
function minute(time: number): string {
  return `${isoTime(time).slice(0, 16).replace('T', ' ')} UTC`;
}

function fromText(addresses: readonly string[] | undefined): string {
  return addresses === undefined ? '' : ` (from ${named(addresses.join(', '), 120)})`;
}
