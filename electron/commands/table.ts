import type { HedgeToken } from '../contract/hedge.ts';
import { plain } from '../contract/plain-text.ts';
import { fromRaw } from '../protocol/decimal.ts';

/** A column of a table at the terminal; figures stand at the right. */
export interface Column<Row> {
  head: string;
  cell: (row: Row) => string;
  right?: boolean;
}

const GAP = '  ';
/** Longer than this a cell of other people's words is cut. */
const WIDEST = 80;

/**
 * Rows under their heads, each column as wide as its widest cell. What others wrote (symbols, reasons, words of a service) can
 * neither steer the terminal nor break a line: such characters are shown as �.
 */
export function tableText<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const cells = rows.map((row) => columns.map(({ cell }) => cut(plain(cell(row)))));
  const widths = columns.map(({ head }, index) =>
    cells.reduce((widest, line) => Math.max(widest, line[index]?.length ?? 0), head.length),
  );
  const lineOf = (texts: readonly string[]) =>
    texts
      .map((text, index) => {
        const width = widths[index] ?? 0;
        return columns[index]?.right ? text.padStart(width) : text.padEnd(width);
      })
      .join(GAP)
      .trimEnd();
  return `${[lineOf(columns.map(({ head }) => head)), ...cells.map(lineOf)].join('\n')}\n`;
}

function cut(text: string): string {
  return text.length <= WIDEST ? text : `${text.slice(0, WIDEST - 1)}…`;
}

/** Raw units as a person reads them; of a token that is not listed, as they are. */
export function amountText(raw: string, token: Pick<HedgeToken, 'symbol' | 'decimals'> | undefined): string {
  return token === undefined ? `${raw} raw` : `${fromRaw(BigInt(raw), token.decimals)} ${token.symbol}`;
}
