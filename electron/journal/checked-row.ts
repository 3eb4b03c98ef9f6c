import type { z } from 'zod';

/**
 * What a reader is given of one stored row. A row that cannot be read, or that is not what its schema promises, is told as such
 * in its place by `instead`, with why, and takes no other row of its page, export or stream along.
 */
export function checkedRow<Schema extends z.ZodType>(
  schema: Schema,
  make: () => z.output<Schema>,
  instead: (why: string) => z.output<Schema>,
): z.output<Schema> {
  try {
    const made = make();
    const { error } = schema.safeParse(made);
    if (error === undefined) return made;
    const [issue] = error.issues;
    return instead(`its ${issue?.path.join('.') || 'form'} is out of bounds`);
  } catch (error) {
    return instead(`it cannot be read (${error instanceof Error ? error.message.slice(0, 400) : 'no reason given'})`);
  }
}
