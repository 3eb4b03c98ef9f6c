import type { ChainBook } from '../book/chain-book.ts';
import { hasReference, ruleOf } from '../book/combine-sources.ts';
import { judgeTakers } from '../book/judge-takers.ts';
import { CHAIN_SETTINGS } from '../contract/chain-settings.ts';
import type { Attention } from '../contract/desk-view.ts';
import { bpsText } from '../contract/marks.ts';
import { isoTime, tokenOf } from '../contract/names.ts';
import { REFERENCE_URL } from '../contract/sources.ts';
import { TIMESTAMP_TOLERANCE_MS } from '../protocol/hmac.ts';
import type { Heartbeats } from './heartbeats.ts';
import type { Outside } from './outside.ts';
import type { Rooms } from './rooms.ts';

/** The service has probably dropped our prices when it has not asked for them for this long, in milliseconds. */
const UNPOLLED_MS = 10_000;
/** A clock this far off is worth a look, and at this its requests are refused (PROTOCOL 5.2.4). */
const SKEW_LOOK_MS = 5_000;
/** So many amounts of dust within an hour are worth a look: one may be an accident. */
const DUST_LOOK = 3;
/** Pairs that are named one by one; of more only the number is told. */
const MOST_NAMED = 5;

export interface AttentionParts {
  rooms: Pick<Rooms, 'book' | 'guard' | 'now'>;
  heartbeats: Pick<Heartbeats, 'of' | 'skew'>;
  outside: {
    references: Pick<Outside['references'], 'of' | 'silent'>;
    takers: Pick<Outside['takers'], 'of'>;
    refusals: Pick<Outside['refusals'], 'list'>;
  };
}

const SERVICE = { kind: 'page', page: 'service' } as const;

/** What is wrong between a chain of the desk, its service and its reference. */
export function outsideAttention(parts: AttentionParts, chain: ChainBook): Attention[] {
  return [
    ...pollAttention(parts, chain),
    ...clockAttention(parts, chain),
    ...priceAttention(parts, chain),
    ...takersAttention(parts, chain),
    ...unknownTakerAttention(parts, chain),
    ...dustAttention(parts, chain),
  ];
}

/** What is wrong with the prices of a chain. */
function priceAttention(parts: AttentionParts, chain: ChainBook): Attention[] {
  return [
    ...referenceAttention(parts, chain),
    ...followAttention(parts, chain),
    ...formulaAttention(parts, chain),
    ...pushAttention(parts, chain),
    ...fenceAttention(parts, chain),
    ...sourcesAttention(parts, chain),
    ...coolDownAttention(parts, chain),
    ...offReferenceAttention(parts, chain),
  ].map((row) => ({ ...row, pricesOf: chain.chainId }));
}

function pollAttention({ rooms: { guard, now }, heartbeats }: AttentionParts, chain: ChainBook): Attention[] {
  const { chainId, config } = chain;
  if (guard.trading.stateOf({ chainId }) !== 'LIVE' || guard.closure(chain) !== null) return [];
  const last = heartbeats.of(chainId).find(({ endpoint }) => endpoint === 'prices');
  const since = guard.trading.states.desk().since;
  if (now() - Math.max(last?.at ?? 0, since) <= UNPOLLED_MS) return [];
  const told =
    last === undefined
      ? 'Nobody has asked for them yet.'
      : `The last poll was at ${clock(last.at)}, ${last.by === null ? 'unsigned' : `by ${last.by}`}, answered ${last.status}.`;
  const detail = `${told} The service drops prices that it has not refreshed for some seconds.`;
  const title = `The service does not poll /prices of ${config.name}`;
  return [{ code: `unpolled ${chainId}`, level: 'look', title, detail, action: SERVICE }];
}

