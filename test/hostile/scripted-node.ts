import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface ScriptedCall {
  id: number;
  method: string;
  params: readonly unknown[];
}
export type ScriptedAnswer = { result: unknown } | { error: { code: number; message: string } };

/**
 * A node on a free port of loopback that says what a script says to each call. A batch is answered when all of its calls
 * are, as real nodes do it: one that is never answered takes the others along.
 */
export async function serveNode(
  answer: (call: ScriptedCall) => ScriptedAnswer | Promise<ScriptedAnswer>,
): Promise<{ url: string; batches: ScriptedCall[][] }> {
  const batches: ScriptedCall[][] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', async () => {
      const body: ScriptedCall | ScriptedCall[] = JSON.parse(Buffer.concat(parts).toString());
      const calls = Array.isArray(body) ? body : [body];
      batches.push(calls);
      const answers = await Promise.all(calls.map(async (call) => ({ id: call.id, ...(await answer(call)) })));
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify(Array.isArray(body) ? answers : answers[0]));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, batches };
}
