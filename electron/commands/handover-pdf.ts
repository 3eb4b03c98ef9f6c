import font from 'dejavu-fonts-ttf/ttf/DejaVuSansCondensed.ttf?inline';
import { jsPDF } from 'jspdf';
import type { Handover } from '../contract/handover.ts';
import { handoverSheet, type Sheet, type SheetForms, type SheetTable } from '../contract/handover-sheet.ts';
import { isoTime } from '../contract/names.ts';

/** Measures in points, 72 to an inch; the page is A4. The lines of a sheet (`SHEET_LINES`) fill it at most. */
const LEFT = 34;
const RIGHT = 595.28 - LEFT;
const TOP = 40;
const LINE = 11.5;
const GAP = 9;
const SIZES = { title: 15, name: 9, figure: 9, body: 8, note: 6.5 } as const;
/** Letters beyond it are two halves in a text, and drawn as such. */
const MOST_CODE = 0xffff;
const INK = { strong: '#000000', body: '#1a1f24', quiet: '#5a6671', rule: '#b4bcc4' } as const;

/** Of the two tables that stand beside each other, where the first ends and the second begins. */
const BESIDE = { first: LEFT + 330, second: LEFT + 350 };
/** Shares of the row of figures. */
const FIGURES = { count: 72, dollars: 92 };

/** Returns a day as one sheet of A4. What its font has no letter for is drawn as �. */
export function handoverPdf(handover: Handover): Uint8Array {
  const sheet = handoverSheet(handover, formsIn(handover.zone));
  const page = openPage();
  let y = TOP;
  page.text('Handover', { x: LEFT, y, size: SIZES.title, strong: true });
  page.text(sheet.day, { x: LEFT + 82, y, size: SIZES.title, width: RIGHT - LEFT - 82 });
  page.text(sheet.facts.join('  ·  '), { x: LEFT, y: y + 14, ink: INK.quiet, width: RIGHT - LEFT });
  y = drawFigures(page, sheet.figures, y + 34);
  const width = RIGHT - LEFT;
  y = drawTable(page, sheet.open, { x: LEFT, y, width, hasHeads: false });
  const below = [
    drawTable(page, sheet.pairs, { x: LEFT, y, width: BESIDE.first - LEFT, hasHeads: true }),
    drawTable(page, sheet.refused, { x: BESIDE.second, y, width: RIGHT - BESIDE.second, hasHeads: true }),
  ];
  y = drawTable(page, sheet.done, { x: LEFT, y: Math.max(...below), width, hasHeads: false });
  drawTable(page, sheet.seals, { x: LEFT, y, width, hasHeads: false });
  return page.bytes();
}

/** Numbers as `1,234.50`, times as the zone of the day has them. */
function formsIn(zone: string): SheetForms {
  const parts = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone: zone } as const;
  const clock = new Intl.DateTimeFormat('en-GB', parts);
  const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: zone });
  // A moment that no calendar has is told as its last.
  const known = (time: number) => Date.parse(isoTime(time));
  return {
    number: (plain) => {
      const [whole = '', fraction] = plain.replace('-', '').split('.');
      const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
      return `${plain.startsWith('-') ? '−' : ''}${grouped}${fraction === undefined ? '' : `.${fraction}`}`;
    },
    clock: (time) => clock.format(known(time)),
    moment: (time) => `${day.format(known(time))} ${clock.format(known(time))}`,
  };
}

interface Place {
  x: number;
  y: number;
  width?: number;
  size?: number;
  strong?: boolean;
  ink?: string;
  /** It is made smaller where it has no room: a figure that is cut would be another one. */
  isFigure?: 'left' | 'right';
  lines?: number;
}

interface Page {
  text(text: string, place: Place): void;
  rule(y: number, from: number, to: number): void;
  bytes(): Uint8Array;
}

