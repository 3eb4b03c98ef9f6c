/** Has a desk write the golden journal anew: `npx node test/quoting/record-golden-journal.ts`. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { GOLDEN, rowsIn } from './golden-journal.ts';
import { EVERY_KIND, play, session } from './session.ts';

const folder = mkdtempSync(join(tmpdir(), 'golden-'));
const steps = [...fc.sample(session, { numRuns: 4, seed: 20 }).flat(), ...EVERY_KIND];
const desk = await play(
  steps.map((step) => ({ ...step, wait: true })),
  { folder, ends: () => {} },
);
await desk.close();
const rows = rowsIn(folder).map((row) => JSON.stringify(row));
writeFileSync(GOLDEN, `${rows.join('\n')}\n`);
rmSync(folder, { recursive: true });
process.exit();
