import { expect, test } from 'vitest';
import { addAlerts } from '../../electron/commands/alerts.ts';
import { addStatus } from '../../electron/commands/status.ts';
import { openJournal } from '../../electron/journal/journal.ts';
import { CHAIN, USDC, WETH } from '../book/fixture.ts';
import { newFolder, openDesk, TAKER } from '../quoting/open-desk.ts';
import { commandsHere } from './commands-here.ts';
import { runCommand } from './desk-process.ts';

const run = commandsHere(addAlerts, addStatus);

test('the terminal tells the number of an alarm, and takes that one off with a reason', async () => {
  const folder = newFolder();
  await (await openDesk({ folder })).close();
  const journal = await openJournal({ folder, now: Date.now });
  const hash = (byte: string): `0x${string}` => `0x${byte.repeat(32)}`;
  const seq = await journal.append({
    time: Date.now(),
    actor: 'chain',
    kind: 'fill',
    body: {
      chainId: CHAIN,
      orderHash: hash('99'),
      taker: TAKER,
      makerAsset: WETH,
      takerAsset: USDC,
      makerAmount: '1000',
      takerAmount: '3',
      block: 5,
      blockHash: hash('0b'),
      blockTime: Date.now(),
      transactionHash: hash('0c'),
      logIndex: 0,
    },
  });
  await journal.close();
  const alarms = async () => {
    const told = JSON.parse((await run(folder, ['alerts', '--json'])).stdout) as { alarm?: number[] }[];
    return told.flatMap(({ alarm = [] }) => alarm);
  };
  expect((await run(folder, ['alerts'])).stdout).toContain(`makerdesk acknowledge ${seq} --reason TEXT`);
  expect(await alarms()).toEqual([seq]);
  const done = await runCommand(folder, ['acknowledge', `${seq}`, '--reason', 'our own second desk']);
  expect([done.code, JSON.parse(done.stdout)]).toMatchObject([0, { acknowledged: true, alarm: seq }]);
  expect(await alarms()).toEqual([]);
  const status = JSON.parse((await run(folder, ['status', '--json'])).stdout);
  expect(status, 'nothing is resumed by it').toMatchObject({ state: 'HALTED' });
});
