import type { Command } from 'commander';
import { networkNamed } from '../book/network-preset.ts';
import { parseDesk } from '../book/parse-desk.ts';
import { readToken } from '../chain/read-token.ts';
import type { Address } from '../protocol/address.ts';
import { parseDecimal } from '../protocol/decimal.ts';
import { DeskError } from '../protocol/desk-error.ts';
import { evenlyBehind, ladderPrices, placesFor, placesIn } from '../protocol/ladder-build.ts';
import type { Level, Token } from '../protocol/wire.ts';
import { keystoreAddress } from '../signer/keystore.ts';
import { readHidden } from './hidden-text.ts';
import { addressOf, amountOf, wholeOf } from './typed-values.ts';
import { printDeskFile } from './write-file.ts';

/** The ladder that a pair begins with: so far apart, so many levels a side. People shape it from there. */
const FIRST = { spreadBps: '10', stepBps: '4', levels: 5, priceDigits: 6 } as const;

interface Options {
  node?: string;
  tokens: Address[];
  pair?: string;
  mid?: string;
  size?: string;
  liquidityUsd?: number;
}

/** A desk file to begin with: what is public about a network, the key of the folder, and tokens as the chain says they are. */
export function addDeskFile(program: Command, folderOf: () => string): void {
  program
    .command('desk-file <network> [file]')
    .description('write a desk file to begin with, from what is public about a network; to stdout without FILE')
    .option(
      '--node <url>',
      'address of a node of the network; one with a key in it belongs in MAKERDESK_NODE, or is typed when asked',
    )
    .requiredOption(
      '--tokens <addresses>',
      'addresses of tokens, joined by commas; the chain says the rest',
      addressesOf,
    )
    .option('--pair <id>', 'a pair of two of them, such as WETH/USDC, with its first ladder')
    .option('--mid <price>', 'the middle of that ladder, quote tokens for one base token', amountOf)
    .option('--size <amount>', 'base tokens of each of its levels', amountOf)
    .option('--liquidity-usd <dollars>', 'what the service is told that the pair can take', dollarsOf)
    .action(async (network: string, file: string | undefined, options: Options) => {
      const preset = networkNamed(network);
      const { chainId } = preset;
      const pair = pairOf(options);
      const rpcUrl = nodeUrlOf(options.node ?? (await hiddenNode()));
      const signer = await keystoreAddress(folderOf());
      const tokens = await tokensOf({ rpcUrl, chainId }, options.tokens);
      const chain = { ...preset, basePath: `/${chainId}`, rpcUrl, maker: signer, signer, tokens, ...pair };
      const desk = { version: 1, chains: [chain], counterparties: [] };
      parseDesk(desk); // what is written can be imported
      await printDeskFile(desk, file);
    });
}

function hiddenNode(): Promise<string> {
  return readHidden({
    variable: 'MAKERDESK_NODE',
    question: 'Address of the node',
    code: 'no_node',
    remedy: 'Give it with --node URL; where a key is in it, set MAKERDESK_NODE.',
  });
}

function nodeUrlOf(text: string): string {
  const url = URL.parse(text.trim());
  if (url !== null && /^(https?|wss?):$/.test(url.protocol)) return url.href;
  // What was typed may have a key in it.
  throw new DeskError('bad_url', 'This is not the address of a node.', {
    remedy: 'Give one such as https://node.example or ws://127.0.0.1:8546.',
  });
}

function addressesOf(text: string): Address[] {
  return text.split(',').map((one) => addressOf(one.trim().toLowerCase(), '--tokens'));
}

function dollarsOf(text: string): number {
  return wholeOf(text, '--liquidity-usd', 'bad_amount');
}

/** The one pair with its ladder, or none. Throws DeskError `bad_option` where a part is missing, `cannot_build`. */
function pairOf({ pair, mid, size, liquidityUsd }: Options) {
  const given = [pair, mid, size, liquidityUsd];
  if (given.every((one) => one === undefined)) return { pairs: {}, prices: {} };
  if (pair === undefined || mid === undefined || size === undefined || liquidityUsd === undefined) {
    throw new DeskError('bad_option', 'A pair takes all of --pair, --mid, --size and --liquidity-usd.', {
      remedy: 'Give the missing ones, or none of them and add pairs afterwards.',
    });
  }
  const [base = '', quote = ''] = pair.split('/');
  const middle = parseDecimal(mid);
  const behind = evenlyBehind(FIRST.stepBps, FIRST.levels);
  const prices = ladderPrices({
    mid: middle,
    spreadBps: FIRST.spreadBps,
    behind: { bids: behind, asks: behind },
    pricePlaces: Math.max(placesIn(mid), placesFor(middle, FIRST.priceDigits)),
  });
  const levels = (side: readonly string[]) => side.map((price): Level => [price, size]);
  return {
    pairs: { [pair]: { base, quote, liquidityUSD: liquidityUsd } },
    prices: { [pair]: { bids: levels(prices.bids), asks: levels(prices.asks) } },
  };
}

/** By token ID, which is the symbol, with a part of the address behind it where two have the same. Throws DeskError `unknown_token`. */
async function tokensOf(
  node: { rpcUrl: string; chainId: number },
  addresses: readonly Address[],
): Promise<Record<string, Token>> {
  const tokens = new Map<string, Token>();
  for (const address of new Set(addresses)) {
    const { symbol, name, decimals } = await readToken({ ...node, address });
    if (symbol === null || decimals === null) {
      throw new DeskError('unknown_token', `No token answers at ${address}.`, {
        remedy: 'Perhaps the address was copied from another chain.',
      });
    }
    const tokenId = tokens.has(symbol) ? `${symbol}-${address.slice(2, 6)}` : symbol;
    tokens.set(tokenId, { symbol, name: name ?? symbol, address, decimals, type: 'ERC20' });
  }
  return Object.fromEntries(tokens);
}
