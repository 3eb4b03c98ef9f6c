import type { z } from 'zod';
import { isSealed, partsOf, withoutKeys } from '../contract/sealed-url.ts';
import { type DeskError, isDeskError } from '../protocol/desk-error.ts';
import { httpTransport } from './http-transport.ts';
import { type RpcError, rpcResponseSchema } from './node-answers.ts';
import { BATCH_REFUSED, NodeEndpoints } from './node-endpoints.ts';
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
  /** Of several the one that is asked now. */
  readonly rpcUrl: string;
  /** Calls that go to the node together. It shrinks when the node refuses a batch. */
  batchSize(): number;
  /** Asks everything in one round trip (more calls than the batch size: several side by side). Throws when no answer comes. */
  ask(calls: readonly NodeCall[]): Promise<NodeAnswer[]>;
  /** What it says cannot be worked with: a spare node is asked for a while. False where there is none. */
  pass(error: unknown): boolean;
  /** Ends it: what is on its way is given up. */
  close(): void;
}

export interface NodeOptions {
  rpcUrl: string;
  /** Nodes that are asked in its place while it fails, in this order. */
  spareRpcUrls?: readonly string[] | undefined;
  /** The chain that each of them has to be of, where there are several. */
  chainId?: number;
  /** Told which of them is asked from now on, whether that is a spare one, and why. */
  onChange?: (sentence: string, isSpare: boolean) => void;
  /** How long one request may take, milliseconds. */
  timeoutMs?: number;
  batchSize?: number;
}

const DEFAULT_TIMEOUT_MS = 10_000;
const DEFAULT_BATCH_SIZE = 100;

/** Opens a client of one node over HTTP or WebSocket. Nothing is sent before the first call. */
export function openNode({
  rpcUrl: first,
  spareRpcUrls = [],
  chainId,
  onChange = () => {},
  timeoutMs = DEFAULT_TIMEOUT_MS,
  batchSize = DEFAULT_BATCH_SIZE,
}: NodeOptions): NodeClient {
  const urls = [first, ...spareRpcUrls] as const;
  // Of several each gets its share of the time: one that is too slow leaves enough for the next.
  const transport = new NodeEndpoints({
    urls,
    chainId: chainId ?? null,
    transportTo: (url) => transportTo(url, Math.ceil(timeoutMs / urls.length)),
    onChange,
  });
  const keys = urls.flatMap((url) => Object.values(partsOf(url)).flat());
  let size = batchSize;
  let lastId = 0;
  let closed = false;
  const onTheirWay = new Set<(error: DeskError) => void>();
  const ended = () => nodeUnreachable(transport.url, new Error('the connection was ended by the desk'));

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
      if (answer === undefined) throw nodeMalformed(transport.url, method);
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
    get rpcUrl() {
      return transport.url;
    },
    batchSize: () => size,
    ask,
    pass: (error) => transport.pass(error),
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
