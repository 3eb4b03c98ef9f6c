import { openJournal } from '../../electron/journal/journal.ts';
import { quote, REFUSED, START } from '../journal/sample-events.ts';

/** Archives what is older than the given time while quotes are appended, and prints `done` once that is over. */
const [folder = '', before = '0'] = process.argv.slice(2);
const journal = await openJournal({ folder, now: () => START });
console.log('ready');
let over = false;
const appending = (async () => {
  for (let number = 1; !over; number += 1) {
    const seq = await journal.append(quote(number, REFUSED));
    process.stdout.write(`row ${seq}\n`);
  }
})();
await journal.archive(Number(before), 'desk', true);
over = true;
await appending;
await journal.close();
console.log('done');
setInterval(() => {}, 60_000);
