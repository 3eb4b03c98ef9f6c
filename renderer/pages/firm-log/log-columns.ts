/** A column of the log: its two lines of head, the least width it needs, and how early it goes when there is no room. */
export interface LogColumn {
  id: string;
  name: string;
  head: readonly [string, string?];
  width: number;
  grows?: boolean;
  right?: boolean;
  /** Columns with a lower rank stay longer; 0 stays always. */
  rank: number;
}

export const LOG_COLUMNS = [
  { id: 'time', name: 'Time', head: ['Time', 'UTC'], width: 94, rank: 0 },
  { id: 'state', name: 'State', head: ['State', 'time left'], width: 110, rank: 1 },
  { id: 'chain', name: 'Chain', head: ['Chain'], width: 84, rank: 9, grows: true },
  { id: 'pair', name: 'Pair', head: ['Pair'], width: 92, rank: 0, grows: true },
  { id: 'we', name: 'We buy or sell', head: ['We'], width: 46, rank: 2 },
  { id: 'amount', name: 'Amount', head: ['Amount', 'base'], width: 116, rank: 3, right: true },
  { id: 'against', name: 'Against', head: ['Against', 'quote'], width: 120, rank: 8, right: true },
  { id: 'price', name: 'Price or code', head: ['Price', 'or code'], width: 138, rank: 1, right: true, grows: true },
  { id: 'edge', name: 'Edge', head: ['Edge', 'bps'], width: 46, rank: 5, right: true },
  { id: 'user', name: 'User', head: ['User'], width: 86, rank: 4 },
  { id: 'taker', name: 'Taker contract', head: ['Taker'], width: 86, rank: 12 },
  { id: 'revision', name: 'Ladder revision', head: ['Revision'], width: 58, rank: 11, right: true },
  { id: 'took', name: 'Took', head: ['Took', 'ms'], width: 46, rank: 7, right: true },
  { id: 'hash', name: 'Order hash', head: ['Order hash'], width: 86, rank: 6 },
  { id: 'row', name: 'Row of the journal', head: ['Row'], width: 72, rank: 13, right: true },
] as const satisfies readonly LogColumn[];

export type LogColumnId = (typeof LOG_COLUMNS)[number]['id'];

const FRESH: readonly LogColumnId[] = LOG_COLUMNS.map(({ id }) => id).filter(
  (id) => !['chain', 'taker', 'revision', 'row'].includes(id),
);
const KEPT = 'makerdesk.log-columns';
const GAP = 12;

/** What was chosen last in this browser. */
export function keptColumns(kept: string | null, chains: number): readonly LogColumnId[] {
  const names = kept === null ? [] : kept.split(',');
  const known = LOG_COLUMNS.map(({ id }) => id).filter((id) => names.includes(id));
  if (known.length > 0) return known;
  return LOG_COLUMNS.map(({ id }) => id).filter((id) => FRESH.includes(id) || (id === 'chain' && chains > 1));
}

export function readKeptColumns(chains: number): readonly LogColumnId[] {
  return keptColumns(localStorage.getItem(KEPT), chains);
}

/** null forgets the choice. */
export function keepColumns(columns: readonly LogColumnId[] | null): void {
  if (columns === null) localStorage.removeItem(KEPT);
  else localStorage.setItem(KEPT, columns.join(','));
}

/** The chosen columns that fit into a width, in their order; those of the highest rank go first. */
export function fittingColumns(chosen: readonly LogColumnId[], width: number): readonly LogColumn[] {
  const columns: LogColumn[] = LOG_COLUMNS.filter(({ id }) => chosen.includes(id));
  const needed = () => columns.reduce((sum, column) => sum + column.width + GAP, GAP);
  while (needed() > width) {
    const goes = columns.reduce((worst, column) => (column.rank > worst.rank ? column : worst), {
      rank: 0,
    } as LogColumn);
    if (goes.rank === 0) break;
    columns.splice(columns.indexOf(goes), 1);
  }
  return columns;
}

/** The grid that holds them. */
export function columnsTemplate(columns: readonly LogColumn[]): string {
  return columns.map(({ width, grows }) => (grows ? `minmax(${width}px, 1fr)` : `minmax(${width}px, 0.4fr)`)).join(' ');
}