function clockAttention({ heartbeats }: AttentionParts, { chainId, config }: ChainBook): Attention[] {
  const skew = heartbeats.skew(chainId);
  if (skew === null || Math.abs(skew) < SKEW_LOOK_MS) return [];
  const refused = Math.abs(skew) > TIMESTAMP_TOLERANCE_MS;
  const away = `${Math.round(Math.abs(skew) / 1_000)} s ${skew > 0 ? 'ahead' : 'behind'}`;
  const detail = refused
    ? `Their clock is ${away} of ours, so their signed requests are refused: 30 s are allowed. See which of the two is wrong.`
    : `Their clock is ${away} of ours; from 30 s on their requests are refused. See which of the two is wrong.`;
  const title = `The service’s clock is ${away} on ${config.name}`;
  return [{ code: `clock ${chainId}`, level: refused ? 'stop' : 'look', title, detail, action: SERVICE }];
}

function referenceAttention({ rooms, outside }: AttentionParts, chain: ChainBook): Attention[] {
  const { chainId, config } = chain;
  const { book, now } = rooms;
  if (config.referenceUrl === null) return unfencedAttention(chain);
  const { fault, pairFaults } = outside.references.of(chainId);
  const closed = now() > (book.references.chainFreshUntil(chain) ?? 0);
  const whole = closed ? ['every pair', ...chain.pairs.keys()] : undefined;
  if (fault !== null) {
    const until = closed
      ? 'Its prices are too old, so the chain is closed until it answers again.'
      : `The chain closes when they are older than ${config.referenceMaxAgeSeconds} s.`;
    const title = `The reference of ${config.name} cannot be read`;
    return [
      {
        code: `reference ${chainId}`,
        level: closed ? 'stop' : 'look',
        title,
        detail: `${fault} ${until}`,
        action: SERVICE,
        covers: whole,
      },
    ];
  }
  if (closed) {
    const detail = 'It answers, but none of its prices is young enough. The chain opens again by itself.';
    const title = `The reference of ${config.name} is stale`;
    return [{ code: `reference ${chainId}`, level: 'stop', title, detail, action: SERVICE, covers: whole }];
  }
  const dark = [...chain.pairs.keys()].filter((pair) => {
    if (ruleOf(config, pair) !== null) return false; // told with its sources
    const reference = book.references.of(chainId, pair);
    const isHeld = reference?.heldBack != null && reference.waitsUntil === undefined; // told by itself, as is a pair that waits
    return !isHeld && waitsUntil(rooms, chain, pair) === null && now() > (book.references.freshUntil(chain, pair) ?? 0);
  });
  if (dark.length === 0) return [];
  const named = dark.slice(0, MOST_NAMED).map((pair) => {
    const why =
      pairFaults.get(pair) ?? (book.references.of(chainId, pair) ? 'its price is too old' : 'it is not in it');
    return `${pair}: ${why}`;
  });
  const more = dark.length > MOST_NAMED ? ` And ${dark.length - MOST_NAMED} more.` : '';
  const title =
    dark.length === 1
      ? `${dark[0]} is closed: the reference has no price for it`
      : `${dark.length} pairs of ${config.name} are closed: the reference has no price for them`;
  return [
    {
      code: `reference ${chainId}`,
      level: 'stop',
      title,
      detail: `${named.join('; ')}.${more}`,
      action: SERVICE,
      covers: dark,
    },
  ];
}

/** Pairs that nothing says the place of, where nothing is signed beyond a fence around it. */
function unfencedAttention({ chainId, config, pairs }: ChainBook): Attention[] {
  const hard = config.fenceHardBps ?? 0;
  const lost = hard === 0 ? [] : [...pairs.keys()].filter((pair) => !hasReference(config, pair));
  if (lost.length === 0) return [];
  const title =
    lost.length === 1
      ? `${lost[0]} is closed: it has no reference`
      : `${lost.length} pairs of ${config.name} are closed: they have no reference`;
  const named = `${lost.slice(0, MOST_NAMED).join(', ')}${lost.length > MOST_NAMED ? `, and ${lost.length - MOST_NAMED} more` : ''}`;
  const detail = `${named}: on ${config.name} nothing is signed further than ${hard} bps from a reference, and without one nobody knows how far that is. Give each pair a reference, or set “${CHAIN_SETTINGS.fenceHardBps}” to 0 under Settings.`;
  return [
    {
      code: `no reference ${chainId}`,
      level: 'stop',
      title,
      detail,
      action: { kind: 'page', page: 'settings' },
      covers: lost,
    },
  ];
}

