import { z } from 'zod';

/**
 * Checks a shape and gives back the very object that came: its unknown fields, the order of its keys and the spelling of its
 * addresses stay, because the service compares what it gave with what it gets back (PROTOCOL 12.2, 14.4). What the schema would
 * transform is not transformed.
 */
export function verbatim<S extends z.ZodType>(schema: S) {
  return z.unknown().transform((raw, context): z.output<S> => {
    const { error } = schema.safeParse(raw);
    for (const issue of error?.issues ?? []) {
      context.issues.push({ code: 'custom', input: raw, message: issue.message, path: [...issue.path] });
    }
    return error ? z.NEVER : (raw as z.output<S>);
  });
}
