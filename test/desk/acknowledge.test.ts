import { expect, test } from 'vitest';
import { addAcknowledge, addAlerts } from '../../electron/commands/alerts.ts';
import { addStatus } from '../../electron/commands/status.ts';
import { openJournal } from '../../electron/journal/journal.ts';
import { CHAIN, USDC, WETH } from '../book/fixture.ts';
import { newFolder, openDesk, TAKER } from '../quoting/open-desk.ts';
import { commandsHere } from './commands-here.ts';
import { runCommand } from './desk-process.ts';

const run = commandsHere(addAlerts, addAcknowledge, addStatus);
const hash = (byte: string): `0x${string}` => `0x${byte.repeat(32)}`;

async function alarmsOf(folder: string): Promise<number[]> {
  const told = JSON.parse((await run(folder, ['alerts', '--json'])).stdout) as { alarm?: number[] }[];
  return told.flatMap(({ alarm = [] }) => alarm);
}

test('the terminal tells the number of an alarm, and takes that one off with a reason', async () => {
  const folder = newFolder();
  await (await openDesk({ folder })).close();
  const journal = await openJournal({ folder, now: Date.now });
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
  expect((await run(folder, ['alerts'])).stdout).toContain(`makerdesk acknowledge ${seq} --reason TEXT`);
  expect(await alarmsOf(folder)).toEqual([seq]);
  const done = await runCommand(folder, ['acknowledge', `${seq}`, '--reason', 'our own second desk']);
  expect([done.code, JSON.parse(done.stdout)]).toMatchObject([0, { acknowledged: true, alarm: seq }]);
  expect(await alarmsOf(folder)).toEqual([]);
  const status = JSON.parse((await run(folder, ['status', '--json'])).stdout);
  expect(status, 'nothing is resumed by it').toMatchObject({ state: 'HALTED' });
});

test('an alarm that came after the number was told is not taken off with it, though it is told with those before', async () => {
  const folder = newFolder();
  await (await openDesk({ folder })).close();
  const drifts = async (block: number): Promise<number> => {
    const journal = await openJournal({ folder, now: Date.now });
    const body = {
      chainId: CHAIN,
      token: WETH,
      amount: '-1',
      fromBlock: block,
      block: block + 1,
      blockHash: hash('0b'),
    };
    const seq = await journal.append({ time: Date.now(), actor: 'chain', kind: 'drift', body });
    await journal.close();
    return seq;
  };
  const told = async () => /makerdesk acknowledge (\d+) /.exec((await run(folder, ['alerts'])).stdout)?.[1] ?? '';
  const acknowledge = (number: string) => run(folder, ['acknowledge', number, '--reason', 'the fee of a transfer']);

  const first = [await drifts(5), await drifts(7)];
  const seen = await told();
  const later = [await drifts(9), await drifts(11)];
  expect(await alarmsOf(folder)).toEqual([...first, ...later]);
  const taken = await acknowledge(seen);
  expect(JSON.parse(taken.stdout)).toMatchObject({ acknowledged: true, alarm: first[1], newer: 2 });
  expect(taken.stderr).toContain('2 of the same came after it and stand');
  expect(await alarmsOf(folder)).toEqual(later);

  const rest = await acknowledge(await told());
  expect(JSON.parse(rest.stdout)).toMatchObject({ acknowledged: true, alarm: later[1], newer: 0 });
  expect(await alarmsOf(folder)).toEqual([]);
});
