import type { NamesOf } from '../../../electron/contract/given-names.ts';
import { csvLine } from '../../../electron/contract/log-text.ts';
import { MARK_NAMES } from '../../../electron/contract/marks.ts';
import type { MarkedFill } from '../../../electron/contract/quote-log.ts';
import { Button } from '../../components/button.tsx';
import { plural } from '../../components/figures/counts.ts';
import { useConsole } from '../../state/console.tsx';
import { useNames } from '../../state/names.tsx';
import { refusalOf } from '../../state/refusal-of.ts';
import { openTextFile } from '../../state/save-text.ts';
import { useCommand } from '../../state/use-command.ts';
import type { WhichFills } from './use-fills.ts';
import { whichInput } from './use-fills.ts';

const PAGE = 1_000;

const HEAD = [
  'seq',
  'time',
  'chainId',
  'pair',
  'side',
  'userAddress',
  'taker',
  'makerAsset',
  'takerAsset',
  'makerAmount',
  'takerAmount',
  'price',
  'reference',
  ...MARK_NAMES.map((name) => `${name}TenthBps`),
  'edgeQuote',
  'edgeUsd',
  'orderHash',
  'transactionHash',
  'block',
  'reverted',
  'unreadable',
  'userName',
];

/** A fill as a line: amounts in raw units, marks in tenths of a basis point. Of one that cannot be read only where it stands. */
export function fillLine(fill: MarkedFill, names: NamesOf): string {
  const isRead = fill.unreadable === undefined;
  const of = <V,>(value: V) => (isRead ? value : null);
  return csvLine([
    fill.seq,
    new Date(fill.time).toISOString(),
    fill.chainId,
    of(fill.pair),
    of(fill.side),
    of(fill.userAddress),
    of(fill.taker),
    of(fill.makerAsset),
    of(fill.takerAsset),
    of(fill.makerAmount),
    of(fill.takerAmount),
    of(fill.price),
    of(fill.reference),
    ...MARK_NAMES.map((name) => of(fill[name])),
    of(fill.edgeQuote),
    of(fill.edgeUsd),
    of(fill.orderHash),
    of(fill.transactionHash),
    of(fill.block),
    of(String(fill.reverted)),
    fill.unreadable ?? null,
    of(names.user(fill.userAddress) ?? null),
  ]);
}

/** Writes the fills that the page shows to a file, newest first, those not read yet included. */
export function ExportFills({ which }: { which: WhichFills }) {
  const { connection, desk, toasts } = useConsole();
  const names = useNames();
  const run = useCommand(async () => {
    const name = `fills-${new Date(desk.now()).toISOString().slice(0, 19).replace(/[:T]/g, '-')}.csv`;
    const file = await openTextFile(name, 'text/csv');
    if (file === null) return;
    let rows = 0;
    try {
      await file.write(csvLine(HEAD));
      let before: { time: number; seq: number } | undefined;
      for (let isLast = false; !isLast; ) {
        const page = await connection.client.fills.list({ ...whichInput(which), before, limit: PAGE });
        await file.write(page.map((fill) => fillLine(fill, names)).join(''));
        rows += page.length;
        before = page.at(-1);
        isLast = page.length < PAGE;
      }
    } catch (error) {
      await file.drop();
      const { sentence, remedy } = refusalOf(error);
      toasts.show({ level: 'look', title: `No file was written: ${sentence}`, detail: remedy });
      return;
    }
    await file.done();
    toasts.show({ level: 'done', title: `Wrote ${plural(rows, 'fill')}`, detail: name });
  });
  return (
    <Button look="quiet" disabled={run.busy} onClick={() => run.run()} title="What is shown, as comma-separated values">
      {run.busy ? 'Exporting…' : 'Export CSV'}
    </Button>
  );
}
