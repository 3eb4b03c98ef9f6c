import { isDeskError } from '../protocol/desk-error.ts';
import { pause } from '../time/pause.ts';
import type { NodeAnswer, NodeCall, NodeClient } from './node-client.ts';
import { isOverload } from './node-fault.ts';

/** A limit that lasts longer is none that an emergency waits for, milliseconds. */
const MOST_WAIT_MS = 4_000;
/** Where it says so in its answers, and not for how long, milliseconds. */
const USUAL_WAIT_MS = 1_000;

/** A node that an emergency asks: where it is asked too often the very question is put once more when a short limit is over. */
export function patientNode(node: NodeClient): NodeClient {
  async function ask(calls: readonly NodeCall[]): Promise<NodeAnswer[]> {
    const until = performance.now() + MOST_WAIT_MS;
    for (;;) {
      const said = await node.ask(calls).catch((error: unknown) => ({ error }));
      const waitMs = Array.isArray(said) ? limitIn(said) : limitOf(said.error);
      if (waitMs === null || performance.now() + waitMs > until) {
        if (Array.isArray(said)) return said;
        throw said.error;
      }
      await pause(waitMs);
    }
  }
  return {
    get rpcUrl() {
      return node.rpcUrl;
    },
    batchSize: () => node.batchSize(),
    ask,
    pass: (error) => node.pass(error),
    close: () => node.close(),
  };
}

function limitIn(answers: readonly NodeAnswer[]): number | null {
  return answers.some((answer) => !answer.ok && isOverload(answer.error)) ? USUAL_WAIT_MS : null;
}

function limitOf(error: unknown): number | null {
  if (!isDeskError(error, 'node_unreachable') || !error.fields.overloaded) return null;
  return error.fields.retryAfterMs ?? USUAL_WAIT_MS;
}
