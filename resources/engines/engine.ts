// An engine, as short as it can be: it says where the middle of a pair is, four times a second, also to a desk that was started again.
// TOKEN=... PRICES=http://127.0.0.1:8791 CHAIN=1 PAIR=WETH/USDC node engine.ts
import { setTimeout as sleep } from 'node:timers/promises';

const { TOKEN = '', PRICES = 'http://127.0.0.1:8791', CHAIN = '1', PAIR = 'WETH/USDC' } = process.env;
const headers = { authorization: `Bearer ${TOKEN}` };

const ask = (method: string, body?: string) =>
  fetch(`${PRICES}/${CHAIN}`, { method, headers, body, signal: AbortSignal.timeout(5_000) })
    .then((answer) => answer.json())
    .catch(() => ({ error: 'the desk does not answer' }));

/** Your price goes here; this one goes up and down around 3,411. */
const mid = () => (3_411 + Math.sin(Date.now() / 10_000)).toFixed(2);

let { sequence = 0 } = await ask('GET');
for (;;) {
  sequence += 1;
  const answer = await ask('PUT', JSON.stringify({ sequence, mids: { [PAIR]: mid() } }));
  console.log(JSON.stringify(answer));
  if (answer.code === 'sequence_gap') sequence = 0; // the next one begins anew
  await sleep(250);
}
