import type { ChainBook } from '../../book/chain-book.ts';
import { DeskError } from '../../protocol/desk-error.ts';
import type { Outside } from '../outside.ts';
import { type SelfCheckParts, selfCheck } from '../self-check.ts';
import { serviceUrlOf } from '../services.ts';
import { os } from './base.ts';

/** The service as we see it, and how it probably sees us. */
export function serviceHandlers(parts: SelfCheckParts & { outside: Outside }) {
  const { rooms, outside } = parts;
  const chainOf = (chainId: number): ChainBook => {
    const chain = rooms.book.chain(chainId);
    if (chain !== undefined) return chain;
    throw new DeskError('unknown_chain', `Chain ${chainId} is not one of this desk.`);
  };
  return {
    order: os.service.order.handler(async ({ input }) => {
      return outside.client.order(serviceUrlOf(chainOf(input.chainId), input.chainId), input.orderHash);
    }),
    state: os.service.state.handler(({ input }) => {
      const { serviceUrl, referenceUrl, takers } = chainOf(input.chainId).config;
      const { answeredAt, fault } = outside.references.of(input.chainId);
      return {
        serviceUrl,
        takers: { list: [...takers], ...outside.takers.of(input.chainId) },
        referenceUrl,
        reference: { answeredAt, fault },
      };
    }),
    restrictions: os.service.restrictions.handler(({ input }) => outside.restrictions.list(input.chainId)),
    checks: os.service.checks.handler(async ({ input }) => {
      const checks = await selfCheck(parts, chainOf(input.chainId));
      return { at: rooms.now(), checks };
    }),
  };
}

/** Ladders that move with the reference. */
export function followHandlers({ book }: SelfCheckParts['rooms']) {
  return {
    setFollow: os.ladders.setFollow.handler(({ input, context }) => book.setFollow({ ...input, actor: context.actor })),
  };
}
