import { isChainAway } from '../consumer/failures.ts';
import type { PracticeLog } from '../practice-log.ts';
import { WireRefused } from '../wire-refused.ts';
import type { RateLimits } from './rate-limits.ts';
import { failure, type RouteHandler, type ServiceRequest } from './route.ts';

/** One thing that the service does at a path of its own. */
export interface Operation {
  method: 'GET' | 'POST';
  path: RegExp;
  /** As what it counts for a caller; it costs nothing where this is not said. */
  counted?: Parameters<RateLimits['admits']>[1];
  /** `parts` are what the groups of the path caught. @throws WireRefused */
  answer(request: ServiceRequest, parts: readonly string[]): unknown;
}

/**
 * Answers the operations, the first that fits in path and method; null for a path of none. What is refused and what goes wrong
 * is answered in the envelope of PROTOCOL 17. Never rejects. `name` says in the log whose they are.
 */
export function answerOperations(
  operations: readonly Operation[],
  { name, limits, log }: { name: string; limits?: Pick<RateLimits, 'admits'>; log: PracticeLog },
): RouteHandler {
  return async (request) => {
    const here = operations.filter(({ path }) => path.test(request.path));
    if (here.length === 0) return null;
    try {
      const operation = here.find(({ method }) => method === request.method);
      if (operation === undefined) {
        throw new WireRefused('InvalidInput', `Only ${here[0]?.method} is answered here.`, { status: 405 });
      }
      const { path, counted } = operation;
      if (counted !== undefined && limits?.admits(request, counted) === false) {
        throw new WireRefused('RateLimited', 'Rate limit reached');
      }
      const [, ...parts] = path.exec(request.path) ?? [];
      return { status: 200, body: await operation.answer(request, parts) };
    } catch (error) {
      const refused = refusalOf(error);
      if (refused !== error) log.warn(`${name}: ${request.method} ${request.path} failed: ${error}`);
      return failure(refused.status, refused.code, refused.message);
    }
  };
}

function refusalOf(error: unknown): WireRefused {
  if (error instanceof WireRefused) return error;
  if (isChainAway(error)) return new WireRefused('ServiceUnavailable', 'The chain does not answer.');
  return new WireRefused('InternalError', 'The service failed.');
}
