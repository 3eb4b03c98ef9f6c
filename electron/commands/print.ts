import { ORPCError } from '@orpc/client';
import { DeskError } from '../protocol/desk-error.ts';

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
  return error instanceof Error ? error.message : String(error);
}

function describeFault(fault: Fault): string {
  return `  ${fault.path}: ${fault.message}`;
}
