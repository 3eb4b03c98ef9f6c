import { writeFileSync } from 'node:fs';
import { ServerResponse } from 'node:http';
import { isMainThread } from 'node:worker_threads';
import { Latch } from '../../electron/signer/latch.ts';
import { clock } from './clock.ts';
import { type Observed, observedFile } from './observed.ts';

// Loaded before the desk by Node's --import. It looks at the latch from one side and at the sockets from the other, and
// at nothing in between, so that it believes nobody.
if (isMainThread) {
  const observed: Observed = { stops: [], orders: [] };
  const offset = clock() - performance.now();
  const { advance } = Latch.prototype;
  Latch.prototype.advance = function (scope) {
    const stamp = advance.call(this, scope);
    observed.stops.push(stamp + offset);
    return stamp;
  };
  const { end } = ServerResponse.prototype;
  ServerResponse.prototype.end = function (...args: unknown[]) {
    const [body] = args;
    if ((typeof body === 'string' || Buffer.isBuffer(body)) && body.includes('"signature":')) {
      observed.orders.push(clock());
    }
    return Reflect.apply(end, this, args);
  };
  const folder = process.argv[process.argv.indexOf('--data') + 1] ?? '';
  process.on('exit', () => writeFileSync(observedFile(folder), JSON.stringify(observed)));
}
