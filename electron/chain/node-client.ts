import type { z } from 'zod';
import { isSealed, partsOf, withoutKeys } from '../contract/sealed-url.ts';
import { type DeskError, isDeskError } from '../protocol/desk-error.ts';
import { httpTransport } from './http-transport.ts';
import { type RpcError, rpcResponseSchema } from './node-answers.ts';
import { nodeMalformed, nodeRefused, nodeSealed, nodeUnreachable } from './node-fault.ts';
import type { NodeTransport, RpcRequest } from './node-transport.ts';
import { webSocketTransport } from './web-socket-transport.ts';

export interface NodeCall {
  method: string;
  params: readonly unknown[];
}

/** What a node said to one call: a result of any shape, or its error. */
export type NodeAnswer = { ok: true; result: unknown } | { ok: false; error: RpcError };

export interface NodeClient {
  readonly rpcUrl: string;
  /** Calls that go to the node together. It shrinks when the node refuses a batch. */
  batchSize(): number;
  /** Asks everything in one round trip (more calls than the batch size: several side by side). Throws when no answer comes. */
  ask(calls: readonly NodeCall[]): Promise<NodeAnswer[]>;
  /** Ends it: what is on its way is given up. */
  close(): void;
}

interface NodeOptions {
  rpcUrl: string;
  /** How long one request may take, milliseconds. */
  timeoutMs?: number;
  batchSize?: number;
}

const DEFAULT_TIMEOUT_MS = 10_000;
const DEFAULT_BATCH_SIZE = 100;
/** HTTP answers of nodes that take no batch, or none that large. */
const BATCH_REFUSED = [400, 405, 413, 415, 422];

/** Opens a client of one node over HTTP or WebSocket. Nothing is sent before the first call. */
export function openNode({
  rpcUrl,
  timeoutMs = DEFAULT_TIMEOUT_MS,
  batchSize = DEFAULT_BATCH_SIZE,
}: NodeOptions): NodeClient {
  const transport = transportTo(rpcUrl, timeoutMs);
  const { login, path, query } = partsOf(rpcUrl);
  const keys = [...login, ...path, ...query];
  let size = batchSize;
  let lastId = 0;
  let closed = false;
  const onTheirWay = new Set<(error: DeskError) => void>();
  const ended = () => nodeUnreachable(rpcUrl, new Error('the connection was ended by the desk'));

  function unlessClosed<T>(answer: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      onTheirWay.add(reject);
      answer.then(resolve, reject).finally(() => onTheirWay.delete(reject));
    });
  }

  function toRequest(call: NodeCall): RpcRequest {
    lastId += 1;
    return { jsonrpc: '2.0', id: lastId, method: call.method, params: call.params };
  }

  async function sendBatch(calls: readonly NodeCall[]): Promise<NodeAnswer[] | 'batch_refused'> {
    if (closed) throw ended();
    const requests = calls.map(toRequest);
    let body: unknown;
    try {
      body = await unlessClosed(transport.send(requests));
    } catch (error) {
      if (calls.length > 1 && isBatchRefused(error)) return 'batch_refused';
      throw error;
    }
    // One answer to many questions is the node's refusal of the batch as such.
    if (calls.length > 1 && !Array.isArray(body)) return 'batch_refused';
    const answers = new Map<number, NodeAnswer>();
    for (const item of Array.isArray(body) ? body : [body]) {
      const parsed = rpcResponseSchema.safeParse(item);
      if (!parsed.success) continue;
      const { id, error, result } = parsed.data;
      const asked = id ?? (requests.length === 1 ? requests[0]?.id : undefined);
      if (asked === undefined) continue;
      if (error) answers.set(asked, { ok: false, error: { ...error, message: withoutKeys(keys, error.message) } });
      else answers.set(asked, { ok: true, result });
    }
    return requests.map(({ id, method }) => {
      const answer = answers.get(id);
      if (answer === undefined) throw nodeMalformed(rpcUrl, method);
      return answer;
    });
  }

  async function ask(calls: readonly NodeCall[]): Promise<NodeAnswer[]> {
    const groups: NodeCall[][] = [];
    for (let start = 0; start < calls.length; start += size) groups.push(calls.slice(start, start + size));
    const answered = await Promise.all(groups.map(sendBatch));
    const answers: NodeAnswer[] = [];
    for (const group of answered) {
      if (group === 'batch_refused') {
        size = Math.max(1, Math.floor(Math.min(size, calls.length) / 4));
        return ask(calls);
      }
      answers.push(...group);
    }
    return answers;
  }

  return {
    rpcUrl,
    batchSize: () => size,
    ask,
    close() {
      closed = true;
      for (const giveUp of onTheirWay) giveUp(ended());
      transport.close();
    },
  };
}

function isBatchRefused(error: unknown): boolean {
  return isDeskError(error, 'node_unreachable') && BATCH_REFUSED.includes(error.fields.status ?? 0);
}

function transportTo(rpcUrl: string, timeoutMs: number): NodeTransport {
  if (isSealed(rpcUrl)) return { send: () => Promise.reject(nodeSealed(rpcUrl)), close() {} };
  return /^wss?:/.test(rpcUrl) ? webSocketTransport(rpcUrl, timeoutMs) : httpTransport(rpcUrl, timeoutMs);
}

/** The result of one call in the shape it must have. Throws when the node answered with an error or in another shape. */
export function resultOf<S extends z.ZodType>(
  node: NodeClient,
  method: string,
  answer: NodeAnswer | undefined,
  schema: S,
): z.infer<S> {
  if (answer === undefined) throw nodeMalformed(node.rpcUrl, method);
  if (!answer.ok) throw nodeRefused(node.rpcUrl, method, answer.error.code, answer.error.message);
  const parsed = schema.safeParse(answer.result);
  if (!parsed.success) throw nodeMalformed(node.rpcUrl, method, parsed.error);
  return parsed.data;
}
