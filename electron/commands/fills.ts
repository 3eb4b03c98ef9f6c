import type { Command } from 'commander';
import { type NamesOf, namesOf } from '../contract/given-names.ts';
import { MARKOUT_NAMES, MARKS, type Mark, signedBpsText } from '../contract/marks.ts';
import { isoTime } from '../contract/names.ts';
import { type MarkedFill, type Nft, nftText } from '../contract/quote-log.ts';
import type { DeskClient } from '../desk/desk-line.ts';
import type { Token } from '../protocol/wire.ts';
import { unknownScope } from './known-scope.ts';
import { print } from './print.ts';
import { amountText, tableText } from './table.ts';
import { chainIdOf, limitOf, timeOf } from './typed-values.ts';
import { type DeskPlace, withDesk } from './with-desk.ts';

interface FillsOptions {
  json?: boolean;
  since?: number;
  chain?: number;
  pair?: string;
  limit: number;
}

const USUAL = 50;
const PAGE = 1_000;

/** What was filled, with what each fill was worth against the reference, newest first. */
export function addFills(program: Command, placeOf: () => DeskPlace, actor: string): void {
  program
    .command('fills')
    .description('what was filled, and what each fill was worth against the reference, newest first')
    .option('--json', 'as a JSON array, amounts in raw units')
    .option('--since <time>', 'only from this time on, ISO 8601', (text: string) => timeOf(text, '--since'))
    .option('--chain <id>', 'only this chain', chainIdOf)
    .option('--pair <id>', 'only this pair')
    .option('--limit <n>', 'at most this many', limitOf, USUAL)
    .action(async (options: FillsOptions) => {
      await withDesk(placeOf(), actor, async (desk) => {
        const unknown = await unknownScope(desk, options);
        const fills = await newest(desk, options);
        if (unknown !== null && fills.length === 0) throw unknown;
        const names = namesOf(await desk.names.list());
        if (options.json)
          await print(
            `${JSON.stringify(
              fills.map((fill) => timed(fill, names)),
              null,
              2,
            )}\n`,
          );
        else await print(fills.length === 0 ? 'No fills.\n' : await table(desk, fills, names));
      });
    });
}

async function newest(desk: DeskClient, { since = 0, chain, pair, limit }: FillsOptions): Promise<MarkedFill[]> {
  const fills: MarkedFill[] = [];
  for (let more = true; more && fills.length < limit; ) {
    const last = fills.at(-1);
    const asked = Math.min(PAGE, limit - fills.length);
    const page = await desk.fills.list({
      since,
      until: Number.MAX_SAFE_INTEGER,
      chainId: chain,
      pair,
      limit: asked,
      ...(last !== undefined && { before: { time: last.time, seq: last.seq } }),
    });
    fills.push(...page);
    more = page.length === asked;
  }
  return fills;
}

/** A fill that cannot be shown has its place and time alone. */
function timed({ time, ...fill }: MarkedFill, names: NamesOf) {
  const { seq, chainId, unreadable } = fill;
  return unreadable === undefined
    ? { time: isoTime(time), ...fill, userName: names.user(fill.userAddress) ?? null }
    : { time: isoTime(time), seq, chainId, unreadable };
}

async function table(desk: DeskClient, fills: readonly MarkedFill[], names: NamesOf): Promise<string> {
  const tokens = new Map<string, Token>();
  for (const chainId of new Set(fills.map((fill) => fill.chainId))) {
    // A chain that was taken off the desk lists nothing any more: its amounts are told in raw units.
    const listed = await desk.listings.list({ chainId }).catch(() => null);
    for (const token of Object.values(listed?.tokens ?? {})) tokens.set(`${chainId} ${token.address}`, token);
  }
  const amount = ({ chainId, unreadable }: MarkedFill, raw: string, asset: string, nft: Nft | undefined) => {
    if (unreadable !== undefined) return '';
    return nft === undefined ? amountText(raw, tokens.get(`${chainId} ${asset}`)) : nftText(nft, raw);
  };
  return tableText<MarkedFill>(
    [
      { head: 'Time, UTC', cell: ({ time }) => isoTime(time) },
      { head: 'Chain', cell: ({ chainId }) => `${chainId}`, right: true },
      {
        head: 'Pair',
        cell: (fill) =>
          fill.unreadable === undefined
            ? (fill.pair ?? (fill.quoteSeq === null ? 'not ours' : 'by hand'))
            : broken(fill),
      },
      { head: 'We', cell: ({ side }) => (side === null ? '' : side === 'bids' ? 'buy' : 'sell') },
      { head: 'Gave', cell: (fill) => amount(fill, fill.makerAmount, fill.makerAsset, fill.makerNft), right: true },
      { head: 'Got', cell: (fill) => amount(fill, fill.takerAmount, fill.takerAsset, fill.takerNft), right: true },
      { head: 'Price', cell: ({ price }) => price ?? '', right: true },
      { head: 'Reference', cell: ({ reference }) => reference ?? '', right: true },
      { head: 'Edge, bps', cell: ({ edge }) => bps(edge), right: true },
      ...MARKOUT_NAMES.filter((name) => !MARKS[name].spare).map((name) => ({
        head: MARKS[name].text,
        cell: (fill: MarkedFill) => bps(fill[name]),
        right: true,
      })),
      { head: 'Edge, $', cell: ({ edgeUsd }) => edgeUsd ?? '', right: true },
      {
        head: 'User',
        cell: ({ userAddress }) => [names.user(userAddress), userAddress].filter(Boolean).join(' '),
      },
      {
        head: 'Transaction',
        cell: ({ transactionHash, reverted }) => transactionHash + (reverted ? ' taken back' : ''),
      },
    ],
    fills,
  );
}

function broken({ seq, unreadable }: MarkedFill): string {
  return `row ${seq} cannot be shown: ${unreadable}`;
}

function bps(mark: Mark): string {
  if (mark === null) return '';
  if (mark === 'not_yet') return 'not yet';
  return signedBpsText(mark);
}
