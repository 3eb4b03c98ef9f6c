import { ORPCError } from '@orpc/server';
import { FaultyInput } from '../book/faults.ts';
import { below } from '../contract/fault-path.ts';
import { DeskError, type ErrorCode, isDeskError } from '../protocol/desk-error.ts';
import type { Log } from './log.ts';
import { toldError } from './told-error.ts';

/**
 * What a command answers when a room refuses it: the room's code, sentence, remedy and faults. Anything else that is
 * thrown is an error of ours: logged, and told without its insides.
 */
export function refusedError(error: unknown, log: Pick<Log, 'error'>): unknown {
  if (error instanceof ORPCError && error.code === 'BAD_REQUEST' && hasIssues(error.data)) {
    const faults = error.data.issues.map(({ path = [], message }) => ({ path: pathOf(path), message }));
    return refusal('invalid_input', 'Nothing was changed: some of what was given cannot be taken as it is.', {
      faults,
    });
  }
  if (error instanceof ORPCError && error.code !== 'INTERNAL_SERVER_ERROR') return error;
  if (error instanceof DeskError) {
    const faults = error instanceof FaultyInput ? [...error.faults] : [];
    const told = isDeskError(error, 'second_person_asked', 'covered_unconfirmed') ? error.fields : {};
    return refusal(error.code, error.message, { remedy: error.remedy, faults, ...told });
  }
  log.error('a command failed', { error: toldError(error, []) });
  return new ORPCError('INTERNAL_SERVER_ERROR', { message: 'The desk could not do this; its log says why.' });
}

type Faults = { path: string; message: string }[];

function refusal(
  code: ErrorCode,
  message: string,
  { remedy = '', ...more }: { remedy?: string; faults: Faults; request?: number; covering?: readonly number[] },
) {
  return new ORPCError('REFUSED', { defined: true, message, data: { code, remedy, ...more } });
}

type Step = PropertyKey | { key: PropertyKey };
type Issues = { issues: { path?: Step[]; message: string }[] };

function hasIssues(data: unknown): data is Issues {
  return typeof data === 'object' && data !== null && 'issues' in data && Array.isArray(data.issues);
}

function pathOf(steps: Step[]): string {
  return steps.map((step) => (typeof step === 'object' ? step.key : step)).reduce<string>(below, '');
}
