import { z } from 'zod';
import template from '../../resources/practice-desk.json' with { type: 'json' };
import type { Address } from '../protocol/address.ts';
import { levelSchema, pairSchema, tokenSchema } from '../protocol/wire.ts';
import type { Deployment } from './chain/deployment.ts';
import type { IntentAddresses } from './intents/settle/intent-chain.ts';
import type { MarketFile } from './market-file.ts';
import type { RouterAddresses } from './router/router-chain.ts';

/** What the practice market needs to know of a chain of the practice desk file. The rest is the desk's. */
const plannedChainSchema = z.looseObject({
  chainId: z.int().positive(),
  name: z.string(),
  basePath: z.string(),
  domainName: z.string(),
  tokens: z.record(z.string(), tokenSchema.omit({ address: true })),
  pairs: z.record(z.string(), pairSchema),
  prices: z.record(z.string(), z.object({ bids: z.array(levelSchema), asks: z.array(levelSchema) })),
});
export type PlannedChain = z.infer<typeof plannedChainSchema>;

/** The chains of the practice market as they stand in resources/practice-desk.json: without addresses and ports. */
export const PLANNED_CHAINS: readonly PlannedChain[] = z.array(plannedChainSchema).min(1).parse(template.chains);

/** What is known of a chain only once the market stands. */
export interface StandingChain {
  plan: PlannedChain;
  rpcUrl: string;
  contracts: Deployment;
  router: RouterAddresses;
  intents: IntentAddresses;
  maker: Address;
  signer: Address;
}

/** The practice desk file with what is known only once the market stands: addresses, ports, credentials. */
export function practiceDeskFile(facts: {
  chains: readonly StandingChain[];
  serviceUrl: string;
  counterparty: MarketFile['counterparty'];
}): Record<string, unknown> {
  const { chains, counterparty, serviceUrl } = facts;
  return {
    ...template,
    chains: chains.map((chain) => chainOfDesk(chain, serviceUrl)),
    counterparties: [{ ...counterparty, signedPath: 'full' }],
  };
}

function chainOfDesk(
  { plan, rpcUrl, contracts, router: { router, permit2 }, intents, maker, signer }: StandingChain,
  serviceUrl: string,
): object {
  const tokens = Object.fromEntries(
    Object.entries(plan.tokens).map(([id, token]) => [id, { ...token, address: contracts.tokens[id] }]),
  );
  const { rfqContract, executor } = contracts;
  const known = { rpcUrl, serviceUrl, rfqContract, maker, signer, takers: [executor, router], tokens };
  const pinned = { router, intentContract: intents.intents, permit2 };
  const referenceUrl = `${serviceUrl}/reference/${plan.chainId}`;
  return { ...plan, ...known, ...pinned, referenceUrl, follow: Object.keys(plan.pairs) };
}
