import type { Command } from 'commander';
import type { Storage } from '../contract/archived.ts';
import { isoTime } from '../contract/names.ts';
import { plain } from '../contract/plain-text.ts';
import type { SourceLine } from '../contract/sources.ts';
import type { ShownState, Status } from '../contract/trading.ts';
import { alertText } from './alerts.ts';
import { type DeskNow, deskNow } from './desk-now.ts';
import { unknownScope } from './known-scope.ts';
import { print } from './print.ts';
import { stillLiveText } from './still-live-text.ts';
import { amountText } from './table.ts';
import { chainIdOf } from './typed-values.ts';
import { type DeskPlace, withDesk } from './with-desk.ts';

export function addStatus(program: Command, placeOf: () => DeskPlace, actor: string): void {
  program
    .command('status')
    .description('what trades and what does not')
    .option('--json', 'as one JSON document')
    .option('--chain <id>', 'only this chain', chainIdOf)
    .option('--pair <id>', 'only this pair')
    .action(async (options: { json?: boolean; chain?: number; pair?: string }) => {
      const place = placeOf();
      await withDesk(place, actor, async (desk, running) => {
        const unknown = await unknownScope(desk, options);
        if (unknown !== null) throw unknown;
        const status = narrowed(await desk.trading.status(), options);
        const isHalted = status.state === 'HALTED' || status.chains.some(({ state }) => state === 'HALTED');
        // Only while something is halted: what can still be used of everything signed, null when that cannot be told.
        const { chain: chainId } = options;
        const stillLive = isHalted ? await desk.onChain.stillLive({ chainId }).catch(() => null) : undefined;
        const now = of(await deskNow(desk), options);
        const storage = await desk.desk.storage().catch(() => null);
        const { sources, references } = await desk.service
          .sources({ chainId, pair: options.pair })
          .catch(() => ({ sources: [], references: [] }));
        if (options.json) {
          const all = { ...status, running, stillLive, ...now, storage, sources, references };
          await print(`${JSON.stringify(all, null, 2)}\n`);
          return;
        }
        const live = stillLive ? stillLiveText(stillLive) : '';
        const room = storage === null ? '' : storageText(storage);
        const heard = running ? sources.map(sourceText).join('') : '';
        await print(
          `${inWords(status, now, running, place)}${heard}${live}${room}${now.alerts.map(alertText).join('')}`,
        );
      });
    });
}

function narrowed(status: Status, options: { chain?: number; pair?: string }): Status {
  const chains = status.chains.filter((chain) => options.chain === undefined || chain.chainId === options.chain);
  const { pair } = options;
  if (pair === undefined) return { ...status, chains };
  const only = (pairs: Status['chains'][number]['pairs']) =>
    Object.fromEntries(Object.entries(pairs).filter(([id]) => id === pair));
  return { ...status, chains: chains.map((chain) => ({ ...chain, pairs: only(chain.pairs) })) };
}

/** What is told of one chain or pair alone; what needs attention is told whole. */
function of({ exposure, alerts, unquoted }: DeskNow, { chain, pair }: { chain?: number; pair?: string }): DeskNow {
  const isMeant = (row: { chainId: number }) => chain === undefined || row.chainId === chain;
  return {
    exposure: exposure.filter(isMeant),
    alerts,
    unquoted: unquoted.filter((row) => isMeant(row) && (pair === undefined || row.pair === pair)),
  };
}

function inWords(status: Status, now: DeskNow, running: boolean, place: DeskPlace): string {
  const since = isoTime(status.since);
  const why = [status.actor && `by ${status.actor}`, status.reason && `“${status.reason}”`].filter(Boolean).join(', ');
  const absent = `No desk runs in ${place}: nothing is served and nothing signed. As it was left, and as a start finds it:`;
  const lines = [...(running ? [] : [absent]), plain(`${status.state} since ${since}${why ? ` ${why}` : ''}`)];
  for (const { title, detail } of status.alarms ?? []) lines.push(plain(`  ALARM: ${title}. ${detail}`));
  for (const chain of status.chains) {
    const { chainId, closed, state } = chain;
    const why = chain.why ?? closed;
    // What is closed is not called LIVE: it quotes nothing, although nobody stopped it.
    const shown = (word: ShownState) => (word === 'LIVE' && closed !== null ? 'CLOSED' : word);
    lines.push(plain(`  chain ${chainId}: ${shown(state)}${why ? `, closed: ${why}` : ''}`));
    for (const row of now.exposure.filter((one) => one.chainId === chainId && one.live !== '0')) {
      const until = row.zeroAt === null ? '' : `, until ${isoTime(row.zeroAt)}`;
      const symbol = plain(row.tokenId);
      lines.push(`    signed and live: ${amountText(row.live, { symbol, decimals: row.decimals })}${until}`);
    }
    for (const [pair, word] of Object.entries(chain.pairs)) {
      const kept = word === 'CLOSED' ? chain.closedPairs?.[pair]?.why : undefined;
      const found = now.unquoted.find((row) => row.chainId === chainId && row.pair === pair);
      const said = shown(word) === 'LIVE' && running ? unquotedText(found) : kept === undefined ? '' : `, ${kept}`;
      lines.push(plain(`    ${pair}: ${shown(word)}${said}`));
    }
  }
  return `${lines.join('\n')}\n`;
}

function sourceText({ chainId, name, kind, lastAt, updates, fault }: SourceLine): string {
  const last = lastAt === null ? 'nothing heard yet' : `last heard ${isoTime(lastAt)}`;
  const how = `${last}, ${updates} ${updates === 1 ? 'update' : 'updates'} in ten seconds`;
  return `${plain(`  source ${name} of chain ${chainId} (${kind}): ${how}${fault === null ? '' : `; ${fault}`}`)}\n`;
}

function storageText({ bytes, free, since, ...storage }: Storage): string {
  const [first, until] = [since, storage.archivedUntil].map((at) => (at === null ? '' : isoTime(at)));
  const room = `  journal: ${megabytes(bytes - free)} MB${first === '' ? '' : ` since ${first}`}`;
  const { archives, archivedRows, archivedBytes, missing } = storage;
  if (archives === 0) return `${room}, nothing archived\n`;
  const gone = missing.length === 0 ? '' : plain(`; missing or cut off: ${missing.join(', ')}`);
  const files = `${archives} ${archives === 1 ? 'archive' : 'archives'}`;
  return `${room}; ${archivedRows} quotes until ${until} in ${files} of ${megabytes(archivedBytes)} MB${gone}\n`;
}

/** In tenths, rounded up. */
function megabytes(bytes: number): string {
  return (Math.ceil(bytes / 1e5) / 10).toFixed(1);
}

function unquotedText(why: DeskNow['unquoted'][number] | undefined): string {
  if (why === undefined) return '';
  const { bids, asks } = why;
  if (bids === asks) return `, not quoted: ${bids}`;
  return [bids && `, bids not quoted: ${bids}`, asks && `, asks not quoted: ${asks}`].filter(Boolean).join('');
}
