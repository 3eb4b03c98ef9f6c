import Database from 'better-sqlite3';
import { journalFile } from '../../../electron/journal/open-database.ts';
import { deskFolder, startBenchDesk } from '../bench-desk.ts';
import { benchDeskFile } from '../bench-desk-file.ts';
import { writeHistory } from '../history.ts';
import { runCleanLoad } from '../load.ts';
import { firmRequests } from '../requests.ts';
import type { Line, Row } from '../row.ts';

const QUOTES = 10_000;
const SECONDS = 20;
const HISTORY = 100_000;
const TARGET_BYTES = 1_200;

/** What the journal's file grows by. */
export const diskQuote: Row = {
  name: 'disk-quote',
  what: 'disk: a quote, with its indexes',
  async run(bench) {
    const chain = await bench.chain();
    const file = benchDeskFile(chain);
    const { folder, remove } = await deskFolder(chain, file);
    bench.later(remove);
    const before = sizes(folder);
    const desk = await startBenchDesk(folder, file);
    const load = { port: desk.port, requests: firmRequests(file, QUOTES + 1), connections: 32, seconds: SECONDS };
    const { answers } = await runCleanLoad({ ...load, rate: QUOTES / SECONDS }).finally(() => desk.stop());
    const history = await writeHistory(bench, HISTORY);
    return [
      line('as it is signed', before, sizes(folder), answers),
      line('with fills, cancels and ends', before, sizes(history.folder), history.quotes),
    ];
  },
};

function line(what: string, before: Sizes, after: Sizes, quotes: number): Line {
  const a = (name: keyof Sizes) => Math.round((after[name] - before[name]) / quotes);
  return {
    measured: `${a('all').toLocaleString('en')} bytes ${what} (${quotes.toLocaleString('en')} quotes): rows of the journal ${a('journal').toLocaleString('en')}, tables ${a('tables').toLocaleString('en')}, their indexes ${a('indexes').toLocaleString('en')}; of all that ${a('empty').toLocaleString('en')} are empty places in pages`,
    baseline: '—',
    target: `≤ ${TARGET_BYTES.toLocaleString('en')} bytes`,
    met: a('all') <= TARGET_BYTES,
    figures: {
      all: a('all'),
      journal: a('journal'),
      tables: a('tables'),
      indexes: a('indexes'),
      empty: a('empty'),
      quotes,
    },
  };
}

/** Bytes of the pages that hold something. */
interface Sizes {
  all: number;
  /** The rows that everything else is made from. */
  journal: number;
  /** What is made from them. */
  tables: number;
  indexes: number;
  /** Of all that, where a page had no room for one more. */
  empty: number;
}

/** The sizes of a journal on which no desk runs. */
function sizes(folder: string): Sizes {
  const database = new Database(journalFile(folder));
  try {
    const parts = database
      .prepare<[], { part: string; bytes: number; empty: number }>(
        `SELECT CASE WHEN type = 'index' THEN 'indexes' WHEN s.name = 'journal' THEN 'journal' ELSE 'tables' END AS part,
           sum(pgsize) AS bytes, sum(unused) AS empty
         FROM dbstat AS s LEFT JOIN sqlite_schema USING (name)
         WHERE aggregate = TRUE GROUP BY part`,
      )
      .all();
    const of = (part: string) => parts.find((one) => one.part === part)?.bytes ?? 0;
    const sum = (figure: 'bytes' | 'empty') => parts.reduce((all, one) => all + one[figure], 0);
    return {
      all: sum('bytes'),
      journal: of('journal'),
      tables: of('tables'),
      indexes: of('indexes'),
      empty: sum('empty'),
    };
  } finally {
    database.close();
  }
}
