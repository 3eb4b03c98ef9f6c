import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { addAlerts } from '../../electron/commands/alerts.ts';
import { addFills } from '../../electron/commands/fills.ts';
import { addHedges } from '../../electron/commands/hedges.ts';
import { addJournal } from '../../electron/commands/journal.ts';
import { addLog } from '../../electron/commands/log.ts';
import { addPositions } from '../../electron/commands/positions.ts';
import { addResults } from '../../electron/commands/results.ts';
import { addStatus } from '../../electron/commands/status.ts';
import { tableText } from '../../electron/commands/table.ts';
import type { NewEvent } from '../../electron/journal/events.ts';
import { openJournal } from '../../electron/journal/journal.ts';
import { storeKey } from '../../electron/signer/keystore.ts';
import { chain, deskFile } from '../book/fixture.ts';
import { CHAIN, configured, fill, hashOf, quote, REFUSED, START } from '../journal/sample-events.ts';
import { commandsHere } from './commands-here.ts';
import { PASSPHRASE, runCommand, startDesk, temporaryFolder } from './desk-process.ts';

const WETH = { makerAmount: `${10n ** 18n}`, takerAmount: '3412500000' };
const STEERING = '\u001b[2J\u202Ename';
/** What moves the cursor, clears the screen or turns a line. */
const STEERS = /[^\P{Cc}\n]|\p{Cf}/u;

/** A day of a desk: one order filled to 99 %, one refused, one fill of an order nobody signed; it ended halted. */
const EVENTS: NewEvent[] = [
  configured(),
  quote(1, WETH),
  quote(2, REFUSED),
  fill(1, 0, { makerAmount: `${99n * 10n ** 16n}`, takerAmount: '3378375000' }),
  fill(9, 1),
  fill(10, 2, {
    makerAsset: `0x${'8'.repeat(40)}`,
    makerAmount: '4',
    makerNft: { kind: 'erc1155', id: '7' },
    takerAsset: `0x${'9'.repeat(40)}`,
    takerAmount: '5',
  }),
  { time: START + 200_000, actor: 'desk', kind: 'quotes_expired', body: { chainId: CHAIN, quoteSeqs: [2] } },
  {
    time: START + 300_000,
    actor: 'mara',
    kind: 'trading_state',
    body: { scope: {}, state: 'HALTED', reason: STEERING, until: null, cause: null },
  },
];

