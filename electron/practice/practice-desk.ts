import { z } from 'zod';
import template from '../../resources/practice-desk.json' with { type: 'json' };
import type { Address } from '../protocol/address.ts';
import { DeskError } from '../protocol/desk-error.ts';
import { type Level, levelSchema } from '../protocol/wire.ts';
import type { Deployment } from './deployment.ts';
import type { MarketFile } from './market-file.ts';

const chain = onlyChain();

export const PRACTICE_DOMAIN_NAME = chain.domainName;
export const PRACTICE_BASE_PATH = chain.basePath;

const levels = z.array(levelSchema);

/** The grid that a new practice desk publishes. */
export const PRACTICE_GRID: { bids: Level[]; asks: Level[] } = {
  bids: levels.parse(chain.prices['WETH/USDC'].bids),
  asks: levels.parse(chain.prices['WETH/USDC'].asks),
};

/** The practice desk file with what is known only once the market stands: addresses, ports, credentials. */
export function practiceDeskFile(facts: {
  rpcUrl: string;
  serviceUrl: string;
  contracts: Deployment;
  maker: Address;
  signer: Address;
  counterparty: MarketFile['counterparty'];
}): Record<string, unknown> {
  const { contracts, counterparty, rpcUrl, serviceUrl, maker, signer } = facts;
  const { WETH, USDC } = chain.tokens;
  const tokens = { WETH: { ...WETH, address: contracts.weth }, USDC: { ...USDC, address: contracts.usdc } };
  const { rfqContract, executor } = contracts;
  return {
    ...template,
    chains: [{ ...chain, rpcUrl, serviceUrl, rfqContract, maker, signer, takers: [executor], tokens }],
    counterparties: [{ ...counterparty, signedPath: 'full' }],
  };
}

function onlyChain() {
  const [found] = template.chains;
  if (found === undefined) throw new DeskError('practice_desk', 'resources/practice-desk.json has no chain.');
  return found;
}
