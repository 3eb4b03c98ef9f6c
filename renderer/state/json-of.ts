import { REPEATED, readJson } from '../../electron/contract/json-text.ts';
import { InputRefused } from './refusal-of.ts';

/** What a file of a person's says. Throws InputRefused where it is no JSON, or says something twice. */
export function jsonOf(text: string): unknown {
  let read: ReturnType<typeof readJson>;
  try {
    read = readJson(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : '';
    throw new InputRefused([{ path: '', message: `This file is not JSON: ${why}` }]);
  }
  if (read.repeated.length > 0) throw new InputRefused(read.repeated.map((path) => ({ path, message: REPEATED })));
  return read.value;
}
