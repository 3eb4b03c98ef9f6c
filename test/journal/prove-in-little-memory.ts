import { journalFile, openForReading } from '../../electron/journal/open-database.ts';
import { proveOpen } from '../../electron/journal/quotes/prove-open.ts';
import { START } from './sample-events.ts';

/** Proves the open orders of a journal, in a process whose heap is as small as it was started with, and prints what was found. */
const [folder = ''] = process.argv.slice(2);
const { open, faults } = proveOpen(openForReading(journalFile(folder)))(START);
console.log(JSON.stringify({ open: open.map(({ seq }) => seq), faults }));
