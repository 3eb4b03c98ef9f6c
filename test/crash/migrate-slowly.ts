import { migrate } from '../../electron/journal/migrate.ts';
import { migrationsOf } from '../../electron/journal/migrations.ts';
import { journalFile, openForWriting } from '../../electron/journal/open-database.ts';
import { SLICES } from '../../electron/journal/slices.ts';

/** Takes a journal to a made-up next schema that gives every quote a note, and prints `done`. */
const file = journalFile(process.argv[2] ?? '');
const db = openForWriting(file);
console.log('ready');
migrate(db, file, [
  ...migrationsOf(SLICES),
  (journal) => {
    journal.exec('ALTER TABLE quotes ADD COLUMN note TEXT');
    const seqs = journal.prepare<[], number>('SELECT seq FROM quotes').pluck().all();
    const note = journal.prepare('UPDATE quotes SET note = ? WHERE seq = ?');
    for (const seq of seqs) note.run(`note ${seq}`, seq);
    journal.exec('CREATE INDEX quotes_by_note ON quotes (note)');
  },
]);
db.close();
console.log('done');
setInterval(() => {}, 60_000);