/** Pairs whose sources cannot be relied on, and sources that cannot be heard. */
function sourcesAttention({ rooms: { book }, outside }: AttentionParts, chain: ChainBook): Attention[] {
  const { chainId, config } = chain;
  const ofPairs = Object.entries(config.references ?? {}).flatMap(([pair, { whenApart }]): Attention[] => {
    const reference = book.references.of(chainId, pair);
    if (!chain.pairs.has(pair) || (reference !== undefined && reference.unsure === undefined)) return [];
    const isApart = reference?.unsure === 'apart';
    const why = reference?.heldBack ?? 'not enough of its sources have been heard yet';
    const opens =
      isApart && whenApart === 'halts'
        ? 'It is switched off until a person resumes it.'
        : 'It opens by itself when that is over.';
    return [
      {
        code: `sources ${chainId} ${pair}`,
        level: 'stop',
        title: `${pair} is closed: ${isApart ? 'its sources are apart' : 'too few of its sources are fresh'}`,
        detail: `${upper(why)}. ${opens}`,
        action: { kind: 'pair', chainId, pair },
      },
    ];
  });
  const ofSources = outside.references.silent(chainId).flatMap(({ name, fault }): Attention[] => {
    if (name === REFERENCE_URL) return [];
    const asks = Object.entries(config.references ?? {}).filter(([, { sources }]) => sources.includes(name));
    const used =
      asks.length === 0
        ? 'No pair uses it.'
        : `It is asked for ${asks
            .map(([pair]) => pair)
            .slice(0, MOST_NAMED)
            .join(', ')}.`;
    const title = `The source ${name} of ${config.name} cannot be heard`;
    return [{ code: `source ${chainId} ${name}`, level: 'look', title, detail: `${fault} ${used}`, action: SERVICE }];
  });
  return [...ofPairs, ...ofSources];
}

function followAttention({ outside }: AttentionParts, { chainId, config }: ChainBook): Attention[] {
  const { followers } = outside.references.of(chainId);
  return config.follow.flatMap((pair): Attention[] => {
    const outcome = followers.get(pair);
    if (outcome === undefined || !('sentence' in outcome)) return [];
    const held = outcome.kind === 'held';
    const detail = `${upper(outcome.sentence)}.${held ? ' The pair is closed until a person publishes, or it fits again.' : ''}`;
    return [
      {
        code: `follow ${chainId} ${pair}`,
        level: held ? 'stop' : 'note',
        title: `${pair} does not follow the reference`,
        detail,
        action: { kind: 'pair', chainId, pair },
      },
    ];
  });
}

/** Pairs that their formula does not price, and sides that it closes. */
function formulaAttention({ rooms: { book }, outside }: AttentionParts, { chainId, config }: ChainBook): Attention[] {
  const { followers } = outside.references.of(chainId);
  return Object.keys(config.formulas ?? {}).flatMap((pair): Attention[] => {
    if (config.byHand?.includes(pair)) return [];
    const outcome = followers.get(pair);
    const action = { kind: 'pair', chainId, pair } as const;
    if (outcome?.kind === 'held') {
      const title = `${pair} is closed: its formula gives no prices`;
      const detail = `${upper(outcome.sentence)}. It opens by itself when that is over.`;
      return [{ code: `formula ${chainId} ${pair}`, level: 'stop', title, detail, action }];
    }
    const shut = book.servedBy(chainId, pair)?.price.closings.filter(({ why }) => why !== null) ?? [];
    return shut.map(({ closes, why }) => ({
      code: `formula ${chainId} ${pair} ${closes}`,
      level: 'note',
      title: `The formula of ${pair} closes its ${closes}`,
      detail: `${upper(why ?? '')}. They open by themselves when that is over.`,
      action,
    }));
  });
}

