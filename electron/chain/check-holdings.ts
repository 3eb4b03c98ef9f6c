import type { Address } from '../protocol/address.ts';
import type { Token } from '../protocol/wire.ts';
import type { ChainCheck } from './chain-check.ts';
import { askEach, type Holding, holdingCalls, readHoldings } from './holdings.ts';
import { openNode } from './node-client.ts';
import { faultReason } from './node-fault.ts';

export interface CheckedHoldings {
  rpcUrl: string;
  spareRpcUrls?: readonly string[] | undefined;
  chainId: number;
  rfqContract: Address;
  maker: Address;
  /** Those that pairs are made of, by ID. */
  tokens: ReadonlyMap<string, Pick<Token, 'address'>>;
  /** IDs of the tokens that would be paid out by the ladders as they are. */
  paid: ReadonlySet<string>;
  timeoutMs?: number;
}

/** What the maker holds of each token, and what it lets the RFQ contract take: read anew, all in one round trip. */
export async function checkHoldings(chain: CheckedHoldings): Promise<ChainCheck[]> {
  const { rfqContract, maker, tokens, paid } = chain;
  const node = openNode(chain);
  const addresses = [...tokens.values()].map(({ address }) => address);
  try {
    const ask = (asked: readonly Address[]) => node.ask(holdingCalls(asked, maker, rfqContract, 'latest'));
    const { held, refused } = await ask(addresses)
      .then((answers) => readHoldings(node, addresses, answers))
      .catch(() => askEach(node, addresses, (token) => ask([token])));
    return [...tokens].flatMap(([id, { address }]) => {
      const holding = held.get(address);
      if (refused.has(address)) return ofToken(id, 'balance', 'unanswered', faultReason(refused.get(address)));
      return holding === undefined ? [] : judge(id, holding, paid.has(id));
    });
  } catch (error) {
    const sentence = faultReason(error);
    return [...tokens.keys()].map((id) => ofToken(id, 'balance', 'unanswered', sentence));
  } finally {
    node.close();
  }
}

function judge(id: string, { balance, allowance }: Holding, isPaid: boolean): ChainCheck[] {
  const held =
    balance > 0n
      ? ofToken(id, 'balance', 'passed', `The maker holds ${id}.`)
      : ofToken(id, 'balance', 'warning', `The maker holds no ${id}, so none can be sold.`);
  return [held, approval(id, balance, allowance, isPaid)];
}

function approval(id: string, balance: bigint, allowance: bigint, isPaid: boolean): ChainCheck {
  if (allowance === 0n && isPaid) {
    const sentence = `${id} is not approved for the RFQ contract, so no pair that pays it can go LIVE. Approve it: makerdesk allowance ${id} AMOUNT.`;
    return ofToken(id, 'allowance', 'failed', sentence);
  }
  if (allowance === 0n) {
    const sentence = `${id} is not approved for the RFQ contract; no ladder pays it at the moment.`;
    return ofToken(id, 'allowance', 'warning', sentence);
  }
  if (allowance < balance) {
    const sentence = `The RFQ contract may take less ${id} than the maker holds.`;
    return ofToken(id, 'allowance', 'warning', sentence);
  }
  return ofToken(id, 'allowance', 'passed', `The RFQ contract may take all the ${id} that the maker holds.`);
}

function ofToken(
  tokenId: string,
  what: 'balance' | 'allowance',
  outcome: ChainCheck['outcome'],
  sentence: string,
): ChainCheck {
  return { name: `${what} ${tokenId}`, scope: { kind: 'token', tokenId }, outcome, sentence };
}
