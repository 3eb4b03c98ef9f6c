import { ORPCError } from '@orpc/client';
import { plainLines } from '../contract/plain-text.ts';
import { DeskError } from '../protocol/desk-error.ts';
import { systemFault } from '../protocol/system-fault.ts';

/**
 * Writes all of `text` to stdout, also into a pipe that reads slowly. Throws DeskError `not_printed` where stdout takes no more: its reader
 * is gone, or the disk under it is full. What the command did before is done all the same.
 */
export function print(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => (error ? reject(notPrinted(error)) : resolve()));
  });
}

/** As `print`, for something that is in force already: where it cannot be printed, stderr says so, and the command goes on to its exit code 1. */
export async function printDone(text: string, done: string): Promise<void> {
  try {
    await print(text);
  } catch (error) {
    process.stderr.write(`${plainLines(done)} ${describeError(error)}\n`);
    process.exitCode = 1;
  }
}

/** A stream that failed says so to whoever wrote there, and once more as an event, which would end the program. */
export function toleratePrintFaults(): void {
  process.stdout.on('error', () => {});
}

function notPrinted(cause: Error): DeskError {
  const isGone = 'code' in cause && cause.code === 'EPIPE';
  const why = isGone ? 'nobody reads it any more' : (systemFault(cause) ?? cause.message);
  return new DeskError('not_printed', `The answer could not be printed: ${why}.`, { cause });
}

interface Fault {
  path: string;
  message: string;
}

/** What went wrong, for a person: the sentence, each fault with its path, and what to do. */
export function describeError(error: unknown): string {
  if (error instanceof ORPCError) {
    const data = error.data as { remedy?: string; faults?: Fault[] } | undefined;
    return inLines([error.message, ...(data?.faults ?? []).map(describeFault), data?.remedy]);
  }
  if (error instanceof DeskError) {
    const faults = 'faults' in error ? (error.faults as Fault[]) : [];
    return inLines([error.message, ...faults.map(describeFault), error.remedy]);
  }
  const why = systemFault(error);
  if (why !== null && error instanceof Error && 'path' in error) return `${error.path} cannot be used: ${why}.`;
  if (why !== null) return `This could not be done: ${why}.`;
  return `Makerdesk stopped because of an error of its own.\n${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
}

/** What a node or a service says of itself is in some of these: it must not steer the terminal. */
function inLines(parts: readonly (string | undefined)[]): string {
  return parts.flatMap((part) => (part ? [plainLines(part)] : [])).join('\n');
}

function describeFault(fault: Fault): string {
  return fault.path === '' ? `  ${fault.message}` : `  ${fault.path}: ${fault.message}`;
}