/** Pairs whose engine fell silent, or whose updates are refused until they are too old. */
function pushAttention({ rooms: { book, now } }: AttentionParts, chain: ChainBook): Attention[] {
  const { chainId, config, pairs } = chain;
  const lines = book.pushed.lines();
  return [...pairs.values()].flatMap((pair): Attention[] => {
    const token = tokenOf(pair.ladder.actor);
    const until = book.pushed.freshUntil(chain, pair);
    if (token === null || until === null || now() <= until || pair.retiredUntil !== null) return [];
    const line = lines.find((one) => one.token === token && one.chainId === chainId);
    const last =
      line === undefined
        ? 'It has not been heard since the desk started.'
        : `It was last heard at ${clock(line.lastAt)}.`;
    const error = line?.lastError ? ` The last thing refused: ${line.lastError.error}` : '';
    const isTaken = config.byHand?.includes(pair.id) === true;
    const action = { kind: 'pair', chainId, pair: pair.id } as const;
    const code = `prices ${chainId} ${pair.id}`;
    if (isTaken) {
      const title = `${pair.id} is closed: it was taken over from its engine, and nobody has published it`;
      const detail = 'What the engine pushed last is too old. Publish its ladder, or give the pair back to engines.';
      return [{ code, level: 'stop', title, detail, action }];
    }
    const detail =
      `Its prices come from the engine with the token ${token}; none was taken in the last ${config.pricesMaxAgeSeconds} s. ${last}${error} ` +
      'It opens by itself when prices come again; or take it over, and publish its ladder by hand.';
    const title = `${pair.id} is closed: its engine does not price it`;
    return [{ code, level: 'stop', title, detail, action }];
  });
}

/** Pairs whose reference moved further than it may without a person; the desk believes what it said before. */
function fenceAttention({ rooms: { book } }: AttentionParts, { chainId, pairs }: ChainBook): Attention[] {
  return [...pairs.values()].flatMap(({ id, ladder }): Attention[] => {
    const reference = book.references.of(chainId, id);
    if (reference?.fenced !== true) return [];
    const inHand =
      tokenOf(ladder.actor) === null ? '' : ' With that the pair is in your hands: give it back to its engine then.';
    const detail =
      `${upper(reference.heldBack ?? '')}. The pair is closed until the reference comes back or a person says that this is ` +
      `the price: publish its ladder, or: makerdesk accept-reference --chain ${chainId} --pair ${id} --mid PRICE, with what you see elsewhere.${inHand}`;
    const action = { kind: 'pair', chainId, pair: id } as const;
    return [
      {
        code: `fence ${chainId} ${id}`,
        level: 'stop',
        title: `The reference of ${id} is not believed`,
        detail,
        action,
      },
    ];
  });
}

/** Pairs that went off because their reference was too old or could not be relied on, and wait although it is well again. */
function coolDownAttention({ rooms }: AttentionParts, chain: ChainBook): Attention[] {
  const { chainId, config, pairs } = chain;
  const { book } = rooms;
  const waiting = [...pairs.keys()].flatMap((pair) => {
    const until = waitsUntil(rooms, chain, pair);
    return until === null ? [] : [{ pair, until }];
  });
  if (waiting.length === 0) return [];
  const named = waiting.slice(0, MOST_NAMED).map(({ pair, until }) => `${pair} at ${clock(until)}`);
  const more = waiting.length > MOST_NAMED ? `, and ${waiting.length - MOST_NAMED} more` : '';
  const isOld = waiting.every(({ pair }) => (book.references.of(chainId, pair)?.waitsFor ?? 'old') === 'old');
  const which = waiting.length === 1 ? `${waiting[0]?.pair} is` : `${waiting.length} pairs of ${config.name} are`;
  return [
    {
      code: `cool-down ${chainId}`,
      level: 'look',
      title: `${which} not quoted yet: the reference ${isOld ? 'was too old' : 'could not be relied on'}`,
      detail: `It is fresh again, and has to be so for ${config.referenceCoolDownSeconds} s (Settings): ${named.join(', ')}${more}.`,
      action: SERVICE,
    },
  ];
}