describe('what the screen shows, the terminal prints', () => {
  const { folder, remove } = temporaryFolder();
  const here = commandsHere(
    ...[addLog, addFills, addResults, addJournal, addPositions, addHedges, addAlerts, addStatus],
  );
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await here(folder, args);
    expect(code, stderr).toBe(0);
    return stdout;
  };
  beforeAll(async () => {
    const journal = await openJournal({ folder, now: () => START });
    for (const event of EVENTS) await journal.append(event);
    await journal.close();
    rmSync(`${folder}/armed`, { force: true });
  });
  afterAll(remove);

  test('the log tells what was filled, until when, by which transactions, and how it ended for a person', async () => {
    const rows = JSON.parse(await run('log'));
    expect(rows).toMatchObject([
      {
        state: 'expired',
        outcome: 'filled',
        filledMakerAmount: `${99n * 10n ** 16n}`,
        filledTakerAmount: '3378375000',
        expiry: Math.floor(START / 1_000) + 150,
        transactions: [hashOf('transaction 0')],
        unreadable: null,
      },
      { state: 'refused', outcome: 'refused', filledMakerAmount: '0', transactions: [], expiry: null },
    ]);
    const [head, first] = (await run('log', '--format', 'csv')).split('\r\n');
    expect(head).toMatch(
      /,latencyMs,outcome,filledMakerAmount,filledTakerAmount,expiry,transactions,unreadable,makerNft,takerNft,userName$/,
    );
    expect(first).toContain(`,filled,${99n * 10n ** 16n},3378375000,`);
  });

  test('fills are a table for people, and with --json for programs', async () => {
    const table = await run('fills');
    expect(await runCommand(folder, ['fills']), 'as shipped').toEqual({ code: 0, stdout: table, stderr: '' });
    expect(table.split('\n')[0]).toMatch(/^Time, UTC +Chain +Pair +We +Gave +Got /);
    expect(table).toMatch(/WETH\/USDC +sell +0\.99 WETH +3378\.375 USDC/);
    expect(table).toContain('not ours');
    expect(table).toMatch(/not ours +4 × NFT #7 +5 raw/);
    const fills = JSON.parse(
      await run('fills', '--json', '--pair', 'WETH/USDC', '--since', '2026-10-31', '--limit', '3'),
    );
    expect(fills).toMatchObject([
      { pair: 'WETH/USDC', time: '2026-11-01T00:00:00.000Z', makerAmount: `${99n * 10n ** 16n}` },
    ]);
  });

  test('results are a table that says what has no price, the same with --csv, and with --json for programs', async () => {
    const since = ['--from', '2026-10-31'];
    const table = await run('results', ...since);
    expect(table.split('\n')[0]).toMatch(
      /^Pair, chain +Fills +Volume, \$ +Edge +to 10 s +to 1 min +to 5 min +Inventory /,
    );
    expect(table).toMatch(/WETH\/USDC 31337 +1 +— +— +—/);
    expect(table).toContain('Fills without a price, in no figure but the count: 1.');
    expect(table).not.toMatch(STEERS);
    expect(await run('results'), 'of the last hour').toBe('No fills in this time.\n');
    expect((await run('results', ...since, '--by', 'user', '--csv')).split('\r\n')).toEqual([
      expect.stringMatching(/^chainId,pair,user,counterparty,fills,unpriced,unreadable,volumeUsd,edgeUsd,/),
      expect.stringMatching(/^,,0x[0-9a-f]{40},,1,1,0,,/),
      expect.stringMatching(/^,,,,1,1,0,,/),
      '',
    ]);
    const json = JSON.parse(await run('results', ...since, '--by', 'counterparty', '--json'));
    expect(json).toMatchObject({
      by: 'counterparty',
      rows: [{ counterparty: 'practice', fills: 1, net: null }],
      all: { fills: 1, unpriced: 1, volume: null, parts: { edge: null, gas: null }, net: null },
    });
  });

  test('the journal is a sentence a line, newest first, and with --json and --csv for programs', async () => {
    const asked = ['journal', '--until', '2026-11-01T00:10:00Z'];
    const lines = (await run(...asked)).split('\n');
    expect(lines[0]).toMatch(/^2026-11-01T00:05:00\.000Z {2}8 {2}mara {2}halted the desk: HALTED “.*name”$/);
    expect(lines).toHaveLength(7);
    expect(lines.join()).not.toMatch(STEERS);
    const [refused, ...others] = JSON.parse(
      await run(...asked, '--json', '--kind', 'quote', '--kind', 'fill', '--pair', 'WETH/USDC', '--words', 'refused'),
    );
    expect(others).toEqual([]);
    expect(refused).toMatchObject({
      seq: 3,
      kind: 'quote',
      actor: 'desk',
      chainId: CHAIN,
      pair: 'WETH/USDC',
      about: { quote: 3 },
    });
    const csv = await run(...asked, '--csv', '--people', '--limit', '1');
    expect(csv.split('\r\n')).toEqual([
      'seq,time,kind,name,actor,chainId,pair,sentence,unreadable',
      expect.stringMatching(
        /^8,2026-11-01T00:05:00\.000Z,trading_state,Stop or start,mara,,,"?halted the desk: HALTED /,
      ),
      '',
    ]);
    expect(await run(...asked, '--words', 'thereisnothingofthiskind')).toBe('No event matches.\n');
    expect(await run(...asked, '--words', 'thereisnothingofthiskind', '--json')).toBe('[]\n');
  });

  test('positions, hedges and alerts too, also where there are none', async () => {
    expect(await run('positions')).toMatch(/31337 +WETH +-0\.990000000000004 WETH/);
    expect(JSON.parse(await run('positions', '--json', '--chain', `${CHAIN}`))).toContainEqual(
      expect.objectContaining({ token: expect.objectContaining({ symbol: 'USDC' }), net: '3392023000' }),
    );
    expect(await run('hedges')).toBe('No hedges.\n');
    expect(Array.isArray(JSON.parse(await run('alerts', '--json')))).toBe(true);
  });

  test('status tells exposure, what is not quoted and what needs attention', async () => {
    const status = JSON.parse(await run('status', '--json'));
    expect(status).toMatchObject({ state: 'HALTED', exposure: expect.any(Array), alerts: expect.any(Array) });
    expect(
      status.exposure.map(({ tokenId, live }: { tokenId: string; live: string }) => [tokenId, live]),
    ).toContainEqual(['WETH', '0']);
    expect(status.unquoted).toContainEqual({
      chainId: CHAIN,
      pair: 'WETH/USDC',
      bids: 'Trading is halted.',
      asks: 'Trading is halted.',
    });
    const words = await run('status');
    expect(words).toMatch(/^No desk runs in .*\nHALTED since /);
    expect(words).not.toMatch(STEERS);
  });
});

