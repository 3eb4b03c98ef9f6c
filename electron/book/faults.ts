import { DeskError, type ErrorCode } from '../protocol/desk-error.ts';

/** One thing that is wrong with what was handed in, and where: `chains[0].prices["WETH/USDC"].bids[1][0]`. */
export type Fault = { readonly path: string; readonly message: string };

/** Input that is refused whole, with every fault it has. */
export class FaultyInput extends DeskError {
  readonly faults: readonly Fault[];

  /** `what` begins the sentence: "The desk file"; `words` are said instead where it is no fault of what was handed in. */
  constructor(
    code: ErrorCode,
    what: string,
    faults: readonly Fault[],
    words?: { readonly sentence: string; readonly remedy: string },
  ) {
    super(code, words?.sentence ?? `${what} has ${faults.length === 1 ? 'a fault' : `${faults.length} faults`}.`, {
      remedy: words?.remedy ?? 'Nothing was changed. Fix what is named and try again.',
    });
    this.name = 'FaultyInput';
    this.faults = faults;
  }
}

/** The faults of a part, seen from the document that holds the part at `path`. */
export function faultsAt(path: string, faults: readonly Fault[]): Fault[] {
  return faults.map((fault) => ({ path: joined(path, fault.path), message: fault.message }));
}

/** Several faults in one line, for the screen. */
export function sentenceOf(faults: readonly Fault[]): string {
  return faults.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('; ');
}

function joined(path: string, rest: string): string {
  if (path === '' || rest === '') return path + rest;
  return rest.startsWith('[') ? path + rest : `${path}.${rest}`;
}
