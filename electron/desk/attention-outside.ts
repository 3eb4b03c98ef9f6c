import type { ChainBook } from '../book/chain-book.ts';
import type { Attention } from '../contract/desk-view.ts';
import type { Heartbeats } from './heartbeats.ts';
import type { Outside } from './outside.ts';
import type { Rooms } from './rooms.ts';

/** The service has probably dropped our prices when it has not asked for them for this long, in milliseconds. */
const UNPOLLED_MS = 10_000;
/** A clock this far off is worth a look, and at this its requests are refused (spec 5.2, rule 5). */
const SKEW_LOOK_MS = 5_000;
const SKEW_STOP_MS = 30_000;
/** Pairs that are named one by one; of more only the number is told. */
const MOST_NAMED = 5;

export interface AttentionParts {
  rooms: Pick<Rooms, 'book' | 'guard' | 'now'>;
  heartbeats: Pick<Heartbeats, 'of' | 'skew'>;
  outside: Pick<Outside, 'references' | 'takers'>;
}

const SERVICE = { kind: 'page', page: 'service' } as const;

/** What is wrong between a chain of the desk, its service and its reference. */
export function outsideAttention(parts: AttentionParts, chain: ChainBook): Attention[] {
  return [
    ...pollAttention(parts, chain),
    ...clockAttention(parts, chain),
    ...referenceAttention(parts, chain),
    ...followAttention(parts, chain),
    ...takersAttention(parts, chain),
  ];
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
  const refused = Math.abs(skew) > SKEW_STOP_MS;
  const away = `${Math.round(Math.abs(skew) / 1_000)} s ${skew > 0 ? 'ahead' : 'behind'}`;
  const detail = refused
    ? `Their clock is ${away} of ours, so their signed requests are refused: 30 s are allowed. See which of the two is wrong.`
    : `Their clock is ${away} of ours; from 30 s on their requests are refused. See which of the two is wrong.`;
  const title = `The service's clock is ${away} on ${config.name}`;
  return [{ code: `clock ${chainId}`, level: refused ? 'stop' : 'look', title, detail, action: SERVICE }];
}

function referenceAttention({ rooms, outside }: AttentionParts, chain: ChainBook): Attention[] {
  const { chainId, config } = chain;
  const { book, now } = rooms;
  if (config.referenceUrl === null) return [];
  const { fault, pairFaults } = outside.references.of(chainId);
  const closed = now() > (book.references.chainFreshUntil(chain) ?? 0);
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
      },
    ];
  }
  if (closed) {
    const detail = 'It answers, but none of its prices is young enough. The chain opens again by itself.';
    const title = `The reference of ${config.name} is stale`;
    return [{ code: `reference ${chainId}`, level: 'stop', title, detail, action: SERVICE }];
  }
  const dark = [...chain.pairs.keys()].filter((pair) => {
    const isHeld = book.references.of(chainId, pair)?.heldBack != null; // told by itself
    return !isHeld && now() > (book.references.freshUntil(chain, pair) ?? 0);
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
    { code: `reference ${chainId}`, level: 'stop', title, detail: `${named.join('; ')}.${more}`, action: SERVICE },
  ];
}

function followAttention({ outside }: AttentionParts, { chainId, config }: ChainBook): Attention[] {
  const { followers } = outside.references.of(chainId);
  return config.follow.flatMap((pair): Attention[] => {
    const outcome = followers.get(pair);
    if (outcome === undefined || outcome.kind === 'follows') return [];
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

function takersAttention({ outside }: AttentionParts, { chainId, config }: ChainBook): Attention[] {
  const { fault } = outside.takers.of(chainId);
  if (fault === null) return [];
  const count = config.takers.length;
  const kept =
    count === 0 ? 'There is no list in force, so any taker may be named.' : `The list of ${count} stays in force.`;
  const title = `The takers of ${config.name} could not be fetched`;
  return [{ code: `takers ${chainId}`, level: 'note', title, detail: `${fault} ${kept}`, action: SERVICE }];
}

function upper(sentence: string): string {
  return sentence.slice(0, 1).toUpperCase() + sentence.slice(1);
}

function clock(time: number): string {
  return `${new Date(time).toISOString().slice(11, 19)} UTC`;
}
