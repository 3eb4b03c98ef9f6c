import { intentBuildBodySchema, onChainOrderTypeSchema } from '../../protocol/intent-build.ts';
import { parseInput } from '../router/parse-input.ts';
import { IntentRefused } from './intent-refused.ts';
import { type BuildAsk, KIND_FIELDS } from './order-rules.ts';

/**
 * The body of a build.
 * @throws IntentRefused `route validation failed`, `missing deadline`, or the text for the fields of its kind (PROTOCOL 17); else
 * MarketRefused naming the field
 */
export function readBuild(body: unknown): BuildAsk {
  const { data, error } = intentBuildBodySchema.safeParse(body);
  if (data !== undefined) return data;
  const given = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  const faulty = new Set(error.issues.map(({ path: [field] }) => field));
  if (faulty.has('route')) throw new IntentRefused('InvalidRoute', 'route validation failed');
  if (given.deadline === undefined) throw new IntentRefused('MissingDeadline', 'missing deadline');
  const { data: kind } = onChainOrderTypeSchema.safeParse(given.orderType);
  const needed = kind === undefined ? undefined : KIND_FIELDS[kind];
  if (needed?.fields.some((field) => faulty.has(field))) throw new IntentRefused(needed.fault);
  return parseInput(intentBuildBodySchema, body);
}
