import { type AnyContractProcedure, getEventIteratorSchemaDetails, isContractProcedure } from '@orpc/contract';
import { z } from 'zod';
import { consoleContract } from './console-contract.ts';
import type { Right } from './rights.ts';

/** The header in which a console names a command, so that one whose answer was lost can be asked for again. */
export const COMMAND_HEADER = 'makerdesk-command';

/**
 * A command as a console names it: in which desk's record it stands, its own id, and how long ago it was sent first, in
 * milliseconds.
 */
const namedCommandSchema = z.object({ record: z.uuid(), id: z.uuid(), age: z.coerce.number().int().min(0) });
export type NamedCommand = z.infer<typeof namedCommandSchema>;

export function commandText({ record, id, age }: NamedCommand): string {
  return `${record} ${id} ${age}`;
}

/** Null where the header names no command. */
export function readCommand(text: string | null | undefined): NamedCommand | null {
  const [record, id, age] = (text ?? '').split(' ');
  return namedCommandSchema.safeParse({ record, id, age }).data ?? null;
}

/**
 * Whether an operation is carried out at most once for one id: all that takes more than to look or to halt, and gives one answer.
 * A stop waits for nothing, and stopping twice is stopping.
 */
export function isCommand({ '~orpc': { meta, outputSchema } }: AnyContractProcedure): boolean {
  const { right } = meta as { right?: Right };
  const takesMore = right === 'trade' || right === 'settings' || right === 'admin';
  return takesMore && getEventIteratorSchemaDetails(outputSchema) === undefined;
}

/** The same of an operation by its path. */
export function isCommandAt([room = '', name = '']: readonly string[]): boolean {
  const operations: Record<string, unknown> = consoleContract[room as keyof typeof consoleContract] ?? {};
  const { [name]: operation } = operations;
  return isContractProcedure(operation) && isCommand(operation);
}
