import type { ServerResponse } from 'node:http';
import { expect, test, vi } from 'vitest';
import { isQuietHour } from '../../../electron/contract/alert-ways.ts';
import type { AlertCall } from '../../../electron/desk/alerts/call.ts';
import { answering, saying } from '../../service/http-answers.ts';
import { mail, mailServer, program, stopped, told, WELL, watched, webhook } from './alerting.ts';

const MINUTE_MS = 60_000;
const BY = { actor: 'mara' };

/** A desk with a program that is told at once and a chat that is told after ten minutes. */
async function withNight(clocks: Parameters<typeof watched>[0] = {}) {
  const { file, calls } = program();
  const chat = await answering(saying('ok'));
  const parts = await watched({ command: file, ...clocks });
  await parts.ways.save(webhook('night', chat.url, { afterMinutes: 10 }), null, BY);
  return { ...parts, file, calls, asked: chat.asked };
}

test('what nobody has taken after some minutes goes to the next way, once, and its end to both', async () => {
  const { desk, caller, look, calls, asked } = await withNight();
  let minutes = 0;
  desk.now = () => minutes * MINUTE_MS;
  desk.view = { ...WELL, attention: [stopped('node 1')] };
  await vi.waitFor(() => expect(calls().map(told)).toEqual(['raised node 1']));
  minutes = 9;
  await look(10);
  expect(asked).toHaveLength(0);
  minutes = 10;
  await vi.waitFor(() => expect(asked).toHaveLength(1));
  expect(caller.open()).toMatchObject([{ code: 'node 1', since: 0, told: ['command', 'night'], takenBy: null }]);
  await look(10);
  desk.view = WELL;
  await vi.waitFor(() => expect(asked).toHaveLength(2));
  await vi.waitFor(() => expect(calls().map(told)).toEqual(['raised node 1', 'over node 1']));
  expect(caller.open()).toEqual([]);
});

test('a clock that is set back by hours holds up no way that waits some minutes, also after a restart', async () => {
  let [clock, passed] = [5 * 60 * MINUTE_MS, 0];
  const clocks = { now: () => clock, monotonic: () => passed };
  const { desk, ways, folder, file, calls, asked, journal, look, close } = await withNight(clocks);
  desk.view = { ...WELL, attention: [stopped('node 1')] };
  await vi.waitFor(() => expect(calls().map(told)).toEqual(['raised node 1']));
  clock -= 2 * 60 * MINUTE_MS;
  passed += 9 * MINUTE_MS;
  await look(10);
  expect(asked).toHaveLength(0);
  passed += MINUTE_MS;
  await vi.waitFor(() => expect(asked).toHaveLength(1));
  await ways.save(webhook('later', 'http://127.0.0.1:1/x', { afterMinutes: 20 }), null, BY);
  await vi.waitFor(async () =>
    expect(await journal.read.setting('alert-calls')).toMatchObject([{ told: ['command', 'night'] }]),
  );
  await close();
  await journal.close();
  const again = await watched({ command: file, folder, ...clocks });
  again.desk.view = desk.view;
  await again.look(10);
  passed += 20 * MINUTE_MS;
  await vi.waitFor(() => expect(again.ways.state('later').waiting).toBe(1));
});

test('what somebody looks after goes no further, and what is over before goes nowhere', async () => {
  const { desk, caller, look, calls, asked } = await withNight();
  let minutes = 0;
  desk.now = () => minutes * MINUTE_MS;
  desk.view = { ...WELL, attention: [stopped('node 1'), stopped('node 2')] };
  await vi.waitFor(() => expect(calls()).toHaveLength(2));
  await caller.take('node 1', 'ops');
  desk.view = { ...WELL, attention: [stopped('node 1')] };
  await vi.waitFor(() => expect(calls().map(told)).toContain('over node 2'));
  minutes = 60;
  await look(20);
  expect(asked).toHaveLength(0);
  expect(caller.open()).toMatchObject([{ code: 'node 1', takenBy: 'ops' }]);
  await expect(caller.take('node 2', 'ops')).rejects.toThrow(/No alert node 2 stands/);
});

test('after a restart nothing is raised again, and what ended meanwhile is over', async () => {
  const { desk, calls, file, folder, close, journal, caller } = await withNight();
  desk.view = { ...WELL, attention: [stopped('node 1'), stopped('node 2')] };
  await vi.waitFor(() => expect(calls()).toHaveLength(2));
  await caller.take('node 2', 'ops');
  // Kept once the way has taken them: the last row of the settings says so.
  await vi.waitFor(async () =>
    expect(await journal.read.setting('alert-calls')).toMatchObject([{ told: ['command'] }, { takenBy: 'ops' }]),
  );
  await close();
  await journal.close();
  const again = await watched({ command: file, folder });
  again.desk.view = { ...WELL, attention: [stopped('node 2')] };
  await vi.waitFor(() => expect(calls().map(told)).toEqual(['raised node 1', 'raised node 2', 'over node 1']));
  expect(again.caller.open()).toMatchObject([{ code: 'node 2', takenBy: 'ops' }]);
});

