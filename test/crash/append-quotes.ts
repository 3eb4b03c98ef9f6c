import { openJournal } from '../../electron/journal/journal.ts';
import { quote } from '../journal/sample-events.ts';

/** Appends quotes as fast as it can, 50 at a time, and prints each one's sequence number and order number once answered. */
const [folder = '', lane = '0'] = process.argv.slice(2);
const journal = await openJournal({ folder, now: Date.now });
console.log('ready');
let number = Number(lane) * 10_000_000;
const append = async () => {
  for (;;) {
    number += 1;
    const own = number;
    const seq = await journal.append(quote(own));
    process.stdout.write(`${seq} ${own}\n`);
  }
};
await Promise.all(Array.from({ length: 50 }, append));
