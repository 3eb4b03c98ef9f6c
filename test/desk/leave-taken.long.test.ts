import { userInfo } from 'node:os';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openNodeProxy } from '../chain/node-proxy.ts';
import { startTestChain } from '../chain-fixture.ts';
import { browserConsole } from '../hostile/browser-console.ts';
import { connectionTo } from './connection.ts';
import { armedFolder, deskFileFor } from './desk-on-chain.ts';
import { startDesk } from './desk-process.ts';

test('whoever loses the leave to trade while their resume is being checked resumes nothing', async () => {
  const chain = await startTestChain({ blockTimeSeconds: 1 });
  onTestFinished(() => chain.close());
  const node = await openNodeProxy(() => chain.rpcUrl);
  onTestFinished(() => node.down());
  const { folder, remove } = await armedFolder(chain, deskFileFor(chain, { rpcUrl: node.url }));
  onTestFinished(remove);
  const desk = await startDesk(folder, 'serve');
  onTestFinished(async () => void (await desk.stop()));
  const { desk: owner, close } = await connectionTo(folder, userInfo().username);
  onTestFinished(close);
  await vi.waitFor(async () => expect((await owner.trading.status()).state).toBe('LIVE'));
  await owner.trading.halt({ scope: {}, reason: 'maintenance' });
  const { console } = await owner.tokens.create({ name: 'bela', rights: 'trade' });
  const bela = await browserConsole(console ?? '');
  onTestFinished(() => bela.socket.terminate());

  let letGo = () => {};
  const isOver = new Promise<void>((done) => (letGo = done));
  const isChecked = new Promise<void>((asked) => {
    node.hold = (calls) => {
      if (!calls.some(({ method }) => method === 'eth_getCode')) return undefined;
      asked();
      return isOver;
    };
  });
  const pressed = expect(bela.desk.trading.resume({ scope: {}, reason: 'looked at' })).rejects.toThrow();
  await isChecked;
  await owner.tokens.revoke({ name: 'bela' });
  letGo();
  await pressed;

  await owner.trading.resume({ scope: {}, reason: 'looked at by somebody who may' });
  const rows: string[] = [];
  for await (const found of await owner.journal.find({ filter: { actor: { name: 'bela' } }, limit: 50 })) {
    rows.push(...found.rows.map(({ kind }) => kind));
    if (found.done) break;
  }
  expect(rows).toEqual([]);
});