/** Until when a pair waits with a reference that is fresh, or null. */
function waitsUntil(
  { book, now }: AttentionParts['rooms'],
  { chainId, config }: ChainBook,
  pair: string,
): number | null {
  const reference = book.references.of(chainId, pair);
  if (reference?.waitsUntil === undefined) return null;
  return now() > reference.time + config.referenceMaxAgeSeconds * 1_000 ? null : reference.waitsUntil;
}

/** Ladders whose best prices stand on the wrong side of a fresh reference or too far from it, and what is past a fence. */
function offReferenceAttention({ rooms: { guard, book } }: AttentionParts, chain: ChainBook): Attention[] {
  const { chainId, config } = chain;
  return [...chain.pairs.values()].flatMap((pair): Attention[] => {
    if (pair.fault !== null || pair.retiredUntil !== null) return [];
    const off = guard.offReference(chain, pair);
    if (off === null) return [];
    const sides = (['bids', 'asks'] as const).flatMap((side) => {
      const found = guard.trading.stateOf({ chainId, pair: pair.id, side }) === 'HALTED' ? null : off[side];
      return found === null ? [] : [{ side, ...found }];
    });
    // The worst one says it: what is through the reference loses with every fill.
    const worst = sides.find(({ kind }) => kind === 'through') ?? sides.find((one) => one.closed) ?? sides[0];
    if (worst === undefined) return [];
    const { side, kind, closed, tenthBps } = worst;
    const by = `${bpsText(tenthBps)} bps`;
    const where = kind === 'fence' ? 'from the' : (side === 'bids') === (kind === 'through') ? 'over the' : 'under the';
    const mid = book.references.of(chainId, pair.id)?.mid ?? '';
    const token = tokenOf(pair.ladder.actor);
    const follows = config.follow.includes(pair.id) ? 'Its ladder should follow it.' : 'Its ladder does not follow it.';
    const whose = token === null ? follows : `Its prices come from the engine with the token ${token}.`;
    const mend =
      kind === 'fence'
        ? 'Publish prices nearer to the reference, or widen the fence under Settings.'
        : token === null
          ? 'Publish prices around the reference, or let it follow.'
          : 'See which of the two is wrong; to price it by hand, take it over and publish.';
    const shut = sides.filter((one) => one.closed).map((one) => one.side);
    const quoted =
      shut.length === 0 ? 'It is quoted as it stands.' : `${upper(shut.join(' and '))} are closed while that lasts.`;
    return [
      {
        code: `off reference ${chainId} ${pair.id}`,
        level: kind === 'through' || closed ? 'stop' : 'look',
        title: `${pair.id}: ${kind === 'fence' ? `a ${side === 'bids' ? 'bid' : 'ask'} stands` : `the best ${side === 'bids' ? 'bid' : 'ask'} is`} ${by} ${where} reference`,
        detail: `The reference says ${mid}. ${whose} ${quoted} ${mend}`,
        action: { kind: 'pair', chainId, pair: pair.id },
      },
    ];
  });
}

