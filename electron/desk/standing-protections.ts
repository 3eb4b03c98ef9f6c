import type { ChainBook } from '../book/chain-book.ts';
import { hasReference } from '../book/combine-sources.ts';
import { farthestLevel, tenthBpsOf } from '../book/price-fence.ts';
import { tokenOf } from '../contract/names.ts';
import type { StandingPeak, StandingRow } from '../contract/protections.ts';
import { parseDecimal } from '../protocol/decimal.ts';
import type { Rooms } from './rooms.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** The worst of something that is looked at: what, and how much of the unit of its row. */
interface Worst {
  readonly where: string;
  readonly used: number;
}

/**
 * What protects the desk beside the rules on amounts: fences around the reference, switches on what says prices and on people, and the
 * tripwire for orders that were never signed here. Each with how it stands now and its worst of the last day, as far as this desk ran
 * in it, looked at once a second.
 */
export class StandingProtections {
  readonly #rooms: Pick<Rooms, 'book' | 'guard' | 'now'>;
  /** By row, the worst of each minute. */
  readonly #peaks = new Map<string, Map<number, StandingPeak>>();

  constructor(rooms: Pick<Rooms, 'book' | 'guard' | 'now'>) {
    this.#rooms = rooms;
  }

  /** Remembers how full each is now. To be called once a second. */
  tick(): void {
    const at = this.#rooms.now();
    for (const row of this.#now()) {
      if (row.used === null) continue;
      const peaks = this.#peaks.get(keyOf(row)) ?? new Map<number, StandingPeak>();
      this.#peaks.set(keyOf(row), peaks);
      const minute = Math.floor(at / MINUTE_MS);
      const known = peaks.get(minute);
      if (known === undefined || row.used > known.used) peaks.set(minute, { used: row.used, where: row.where, at });
      for (const [step, peak] of peaks) if (peak.at <= at - DAY_MS) peaks.delete(step);
    }
  }

  rows(): StandingRow[] {
    const since = this.#rooms.now() - DAY_MS;
    return this.#now().map((row) => {
      const peaks = [...(this.#peaks.get(keyOf(row))?.values() ?? [])].filter(({ at }) => at > since);
      return { ...row, peak: peaks.sort((a, b) => b.used - a.used)[0] ?? null };
    });
  }

  #now(): Omit<StandingRow, 'peak'>[] {
    const chains = this.#rooms.book.chains();
    return [
      ...chains.map((chain) => this.#fence(chain)),
      ...chains.flatMap((chain) => this.#reference(chain)),
      ...chains.flatMap((chain) => this.#engine(chain)),
      this.#people(),
      ...chains.map((chain) => this.#unsigned(chain)),
    ];
  }

  #fence(chain: ChainBook): Omit<StandingRow, 'peak'> {
    const { guard, book, now } = this.#rooms;
    const { fenceSoftBps: soft = 0, fenceHardBps: hard = 0, name } = chain.config;
    const isSet = soft > 0 || hard > 0;
    const stands = [...chain.pairs.values()].flatMap((pair): Worst[] => {
      const mid = book.references.of(chain.chainId, pair.id)?.mid;
      const until = guard.referenceFreshUntil(chain, pair);
      if (!isSet || mid === undefined || until === null || now() > until) return [];
      return (['bids', 'asks'] as const).flatMap((side): Worst[] => {
        const found = farthestLevel(pair.ladder.ladder[side], parseDecimal(mid));
        if (found === null) return [];
        const used = tenthBpsOf(found.away, parseDecimal(mid)) / 10;
        return [{ where: `${pair.id} ${side === 'bids' ? 'bid' : 'ask'} ${found.level + 1}`, used }];
      });
    });
    const isPast = (bps: number) => bps > 0 && stands.some(({ used }) => used > bps);
    const words = [...(soft > 0 ? ['warns'] : []), ...(hard > 0 ? ['closes'] : [])];
    return {
      ...worstOf(stands),
      kind: 'fence',
      chainId: chain.chainId,
      name: 'Fence',
      limits: `prices from the reference, ${name}`,
      unit: 'bps',
      soft: soft > 0 ? soft : null,
      limit: hard > 0 ? hard : null,
      state: !isSet ? 'off' : isPast(hard) ? 'tripped' : isPast(soft) ? 'near' : 'fine',
      does: isSet ? words.join(' | ') : '—',
      todo: isSet
        ? 'Publish prices nearer to the reference, see which of the two is wrong, or widen the fence under Settings. A side past it is closed while that lasts.'
        : 'Set fences of the chain under Settings.',
    };
  }

  #reference(chain: ChainBook): Omit<StandingRow, 'peak'>[] {
    const { book } = this.#rooms;
    const { referenceMaxAgeSeconds: most, referenceCoolDownSeconds: wait, name } = chain.config;
    const priced = [...chain.pairs.keys()].filter((pair) => hasReference(chain.config, pair));
    const said = priced.map((pair) => {
      const saidAt = book.references.of(chain.chainId, pair)?.time ?? null;
      return { where: pair, saidAt, until: book.references.midFreshUntil(chain, pair) ?? 0 };
    });
    const todo = `See on the Service page which source does not answer. The pair opens by itself once it was fresh for ${wait} s.`;
    return this.#ages(said, { kind: 'reference', chain, limits: `age of the reference, ${name}`, most, todo });
  }

  #engine(chain: ChainBook): Omit<StandingRow, 'peak'>[] {
    const { pricesMaxAgeSeconds: most, name } = chain.config;
    const pushed = [...chain.pairs.values()].filter(({ ladder }) => tokenOf(ladder.actor) !== null);
    const said = pushed.map((pair) => {
      const until = this.#rooms.book.pushed.freshUntil(chain, pair) ?? 0;
      return { where: pair.id, saidAt: until === 0 ? null : until - most * SECOND_MS, until };
    });
    const todo =
      'See whether the engine runs, or take the pair over and publish. It opens by itself once the engine says its prices again.';
    return this.#ages(said, { kind: 'engine', chain, limits: `silence of an engine, ${name}`, most, todo });
  }

