import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, vi } from 'vitest';
import { USUAL_ALERTS } from '../../../electron/contract/alert-settings.ts';
import type { AlertWay, MailWay } from '../../../electron/contract/alert-ways.ts';
import type { Attention } from '../../../electron/contract/desk-view.ts';
import type { Status } from '../../../electron/contract/trading.ts';
import type { AlertCall } from '../../../electron/desk/alerts/call.ts';
import { AlertCaller, type AlertCallerOptions } from '../../../electron/desk/alerts/caller.ts';
import { AlertWays } from '../../../electron/desk/alerts/ways.ts';
import { Credentials } from '../../../electron/desk/credentials.ts';
import { openTestJournal, temporaryFolder } from '../../journal/fixture.ts';

type WebhookWay = Extract<AlertWay, { how: 'webhook' }>;
type View = ReturnType<AlertCallerOptions['read']>;

export const LIVE: Status = { state: 'LIVE', reason: null, actor: 'mara', since: 0, drainUntil: null, chains: [] };
export const WELL: View = { status: LIVE, attention: [], alerts: USUAL_ALERTS };

export function stopped(code: string, level: Attention['level'] = 'stop'): Attention {
  return { code, level, title: `${code} “$(touch /tmp/never)”\n`, detail: '`; exit' };
}

/** A program that writes down what it is told, after `before`; in the folder of the test that asks for it, unless one is given. */
export function program(before = '', folder = temporaryFolder()): { file: string; calls: () => AlertCall[] } {
  const [file, told] = [join(folder, 'alert.sh'), join(folder, 'told')];
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

interface Watched {
  command?: string;
  folder?: string;
  tryMs?: number;
  restMs?: number;
  now?: () => number;
  monotonic?: () => number;
}

/** A desk that looks as it is told to, looked at a hundred times a second, with ways of its own. Its two clocks are one, unless another is given. */
export async function watched(options: Watched = {}) {
  const { command, folder = temporaryFolder(), tryMs = 30_000, restMs = 10 } = options;
  const desk = { view: WELL, said: [] as string[], looks: 0, now: options.now ?? Date.now };
  const say = (line: string, facts?: object) => void desk.said.push(`${line} ${JSON.stringify(facts ?? {})}`);
  const log = { info: say, warn: say, error: say };
  const journal = await openTestJournal(folder);
  const credentials = new Credentials(folder, async () => 'a passphrase of a test');
  await credentials.load();
  const now = () => desk.now();
  const monotonic = options.monotonic ?? now;
  const ways = await AlertWays.open({ journal, credentials, now, log, command, times: { tryMs, restMs } });
  const read = () => {
    desk.looks += 1;
    return desk.view;
  };
  const caller = await AlertCaller.open({ ways, read, journal, now, monotonic, log, lookMs: 10 });
  const close = async () => {
    caller.close();
    await ways.close();
  };
  onTestFinished(close);
  const look = async (times: number) => {
    const until = desk.looks + times;
    await vi.waitFor(() => expect(desk.looks).toBeGreaterThanOrEqual(until));
  };
  return { desk, ways, caller, journal, credentials, folder, look, close };
}

export const told = ({ alert, code }: AlertCall) => `${alert} ${code}`;

export function webhook(name: string, url: string, change: Partial<WebhookWay> = {}): WebhookWay {
  return { name, how: 'webhook', url, kinds: ['halt', 'stop'], afterMinutes: 0, ...change };
}

export function mail(port: number, change: Partial<MailWay> = {}): MailWay {
  const to = ['ops@desk.example', 'night@desk.example'];
  const sender = { host: '127.0.0.1', port, security: 'plain', user: null, from: 'desk@desk.example', to } as const;
  return { name: 'mail', how: 'mail', kinds: ['halt', 'stop'], afterMinutes: 0, ...sender, to, ...change };
}

/** A mail server that takes what comes, unless `answers` says otherwise for the beginning of a line; it keeps what it heard. */
export async function mailServer(answers: (line: string) => string | null | undefined = () => undefined) {
  const heard: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    let isData = false;
    let rest = '';
    const answer = (line: string) => {
      const given = answers(line);
      if (given === null) return; // it says nothing
      if (given !== undefined) return void socket.write(given);
      if (line === 'DATA') socket.write('354 go on\r\n');
      else if (/^EHLO/.test(line)) socket.write('250-here\r\n250 AUTH PLAIN\r\n');
      else if (line === 'STARTTLS') socket.write('502 not here\r\n');
      else if (/^AUTH/.test(line)) socket.write('235 known\r\n');
      else if (line === '.') socket.write('250 2.0.0 queued as 4711\r\n');
      else socket.write('250 well\r\n');
      isData = line === 'DATA' || (isData && line !== '.');
    };
    const greeting = answers('');
    if (greeting !== null) socket.write(greeting ?? '220 here\r\n');
    socket.setEncoding('utf8').on('data', (text: string) => {
      const lines = `${rest}${text}`.split('\r\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        heard.push(line);
        if (!isData || line === '.') answer(line);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  });
  return { port: (server.address() as AddressInfo).port, heard };
}
