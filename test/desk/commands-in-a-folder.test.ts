import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, copyFileSync, cpSync, existsSync, mkdirSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test, vi } from 'vitest';
import { addCounterpartyKeys } from '../../electron/commands/counterparty-keys.ts';
import { addFills } from '../../electron/commands/fills.ts';
import { addFormula } from '../../electron/commands/formula.ts';
import { addHedges } from '../../electron/commands/hedges.ts';
import { addJournal } from '../../electron/commands/journal.ts';
import { addLog } from '../../electron/commands/log.ts';
import { addPositions } from '../../electron/commands/positions.ts';
import { addResults } from '../../electron/commands/results.ts';
import { addStatus } from '../../electron/commands/status.ts';
import { addTakers } from '../../electron/commands/takers.ts';
import { addVerify } from '../../electron/commands/verify.ts';
import { expectNoFile, makeDeskFolder } from '../../electron/desk/folder.ts';
import { expectNoStandby } from '../../electron/fleet/membership.ts';
import type { NewEvent } from '../../electron/journal/events.ts';
import { openJournal } from '../../electron/journal/journal.ts';
import { temporaryFolder } from '../journal/fixture.ts';
import { CHAIN, configured, quote, START } from '../journal/sample-events.ts';
import { commandsHere } from './commands-here.ts';
import { CLI, runCommand } from './desk-process.ts';

const here = commandsHere(
  ...[addCounterpartyKeys, addFills, addFormula, addHedges, addJournal, addLog, addPositions],
  ...[addResults, addStatus, addTakers, addVerify],
);
const ADDRESS = `0x${'ab'.repeat(20)}`;

/** A folder in which a desk has run and does not run, and where its witness lies. */
function leftFolder(): string {
  const place = temporaryFolder();
  vi.stubEnv('MAKERDESK_STATE', join(place, 'state'));
  onTestFinished(() => void vi.unstubAllEnvs());
  return join(place, 'desk');
}

async function written(folder: string, ...events: NewEvent[]): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const witness = join(folder, '../state');
  const journal = await openJournal({ folder, now: () => START, witness });
  for (const event of events) await journal.append(event);
  await journal.close();
}

test('verify says of a journal that was put back that rows are missing, also after a command has opened it, until somebody accepts it', async () => {
  const folder = leftFolder();
  await written(folder, configured());
  copyFileSync(join(folder, 'journal.db'), join(folder, '../backup.db'));
  await written(folder, quote(1), quote(2), quote(3), quote(4));
  const sound = await here(folder, ['verify']);
  expect(JSON.parse(sound.stdout)).toMatchObject({ ok: true, past: { witness: null, unaccepted: null } });

  for (const file of ['journal.db-wal', 'journal.db-shm']) rmSync(join(folder, file), { force: true });
  copyFileSync(join(folder, '../backup.db'), join(folder, 'journal.db'));
  expect((await here(folder, ['status'])).stdout).toContain('HALTED');
  const found = await here(folder, ['verify']);
  expect([found.code, JSON.parse(found.stdout)]).toMatchObject([
    1,
    {
      ok: false,
      firstBad: null,
      detail: expect.stringMatching(/was put back from before|holds another past/),
      past: { unaccepted: { row: 2, why: [expect.stringContaining('its end is missing')] } },
    },
  ]);
  expect(found.stderr).toMatch(/row 5 was written here\.\nRow 2 of .* nobody has accepted that with a resume since/);

  const live = { scope: {}, state: 'LIVE', reason: 'the new disk', until: null, cause: null } as const;
  await written(folder, { time: START, actor: 'mara', kind: 'trading_state', body: live });
  expect(await here(folder, ['verify'])).toMatchObject({ code: 0, stderr: '' });
});

test('verify takes a copy of a folder as it is: the witness of the folder it was copied from says nothing against it', async () => {
  const folder = leftFolder();
  await written(folder, configured(), quote(1));
  const copy = `${folder}-copy`;
  cpSync(folder, copy, { recursive: true });
  await written(folder, quote(2));
  expect(await here(copy, ['verify'])).toMatchObject({ code: 0, stderr: '' });
});

