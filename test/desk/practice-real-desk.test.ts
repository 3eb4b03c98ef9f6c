import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { fourEyesKindSchema } from '../../electron/contract/approvals.ts';
import { openFolderClient } from '../../electron/desk/folder-client.ts';
import { openPracticeDesk } from '../../electron/desk/practice-desk.ts';
import { joinFleet } from '../../electron/fleet/membership.ts';
import { readMarketFile } from '../../electron/practice/market-file.ts';
import { chain, deskFile } from '../book/fixture.ts';
import { PASSPHRASE, temporaryFolder } from './desk-process.ts';
import { keyIn } from './key-in.ts';

/** The folder of a desk that may be LIVE again by a start alone, one of a fleet, in which everything takes a second person. */
async function realDesk(): Promise<string> {
  const { folder, remove } = temporaryFolder();
  onTestFinished(remove);
  await keyIn(folder);
  const { desk, close } = await openFolderClient(folder, 'mara', async () => PASSPHRASE);
  await desk.desk.import({ desk: { ...deskFile(), chains: [chain()] } });
  await desk.tokens.create({ name: 'ada', rights: 'admin' });
  await desk.approvals.set({ kinds: fourEyesKindSchema.options, seen: [] });
  await close();
  await joinFleet(folder, { fleet: 'nats://127.0.0.1:1/desk', follows: false });
  writeFileSync(join(folder, 'armed'), '{}');
  return folder;
}

function practiseIn(folder: string) {
  const practice = { takers: false, seed: 1, servicePort: 0, rpcPort: 0 };
  const settings = { folder, surfaceHost: '127.0.0.1', surfacePort: 0, consolePort: null, practice };
  const log = { info() {}, warn() {}, error() {} };
  return openPracticeDesk({ settings, passphrase: PASSPHRASE, actor: 'mara', log, logForm: 'json' });
}

/** What lies in a folder itself, with a digest of each file. */
function contentOf(folder: string): Map<string, string> {
  const digestOf = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');
  const entries = readdirSync(folder, { withFileTypes: true });
  return new Map(
    entries.map((entry) => [entry.name, entry.isFile() ? digestOf(join(folder, entry.name)) : 'a folder']),
  );
}

test('nobody practises in the folder of a real desk: it keeps its key, its journal, its fleet and what arms it', async () => {
  const folder = await realDesk();
  const before = contentOf(folder);
  await expect(practiseIn(folder)).rejects.toMatchObject({
    code: 'no_practice',
    message: expect.stringContaining(folder),
  });
  expect(contentOf(folder)).toEqual(before);
});

test('a key alone, or the place of a surface in a fleet, is enough to be no folder to practise in', async () => {
  for (const name of ['keystore.json', 'secrets.json', 'fleet.json']) {
    const { folder, remove } = temporaryFolder();
    onTestFinished(remove);
    writeFileSync(join(folder, name), '{}');
    await expect(practiseIn(folder), name).rejects.toMatchObject({ code: 'no_practice' });
    expect(readdirSync(folder)).toEqual([name]);
  }
});

test('a real desk in a folder where somebody has practised before is real all the same: its key is another', async () => {
  const folder = await realDesk();
  mkdirSync(join(folder, 'market'));
  readMarketFile(join(folder, 'market'));
  const before = contentOf(folder);
  await expect(practiseIn(folder)).rejects.toMatchObject({ code: 'no_practice' });
  expect(contentOf(folder)).toEqual(before);
});