function takersAttention({ outside }: AttentionParts, chain: ChainBook): Attention[] {
  const { chainId, config } = chain;
  const { fault, named, looks } = outside.takers.of(chainId);
  const { waiting, never } = judgeTakers(chain, named);
  const found: Attention[] = [];
  if (fault !== null) {
    const title = `The takers of ${config.name} could not be fetched`;
    const count = config.takers.length;
    const kept = count === 0 ? 'No list is in force.' : `The list of ${count} stays in force.`;
    found.push({ code: `takers ${chainId}`, level: 'note', title, detail: `${fault} ${kept}`, action: SERVICE });
  }
  for (const { address, is } of never) {
    found.push({
      code: `never taker ${chainId} ${address}`,
      level: 'stop',
      title: `The service names ${is} as a taker on ${config.name}`,
      detail: `${address} is refused whoever asks for it. Ask the service what happened, or whether it is still the service.`,
      action: SERVICE,
    });
  }
  for (const address of waiting.slice(0, MOST_NAMED)) {
    found.push({
      code: `new taker ${chainId} ${address}`,
      level: 'look',
      title: `A new taker of ${config.name} waits for you`,
      detail:
        `The service names ${address}. ${looks.get(address) ?? ''} Until somebody takes it, orders for it are refused, and ` +
        'each refusal makes the service skip the pair for 15 minutes.',
      action: SERVICE,
    });
  }
  if (waiting.length > MOST_NAMED) {
    const title = `${waiting.length} new takers of ${config.name} wait for you`;
    const detail = 'A service that names so many at once may not be what it was. The Service page lists them all.';
    found.push({ code: `new takers ${chainId}`, level: 'look', title, detail, action: SERVICE });
  }
  return found;
}

/** A request whose taker is not on the list costs the pair, so somebody has to see at once whether the list is wrong. */
function unknownTakerAttention({ outside }: AttentionParts, { chainId, config }: ChainBook): Attention[] {
  const refused = outside.refusals
    .list(chainId, 'taker_not_allowed')
    .filter(({ address }) => !config.takers.includes(address));
  const [last] = refused;
  if (last === undefined) return [];
  const { named } = outside.takers.of(chainId);
  const source = named.includes(last.address) ? 'the list in force, though the service names it' : 'the list in force';
  const others =
    refused.length > 1 ? ` ${refused.length - 1} other${refused.length > 2 ? 's were' : ' was'} refused too.` : '';
  const detail =
    `${last.address} is not on ${source}; it was named ${times(last.count)} within the last hour, at ${clock(last.at)} for ` +
    `${last.pair ?? 'no pair of this desk'}. Each refusal makes the service skip the pair for 15 minutes.${others}`;
  const title = `A taker that is not on the list was refused on ${config.name}`;
  return [{ code: `unknown taker ${chainId} ${last.address}`, level: 'stop', title, detail, action: SERVICE }];
}

/** Dust is cheap to ask for, and what it costs is a pair for 15 minutes: who does it on purpose is blacklisted by a person. */
function dustAttention({ outside }: AttentionParts, { chainId, config }: ChainBook): Attention[] {
  const dust = outside.refusals.list(chainId, 'amount_too_small');
  const [most] = dust.toSorted((a, b) => b.count - a.count);
  if (most === undefined) return [];
  const all = dust.reduce((sum, { count }) => sum + count, 0);
  const users = dust.length === 1 ? 'by one user' : `by ${dust.length} users`;
  const detail =
    `${most.address} did so ${times(most.count)}, last at ${clock(most.at)} for ${most.pair ?? 'no pair of this desk'}; ` +
    `${times(all)} ${users} in all. Each makes the service skip the pair for 15 minutes. Blacklist whoever does it on purpose.`;
  const title = `Amounts worth less than one raw unit are asked for on ${config.name}`;
  return [{ code: `dust ${chainId}`, level: all >= DUST_LOOK ? 'look' : 'note', title, detail, action: SERVICE }];
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}

function upper(sentence: string): string {
  return sentence.slice(0, 1).toUpperCase() + sentence.slice(1);
}

function clock(time: number): string {
  return `${isoTime(time).slice(11, 19)} UTC`;
}
