import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, copyFileSync, cpSync, existsSync, mkdirSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test, vi } from 'vitest';
import { addAlerts } from '../../electron/commands/alerts.ts';
import { addBlacklist } from '../../electron/commands/blacklist.ts';
import { addCounterpartyKeys } from '../../electron/commands/counterparty-keys.ts';
import { addDrain } from '../../electron/commands/drain.ts';
import { addFills } from '../../electron/commands/fills.ts';
import { addFormula } from '../../electron/commands/formula.ts';
import { addHandover } from '../../electron/commands/handover.ts';
import { addHedges } from '../../electron/commands/hedges.ts';
import { addHere } from '../../electron/commands/here.ts';
import { addImport } from '../../electron/commands/import.ts';
import { addJournal } from '../../electron/commands/journal.ts';
import { addLock } from '../../electron/commands/lock.ts';
import { addLog } from '../../electron/commands/log.ts';
import { addOnChain } from '../../electron/commands/on-chain.ts';
import { addAt } from '../../electron/commands/past.ts';
import { addPositions } from '../../electron/commands/positions.ts';
import { addReplay } from '../../electron/commands/replay.ts';
import { addResults } from '../../electron/commands/results.ts';
import { scopeOf } from '../../electron/commands/scope-options.ts';
import { addStatus } from '../../electron/commands/status.ts';
import { addStops } from '../../electron/commands/stops.ts';
import { addTakers } from '../../electron/commands/takers.ts';
import { addVerify } from '../../electron/commands/verify.ts';
import { expectNoFile, makeDeskFolder } from '../../electron/desk/folder.ts';
import { expectNoStandby } from '../../electron/fleet/membership.ts';
import type { NewEvent } from '../../electron/journal/events.ts';
import { openJournal } from '../../electron/journal/journal.ts';
import { createKeystore } from '../../electron/signer/keystore.ts';
import { temporaryFolder } from '../journal/fixture.ts';
import { CHAIN, configured, quote, START } from '../journal/sample-events.ts';
import { commandsHere } from './commands-here.ts';
import { CLI, runCommand } from './desk-process.ts';
import { standIn } from './wrong-desks.ts';

const here = commandsHere(
  ...[addCounterpartyKeys, addFills, addFormula, addHedges, addJournal, addLog, addPositions],
  ...[addAlerts, addAt, addBlacklist, addDrain, addHandover, addHere, addImport, addOnChain, addReplay],
  ...[addResults, addStatus, addStops, addTakers, addVerify],
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
    expect([code, stdout, stderr], command).toEqual([1, '', `This desk has no chain 999.\nIt has ${CHAIN}.\n`]);
  }
  for (const command of ['status', 'fills', 'results', 'formula', 'log']) {
    const { code, stdout, stderr } = await here(folder, [command, '--pair', 'A/B']);
    expect([code, stdout], command).toEqual([1, '']);
    expect(stderr).toMatch(/^A\/B is not a listed pair of this desk\.\nIt has .*WETH\/USDC/);
  }
  const told = await here(folder, ['journal', '--chain', '999']);
  expect([told.code, told.stderr]).toEqual([1, expect.stringContaining('This desk has no chain 999')]);
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

test('a stop is made without a reason that cannot be written down, and says so', async () => {
  const folder = leftFolder();
  await written(folder, configured());
  const left = 'The reason cannot be kept as it stands, so the stop is made without it.\n';
  const halted = await runCommand(folder, ['halt', '--reason', '']);
  expect([halted.code, halted.stderr], 'halt').toEqual([0, expect.stringContaining(left)]);
  const stops = JSON.parse((await here(folder, ['stops'])).stdout);
  expect(stops).toMatchObject([{ scope: {}, began: { what: 'halted', reason: null } }]);
  const long = 'x'.repeat(501);
  for (const args of [['drain'], ['blacklist', 'add', ADDRESS]]) {
    const { code, stderr } = await here(folder, [...args, '--reason', long]);
    expect([code, stderr], args[0]).toEqual([0, expect.stringContaining(left)]);
  }
  expect((await here(folder, ['blacklist', 'remove', ADDRESS, '--reason', long])).code).toBe(1);
});

test('who is blacklisted for longer is let in sooner with --weaken alone, and what stood of them is printed', async () => {
  const folder = leftFolder();
  await written(folder, configured());
  const add = ['blacklist', 'add', ADDRESS];
  const first = await here(folder, [...add, '--reason', 'a stolen key']);
  expect(JSON.parse(first.stdout)).toMatchObject({ added: true, durable: true, running: false, before: [] });
  const until = '2099-01-01T00:00:00.000Z';
  const sooner = await here(folder, [...add, '--until', until]);
  expect([sooner.code, sooner.stdout]).toEqual([1, '']);
  expect(sooner.stderr).toMatch(/already, for good, by mara \(“a stolen key”\): yours would end sooner.*\n.*--weaken/);
  const stood = { chainId: CHAIN, address: ADDRESS, reason: 'a stolen key', until: null, onlyHere: false };
  const weaker = await here(folder, [...add, '--until', until, '--weaken']);
  const since = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/);
  expect([weaker.code, JSON.parse(weaker.stdout).before]).toEqual([0, [{ ...stood, since, actor: 'mara' }]]);
  const longer = await here(folder, add);
  expect([longer.code, JSON.parse(longer.stdout).before]).toMatchObject([0, [{ reason: null, until }]]);
});

