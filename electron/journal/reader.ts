import { DeskError } from '../protocol/desk-error.ts';
import { startThread } from './journal-thread.ts';
import { type JournalReader, type QueryName, readerOf } from './queries.ts';
import type { FromReader, ToReader } from './reader-messages.ts';
import { errorFromText } from './write-item.ts';

type Waiting = { query: QueryName; resolve: (value: unknown) => void; reject: (error: DeskError) => void };

/** Queries that take longer are noted: somebody waits for them. */
const SLOW_MS = 200;

/** The desk's end of the thread that answers queries. */
export function openReader(
  folder: string,
  note: (line: string) => void,
): { read: JournalReader; close(): Promise<void> } {
  const worker = startThread('reader', { task: 'queries', folder });
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  let ended: DeskError | null = null;

  const end = (error: DeskError) => {
    ended ??= error;
    for (const { reject } of waiting.values()) reject(ended);
    waiting.clear();
  };
  const taken = (id: number): Waiting | undefined => {
    const asked = waiting.get(id);
    waiting.delete(id);
    return asked;
  };

  worker.on('message', (message: FromReader) => {
    if (message.type === 'answer') {
      const asked = taken(message.id);
      if (message.tookMs > SLOW_MS) note(`The query ${asked?.query} took ${Math.round(message.tookMs)} ms.`);
      asked?.resolve(message.value);
    } else if (message.type === 'refused') {
      taken(message.id)?.reject(errorFromText(message.error));
    } else if (message.type === 'failed') {
      end(errorFromText(message.error));
    }
  });
  worker.on('error', (error) => end(unreadable(error)));
  const gone = new Promise<void>((resolve) => {
    worker.once('exit', () => {
      end(unreadable('it ended'));
      resolve();
    });
  });

  const ask = (query: QueryName, args: unknown[]): Promise<unknown> => {
    if (ended !== null) return Promise.reject(ended);
    lastId += 1;
    const id = lastId;
    return new Promise((resolve, reject) => {
      waiting.set(id, { query, resolve, reject });
      worker.postMessage({ type: 'query', id, query, args } satisfies ToReader);
    });
  };
  return {
    read: readerOf(ask),
    close: async () => {
      // Never terminated: ending a thread inside a call of SQLite can take the whole process down.
      worker.postMessage({ type: 'close' } satisfies ToReader);
      await gone;
    },
  };
}

function unreadable(cause: unknown): DeskError {
  return new DeskError('journal_unreadable', 'The thread that reads the journal stopped.', {
    remedy: 'Start the desk again; its log says what happened.',
    cause,
  });
}
