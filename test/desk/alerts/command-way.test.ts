import { chmodSync } from 'node:fs';
import { expect, onTestFinished, test, vi } from 'vitest';
import { USUAL_ALERTS } from '../../../electron/contract/alert-settings.ts';
import type { Status } from '../../../electron/contract/trading.ts';
import { openNodeProxy } from '../../chain/node-proxy.ts';
import { startTestChain } from '../../chain-fixture.ts';
import { armedFolder, deskFileFor } from '../desk-on-chain.ts';
import { haltCommand, runCommand, startDesk } from '../desk-process.ts';
import { LIVE, program, stopped, told, WELL, watched } from './alerting.ts';

test('what stops is told once, whatever its words are, and once more when it is over', async () => {
  const { file, calls } = program();
  const { desk, look } = await watched({ command: file });
  desk.view = { ...WELL, attention: [stopped('node 1'), stopped('a note', 'note')] };
  await vi.waitFor(() => expect(calls().map(told)).toEqual(['raised node 1']));
  await look(20);
  expect(calls()).toMatchObject([
    { title: 'node 1 “$(touch /tmp/never)”\n', detail: '`; exit', at: expect.any(String) },
  ]);
  desk.view = WELL;
  await vi.waitFor(() => expect(calls().map(told)).toEqual(['raised node 1', 'over node 1']));
});

test('what is there for one look only, or gone for a few, calls nobody', async () => {
  const { file, calls } = program();
  const { desk, look } = await watched({ command: file });
  const there = { ...WELL, attention: [stopped('node 1')] };
  // By looks and not by the clock: each look finds what the one before it left.
  let count = 0;
  Object.defineProperty(desk, 'view', { get: () => (count++ % 2 === 0 ? there : WELL) });
  await look(40);
  expect(calls()).toEqual([]);
});

test('a halt is told with its reason and who did it; a desk that was never live calls nobody', async () => {
  const { file, calls } = program();
  const { desk, look } = await watched({ command: file });
  const halted: Status = { ...LIVE, state: 'HALTED', reason: 'It has not gone live yet.', isNew: true };
  desk.view = { ...WELL, status: halted };
  await look(10);
  expect(calls()).toEqual([]);
  desk.view = { ...WELL, status: { ...LIVE, state: 'HALTED', reason: 'A wrong price.' } };
  await vi.waitFor(() => expect(calls()).toMatchObject([{ code: 'halted', title: 'The desk was halted by mara' }]));
  expect(calls()[0]?.detail).toContain('A wrong price.');
});

test('what is silenced is told when the silence is over, if it is still there; what was told before is not over by that', async () => {
  const { file, calls } = program();
  const { desk, look } = await watched({ command: file });
  desk.view = { ...WELL, attention: [stopped('node 1')] };
  await vi.waitFor(() => expect(calls().map(told)).toEqual(['raised node 1']));
  const silent = { ...USUAL_ALERTS.stop, silentUntil: Date.now() + 3_600_000 };
  const attention = [stopped('node 1'), stopped('node 2')];
  desk.view = { ...WELL, attention, alerts: { ...USUAL_ALERTS, stop: silent } };
  await look(20);
  expect(calls().map(told)).toEqual(['raised node 1']);
  desk.view = { ...desk.view, alerts: USUAL_ALERTS };
  await vi.waitFor(() => expect(calls().map(told)).toEqual(['raised node 1', 'raised node 2']));
});

test('a program that fails is tried again, and in the end the log and the screen say that nobody was told', async () => {
  const failsOnce = program('test -e "$0.once" || { touch "$0.once"; exit 3; }');
  const first = await watched({ command: failsOnce.file });
  first.desk.view = { ...WELL, attention: [stopped('node 1')] };
  await vi.waitFor(() => expect(failsOnce.calls().map(told)).toEqual(['raised node 1']));
  expect(first.ways.attention()).toEqual([]);
  const second = await watched({ command: program('exit 3').file });
  second.desk.view = { ...WELL, attention: [stopped('node 1')] };
  await vi.waitFor(() => expect(second.desk.said.at(-1)).toMatch(/^an alert could not be told \{.*it ended with 3/));
  expect(second.ways.attention()).toMatchObject([
    { level: 'look', detail: expect.stringContaining('it ended with 3') },
  ]);
});

test('a program that hangs keeps nothing from closing, and a view that cannot be read is said once', async () => {
  const { desk, look, close } = await watched({ command: program('exec sleep 600').file });
  desk.view = { ...WELL, attention: [stopped('node 1')] };
  await look(5);
  Object.defineProperty(desk, 'view', {
    get: () => {
      throw new Error('a fault on purpose');
    },
  });
  await look(5);
  expect(desk.said).toEqual([expect.stringMatching(/^what is wrong cannot be read, so nobody is called/)]);
  await close();
});

test('a desk whose node goes away, and that is halted, calls for each once, and says when it is over', async () => {
  const { file, calls } = program();
  const chain = await startTestChain({ blockTimeSeconds: 1 });
  onTestFinished(() => chain.close());
  const proxy = await openNodeProxy(() => chain.rpcUrl);
  onTestFinished(() => proxy.down());
  const deskFile = deskFileFor(chain, { rpcUrl: proxy.url });
  const folder = await armedFolder(chain, deskFile);
  onTestFinished(() => folder.remove());
  const desk = await startDesk(folder.folder, 'serve', ['--alert-command', file]);
  onTestFinished(async () => void (await desk.stop()));
  const of = (code: string) =>
    calls()
      .filter((call) => call.code === code)
      .map(told);
  const node = `node ${chain.chainId}`;
  // A slow machine may have raised it before, for a moment in which its node was not heard.
  await vi.waitFor(() => expect(of(node).at(-1)).not.toBe(`raised ${node}`));
  const before = of(node).length;
  const since = () => of(node).slice(before);
  proxy.answer = () => ({ error: { code: -32_005, message: 'too busy' } });
  await vi.waitFor(() => expect(since()).toEqual([`raised ${node}`]));
  proxy.answer = () => undefined;
  await vi.waitFor(() => expect(since()).toEqual([`raised ${node}`, `over ${node}`]));
  await haltCommand(folder.folder, ['--reason', 'for lunch']);
  await vi.waitFor(() => expect(of('halted')).toEqual(['raised halted']));
  await runCommand(folder.folder, ['resume', '--reason', 'back']);
  await vi.waitFor(() => expect(of('halted')).toEqual(['raised halted', 'over halted']));
});

test('a program that is not there or cannot be run is said before the desk is LIVE', async () => {
  const { file } = program();
  chmodSync(file, 0o600);
  for (const wrong of [file, `${file}.not`, '/tmp']) {
    await expect(watched({ command: wrong })).rejects.toThrow(/is not a file that can be run/);
  }
});
