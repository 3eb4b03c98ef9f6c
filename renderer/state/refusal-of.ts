import { ORPCError } from '@orpc/client';
import type { ErrorCode } from '../../electron/protocol/desk-error.ts';
import { NotConnected } from './no-line.ts';

/** Why a command did not happen, in a person's words, with the fault of each field. */
export interface CommandRefusal {
  code: ErrorCode | 'not_connected';
  sentence: string;
  remedy: string;
  faults: readonly { path: string; message: string }[];
  /** Where it waits for a second person: its number on Approvals. */
  request?: number | undefined;
  /** The hedges that close the same position already, by their rows of the journal. */
  covering?: readonly number[] | undefined;
}

/** What a form says before it asks the desk: a field that cannot mean anything. */
export class InputRefused extends Error {
  readonly faults: readonly { path: string; message: string }[];

  constructor(faults: readonly { path: string; message: string }[]) {
    super(`${faults.length === 1 ? 'A field is' : 'Some fields are'} not right, and nothing was done.`);
    this.name = 'InputRefused';
    this.faults = faults;
  }
}

/** Reads whatever a call threw: a refusal of the desk, an input the contract does not take, a broken line. */
export function refusalOf(error: unknown): CommandRefusal {
  if (error instanceof ORPCError) {
    const data: unknown = error.data;
    if (error.code === 'REFUSED' && isRefusedData(data)) {
      return {
        code: data.code,
        sentence: error.message,
        remedy: data.remedy,
        faults: data.faults,
        request: data.request,
        covering: data.covering,
      };
    }
    return { code: 'internal', sentence: error.message, remedy: '', faults: [] };
  }
  if (error instanceof InputRefused) {
    return { code: 'invalid_input', sentence: error.message, remedy: '', faults: error.faults };
  }
  if (error instanceof NotConnected) {
    return {
      code: 'not_connected',
      sentence: error.message,
      remedy: 'Try again once the screen is connected.',
      faults: [],
    };
  }
  return {
    code: 'no_answer',
    sentence: 'The desk did not answer.',
    remedy: 'See whether it happened before you try again.',
    faults: [],
  };
}

/** The fault of a field: that of the last step of the path, `token.address` for `address`. */
export function faultOf(refusal: CommandRefusal | null, field: string): string | null {
  const fault = refusal?.faults.find(({ path }) => path === field || stepsOf(path).includes(field));
  return fault?.message ?? null;
}

/** The faults that belong to none of these fields: they stand below the form. `labels`: what the form calls some of them. */
export function faultsElsewhere(
  refusal: CommandRefusal | null,
  fields: readonly string[],
  labels: Readonly<Record<string, string>> = {},
): readonly string[] {
  if (refusal === null) return [];
  return refusal.faults
    .filter(({ path }) => !fields.includes(path) && !stepsOf(path).some((step) => fields.includes(step)))
    .map(({ path, message }) => (path === '' ? message : `${labels[path] ?? path}: ${message}`));
}

function stepsOf(path: string): string[] {
  return path.split(/[.[\]]+/).filter((step) => step !== '');
}

function isRefusedData(data: unknown): data is Omit<CommandRefusal, 'sentence'> {
  return typeof data === 'object' && data !== null && 'code' in data && 'faults' in data && Array.isArray(data.faults);
}
