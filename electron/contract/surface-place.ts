import { z } from 'zod';

/** Where a surface listens: an address of this machine, and a port of it. */
export const surfacePlaceSchema = z.strictObject({
  host: z
    .string()
    .trim()
    .regex(/^[0-9a-zA-Z.:-]{1,253}$/, 'must be an address of this machine, such as 127.0.0.1'),
  port: z.int().min(1, 'must be a port from 1 to 65,535').max(65_535, 'must be a port from 1 to 65,535'),
});
export type SurfacePlace = z.infer<typeof surfacePlaceSchema>;