test('a chain or a pair that the desk does not have is refused by what only reads, and those that it has are named', async () => {
  const folder = leftFolder();
  await written(folder, configured(), quote(1));
  for (const command of ['status', 'fills', 'hedges', 'positions', 'results', 'formula']) {
    const { code, stdout, stderr } = await here(folder, [command, '--chain', '999']);
    expect([code, stdout, stderr], command).toEqual([1, '', `Chain 999 is not one of this desk.\nIt has ${CHAIN}.\n`]);
  }
  for (const command of ['status', 'fills', 'results', 'formula', 'log']) {
    const { code, stdout, stderr } = await here(folder, [command, '--pair', 'A/B']);
    expect([code, stdout], command).toEqual([1, '']);
    expect(stderr).toMatch(/^A\/B is not a listed pair of this desk\.\nIt has .*WETH\/USDC/);
  }
  const told = await here(folder, ['journal', '--chain', '999']);
  expect([told.code, told.stderr]).toEqual([0, expect.stringContaining('Chain 999 is not one of this desk')]);
  expect(await here(folder, ['log', '--pair', 'WETH/USDC'])).toMatchObject({ code: 0, stderr: '' });
});

test('an execution contract that is none is not said to be removed', async () => {
  const folder = leftFolder();
  await written(folder, configured());
  const { code, stdout, stderr } = await here(folder, ['takers', 'remove', ADDRESS]);
  expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining(`${ADDRESS} is no taker`)]);
});

test('a secret key that can be guessed is given to no counterparty', async () => {
  const folder = leftFolder();
  await written(folder, configured());
  vi.stubEnv('MAKERDESK_ACCESS_KEY', 'access');
  vi.stubEnv('MAKERDESK_SECRET_KEY', 'fifteen letters');
  const { code, stderr } = await here(folder, ['counterparty-keys', 'add', 'partner.example']);
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/secret key of partner\.example is too short.*16 characters/s),
  ]);
});

test('a halt whose answer cannot be printed is in force all the same, and says so', async () => {
  const folder = leftFolder();
  await written(folder, configured());
  const full = openSync('/dev/full', 'w');
  onTestFinished(() => closeSync(full));
  const child = spawn(process.execPath, [CLI, 'halt', '--data', folder], { stdio: ['ignore', full, 'pipe'] });
  const [said, [code]] = await Promise.all([text(child.stderr as never), once(child, 'close')]);
  expect([code, said]).toEqual([
    1,
    expect.stringMatching(
      /^HALTED at .*: the halt is in force\. The answer could not be printed: the disk is full\.\n/,
    ),
  ]);
  expect(said).not.toContain('error of its own');
  const stops = await runCommand(folder, ['stops']);
  expect(JSON.parse(stops.stdout)).toMatchObject([{ scope: {} }]);
});

test('what reads nobody reads any more ends with a sentence and no trace', async () => {
  const folder = leftFolder();
  await written(folder, configured());
  const child = spawn(process.execPath, [CLI, 'journal', '--data', folder], { stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout?.destroy();
  const [said, [code]] = await Promise.all([text(child.stderr as never), once(child, 'close')]);
  expect([code, said]).toEqual([1, 'The answer could not be printed: nobody reads it any more.\n']);
});

test('a file in the place of a folder is called a file, and whoever has a backup there hears how to check it', () => {
  const file = join(temporaryFolder(), 'backup.db');
  writeFileSync(file, '');
  expect(() => expectNoFile(file)).toThrow(
    expect.objectContaining({ code: 'folder_unusable', remedy: expect.stringContaining('makerdesk verify') }),
  );
  expect(() => expectNoStandby(file)).not.toThrow();
  expect(() => expectNoFile(join(file, 'beneath'))).not.toThrow();
});

test('a folder where the system makes none is refused, and not tried for ever', { timeout: 20_000 }, () => {
  const refused = expect.objectContaining({ code: 'folder_unusable', message: expect.stringContaining('/proc/foo') });
  expect(() => makeDeskFolder('/proc/foo')).toThrow(refused);
  const made = join(temporaryFolder(), 'one', 'two');
  makeDeskFolder(made);
  expect(existsSync(join(made, 'logs'))).toBe(true);
});
