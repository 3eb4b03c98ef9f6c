import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { USUAL_ALERTS } from '../../electron/contract/alert-settings.ts';
import type { Attention } from '../../electron/contract/desk-view.ts';
import type { Status } from '../../electron/contract/trading.ts';
import { type AlertCall, AlertCommand, type AlertCommandOptions } from '../../electron/desk/alert-command.ts';
import { openNodeProxy } from '../chain/node-proxy.ts';
import { startTestChain } from '../chain-fixture.ts';
import { armedFolder, deskFileFor } from './desk-on-chain.ts';
import { runCommand, startDesk, temporaryFolder } from './desk-process.ts';

type View = ReturnType<AlertCommandOptions['read']>;

const LIVE: Status = { state: 'LIVE', reason: null, actor: 'mara', since: 0, drainUntil: null, chains: [] };
const WELL: View = { status: LIVE, attention: [], alerts: USUAL_ALERTS };
const stopped = (code: string, level: Attention['level'] = 'stop'): Attention => ({
  code,
  level,
  title: `${code} “$(touch /tmp/never)”\n`,
  detail: '`; exit',
});

/** A program that writes down what it is told, after `before`. */
function program(before = ''): { file: string; calls: () => AlertCall[] } {
  const made = temporaryFolder();
  onTestFinished(() => made.remove());
  const [file, told] = [join(made.folder, 'alert.sh'), join(made.folder, 'told')];
  writeFileSync(file, `#!/bin/sh\n${before}\ncat >> '${told}'\n`);
  chmodSync(file, 0o700);
  const calls = () =>
    existsSync(told)
      ? readFileSync(told, 'utf8')
          .split('\n')
          .filter((line) => line !== '')
          .map((line): AlertCall => JSON.parse(line))
      : [];
  return { file, calls };
}

/** A desk that looks as it is told to, looked at a hundred times a second. */
function watched(file: string) {
  const desk = { view: WELL, said: [] as string[], looks: 0 };
  const say = (line: string) => void desk.said.push(line);
  const read = () => {
    desk.looks += 1;
    return desk.view;
  };
  const log = { info: say, warn: say, error: say };
  const calls = new AlertCommand({ file, read, now: Date.now, log, lookMs: 10, restMs: 10 });
  onTestFinished(() => calls.close());
  const look = async (times: number) => {
    const until = desk.looks + times;
    await vi.waitFor(() => expect(desk.looks).toBeGreaterThanOrEqual(until));
  };
  return { desk, look, close: () => calls.close() };
}

const told = ({ alert, code }: AlertCall) => `${alert} ${code}`;

test('what stops is told once, whatever its words are, and once more when it is over', async () => {
  const { file, calls } = program();
  const { desk, look } = watched(file);
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
  const { desk, look } = watched(file);
  const there: View = { ...WELL, attention: [stopped('node 1')] };
  // By looks and not by the clock: each look finds what the one before it left.
  let count = 0;
  Object.defineProperty(desk, 'view', { get: () => (count++ % 2 === 0 ? there : WELL) });
  await look(40);
  expect(calls()).toEqual([]);
});

test('a halt is told with its reason and who did it; a desk that was never live calls nobody', async () => {
  const { file, calls } = program();
  const { desk, look } = watched(file);
  const halted: Status = { ...LIVE, state: 'HALTED', reason: 'It has not gone live yet.', isNew: true };
  desk.view = { ...WELL, status: halted };
  await look(10);
  expect(calls()).toEqual([]);
  desk.view = { ...WELL, status: { ...LIVE, state: 'HALTED', reason: 'A wrong price.' } };
  await vi.waitFor(() => expect(calls()).toMatchObject([{ code: 'halted', title: 'The desk was halted by mara' }]));
  expect(calls()[0]?.detail).toContain('A wrong price.');
});

test('what is silenced is told when the silence is over, if it is still there', async () => {
  const { file, calls } = program();
  const { desk, look } = watched(file);
  const silent = { ...USUAL_ALERTS.stop, silentUntil: Date.now() + 3_600_000 };
  desk.view = { ...WELL, attention: [stopped('node 1')], alerts: { ...USUAL_ALERTS, stop: silent } };
  await look(10);
  expect(calls()).toEqual([]);
  desk.view = { ...desk.view, alerts: USUAL_ALERTS };
  await vi.waitFor(() => expect(calls().map(told)).toEqual(['raised node 1']));
});

test('a program that fails is tried again, and in the end the log says that nobody was told', async () => {
  const failsOnce = program('test -e "$0.once" || { touch "$0.once"; exit 3; }');
  const first = watched(failsOnce.file);
  first.desk.view = { ...WELL, attention: [stopped('node 1')] };
  await vi.waitFor(() => expect(failsOnce.calls().map(told)).toEqual(['raised node 1']));
  const second = watched(program('exit 3').file);
  second.desk.view = { ...WELL, attention: [stopped('node 1')] };
  await vi.waitFor(() => expect(second.desk.said.at(-1)).toBe('an alert could not be told: the alert command failed'));
});

test('a program that hangs keeps nothing from closing, and a view that cannot be read is said once', async () => {
  const { desk, look, close } = watched(program('exec sleep 600').file);
  desk.view = { ...WELL, attention: [stopped('node 1')] };
  await look(5);
  Object.defineProperty(desk, 'view', {
    get: () => {
      throw new Error('a fault on purpose');
    },
  });
  await look(5);
  expect(desk.said).toEqual(['what is wrong cannot be read, so nobody is called']);
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
  const node = `node ${chain.chainId}`;
  const ofNode = () =>
    calls()
      .filter(({ code }) => code === node)
      .map(told);
  proxy.answer = () => ({ error: { code: -32_005, message: 'too busy' } });
  await vi.waitFor(() => expect(ofNode()).toEqual([`raised ${node}`]));
  proxy.answer = () => undefined;
  await vi.waitFor(() => expect(ofNode()).toEqual([`raised ${node}`, `over ${node}`]));
  await runCommand(folder.folder, ['halt', '--reason', 'for lunch']);
  const ofHalt = () =>
    calls()
      .filter(({ code }) => code === 'halted')
      .map(told);
  await vi.waitFor(() => expect(ofHalt()).toEqual(['raised halted']));
  await runCommand(folder.folder, ['resume', '--reason', 'back']);
  await vi.waitFor(() => expect(ofHalt()).toEqual(['raised halted', 'over halted']));
});

test('a program that is not there or cannot be run is said before the desk is LIVE', async () => {
  const { file } = program();
  chmodSync(file, 0o600);
  for (const wrong of [file, `${file}.not`, '/tmp']) {
    expect(() => watched(wrong)).toThrow(/is not a file that can be run/);
  }
});
