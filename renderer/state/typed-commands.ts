import type { DeskView } from './live-desk.ts';
import { fillsPath, pagePath } from './pages.ts';
import type { PaletteCommand } from './palette-commands.ts';
import { readReprice, repriceText } from './reprice.ts';

const ADDRESS = /^0x[0-9a-f]{40}$/i;
const HASH = /^0x[0-9a-f]{64}$/i;

/** What the search itself means where it is no name of anything: a change of prices, an address, a hash. Best first. */
export function typedCommands(view: DeskView, search: string): PaletteCommand[] {
  const text = search.trim();
  if (ADDRESS.test(text)) {
    const user = text.toLowerCase() as `0x${string}`;
    return [
      go(`quotes ${user}`, `Quotes of ${text}`, 'user, taker or token in the firm log', logPath(user)),
      go(`fills ${user}`, `Fills of ${text}`, 'this user, all time', fillsPath({ since: 0, until: null, user })),
    ];
  }
  if (HASH.test(text)) {
    return [go(`hash ${text}`, `Find ${text}`, 'order or transaction in the firm log', logPath(text.toLowerCase()))];
  }
  const order = readReprice(text, view.listed);
  if (order === null || 'fault' in order) return [];
  return [
    {
      id: 'reprice typed',
      group: 'Actions',
      text: `${repriceText(order)}…`,
      aside: 'shown pair by pair before anything changes',
      deed: { kind: 'reprice', text },
    },
  ];
}

function go(id: string, text: string, aside: string, path: string): PaletteCommand {
  return { id, group: 'Go to', text, aside, deed: { kind: 'go', path } };
}

function logPath(search: string): string {
  return `${pagePath('firm-log')}?${new URLSearchParams({ search })}`;
}
