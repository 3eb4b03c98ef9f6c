import type { Database } from 'better-sqlite3';
import type { LadderCell } from '../contract/book.ts';
import { chainSettingName } from '../contract/chain-settings.ts';
import { formulaText } from '../contract/formula.ts';
import type { ChangedCell, PastPair, PastToken } from '../contract/past.ts';
import type { TradingStates } from '../guard/trading-states.ts';
import { readRevisions } from '../journal/book/revisions.ts';
import type { Side } from '../protocol/side.ts';
import { type ChangedBy, keyOfPair, type Past, type Reading } from './past-view.ts';

/** Changed cells that are told; whoever compares two days has more than anybody reads. */
const MOST_CELLS = 2_000;
const CELLS_AT_ONCE = 50;

const SIDES = { bids: 'We buy', asks: 'We sell' } as const satisfies Record<Side, string>;
const FIELDS = { price: 'price', amount: 'size' } as const;

type Named = Pick<ChangedCell, 'name'> & Partial<ChangedCell>;
/** What two moments have of one thing. */
interface Both<T> {
  readonly before: T | undefined;
  readonly after: T | undefined;
}

/** What differs between two moments of the past, each cell with who changed it last before the second one. */
export function comparePasts(db: Database) {
  const { cellHistory } = readRevisions(db);

  /** Who last changed a cell of a ladder until a revision. */
  const byCell = (chainId: number, pair: string, cell: LadderCell, revision: number): ChangedCell['by'] => {
    const [last] = cellHistory(chainId, pair, cell, revision + 1).changes;
    return last === undefined ? null : { actor: last.actor, time: last.time };
  };

  return function* cellsOf(
    from: Past,
    to: Past,
  ): Generator<Reading, { cells: ChangedCell[]; all: number; changed: number }> {
    const cells: ChangedCell[] = [];
    let [all, changed] = [0, 0];
    const note = ({ before = null, after = null, ...cell }: Named, by: () => ChangedCell['by']): void => {
      all += 1;
      if (before === after) return;
      changed += 1;
      if (cells.length >= MOST_CELLS) return;
      cells.push({ chainId: null, pair: null, tokenId: null, ...cell, before, after, by: by() });
    };
    const listedBy = (key: string) => laterOf(to.changed.get(key), to.changed.get('all'));

    note({ name: 'State', before: from.desk.desk.state, after: to.desk.desk.state }, () => stateBy(to, {}));
    for (const [chainId, { before, after }] of paired(from.desk.chains, to.desk.chains, ({ chainId }) => chainId)) {
      note({ chainId, name: 'State', before: before?.state, after: after?.state }, () => stateBy(to, { chainId }));
      const [was, is] = [settingsOf(from, chainId), settingsOf(to, chainId)];
      for (const [name, values] of paired([...was], [...is], ([field]) => field)) {
        note({ chainId, name, before: values.before?.[1], after: values.after?.[1] }, () =>
          listedBy(`settings ${chainId}`),
        );
      }
    }
    for (const [, { before, after }] of paired(from.tokens, to.tokens, keyOfToken))
      noteToken(note, { before, after }, listedBy);
    let read = 0;
    for (const [, both] of paired(from.pairs, to.pairs, keyOfPair)) {
      notePair(note, both, to, { byCell, listedBy });
      read += 1;
      if (read % CELLS_AT_ONCE === 0) yield { reading: 'changed cells', rows: changed };
    }
    return { cells, all, changed };
  };
}

type Note = (cell: Named, by: () => ChangedCell['by']) => void;

function noteToken(note: Note, { before, after }: Both<PastToken>, listedBy: (key: string) => ChangedCell['by']): void {
  const one = after ?? before;
  if (one === undefined) return;
  const { chainId, tokenId, decimals } = one;
  const place = { chainId, tokenId };
  const byDesk = () => null; // many quotes and fills did, not one row
  note({ ...place, name: 'Listed', before: before && 'listed', after: after && 'listed' }, () =>
    listedBy(`token ${chainId} ${tokenId}`),
  );
  note({ ...place, name: 'Signed and live', before: before?.live, after: after?.live, decimals }, byDesk);
  note(
    { ...place, name: 'Open quotes', before: before && `${before.quotes}`, after: after && `${after.quotes}` },
    byDesk,
  );
  note({ ...place, name: 'Balance', before: before?.held?.balance, after: after?.held?.balance, decimals }, byDesk);
}

