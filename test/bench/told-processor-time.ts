import { writeSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

// Loaded before a command by Node's --import: as it ends it says what all its threads ran, in microseconds, as the last line of stderr.
if (isMainThread) {
  process.on('exit', () => {
    const { user, system } = process.cpuUsage();
    writeSync(2, `\n${user + system}`);
  });
}
