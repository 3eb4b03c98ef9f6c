import { join } from 'node:path';
import { multistream, pino } from 'pino';

/** A line for ops. Never holds a key, a secret or a signature. */
export interface Log {
  info(line: string, facts?: Record<string, unknown>): void;
  warn(line: string, facts?: Record<string, unknown>): void;
  error(line: string, facts?: Record<string, unknown>): void;
}

/**
 * Logs to stderr and to one file a day in `logs/` of the desk's folder; a command's own work goes to the file only.
 * Lines are written at once: a crash loses none.
 */
export function openLog(folder: string, now: () => number, where: 'stderr and file' | 'file' = 'stderr and file'): Log {
  const day = new Date(now()).toISOString().slice(0, 10);
  const file = pino.destination({ dest: join(folder, 'logs', `makerdesk-${day}.log`), mkdir: true, sync: true });
  const stderr = pino.destination({ dest: 2, sync: true });
  const streams = where === 'file' ? [file] : [file, stderr];
  for (const stream of streams) stream.on('error', () => {}); // a full disk or a closed terminal must not stop the desk
  const logger = pino(
    { base: null, timestamp: pino.stdTimeFunctions.isoTime },
    multistream(streams.map((stream) => ({ stream }))),
  );
  return {
    info: (line, facts) => logger.info(facts ?? {}, line),
    warn: (line, facts) => logger.warn(facts ?? {}, line),
    error: (line, facts) => logger.error(facts ?? {}, line),
  };
}
