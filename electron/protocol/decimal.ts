import { z } from 'zod';

/** A plain decimal string of any length: no sign, no exponent, no blanks (spec 4.3, prices rule 3). */
export const decimalSchema = z
  .string()
  .max(200, 'must have at most 200 digits')
  .regex(/^(0|[1-9][0-9]*)(\.[0-9]+)?$/, 'must be a plain decimal number such as 3412.5');
