import type { EventEmitter } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { ReaderStart } from './reader-messages.ts';
import type { WriterStart } from './writer-messages.ts';

/** The desk's end of a thread of the journal. */
export type JournalThread = Pick<EventEmitter, 'on' | 'once'> & Pick<Worker, 'postMessage' | 'terminate'>;

/** Starts the thread that writes a journal, or one that reads it, under a name that the system shows. It ends once it has closed its port. */
export function startThread(...[thread, start]: ['writer', WriterStart] | ['reader', ReaderStart]): JournalThread {
  return new Worker(fileOf(thread), { name: `journal ${thread}`, workerData: start });
}

/** The source beside this one, or its bundle beside the chunk that this one was built into. */
function fileOf(thread: 'writer' | 'reader'): URL {
  return import.meta.url.endsWith('.ts')
    ? new URL(`./${thread}-thread.ts`, import.meta.url)
    : new URL(`./journal-${thread}.js`, import.meta.url);
}
