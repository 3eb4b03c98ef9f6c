import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { ChunkSize } from '../../electron/chain/chunk-size.ts';
import { openNode, resultOf } from '../../electron/chain/node-client.ts';
import { isDeskError } from '../../electron/protocol/desk-error.ts';

type Said = { status: number; message: string } | 'nothing';

let said: Said;
const server = createServer(async (request, response) => {
  const { id } = JSON.parse(await text(request));
  if (said === 'nothing') return;
  if (said.status !== 200) return void response.writeHead(said.status, { 'content-type': 'text/plain' }).end('no');
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32005, message: said.message } }));
});

beforeAll(() => new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening)));
afterAll(() => server.closeAllConnections());
afterAll(() => void server.close());

/** What a client throws when a node answers a question that way. */
async function faultOf(answer: Said, method = 'eth_getLogs'): Promise<unknown> {
  said = answer;
  const rpcUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const node = openNode({ rpcUrl, timeoutMs: answer === 'nothing' ? 300 : 60_000 });
  try {
    const [first] = await node.ask([{ method, params: [] }]);
    return resultOf(node, method, first, z.string());
  } catch (error) {
    return error;
  } finally {
    node.close();
  }
}

const OVER = 'query returned more than 10000 results';

test.each([
  ['the range has too many logs', { status: 200, message: OVER }, { blocks: 50, again: true }],
  ['there are too many results', { status: 200, message: 'too many results' }, { blocks: 50, again: true }],
  ['it is asked too often', { status: 200, message: 'Too Many Requests' }, { blocks: 50, again: false }],
  [
    'its units are used up',
    { status: 200, message: 'exceeded compute units per second' },
    { blocks: 50, again: false },
  ],
  ['the body is too large, by HTTP', { status: 413, message: OVER }, { blocks: 50, again: true }],
  ['it is too slow', 'nothing', { blocks: 50, again: false }],
  ['it is down, by HTTP', { status: 502, message: OVER }, { blocks: 100, again: false }],
  ['it is asked too often, by HTTP', { status: 429, message: OVER }, { blocks: 100, again: false }],
] as const)('after a node said that %s, ranges are as large as that lets them be', async (_what, answer, expected) => {
  const chunk = new ChunkSize(100, 200);
  const again = chunk.refused(100, await faultOf(answer));
  expect({ blocks: chunk.blocks, again }).toEqual(expected);
});

test('what a node refuses of other calls says nothing about ranges', async () => {
  const chunk = new ChunkSize(100, 200);
  expect(chunk.refused(100, await faultOf({ status: 200, message: OVER }, 'eth_call'))).toBe(false);
  expect(chunk.blocks).toBe(100);
});

test.each([
  [
    'an HTTP status',
    { status: 429, message: '' },
    { why: 'status', status: 429, overloaded: true, said: null, retryAfterMs: 1_000 },
  ],
  ['silence', 'nothing', { why: 'late', status: null, overloaded: false, said: null, retryAfterMs: null }],
] as const)('a program learns of %s from fields, whatever the sentence is', async (_what, answer, fields) => {
  const fault = await faultOf(answer);
  expect(isDeskError(fault, 'node_unreachable') && fault.fields).toEqual(fields);
});
