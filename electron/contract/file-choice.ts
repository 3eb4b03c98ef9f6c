import { z } from 'zod';

/** The `kind` of a page's question on its port to the app, and of the answer to it. */
export const FILE_CHOICE = 'file-choice';

/** A page asks where a file is (`open`) or is to be (`save`); `suggested` is what the dialog begins with, "" for nothing. */
export const fileQuestionSchema = z.object({
  kind: z.literal(FILE_CHOICE),
  /** The answer has the same number. */
  ask: z.int(),
  way: z.enum(['open', 'save']),
  suggested: z.string().max(4_096),
});
export type FileQuestion = z.infer<typeof fileQuestionSchema>;

/** `path` is whole, and null where nobody chose one. */
export const fileAnswerSchema = z.object({
  kind: z.literal(FILE_CHOICE),
  ask: z.int(),
  path: z.string().nullable(),
});
