import { z } from 'zod';

/** Fields of a query, which travel as text: each takes the text and gives the value. */
export const queryIntSchema = z
  .string()
  .regex(/^[0-9]{1,15}$/, 'must be a whole number')
  .transform(Number);
export const queryNumberSchema = z
  .string()
  .regex(/^[0-9]{1,15}(\.[0-9]{1,15})?$/, 'must be a number')
  .transform(Number);
export const queryBooleanSchema = z.enum(['true', 'false']).transform((text) => text === 'true');
/** Comma-separated; empty elements do not count. */
export const queryListSchema = z.string().transform((text) => text.split(',').filter((element) => element !== ''));

type Optional<S extends z.ZodType> = {
  [K in keyof z.input<S>]-?: undefined extends z.input<S>[K] ? K : never;
}[keyof z.input<S>];

/** What a caller says to be asked by a query's schema: the values, not their text; what has a default may be left out. */
export type Asked<S extends z.ZodType> = Omit<z.output<S>, Extract<Optional<S>, string>> &
  Partial<Pick<z.output<S>, Extract<Optional<S>, keyof z.output<S>>>>;

/** The text of a query's fields, lists comma-separated; what is undefined is left out. */
export function toQuery(asked: object): Record<string, string> {
  return Object.fromEntries(
    Object.entries(asked)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, Array.isArray(value) ? value.join(',') : String(value)]),
  );
}
