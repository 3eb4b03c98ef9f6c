import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { takeSecret } from '../desk/taken-secret.ts';
import { DeskError, type ErrorCode } from '../protocol/desk-error.ts';

/**
 * A secret: taken out of the environment, else asked for at the terminal without showing it. Never from an argument, which other
 * users of the machine could read. Throws DeskError with `code` where there is neither; `remedy` is what to do then, where it is more than to
 * set the variable.
 */
export async function readHidden(wanted: {
  variable: string;
  question: string;
  code: ErrorCode;
  remedy?: string;
}): Promise<string> {
  const { variable, question, code, remedy = `Set ${variable}.` } = wanted;
  const given = takeSecret(process.env, variable);
  if (given !== undefined) return given;
  if (!process.stdin.isTTY) {
    const what = question.slice(0, 1).toLowerCase() + question.slice(1);
    throw new DeskError(code, `There is no ${what}, and no terminal to ask for it.`, { remedy });
  }
  process.stderr.write(`${question}: `);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: silent, terminal: true });
  try {
    return await terminal.question('');
  } finally {
    terminal.close();
    process.stderr.write('\n');
  }
}