function notePair(
  note: Note,
  { before, after }: Both<PastPair>,
  to: Past,
  who: {
    byCell: (chainId: number, pair: string, cell: LadderCell, revision: number) => ChangedCell['by'];
    listedBy: (key: string) => ChangedCell['by'];
  },
): void {
  const one = after ?? before;
  if (one === undefined) return;
  const { chainId, pair } = one;
  const place = { chainId, pair };
  const listed = () => who.listedBy(`pair ${chainId} ${pair}`);
  note({ ...place, name: 'Listed', before: before && listing(before), after: after && listing(after) }, listed);
  note({ ...place, name: 'State', before: before?.state, after: after?.state }, () => stateBy(to, { chainId, pair }));
  for (const side of ['bids', 'asks'] as const) {
    const word = (of: PastPair | undefined) => of && (of.switches[side] ? 'on' : 'off');
    note({ ...place, name: `${SIDES[side]}, switch`, before: word(before), after: word(after) }, () =>
      stateBy(to, { chainId, pair, side }),
    );
  }
  const published = () => (after === undefined ? null : { actor: after.publishedBy, time: after.publishedAt });
  note(
    { ...place, name: 'Fault', before: before?.fault ?? before?.unreadable, after: after?.fault ?? after?.unreadable },
    listed,
  );
  const [was, is] = [before?.formula, after?.formula].map((formula) => formula && formulaText(formula));
  note({ ...place, name: 'Formula', before: was, after: is }, () => who.listedBy(`formula ${chainId} ${pair}`));
  note({ ...place, name: 'Set by', before: before?.publishedBy, after: after?.publishedBy }, published);
  for (const side of ['bids', 'asks'] as const) {
    const [was, is] = [before?.ladder[side] ?? [], after?.ladder[side] ?? []];
    for (let level = 0; level < Math.max(was.length, is.length); level += 1) {
      for (const [index, field] of (['price', 'amount'] as const).entries()) {
        const cell = { side, level, field };
        note(
          {
            ...place,
            name: `${SIDES[side]}, level ${level + 1}, ${FIELDS[field]}`,
            before: was[level]?.[index],
            after: is[level]?.[index],
          },
          () => (after === undefined ? listed() : who.byCell(chainId, pair, cell, after.revision)),
        );
      }
    }
  }
}

function listing({ base, quote, retiredUntil }: PastPair): string {
  return `${base} for ${quote}${retiredUntil === null ? '' : ', retired'}`;
}

/** Who said the state that a scope was in; for one that nobody had stopped, who last spoke of it or of what is around it. */
function stateBy({ states }: { states: TradingStates }, scope: Parameters<TradingStates['own']>[0]): ChangedCell['by'] {
  const said = states.strictest(scope) ?? newestOf(states, scope);
  return said === null ? null : { actor: said.actor, time: said.since };
}

function newestOf(states: TradingStates, { chainId, pair, side }: Parameters<TradingStates['own']>[0]) {
  const around = [{}, { chainId }, { chainId, pair }, { chainId, pair, side }];
  const said = around.flatMap((scope) => states.own(scope) ?? []);
  return said.reduce<(typeof said)[number] | null>(
    (last, one) => (last === null || one.since > last.since ? one : last),
    null,
  );
}

/** What a chain was set to, as text, by the names of the settings; but not what follows and what is by hand, which is not folded, nor formulas, which are told with their pairs. */
function settingsOf({ chains }: Past, chainId: number): Map<string, string> {
  const config = chains.get(chainId)?.config;
  if (config === undefined) return new Map();
  const { follow: _follow, byHand: _byHand, formulas: _formulas, ...settings } = config;
  return new Map(
    Object.entries(settings).map(([name, value]) => [
      `Setting “${chainSettingName(name)}”`,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  );
}

function keyOfToken({ chainId, tokenId }: PastToken): string {
  return `${chainId} ${tokenId}`;
}

function laterOf(one: ChangedBy | undefined, other: ChangedBy | undefined): ChangedCell['by'] {
  const later = (one?.seq ?? 0) >= (other?.seq ?? 0) ? one : other;
  return later === undefined ? null : { actor: later.actor, time: Math.max(0, later.time) };
}

/** Everything that one moment or the other has, each beside itself. */
function paired<T, Key>(before: readonly T[], after: readonly T[], keyOf: (one: T) => Key): Map<Key, Both<T>> {
  const [was, is] = [before, after].map((all) => new Map(all.map((one) => [keyOf(one), one])));
  const keys = new Set([...(is?.keys() ?? []), ...(was?.keys() ?? [])]);
  return new Map([...keys].map((key) => [key, { before: was?.get(key), after: is?.get(key) }]));
}
