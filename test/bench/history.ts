import type { DeskFile } from '../../electron/contract/desk-file.ts';
import { witnessFolder } from '../../electron/desk/folder.ts';
import type { NewEvent } from '../../electron/journal/events.ts';
import { openJournal } from '../../electron/journal/journal.ts';
import { type Address, ZERO_ADDRESS } from '../../electron/protocol/address.ts';
import { deskFolder } from './bench-desk.ts';
import { benchDeskFile } from './bench-desk-file.ts';
import { HistoryEvents, type MadeQuote } from './history-events.ts';
import type { Bench } from './workbench.ts';

const DAYS = 30;
const BATCH = 1_000;
/** The last of them have no end yet: a desk that dies leaves some behind. */
const OPEN_BATCHES = 1;

export interface History {
  folder: string;
  file: DeskFile;
  quotes: number;
  /** Something to search for. */
  samples: { often: Address; seldom: Address; orderHash: string };
}

/** A folder with a month of quotes, written through the journal's own writer, and nothing running on it. */
export async function writeHistory(bench: Bench, quotes: number): Promise<History> {
  const chain = await bench.chain();
  const file = benchDeskFile(chain);
  const { folder, remove } = await deskFolder(chain, file);
  bench.later(remove);
  await chain.control.mine({ blocks: 200 }); // so that a look back over the last blocks finds none of these fills
  bench.say(`  writing a history of ${quotes.toLocaleString('en')} quotes …`);
  const events = new HistoryEvents(file);
  const journal = await openJournal({ folder, now: Date.now, witness: witnessFolder(process.env) });
  const append = (list: NewEvent[]) => Promise.all(list.map((event) => journal.append(event)));
  const began = Date.now();
  const stepMs = (DAYS * 86_400_000) / quotes;
  let orderHash = '';
  let before: Promise<unknown> = Promise.resolve();
  try {
    for (let made = 0; made < quotes; made += BATCH) {
      const batch = Array.from({ length: BATCH }, (_, index) =>
        events.quote(Math.floor(began - (quotes - made - index) * stepMs)),
      );
      await before;
      before = writeBatch(batch, made < quotes - OPEN_BATCHES * BATCH);
      orderHash ||= batch.find(({ fate }) => fate === 'filled')?.event.body.orderHash ?? '';
    }
    await before;
  } finally {
    await journal.close();
  }
  bench.say(`  … in ${Math.round((Date.now() - began) / 1000)} s`);
  const { users } = events;
  return {
    folder,
    file,
    quotes,
    samples: { often: users[0] ?? ZERO_ADDRESS, seldom: users.at(-1) ?? ZERO_ADDRESS, orderHash },
  };

  /** Quotes, and then what became of them. */
  async function writeBatch(batch: MadeQuote[], ends: boolean): Promise<void> {
    const seqs = await append(batch.map(({ event }) => event));
    const rows = batch.map((quote, index) => ({ quote, seq: seqs[index] ?? 0 }));
    const followed = rows.map(({ quote, seq }) => events.after(quote, seq)).filter((event) => event !== null);
    const over = rows.filter(({ quote }) => quote.fate === 'expired').map(({ seq }) => seq);
    const time = batch.at(-1)?.event.time ?? began;
    await append(ends ? [...followed, events.expired(time, over)] : followed);
  }
}
