// An engine, as short as it can be: it says where the middle of a pair is, four times a second.
// TOKEN=... PRICES=http://127.0.0.1:8791 CHAIN=1 PAIR=WETH/USDC node engine.ts
import { setTimeout as sleep } from 'node:timers/promises';

const { TOKEN = '', PRICES = 'http://127.0.0.1:8791', CHAIN = '1', PAIR = 'WETH/USDC' } = process.env;
const url = `${PRICES}/${CHAIN}`;
const headers = { authorization: `Bearer ${TOKEN}` };

/** Your price goes here; this one goes up and down around 3,411. */
const mid = () => (3_411 + Math.sin(Date.now() / 10_000)).toFixed(2);

let { sequence } = await (await fetch(url, { headers })).json();
for (;;) {
  sequence += 1;
  const body = JSON.stringify({ sequence, mids: { [PAIR]: mid() } });
  const answer = await (await fetch(url, { method: 'PUT', headers, body })).json();
  console.log(JSON.stringify(answer));
  if (answer.code === 'sequence_gap') sequence = 0; // the next one begins anew
  await sleep(250);
}
