import { connect } from 'node:net';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { startTestChain, type TestChain } from '../chain-fixture.ts';
import { freePort } from './caddy.ts';
import { connectionTo } from './connection.ts';
import { armedFolder, deskFileFor } from './desk-on-chain.ts';
import { startDesk } from './desk-process.ts';
import { takerClient } from './taker-client.ts';

let chain: TestChain;
beforeAll(async () => {
  chain = await startTestChain({ blockTimeSeconds: 1 });
});
afterAll(() => chain?.close());

/** A halted desk that could be resumed. */
async function haltedDesk() {
  const file = deskFileFor(chain);
  const { folder, remove } = await armedFolder(chain, file);
  onTestFinished(remove);
  const { ready, stop } = await startDesk(folder, 'serve');
  onTestFinished(async () => void (await stop()));
  const { desk, close } = await connectionTo(folder);
  onTestFinished(close);
  const halt = () => desk.trading.halt({ scope: {}, reason: 'the surface is moved' });
  await halt();
  const move = (port: number) => desk.settings.moveSurface({ host: '127.0.0.1', port });
  const resume = () => desk.trading.resume({ scope: {}, reason: 'it is moved' });
  return { file, surface: ready.surface, halt, move, resume };
}

/** Whether anybody listens there. */
function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const answer = (is: boolean) => {
      socket.destroy();
      resolve(is);
    };
    socket.once('connect', () => answer(true)).once('error', () => answer(false));
  });
}

test('of two moves of the surface at once, the later one counts, and nothing listens where the others were', async () => {
  const { surface, move } = await haltedDesk();
  const [first, second] = [await freePort(), await freePort()];
  const moved = await Promise.all([move(first), move(second)]);
  expect(moved.map(({ url }) => url)).toEqual([first, second].map((port) => `http://127.0.0.1:${port}`));
  const ports = [Number(new URL(surface).port), first, second];
  expect(await Promise.all(ports.map(isOpen))).toEqual([false, false, true]);
});

test('a surface is where it was when the desk is resumed in the middle of its move', async () => {
  const { file, surface, halt, move, resume } = await haltedDesk();
  const port = Number(new URL(surface).port);
  const moveWhileResumed = async () => {
    await halt();
    // Whoever does not finish a request is waited for until the surface is closed: the resume comes meanwhile.
    const dawdler = connect(port, '127.0.0.1').on('error', () => {});
    await new Promise((resolve) => dawdler.write('GET /prices HTTP/1.1\r\nHost: a', resolve));
    const moving = move(port).then(
      () => 'moved',
      (error: { data?: { code?: string } }) => error.data?.code,
    );
    await resume();
    return moving;
  };
  // On a machine that is held up it may be moved before the resume is written.
  await expect.poll(moveWhileResumed).toBe('desk_trading');
  await expect.poll(async () => (await takerClient(surface, file).get('/prices')).status).toBe(200);
});
