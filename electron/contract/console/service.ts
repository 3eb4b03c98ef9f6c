import { z } from 'zod';
import { addressSchema } from '../../protocol/address.ts';
import { hash32Schema } from '../../protocol/order-record.ts';
import { chainIdSchema, pairIdSchema, timeSchema } from '../names.ts';
import { restrictionSchema, rfqOrderRecordSchema, selfCheckSchema, serviceStateSchema } from '../service-view.ts';
import { referenceLineSchema, sourceLineSchema } from '../sources.ts';
import { may } from './base.ts';

/** A line for somebody else's log. */
const lineSchema = z
  .string()
  .trim()
  .min(1)
  .max(500)
  .regex(/^[^\p{C}\p{Zl}\p{Zp}]*$/u, 'must be one line of characters that can be seen');

const onChain = z.object({ chainId: chainIdSchema });

/** The service as we see it, and how it probably sees us. */
export const serviceContract = {
  /** An order as the service has it; kept for a moment, since the service counts calls. */
  order: may('look')
    .input(onChain.extend({ orderHash: hash32Schema }))
    .output(z.object({ record: rfqOrderRecordSchema, fetchedAt: timeSchema })),
  state: may('look').input(onChain).output(serviceStateSchema),
  /** Where prices come from: how each source does, and how the reference of each pair stands; of all chains without `chainId`, of one pair with `pair`. */
  sources: may('look')
    .input(onChain.extend({ pair: pairIdSchema }).partial())
    .output(z.object({ sources: z.array(sourceLineSchema), references: z.array(referenceLineSchema) })),
  /** Whether orders may name an execution contract from now on. Taking one is a start and needs a reason. */
  setTaker: may('settings')
    .input(
      onChain.extend({ address: addressSchema, taken: z.boolean(), reason: z.string().trim().max(500).optional() }),
    )
    .output(z.object({ seq: z.int() })),
  /** Tells everybody who is on the WebSocket a line for their log; on all chains without `chainId`. `told`: how many they are. */
  say: may('trade')
    .input(onChain.partial().extend({ line: lineSchema }))
    .output(z.object({ told: z.int().nonnegative() })),
  /** Pairs that the service probably skips now; of all chains without `chainId`. */
  restrictions: may('look').input(onChain.partial()).output(z.array(restrictionSchema)),
  /** Made anew with each call: chain, signer, balances, and what strict validators of the service would reject. */
  checks: may('look')
    .input(onChain)
    .output(z.object({ at: timeSchema, checks: z.array(selfCheckSchema) })),
};
