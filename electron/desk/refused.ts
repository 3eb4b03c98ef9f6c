import { ORPCError } from '@orpc/server';
import { DeskError } from '../protocol/desk-error.ts';
import type { Log } from './log.ts';

/**
 * What a command answers when a room refuses it: the room's code, sentence, remedy and faults. Anything else that is
 * thrown is an error of ours: logged whole, and told without its insides.
 */
export function refusedError(error: unknown, log: Log): unknown {
  if (error instanceof ORPCError) return error;
  if (error instanceof DeskError) {
    const faults = 'faults' in error && Array.isArray(error.faults) ? error.faults : [];
    return new ORPCError('REFUSED', {
      defined: true,
      message: error.message,
      data: { code: error.code, remedy: error.remedy, faults },
    });
  }
  log.error('a command failed', { error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  return new ORPCError('INTERNAL_SERVER_ERROR', { message: 'The desk could not do this; its log says why.' });
}