function openPage(): Page {
  const pdf = new jsPDF({ format: 'a4', unit: 'pt', compress: true });
  pdf.setProperties({ title: 'Handover', creator: 'Makerdesk' });
  pdf.addFileToVFS('sheet.ttf', font.slice(font.indexOf(',') + 1));
  pdf.addFont('sheet.ttf', 'sheet', 'normal');
  pdf.setFont('sheet');
  const letters: { characterToGlyph(code: number): number } = pdf.getFont().metadata;
  const isDrawn = (code: number) => code <= MOST_CODE && letters.characterToGlyph(code) > 0;
  const drawn = (text: string) =>
    [...text].map((letter) => (isDrawn(letter.codePointAt(0) ?? 0) ? letter : '\uFFFD')).join('');
  return {
    text(text, { x, y, width = RIGHT - x, size = SIZES.body, strong = false, ink = INK.body, isFigure, lines = 1 }) {
      pdf.setFontSize(size);
      pdf.setTextColor(ink);
      pdf.setDrawColor(ink);
      pdf.setLineWidth(0.25);
      const wide = (part: string) => pdf.getTextWidth(part);
      const whole = drawn(text);
      if (isFigure !== undefined) pdf.setFontSize(Math.min(size, (size * width) / Math.max(1, wide(whole))));
      const parts = isFigure !== undefined ? [whole] : linesIn(whole, { width, lines, wide });
      for (const [index, part] of parts.entries()) {
        const at = isFigure === 'right' ? x + width - wide(part) : x;
        // The one face that is in the package is made strong by its outline.
        pdf.text(part, at, y + index * LINE, { renderingMode: strong ? 'fillThenStroke' : 'fill' });
      }
    },
    rule(y, from, to) {
      pdf.setDrawColor(INK.rule);
      pdf.setLineWidth(0.5);
      pdf.line(from, y, to, y);
    },
    bytes: () => new Uint8Array(pdf.output('arraybuffer')),
  };
}

/** A text in at most so many lines, at blanks where there is one; the last one ends in … where it is cut. */
function linesIn(
  text: string,
  { width, lines, wide }: { width: number; lines: number; wide: (text: string) => number },
): string[] {
  if (wide(text) <= width) return [text];
  const room = lettersIn(text, width, wide);
  if (lines === 1) return [`${text.slice(0, lettersIn(text, width - wide('…'), wide)).trimEnd()}…`];
  const blank = text.lastIndexOf(' ', room);
  const end = blank > room / 2 ? blank : room;
  return [text.slice(0, end), ...linesIn(text.slice(end).trimStart(), { width, lines: lines - 1, wide })];
}

/** How many letters of a text have room, one at the least. */
function lettersIn(text: string, width: number, wide: (text: string) => number): number {
  let [fits, most] = [1, text.length];
  while (fits < most) {
    const middle = Math.ceil((fits + most) / 2);
    if (wide(text.slice(0, middle)) <= width) fits = middle;
    else most = middle - 1;
  }
  return fits;
}

/** Draws the figures in a row and returns where the next thing begins. */
function drawFigures(page: Page, figures: Sheet['figures'], y: number): number {
  page.rule(y - 11, LEFT, RIGHT);
  const shareOf = ({ name }: Sheet['figures'][number]) => (name.endsWith('$') ? FIGURES.dollars : FIGURES.count);
  const point = (RIGHT - LEFT) / figures.reduce((sum, figure) => sum + shareOf(figure), 0);
  let x = LEFT;
  for (const figure of figures) {
    const share = shareOf(figure) * point;
    const width = share - 4;
    page.text(figure.name, { x, y, width, size: SIZES.note, ink: INK.quiet });
    page.text(figure.value, { x, y: y + 12, width, size: SIZES.figure, strong: true, isFigure: 'left' });
    page.text(figure.note, { x, y: y + 21, width, size: SIZES.note, ink: INK.quiet });
    x += share;
  }
  return y + 40;
}

/** The same for a table. */
function drawTable(
  page: Page,
  { name, columns, rows, none, more }: SheetTable,
  { x, y: top, width, hasHeads }: { x: number; y: number; width: number; hasHeads: boolean },
): number {
  page.text(name, { x, y: top, width, size: SIZES.name, strong: true, ink: INK.strong });
  page.rule(top + 3.5, x, x + width);
  let y = top + LINE + 3;
  const places = columns.map(({ width: share }, index) => {
    const before = columns.slice(0, index).reduce((sum, column) => sum + column.width, 0);
    return { x: x + (before * width) / 100, width: (share * width) / 100 - (index === columns.length - 1 ? 0 : 6) };
  });
  const drawCells = (cells: readonly string[], look: Pick<Place, 'ink' | 'strong' | 'lines'>) => {
    for (const [index, cell] of cells.entries()) {
      const [place, column] = [places[index], columns[index]];
      if (place !== undefined)
        page.text(cell, { ...place, y, isFigure: column?.isFigure ? 'right' : undefined, ...look });
    }
  };
  if (hasHeads && rows.length > 0) {
    drawCells(
      columns.map(({ head }) => head),
      { ink: INK.quiet },
    );
    y += LINE;
  }
  for (const { cells, lines, tone } of rows) {
    drawCells(cells, { lines, ink: tone === undefined ? INK.body : INK.strong, strong: tone === 'stop' });
    y += lines * LINE;
  }
  const end = rows.length === 0 ? none : more?.text;
  if (end !== undefined && end !== '') {
    page.text(end, { x, y, width, ink: INK.quiet });
    y += LINE;
  }
  return y + GAP;
}