  /** How old what is said of pairs is, Unix milliseconds; no row where nobody says anything of any. */
  #ages(
    said: readonly { where: string; saidAt: number | null; until: number }[],
    of: { kind: 'reference' | 'engine'; chain: ChainBook; limits: string; most: number; todo: string },
  ): Omit<StandingRow, 'peak'>[] {
    if (said.length === 0) return [];
    const now = this.#rooms.now();
    const ages = said.flatMap(({ where, saidAt }): Worst[] =>
      saidAt === null ? [] : [{ where, used: Math.max(0, Math.floor((now - saidAt) / SECOND_MS)) }],
    );
    const { kind, chain, limits, most, todo } = of;
    return [
      {
        ...worstOf(ages),
        kind,
        chainId: chain.chainId,
        name: 'Dead-man',
        limits,
        unit: 's',
        soft: null,
        limit: most,
        state: said.some(({ until }) => now > until) ? 'tripped' : 'fine',
        does: 'closes the pair',
        todo,
      },
    ];
  }

  #people(): Omit<StandingRow, 'peak'> {
    const { guard, now } = this.#rooms;
    const state = guard.deadMan.state();
    const isWatched = state !== null && state.haltsAt !== null;
    return {
      kind: 'people',
      chainId: null,
      name: 'Dead-man',
      limits: 'no sign of a person',
      unit: 'min',
      where: '',
      used: isWatched ? Math.floor((now() - state.lastSign) / MINUTE_MS) : null,
      soft: state?.warnsAfter ?? null,
      limit: state?.minutes ?? null,
      state: state === null ? 'off' : state.isNear ? 'near' : 'fine',
      does: state === null ? '—' : 'warns, then halts',
      todo:
        state === null
          ? 'Set after how many minutes, while the desk is halted.'
          : 'Say that you are here, or: makerdesk here.',
    };
  }

  #unsigned({ chainId, config }: ChainBook): Omit<StandingRow, 'peak'> {
    const alarms = this.#rooms.guard.alarms.list();
    const used = alarms.find((alarm) => alarm.kind === 'unknown_fill' && alarm.chainId === chainId)?.seqs.length ?? 0;
    return {
      kind: 'unsigned',
      chainId,
      name: 'Tripwire',
      limits: `fills never signed here, ${config.name}`,
      unit: 'fills',
      where: '',
      used,
      soft: null,
      limit: 1,
      state: used > 0 ? 'tripped' : 'fine',
      does: config.unknownFillHalts ? 'halts the desk' : 'is an alarm',
      todo: 'Look at the order on the chain and at who has the key, then acknowledge the alarm.',
    };
  }
}

function worstOf(all: readonly Worst[]): Pick<StandingRow, 'where' | 'used'> {
  const [first] = [...all].sort((a, b) => b.used - a.used);
  return first ?? { where: '', used: null };
}

function keyOf({ kind, chainId }: Pick<StandingRow, 'kind' | 'chainId'>): string {
  return `${kind} ${chainId ?? ''}`;
}
