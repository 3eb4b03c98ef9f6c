import type { ChainBook } from '../book/chain-book.ts';
import type { Attention, ExposureRow } from '../contract/desk-view.ts';
import { fromRaw } from '../protocol/decimal.ts';
import type { Rooms } from './rooms.ts';

/** What the maker cannot pay, or has not approved, of the tokens that its pairs pay out: such quotes are refused or cut. */
export function holdingsAttention(
  { guard }: Pick<Rooms, 'guard'>,
  chain: ChainBook,
  rows: readonly ExposureRow[],
): Attention[] {
  if (guard.closure(chain) !== null) return [];
  const paid = paidTokens(chain);
  return rows
    .filter(({ chainId, tokenId }) => chainId === chain.chainId && paid.has(tokenId))
    .flatMap((row) => ofToken(chain.config.name, row));
}

const known = new WeakMap<ChainBook, ReadonlySet<string>>();

function paidTokens(chain: ChainBook): ReadonlySet<string> {
  let paid = known.get(chain);
  if (paid === undefined) {
    paid = new Set([...chain.pairs.values()].flatMap(({ definition }) => [definition.base, definition.quote]));
    known.set(chain, paid);
  }
  return paid;
}

function ofToken(chainName: string, { chainId, tokenId, balance, allowance, decimals }: ExposureRow): Attention[] {
  if (balance === null || allowance === null) return [];
  const [held, approved] = [BigInt(balance), BigInt(allowance)];
  const amount = (raw: bigint) => `${fromRaw(raw, decimals)} ${tokenId}`;
  if (held === 0n) {
    const detail = `The maker holds none, so nothing that pays ${tokenId} is quoted. Send it some, or switch those sides off.`;
    return [
      { code: `empty ${chainId} ${tokenId}`, level: 'look', title: `No ${tokenId} is held on ${chainName}`, detail },
    ];
  }
  if (approved >= held) return [];
  const title =
    approved === 0n
      ? `${tokenId} is not approved on ${chainName}`
      : `Less ${tokenId} is approved than held on ${chainName}`;
  const detail =
    approved === 0n
      ? `${amount(held)} held, none approved: quotes that pay it are refused.`
      : `${amount(held)} held, ${amount(approved)} approved: no more than that can be signed for.`;
  const action = { kind: 'approve', chainId, tokenId } as const;
  return [{ code: `approve ${chainId} ${tokenId}`, level: 'look', title, detail, action }];
}
