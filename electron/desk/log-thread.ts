import { mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';

/** Where the lines go, null for stderr; and how many characters of them are through, which the desk looks at. */
export interface LogThreadStart {
  file: string | null;
  through: Int32Array<SharedArrayBuffer>;
}

const { file, through } = workerData as LogThreadStart;
const STDERR = 2;
/** How long a full pipe is given before it is tried again. */
const AGAIN_MS = 10;
const never = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
const target = opened();

parentPort?.on('message', (text: string) => {
  if (target !== null) write(target, Buffer.from(text));
  Atomics.add(through, 0, text.length);
  Atomics.notify(through, 0);
});

/** A folder that cannot be written must not stop the desk. */
function opened(): number | null {
  if (file === null) return STDERR;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    return openSync(file, 'a', 0o600);
  } catch {
    return null;
  }
}

/** Only this thread waits here, for as long as the other end does not read. */
function write(to: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(to, bytes, at);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return; // a full disk or a closed terminal
      Atomics.wait(never, 0, 0, AGAIN_MS);
    }
  }
}