test('a node cannot steer the terminal by what it says: not of the self-check, not of a refusal, and not of the log', async () => {
  const node = createServer(async (asked, answer) => {
    const calls = [await json(asked)].flat() as { id: number }[];
    const error = { code: -32_000, message: `no ${STEERING}\u009b2J of you` };
    answer.end(JSON.stringify(calls.map(({ id }) => ({ jsonrpc: '2.0', id, error }))));
  });
  node.listen(0, '127.0.0.1');
  await once(node, 'listening');
  const { folder, remove } = temporaryFolder();
  onTestFinished(() => {
    node.close();
    remove();
  });
  const { port } = node.address() as AddressInfo;
  const file = join(folder, 'import.json');
  const lying = chain({ rpcUrl: `http://127.0.0.1:${port}`, takers: [`0x${'2'.repeat(40)}`] });
  writeFileSync(file, JSON.stringify({ ...deskFile(), chains: [lying], counterparties: [] }));
  await storeKey(folder, PASSPHRASE, `0x${'4c'.repeat(32)}`, randomBytes, { scryptCost: 2 });
  expect((await runCommand(folder, ['import', file])).code).toBe(0);
  const check = await runCommand(folder, ['check']);
  expect(check.stdout).toMatch(/refused eth_\w+ \(-32000: no \uFFFD/);
  expect(check.stdout).not.toMatch(STEERS);
  const resume = await runCommand(folder, ['resume', '--reason', 'a test']);
  expect(`${resume.stdout}${resume.stderr}`).not.toMatch(STEERS);
  const desk = await startDesk(folder, 'serve', ['--log', 'text']);
  await vi.waitFor(() => expect(desk.stderr()).toMatch(/refused eth_/));
  await desk.stop();
  expect(desk.stderr()).not.toMatch(STEERS);
});

test('what others wrote cannot steer the terminal, break a line or push the table away', () => {
  const table = tableText(
    [
      { head: 'Symbol', cell: (row: { symbol: string }) => row.symbol },
      { head: 'Net', cell: () => '1', right: true },
    ],
    [{ symbol: STEERING }, { symbol: 'a\nb' }, { symbol: 'x'.repeat(500) }],
  );
  const lines = table.trimEnd().split('\n');
  expect(lines).toHaveLength(4);
  expect(['\u001b', '\u202e'].filter((sign) => table.includes(sign))).toEqual([]);
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(90);
});
