import type { ChainBook } from '../../book/chain-book.ts';
import { judgeTakers } from '../../book/judge-takers.ts';
import type { SourceLine } from '../../contract/sources.ts';
import { DeskError } from '../../protocol/desk-error.ts';
import type { ServiceBudget } from '../../service/turns.ts';
import type { Surface } from '../../surface/surface.ts';
import type { Outside } from '../outside.ts';
import { type SelfCheckParts, selfCheck } from '../self-check.ts';
import { serviceUrlOf } from '../services.ts';
import { os } from './base.ts';

/** The service as we see it, and how it probably sees us. `say` tells it a line; left out where no desk runs. */
export function serviceHandlers(parts: SelfCheckParts & { outside: Outside }, say: Surface['say'] | undefined) {
  const { rooms, outside } = parts;
  const chainOf = (chainId: number): ChainBook => {
    const chain = rooms.book.chain(chainId);
    if (chain !== undefined) return chain;
    throw new DeskError('unknown_chain', `This desk has no chain ${chainId}.`);
  };
  return {
    order: os.service.order.handler(async ({ input }) => {
      const serviceUrl = serviceUrlOf(chainOf(input.chainId), input.chainId);
      return outside.client.order(rooms.book.seals.whole(serviceUrl), input.orderHash);
    }),
    state: os.service.state.handler(({ input }) => {
      const chain = chainOf(input.chainId);
      const { serviceUrl, referenceUrl, takers, takersLeftOut = [] } = chain.config;
      const { named, looks, fetchedAt, fault: unfetched } = outside.takers.of(input.chainId);
      const { waiting, never } = judgeTakers(chain, named);
      const { answeredAt, fault } = outside.references.of(input.chainId);
      const { refusals } = outside;
      const refused = refusals
        .list(input.chainId, 'taker_not_allowed')
        .filter(({ address }) => !takers.includes(address));
      return {
        serviceUrl,
        takers: {
          list: [...takers],
          waiting: waiting.map((address) => ({ address, look: looks.get(address) ?? null })),
          never,
          leftOut: [...takersLeftOut],
          unnamed: fetchedAt === null ? [] : takers.filter((address) => !named.includes(address)),
          fetchedAt,
          fault: unfetched,
          refused,
        },
        dust: refusals.list(input.chainId, 'amount_too_small'),
        asked: serviceUrl === null ? null : askedOf(outside.services.turns.budget(serviceUrl)),
        referenceUrl,
        reference: { answeredAt, fault },
        engines: rooms.book.pushed.lines().filter(({ chainId }) => chainId === input.chainId),
      };
    }),
    sources: os.service.sources.handler(({ input: { chainId, pair } }) => {
      const { references: polls } = outside;
      const chains = rooms.book
        .chains()
        .flatMap((one) => (chainId === undefined || one.chainId === chainId ? [one.chainId] : []));
      const lines = chains
        .flatMap((id) => polls.references(id))
        .filter((line) => pair === undefined || line.pair === pair);
      const isAsked = (line: SourceLine) =>
        pair === undefined ||
        lines.some(({ chainId: id, sources }) => id === line.chainId && sources.some(({ name }) => name === line.name));
      return { sources: chains.flatMap((id) => polls.sources(id)).filter(isAsked), references: lines };
    }),
    say: os.service.say.handler(async ({ input: { chainId, line }, context: { actor } }) => {
      if (say === undefined) throw new DeskError('no_running_desk', 'No desk runs here that the service could hear.');
      const chain = chainId === undefined ? null : chainOf(chainId).chainId;
      await rooms.journal.append({ time: rooms.now(), actor, kind: 'line_told', body: { chainId: chain, line } });
      return { told: say(chain, line) };
    }),
    setTaker: os.service.setTaker.handler(({ input, context }) => {
      if (input.taken && !input.reason) {
        throw new DeskError('no_reason', 'Taking an execution contract needs a reason.', {
          remedy: 'Say how you know that it is the service’s.',
        });
      }
      return rooms.book.setTaker({ ...input, actor: context.actor });
    }),
    restrictions: os.service.restrictions.handler(({ input }) => outside.restrictions.list(input.chainId)),
    checks: os.service.checks.handler(async ({ input }) => {
      const checks = await selfCheck(parts, chainOf(input.chainId));
      return { at: rooms.now(), checks };
    }),
  };
}

const askedOf = ({ asked: today, perDay, reserve }: ServiceBudget) => ({ today, perDay, reserve });
