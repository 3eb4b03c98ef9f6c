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
    .flatMap((row) => ofToken(chain.config.name, row, () => closedFor(guard, chain, row.tokenId)));
}

/** The pairs that sign nothing for want of an approval of the token. */
function closedFor(guard: Rooms['guard'], chain: ChainBook, tokenId: string): string[] {
  return [...chain.pairs.values()].flatMap((pair) => {
    const closure = guard.pairClosure(chain, pair);
    return closure?.code === 'not_approved' && closure.tokenId === tokenId ? [pair.id] : [];
  });
}

/** Pairs that are named one by one; of more only the number is told. */
const MOST_NAMED = 5;

const known = new WeakMap<ChainBook, ReadonlySet<string>>();

function paidTokens(chain: ChainBook): ReadonlySet<string> {
  let paid = known.get(chain);
  if (paid === undefined) {
    paid = new Set([...chain.pairs.values()].flatMap(({ definition }) => [definition.base, definition.quote]));
    known.set(chain, paid);
  }
  return paid;
}

function ofToken(
  chainName: string,
  { chainId, tokenId, balance, allowance, decimals }: ExposureRow,
  closed: () => readonly string[],
): Attention[] {
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
      ? `${tokenId} is not approved for the RFQ contract on ${chainName}`
      : `Less ${tokenId} is approved than held on ${chainName}`;
  const pairs = approved === 0n ? closed() : [];
  const consequence = pairs.length === 0 ? 'quotes that pay it are refused' : closedText(pairs);
  const detail =
    approved === 0n
      ? `${amount(held)} held, none approved: ${consequence}. Approve it, or: makerdesk allowance ${tokenId} AMOUNT.`
      : `${amount(held)} held, ${amount(approved)} approved: no more than that can be signed for.`;
  const action = { kind: 'approve', chainId, tokenId } as const;
  return [{ code: `approve ${chainId} ${tokenId}`, level: 'look', title, detail, action }];
}

/** `WETH/USDC, DAI/USDC are closed`; of many pairs the first, and how many more. */
export function closedText(pairs: readonly string[]): string {
  const more = pairs.length > MOST_NAMED ? ` and ${pairs.length - MOST_NAMED} more` : '';
  return `${pairs.slice(0, MOST_NAMED).join(', ')}${more} ${pairs.length === 1 ? 'is' : 'are'} closed`;
}
