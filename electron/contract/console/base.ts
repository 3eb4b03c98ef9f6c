import { z } from 'zod';
import { chainIdSchema, pairIdSchema } from '../names.ts';
import { refusing } from '../refusing.ts';
import type { Right } from '../rights.ts';

/** An operation, by the right that whoever asks for it must have. One without a right does not compile in the desk's router. */
export function may(right: Right) {
  return refusing.$meta<{ right: Right }>({ right });
}

/** Which pair of which chain. */
export const pairKey = z.object({ chainId: chainIdSchema, pair: pairIdSchema });
