import { DeskError } from '../protocol/desk-error.ts';
import { startThread } from './journal-thread.ts';
import type { FromReader, ReaderStart, ToProver } from './reader-messages.ts';
import { errorFromText } from './write-item.ts';

/**
 * Runs one task in a reader thread of its own, and gives the first answer that `pick` takes, once the thread has ended. A thread that
 * proves tables takes replies.
 */
export function readerTask<T>(
  start: ReaderStart,
  pick: (message: FromReader, reply: (message: ToProver) => void) => T | undefined,
): Promise<T> {
  const worker = startThread('reader', start);
  const ended = new Promise<T>((resolve, reject) => {
    let answer: T | undefined;
    worker.on('message', (message: FromReader) => {
      if (message.type === 'failed') reject(errorFromText(message.error));
      answer ??= pick(message, (reply) => worker.postMessage(reply));
    });
    worker.on('error', reject);
    worker.on('exit', () => {
      if (answer !== undefined) resolve(answer);
      else reject(new DeskError('reader_ended', 'The thread that reads the journal ended early.'));
    });
  });
  return ended; // the thread ends by itself: ending it inside a call of SQLite can take the whole process down
}