test('a stop of a pair prints the state of the desk, and which pair it was and its own', async () => {
  const folder = leftFolder();
  const live = { scope: {}, state: 'LIVE', reason: 'a test', until: null, cause: null } as const;
  await written(folder, configured(), { time: START, actor: 'mara', kind: 'trading_state', body: live });
  writeFileSync(join(folder, 'armed'), '{}');
  const scope = { chainId: CHAIN, pair: 'WETH/USDC' };
  const pair = JSON.parse((await here(folder, ['drain', '--pair', scope.pair])).stdout);
  expect(pair).toMatchObject({ draining: true, state: 'LIVE', scope, scopeState: 'DRAIN' });
  const all = JSON.parse((await here(folder, ['drain'])).stdout);
  expect(all).toEqual({ draining: true, durable: true, state: 'DRAIN', running: false });
});

test('what is to be stopped is said to be named badly in words of the options', () => {
  const refusal = (message: string, remedy: string) => expect.objectContaining({ message, remedy });
  const nowhere = 'Nothing was done: it is not said on which chain A/B is meant.';
  expect(() => scopeOf({ side: 'bids' }, [1])).toThrow(
    refusal('Nothing was done: --side needs its pair.', 'Name it with --pair.'),
  );
  expect(() => scopeOf({ pair: 'A/B' }, [1, 137])).toThrow(refusal(nowhere, 'Name one with --chain: 1, 137.'));
  expect(() => scopeOf({ pair: 'A/B' }, [])).toThrow(refusal(nowhere, 'Import a desk file first.'));
  expect(() => scopeOf({ pair: 'A/B', side: 'left' }, [1])).toThrow(
    /^Nothing was done: --side must be one of bids, asks/,
  );
  expect(scopeOf({ pair: 'A/B' }, [7])).toEqual({ chainId: 7, pair: 'A/B' });
});

test('of a desk that does not run nobody is told that it needs no attention, or that its dead-man switch heard them', async () => {
  const folder = leftFolder();
  await written(folder, configured());
  expect(await here(folder, ['alerts'])).toEqual({
    code: 0,
    stdout: 'No alarm stands in the journal.\n',
    stderr: `No desk runs in ${folder}: only what its journal knows is told. See "makerdesk check".\n`,
  });
  const { stdout, stderr } = await here(folder, ['here']);
  expect([JSON.parse(stdout), stderr]).toEqual([
    { here: true, haltsAt: null, running: false },
    `No desk runs in ${folder}, so no dead-man switch does either.\n`,
  ]);
});

test('what was to be done on chain exits 0 only where all of it is confirmed', async () => {
  const folder = leftFolder();
  await written(folder, configured());
  let outcomes: string[] = [];
  await standIn(folder, () => outcomes.map((outcome) => ({ chainId: CHAIN, outcome })));
  for (const [wanted, ...of] of [
    [0, 'confirmed', 'confirmed'],
    [0, 'dry_run'],
    [0, 'asked'],
    [1, 'confirmed', 'sent'],
    [1, 'calldata'],
    [1, 'failed'],
  ] as const) {
    outcomes = [...of];
    expect(await here(folder, ['cancel-orders']), of.join(', ')).toMatchObject({ code: wanted });
  }
});

test('a desk file that is refused makes no desk', async () => {
  const folder = leftFolder();
  const file = join(folder, '../desk.json');
  writeFileSync(file, JSON.stringify({ version: 1, chains: [{ chainId: 1.5 }] }));
  expect(await here(folder, ['import', file])).toMatchObject({ code: 1, stderr: expect.stringContaining('chainId') });
  expect(existsSync(folder)).toBe(false);
});

test('a folder without a journal has none that is broken', async () => {
  const folder = leftFolder();
  expect(await here(folder, ['verify'])).toEqual({
    code: 1,
    stdout: '',
    stderr: 'There is no journal in this folder.\nCheck the folder given with --data.\n',
  });
});

test('what is still to come is neither handed over nor looked back at, and a time that ends before it begins is not replayed', async () => {
  const folder = leftFolder();
  await written(folder, configured());
  for (const [says, ...args] of [
    ['2999-01-01 has not begun in UTC.', 'handover', '--date', '2999-01-01'],
    ['2999-01-01T00:00:00.000Z is still to come.', 'at', '2999-01-01'],
    ['--since is after --until.', 'replay', '--since', '2026-11-02', '--until', '2026-11-01'],
  ] as const) {
    const refused = { code: 1, stdout: '', stderr: expect.stringContaining(says) };
    expect(await here(folder, [...args]), args[0]).toEqual(refused);
  }
});

test('the key of a desk that does not run needs no lock, and nobody is told to start the desk for it', async () => {
  const folder = leftFolder();
  await written(folder, configured());
  const lock = commandsHere((program, folderOf, actor) => addLock(program, { folderOf, placeOf: folderOf }, actor));
  const lies = 'No desk runs here, so its key lies sealed in its folder already.\n';
  expect((await lock(folder, ['lock'])).stderr).toBe(lies);
  expect((await lock(folder, ['unlock'])).stderr).toBe(`${lies}Start the desk first.\n`);
});

test('a practice desk is unlocked with its own passphrase, whatever the environment has for a real one', async () => {
  const folder = leftFolder();
  mkdirSync(join(folder, 'market'), { recursive: true });
  writeFileSync(join(folder, 'market', 'market.json'), '{}');
  await createKeystore(folder, 'practice', randomBytes, { scryptCost: 2 });
  const given: unknown[] = [];
  await standIn(folder, (path, input) => {
    if (path === '/key/unlock') given.push(input);
    return { address: ADDRESS };
  });
  vi.stubEnv('MAKERDESK_PASSPHRASE', 'of a real desk');
  const lock = commandsHere((program, folderOf, actor) => addLock(program, { folderOf, placeOf: folderOf }, actor));
  expect(await lock(folder, ['unlock'])).toMatchObject({ code: 0, stderr: expect.stringContaining('is not used') });
  expect(given).toEqual([{ passphrase: 'practice' }]);
});
