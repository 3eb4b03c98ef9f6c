import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { readHead } from '../../electron/journal/head-file.ts';
import { openJournal } from '../../electron/journal/journal.ts';
import { verifyJournal } from '../../electron/journal/verify.ts';
import { openTestJournal, temporaryFolder } from './fixture.ts';
import { CHAIN, configured, quote, quoteBody, START } from './sample-events.ts';

const PATIENCE = { interval: 50 };

async function opened(place: string, folder = temporaryFolder()) {
  const said: string[] = [];
  const log = { warn: (line: string) => said.push(line) };
  const journal = await openJournal({ folder, now: () => START, witness: place, log });
  onTestFinished(() => journal.close());
  return { journal, said, folder };
}

const witnessIn = (place: string) =>
  readdirSync(place)
    .filter((name) => name.endsWith('.witness'))
    .map((name) => readFileSync(join(place, name), 'utf8'))
    .join();

test('a witness that cannot be written is told as long as it cannot, and knows the last row once it can', async () => {
  const place = join(temporaryFolder(), 'state');
  writeFileSync(place, 'a file where the folder ought to be');
  const { journal, said } = await opened(place);
  await journal.append(quote(1));
  expect(journal.witness()?.fault).toMatch(/cannot be written to .*state \(Error: EEXIST/);
  await journal.append(quote(2));
  rmSync(place);
  await vi.waitFor(() => expect(journal.witness()).toEqual({ fault: null }), PATIENCE);
  expect(witnessIn(place)).toContain(`2 ${journal.head().hash}`);
  expect(said).toEqual([expect.stringContaining('cannot be written'), expect.stringContaining('written again')]);
});

test('a witness that is taken away, or its folder, while the desk runs is written anew, without a row', async () => {
  const place = join(temporaryFolder(), 'state');
  const { journal } = await opened(place);
  await journal.append(quote(1));
  rmSync(place, { recursive: true });
  await vi.waitFor(() => expect(existsSync(place) && witnessIn(place)).toContain(journal.head().hash), PATIENCE);

  renameSync(place, `${place}-moved`);
  writeFileSync(place, '');
  await vi.waitFor(() => expect(journal.witness()?.fault).toContain('cannot be written'), PATIENCE);
  rmSync(place);
  mkdirSync(place);
  await vi.waitFor(() => expect(journal.witness()?.fault).toBeNull(), PATIENCE);
  expect(witnessIn(place)).toContain(journal.head().hash);
});

test('a head that is taken away under a running desk is made anew, and no later start doubts it', async () => {
  const folder = temporaryFolder();
  const head = join(folder, 'journal.head');
  const journal = await openTestJournal(folder);
  await journal.append(quote(1));
  rmSync(head);
  await vi.waitFor(() => expect(readHead(head)).toEqual(journal.head()), PATIENCE);
  renameSync(head, `${head}-moved`);
  await journal.append(quote(2));
  await journal.close();
  expect(readHead(head)).toEqual(journal.head());
  expect(await verifyJournal(folder)).toMatchObject({ ok: true, total: 2 });
  expect((await openTestJournal(folder)).doubts).toEqual([]);
});

test('a desk without a witness says nothing of one', async () => {
  const journal = await openJournal({ folder: temporaryFolder(), now: () => START });
  onTestFinished(() => journal.close());
  await journal.append(quote(1));
  expect(journal.witness()).toBeNull();
});

test('the longest that quotes were let live outlives settings that say less, and journals that are put back', async () => {
  const place = temporaryFolder();
  const folder = temporaryFolder();
  const first = await opened(place, folder);
  expect(first.journal.found.longestLifetimeSeconds, 'there are no settings yet').toBe(0);
  await first.journal.append(configured({ quoteLifetimeSeconds: 200 }));
  await first.journal.close();
  const second = await opened(place, folder);
  expect(second.journal.found.longestLifetimeSeconds).toBe(200);
  await second.journal.append(configured({ quoteLifetimeSeconds: 900 }));
  await second.journal.append(configured({ quoteLifetimeSeconds: 150 }));
  await second.journal.close();
  const third = await opened(place, folder);
  expect(third.journal.found.longestLifetimeSeconds).toBe(900);
});

test('a witness of an earlier program, which says less, is read and goes on', async () => {
  const place = temporaryFolder();
  const folder = temporaryFolder();
  const first = await opened(place, folder);
  await first.journal.append(configured({ quoteLifetimeSeconds: 900 }));
  const expiry = Math.floor(START / 1_000) + 86_400;
  const byHand = quoteBody(1, { pair: null, side: null, expiry });
  await first.journal.append({ time: START, actor: 'mara', kind: 'nft_order', body: byHand });
  await first.journal.close();
  const [file = ''] = readdirSync(place).map((name) => join(place, name));
  expect(readFileSync(file, 'utf8')).toContain(`"chainId":${CHAIN}`);
  const older = readFileSync(file, 'utf8')
    .replace(/,"handOrders":\[.*?\]/, '')
    .replace(/,"longestLifetimeSeconds":\d+/, '');
  expect(older).not.toMatch(/handOrders|longest/);
  writeFileSync(file, older);
  const again = await opened(place, folder);
  expect(again.journal).toMatchObject({ doubts: [], found: { missingByHand: null, longestLifetimeSeconds: 900 } });
  await again.journal.append(quote(5));
  expect(readFileSync(file, 'utf8')).toContain('"longestLifetimeSeconds":900');
});
