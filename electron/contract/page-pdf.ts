import { z } from 'zod';

/** The `kind` of a page's wish on its port to the app that it be written as a PDF, and of the answer to it. */
export const PAGE_PDF = 'page-pdf';

/** The page as it would be printed, into a file that a person chooses; `suggested` is the name that the dialog begins with. */
export const pagePdfQuestionSchema = z.object({
  kind: z.literal(PAGE_PDF),
  /** The answer has the same number. */
  ask: z.int(),
  suggested: z.string().regex(/^[a-z0-9][a-z0-9-]{0,80}\.pdf$/),
});
export type PagePdfQuestion = z.infer<typeof pagePdfQuestionSchema>;

/** Where a page was written; `fault` is why it could not be. */
const savedPageSchema = z.object({ path: z.string(), fault: z.string().nullable() });
export type SavedPage = z.infer<typeof savedPageSchema>;

/** `saved` is null where nobody chose a file. */
export const pagePdfAnswerSchema = z.object({
  kind: z.literal(PAGE_PDF),
  ask: z.int(),
  saved: savedPageSchema.nullable(),
});
export type PagePdfAnswer = z.infer<typeof pagePdfAnswerSchema>;
