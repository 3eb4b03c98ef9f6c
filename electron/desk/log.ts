import { join } from 'node:path';
import { type DestinationStream, pino } from 'pino';
import { plainLines } from '../contract/plain-text.ts';
import { withoutUrlKeys } from '../contract/sealed-url.ts';
import { LogQueue } from './log-queue.ts';

/** A line for ops. Never holds a key, a secret or a signature. */
export interface Log {
  info(line: string, facts?: Record<string, unknown>): void;
  warn(line: string, facts?: Record<string, unknown>): void;
  error(line: string, facts?: Record<string, unknown>): void;
}

/** JSON for programs, one readable line an event for a person at a terminal. */
export type LogForm = 'json' | 'text';

/**
 * The log of a desk, or of the practice market beside it under another `name`: to stderr in the form that is given, and as
 * JSON to one file a day in `logs/` of the desk's folder. Nothing waits for it: threads of its own write it. From here on
 * all that this process says on stderr takes the same way, so that a reader who stopped reading holds up nothing, and
 * everything stays in order.
 */
export function openDeskLog(folder: string, now: () => number, form: LogForm, name = 'makerdesk'): Log {
  const lineOf = (line: string) => (form === 'text' ? readableLine(line) : line);
  const dropped = (count: number) =>
    `${JSON.stringify({ level: WARNING, time: new Date(now()), dropped: count, msg: DROPPED })}\n`;
  const file = new LogQueue(fileOf(folder, now, name), dropped);
  const stderr = new LogQueue(null, (count) => lineOf(dropped(count)));
  const written: typeof process.stderr.write = (text: string | Uint8Array, ...more: unknown[]) => {
    stderr.write(typeof text === 'string' ? text : Buffer.from(text).toString());
    const done = more.find((argument) => typeof argument === 'function');
    if (done !== undefined) process.nextTick(done);
    return true;
  };
  process.stderr.write = written;
  return logTo({
    write: (line) => {
      file.write(line);
      stderr.write(lineOf(line));
    },
  });
}

/** The log of a command that does its own work on a folder: the same file, written at once, and nothing on stderr. */
export function openCommandLog(folder: string, now: () => number): Log {
  const file = pino.destination({ dest: fileOf(folder, now, 'makerdesk'), mkdir: true, sync: true });
  file.on('error', () => {}); // a full disk must not stop the command
  return logTo(file);
}

const DROPPED = 'lines are missing here: they came faster than they were taken';

function fileOf(folder: string, now: () => number, name: string): string {
  return join(folder, 'logs', `${name}-${new Date(now()).toISOString().slice(0, 10)}.log`);
}

/** A line of another part's words, such as an error's, may repeat the address that was asked: its key is not written down. */
function logTo(stream: DestinationStream): Log {
  const hooks = { streamWrite: withoutUrlKeys };
  const logger = pino({ base: null, timestamp: pino.stdTimeFunctions.isoTime, hooks }, stream);
  return {
    info: (line, facts) => logger.info(facts ?? {}, line),
    warn: (line, facts) => logger.warn(facts ?? {}, line),
    error: (line, facts) => logger.error(facts ?? {}, line),
  };
}

/** pino's numbers for what is not ordinary. */
const WARNING = 40;
const ERROR = 50;

/** A line of the log as a person reads it: the time of day here, what happened, and the facts behind it, which others wrote in part. */
function readableLine(line: string): string {
  const { level, time, msg, ...facts } = JSON.parse(line);
  const clock = new Date(time).toTimeString().slice(0, 8);
  const mark = level >= ERROR ? '!! ' : level >= WARNING ? '!  ' : '   ';
  const told = Object.entries(facts).map(
    ([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return `${clock} ${mark}${plainLines([msg, ...told].join(' · '))}\n`;
}
