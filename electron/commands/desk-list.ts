import { deskListSchema, listedDeskSchema } from '../contract/desk-list.ts';
import { Attached } from '../desk/attached.ts';
import { takeSecret } from '../desk/taken-secret.ts';
import { DeskError } from '../protocol/desk-error.ts';
import { readHidden } from './hidden-text.ts';
import { readJsonFile } from './json-file.ts';
import { consoleOriginOf } from './typed-values.ts';

/** A row of the list: a desk that can be asked, or why it never can be. */
export interface ListRow {
  /** As it stands there, else the row's number. */
  name: string;
  place: Attached | DeskError;
}

/**
 * Reads a list of desks, `{"desks": [{"name", "url"}]}`. The token of a desk called `fra-1` is taken from `MAKERDESK_TOKEN_FRA_1`;
 * the others are asked for one after the other, while those whose token is known do not wait. Throws DeskError `no_file`,
 * `not_json`, and `bad_option` where the file as a whole is no such list; a wrong row is told in its place.
 */
export function readDeskList(file: string): ListRow[] {
  const list = deskListSchema.safeParse(
    readJsonFile(file, { name: 'list of desks', remedy: 'a list such as {"desks": [{"name", "url"}]}' }),
  );
  if (!list.success) {
    throw new DeskError('bad_option', `${file} is not a list of desks.`, {
      remedy: 'Write {"desks": [{"name": "fra-1", "url": "https://desk.example.com"}]}, with 1 to 100 of them.',
    });
  }
  const names = new Set<string>();
  let asked: Promise<unknown> = Promise.resolve();
  /** Of the terminal, which can be asked for one at a time. */
  const ask = (variable: string, question: string) => {
    const answer = asked.then(() => readHidden({ variable, question, code: 'no_token' }));
    asked = answer.catch(() => {});
    return answer;
  };
  return list.data.desks.map((row, index) => {
    const parsed = listedDeskSchema.safeParse(row);
    const name = parsed.data?.name ?? `row ${index + 1}`;
    if (!parsed.success) {
      const why = parsed.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`.trim()).join('; ');
      return { name, place: new DeskError('bad_option', `This row of the list is wrong: ${why}.`) };
    }
    if (names.has(name)) return { name, place: new DeskError('bad_option', 'This name stands in the list twice.') };
    names.add(name);
    try {
      const address = consoleOriginOf(parsed.data.url, 'url');
      const variable = `MAKERDESK_TOKEN_${name.toUpperCase().replaceAll('-', '_')}`;
      const given = takeSecret(process.env, variable);
      const token = async () => given ?? (await ask(variable, `Token for ${name}, ${address.origin}`));
      return { name, place: new Attached(address, token) };
    } catch (error) {
      if (error instanceof DeskError) return { name, place: error };
      throw error;
    }
  });
}
