import { ORPCError } from '@orpc/client';
import { DeskError } from '../protocol/desk-error.ts';
import { systemFault } from '../protocol/system-fault.ts';

/** Writes all of `text` to stdout, also into a pipe that reads slowly. */
export function print(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => (error ? reject(error) : resolve()));
  });
}

interface Fault {
  path: string;
  message: string;
}

/** What went wrong, for a person: the sentence, each fault with its path, and what to do. */
export function describeError(error: unknown): string {
  if (error instanceof ORPCError) {
    const data = error.data as { remedy?: string; faults?: Fault[] } | undefined;
    return [error.message, ...(data?.faults ?? []).map(describeFault), data?.remedy].filter(Boolean).join('\n');
  }
  if (error instanceof DeskError) {
    const faults = 'faults' in error ? (error.faults as Fault[]) : [];
    return [error.message, ...faults.map(describeFault), error.remedy].filter(Boolean).join('\n');
  }
  const why = systemFault(error);
  if (why !== null && error instanceof Error && 'path' in error) return `${error.path} cannot be used: ${why}.`;
  if (why !== null) return `This could not be done: ${why}.`;
  return `Makerdesk broke off over an error of its own.\n${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
}

function describeFault(fault: Fault): string {
  return fault.path === '' ? `  ${fault.message}` : `  ${fault.path}: ${fault.message}`;
}
