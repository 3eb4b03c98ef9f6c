import type { Command } from 'commander';
import type { NftOrderSide } from '../contract/nft-order.ts';
import type { Address } from '../protocol/address.ts';
import { rawAmountSchema } from '../protocol/amount.ts';
import { DeskError } from '../protocol/desk-error.ts';
import { oneChain } from './one-chain.ts';
import { print } from './print.ts';
import { addressOf, amountOf, chainIdOf, orderHashOf, timeOf } from './typed-values.ts';
import { type DeskPlace, withDesk } from './with-desk.ts';

interface NftOrderOptions {
  give?: NftOrderSide;
  get?: NftOrderSide;
  to?: Address;
  until?: number;
  chain?: number;
  sign?: boolean;
}

/** An order with an NFT for one taker: what it would say, and with `--sign` the signed order to hand to them. */
export function addNftOrder(program: Command, placeOf: () => DeskPlace, actor: string): void {
  program
    .command('nft-order [hash]')
    .description('sign an order with an NFT for one taker; with the hash of one that is open, print it again')
    .option('--give <side>', 'what the maker gives: "250 USDC", "CONTRACT#ID", or "4 CONTRACT#ID"', sideOf('--give'))
    .option('--get <side>', 'what the maker gets for it, written the same way', sideOf('--get'))
    .option('--to <address>', 'who alone can take it', (text: string) => addressOf(text, '--to'))
    .option('--until <time>', 'until when, ISO 8601', (text: string) => timeOf(text, '--until'))
    .option('--chain <id>', 'on this chain; needed where the desk has several', chainIdOf)
    .option('--sign', 'sign it; without, it is only said what would be signed')
    .action(async (hash: string | undefined, options: NftOrderOptions) => {
      const orderHash = hash === undefined ? undefined : orderHashOf(hash);
      await withDesk(placeOf(), actor, async (desk) => {
        const chainId = await oneChain(desk, options.chain);
        if (orderHash !== undefined) return printJson(await desk.nftOrders.signed({ chainId, orderHash }));
        const terms = { chainId, ...termsOf(options) };
        const { words } = await desk.nftOrders.check(terms);
        if (options.sign) return printJson(await desk.nftOrders.sign({ ...terms, words }));
        await print(`${words}\nNothing was signed. Add --sign to sign it.\n`);
      });
    });
}

function printJson(value: unknown): Promise<void> {
  return print(`${JSON.stringify(value, null, 2)}\n`);
}

function termsOf({ give, get, to, until }: NftOrderOptions) {
  if (give !== undefined && get !== undefined && to !== undefined && until !== undefined) {
    return { gives: give, gets: get, taker: to, expiry: Math.floor(until / 1_000) };
  }
  throw new DeskError('bad_nft_order', 'An order needs --give, --get, --to and --until.', {
    remedy:
      'For example: nft-order --give "0x…#7" --get "250 USDC" --to 0x… --until 2026-12-24T18:00:00Z; or name the hash of an open one.',
  });
}

/** `250 USDC`, `0x…#7`, `4 0x…#3`. */
function sideOf(name: string): (text: string) => NftOrderSide {
  return (text) => {
    const [, pieces = '1', nft, id = ''] = /^(?:([0-9]+) +)?(0x[0-9a-fA-F]{40})#([0-9]+)$/.exec(text.trim()) ?? [];
    if (nft !== undefined && [pieces, id].every((number) => rawAmountSchema.safeParse(number).success)) {
      return { nft: addressOf(nft, name), id, pieces };
    }
    const [, amount, tokenId] = /^([^\s#]+) +([^\s#]{1,64})$/.exec(text.trim()) ?? [];
    if (amount !== undefined && tokenId !== undefined) return { tokenId, amount: amountOf(amount) };
    const shown = text.length > 80 ? `${text.slice(0, 80)}…` : text;
    throw new DeskError('bad_side', `${name} cannot be “${shown}”.`, {
      remedy: 'Give an amount and a token, such as "250 USDC", or an NFT, such as "0x…#7" or "4 0x…#3" for 4 pieces.',
    });
  };
}