test('in quiet hours what is to be looked at waits, what is stopped does not', async () => {
  const { file, calls } = program();
  const { desk, ways, look } = await watched({ command: file });
  await ways.save({ name: 'command', how: 'command', kinds: ['halt', 'stop', 'look'], afterMinutes: 0 }, null, BY);
  await ways.setQuiet({ from: '22:00', until: '07:00', zone: 'Europe/Zurich' }, 'mara');
  let time = Date.parse('2026-07-01T21:00:00Z'); // 23:00 there
  desk.now = () => time;
  desk.view = { ...WELL, attention: [stopped('a witness', 'look'), stopped('node 1')] };
  await vi.waitFor(() => expect(calls().map(told)).toEqual(['raised node 1']));
  await look(10);
  expect(calls()).toHaveLength(1);
  time = Date.parse('2026-07-02T05:00:00Z'); // 07:00 there
  await vi.waitFor(() => expect(calls().map(told)).toEqual(['raised node 1', 'raised a witness']));
});

test('quiet hours follow the clock of their zone, over midnight and over a change of summer time', () => {
  const night = { from: '22:00', until: '07:00', zone: 'Europe/Zurich' };
  const noon = { from: '12:00', until: '13:00', zone: 'UTC' };
  const at = (time: string) => Date.parse(time);
  expect(isQuietHour(night, at('2026-01-10T20:59:59Z'))).toBe(false);
  expect(isQuietHour(night, at('2026-01-10T21:00:00Z'))).toBe(true);
  expect(isQuietHour(night, at('2026-03-29T04:59:00Z'))).toBe(true); // 06:59 of the first summer day
  expect(isQuietHour(night, at('2026-03-29T05:00:00Z'))).toBe(false);
  expect(isQuietHour(noon, at('2026-03-29T12:59:59Z'))).toBe(true);
  expect(isQuietHour(noon, at('2026-03-29T13:00:00Z'))).toBe(false);
});

test('a way that hangs holds up no other, takes a bounded number of calls, and is told the rest once it takes them', async () => {
  const pending: ServerResponse[] = [];
  const chat = await answering((_request, response) => void pending.push(response));
  const other = await answering(saying('ok'));
  const { desk, ways, look } = await watched({ tryMs: 600_000 });
  await ways.save(webhook('chat', chat.url), null, BY);
  await ways.save(webhook('other', other.url), null, BY);
  desk.view = { ...WELL, attention: Array.from({ length: 250 }, (_, index) => stopped(`node ${index}`)) };
  await vi.waitFor(() => expect(other.asked).toHaveLength(250));
  await look(5);
  expect(ways.state('chat').waiting).toBe(201);
  chat.answer = saying('ok');
  pending[0]?.end();
  await vi.waitFor(() => expect(chat.asked).toHaveLength(250));
});

test('what became of a way, and each change of one, is on record without a secret', async () => {
  const { port } = await mailServer();
  const { ways, journal } = await watched();
  await ways.save(mail(port, { user: 'ops' }), 'a password', BY);
  await ways.save(mail(port, { user: 'ops', kinds: ['halt'], afterMinutes: 5 }), null, BY);
  const old = { actor: 'ops', seen: mail(port, { user: 'ops' }) };
  await expect(ways.save(mail(port), null, old)).rejects.toMatchObject({ code: 'changed_meanwhile' });
  await expect(ways.save(mail(port), null, { actor: 'ops', seen: null })).rejects.toMatchObject({
    code: 'changed_meanwhile',
  });
  await ways.setQuiet({ from: '22:00', until: '07:00', zone: 'UTC' }, 'mara');
  await ways.remove('mail', 'ops');
  await expect(ways.remove('mail', 'ops')).rejects.toMatchObject({ code: 'unknown_way' });
  await expect(ways.test('mail', 'ops')).rejects.toMatchObject({ code: 'unknown_way' });
  const command = { name: 'command', how: 'command' as const, kinds: ['halt' as const], afterMinutes: 0 };
  await expect(ways.save(command, null, BY)).rejects.toMatchObject({ code: 'no_alert_command' });
  expect(journal.head().seq).toBe(4);
});

test('ways and calls that went bad on the disk are left out, each alone', async () => {
  const chat = await answering(saying('ok'));
  const first = await watched();
  await first.ways.save(webhook('chat', chat.url), null, BY);
  const value = { ways: [{ name: 'nonsense' }, ...first.ways.list(), 7], quiet: 'never' };
  await first.journal.put({ table: 'settings', key: 'alert-ways', value });
  await first.journal.put({ table: 'settings', key: 'alert-calls', value: [7, { code: 'x' }] });
  await first.close();
  await first.journal.close();
  const again = await watched({ folder: first.folder });
  expect(again.ways.list().map(({ name }) => name)).toEqual(['chat']);
  expect(again.ways.quiet()).toBeNull();
  expect(again.caller.open()).toEqual([]);
});

test('every call of one fault has its code, and each its own mark', async () => {
  const { file, calls } = program();
  const { desk } = await watched({ command: file });
  desk.view = { ...WELL, attention: [stopped('node 1')] };
  await vi.waitFor(() => expect(calls()).toHaveLength(1));
  desk.view = WELL;
  await vi.waitFor(() => expect(calls()).toHaveLength(2));
  const [raised, over] = calls() as [AlertCall, AlertCall];
  expect([raised.code, over.code]).toEqual(['node 1', 'node 1']);
  expect(raised.id).not.toBe(over.id);
});
