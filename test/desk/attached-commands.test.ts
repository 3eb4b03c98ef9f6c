import { type AddressInfo, connect, createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { connectionTo } from './connection.ts';
import { haltCommand, runCommand, startDesk, temporaryFolder } from './desk-process.ts';
import { keyIn } from './key-in.ts';

test('a command from elsewhere whose answer was lost with the line is carried out once, and its answer is found again', async () => {
  const { folder, remove } = temporaryFolder();
  onTestFinished(remove);
  await keyIn(folder);
  const desk = await startDesk(folder, 'serve');
  onTestFinished(async () => void (await desk.stop()));
  const console = new URL(desk.ready.console);
  // The answer to a token that is made, which has this address in it.
  const line = await losing(Number(console.port), `${console.origin}/#`);
  onTestFinished(line.close);
  const made = ['token', 'new', 'tess', '--rights', 'halt', '--attach', `http://127.0.0.1:${line.port}`];
  const { code, stdout } = await runCommand(null, made, { MAKERDESK_TOKEN: console.hash.slice(1) });
  expect([line.lost(), code]).toEqual([1, 0]);

  const owner = await connectionTo(folder);
  onTestFinished(owner.close);
  expect((await owner.desk.tokens.list()).map(({ name }) => name)).toEqual(['tess']);
  const token = /#([\w-]+)/.exec(stdout)?.[1] ?? '';
  const attach = ['--attach', console.origin];
  expect(await haltCommand(null, attach, { MAKERDESK_TOKEN: token })).toMatchObject({ code: 0 });
});

/** A line that breaks off, once, where the desk says something with these words in it: they never arrive. */
async function losing(target: number, words: string): Promise<{ port: number; lost(): number; close(): void }> {
  let lost = 0;
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1');
    near.on('error', () => {}).on('close', () => far.destroy());
    far.on('error', () => {}).on('close', () => near.destroy());
    near.on('data', (chunk) => far.write(chunk));
    far.on('data', (chunk) => {
      if (lost > 0 || !chunk.includes(words)) return near.write(chunk);
      lost += 1;
      near.destroy();
      return false;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as AddressInfo).port, lost: () => lost, close: () => void server.close() };
}
