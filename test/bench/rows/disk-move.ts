import { statSync } from 'node:fs';
import { Book } from '../../../electron/book/book.ts';
import type { ChainConfig, DeskFile } from '../../../electron/contract/desk-file.ts';
import { openJournal } from '../../../electron/journal/journal.ts';
import { journalFile } from '../../../electron/journal/open-database.ts';
import { busyDeskFile } from '../busy-desk-file.ts';
import type { Line, Row } from '../row.ts';
import type { Bench } from '../workbench.ts';

/** So many pairs, so many seconds; what a move may cost, bytes. A row of the journal has all of a second. */
const CASES = [
  { pairs: 500, seconds: 30, most: 40 },
  { pairs: 8, seconds: 500, most: 60 },
  { pairs: 1, seconds: 500, most: 250 },
];

/** What the journal's file grows by for a move of a ladder with the reference, its tables and indexes included. */
export const diskMove: Row = {
  name: 'disk-move',
  what: 'disk: a move of a ladder',
  async run(bench) {
    const file = await busyDeskFile(await bench.chain());
    const lines: Line[] = [];
    for (const { pairs, seconds, most } of CASES) {
      const { moves, bytes } = await grown(bench, file, pairs, seconds);
      const each = bytes / moves;
      lines.push({
        measured: `${each.toFixed(1)} bytes, ${pairs} ${pairs === 1 ? 'pair' : 'pairs'} a second`,
        baseline: '—',
        target: `≤ ${most} bytes`,
        met: each <= most,
        figures: { pairs, seconds, moves, bytes },
      });
    }
    return lines;
  },
};

/** Lets ladders follow a reference that moves every second, and measures the closed journal before and after. */
async function grown(bench: Bench, file: DeskFile, pairs: number, seconds: number) {
  const { folder } = bench.folder();
  const [chain] = file.chains;
  if (chain === undefined) throw new Error('the desk file has no chain');
  const some = <T>(of: Record<string, T>) => Object.fromEntries(Object.entries(of).slice(0, pairs));
  const follow = Object.keys(some(chain.pairs));
  const following = {
    ...chain,
    referenceUrl: 'http://127.0.0.1:1/reference',
    pairs: some(chain.pairs),
    prices: some(chain.prices),
    follow,
  };
  let time = Date.now();
  const opened = async <T>(work: (book: Book) => Promise<T>): Promise<T> => {
    const journal = await openJournal({ folder, now: () => time });
    try {
      return await work(await Book.open({ journal, now: () => time }));
    } finally {
      await journal.close();
    }
  };
  const size = () => statSync(journalFile(folder)).size;

  await opened((book) =>
    book.importDesk({ ...file, chains: [following] }, { actor: 'bench', keepSecrets: () => ({}) }),
  );
  const before = size();
  const moves = await opened(async (book) => {
    const revisions = () =>
      follow.reduce((sum, pair) => sum + (book.chain(chain.chainId)?.pairs.get(pair)?.ladder.revision ?? 0), 0);
    const first = revisions();
    for (let second = 0; second < seconds; second += 1) {
      time += 1_000;
      await book.follow(chain.chainId, midsAt(following, second));
    }
    return revisions() - first;
  });
  if (moves !== pairs * seconds) throw new Error(`of ${pairs * seconds} moves ${moves} were made`);
  return { moves, bytes: size() - before };
}

/** Half a unit to and fro, with two digits more than the ladders are written with. */
function midsAt({ follow, prices }: Pick<ChainConfig, 'follow' | 'prices'>, second: number): Map<string, string> {
  return new Map(
    follow.map((pair, index) => {
      const [bid] = prices[pair]?.bids[0] ?? ['100'];
      const away = (second % 2 === 0 ? 0.5 : -0.5) + ((second * 37 + index * 11) % 1_000) / 10_000;
      return [pair, (Number(bid) + away).toFixed(4)];
    }),
  );
}
