import { shortenedHex } from '../pages/firm-log/log-filter.ts';
import type { DeskView } from './live-desk.ts';
import { type Names, usersCalled, userText } from './names.tsx';
import { fillsPath, pagePath } from './pages.ts';
import type { PaletteCommand } from './palette-commands.ts';
import { readReprice, repriceText } from './reprice.ts';

const ADDRESS = /^0x[0-9a-f]{40}$/i;
const MOST_USERS = 3;
const HASH = /^0x[0-9a-f]{64}$/i;

/** What the search itself means where it is no name of anything: a change of prices, an address, a hash, both as they stand shortened on the screen too, the name of a user. Best first. */
export function typedCommands(view: DeskView, search: string, names: Names): PaletteCommand[] {
  const text = search.trim();
  if (ADDRESS.test(text)) {
    const user = text.toLowerCase() as `0x${string}`;
    return ofUser(user, names.user(user) === undefined ? user : userText(names, user));
  }
  if (HASH.test(text)) {
    return [go(`hash ${text}`, `Find ${text}`, 'order or transaction in the firm log', logPath(text.toLowerCase()))];
  }
  const hex = shortenedHex(text);
  if (hex !== null) {
    const { starts, ends } = hex;
    const named = names.given.filter(({ of, id }) => of === 'user' && id.startsWith(starts) && id.endsWith(ends));
    return [
      go(
        `quotes ${text}`,
        `Quotes of ${text}`,
        'order hashes and users that begin and end so',
        logPath(text.toLowerCase()),
      ),
      ...named.slice(0, MOST_USERS).flatMap(({ id }) => ofUser(id as `0x${string}`, userText(names, id))),
    ];
  }
  const order = readReprice(text, view.listed);
  if (order === null || 'fault' in order) {
    return usersCalled(names.given, text)
      .slice(0, MOST_USERS)
      .flatMap(({ id }) => ofUser(id as `0x${string}`, userText(names, id)));
  }
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

/** What can be seen of one user. */
function ofUser(user: `0x${string}`, text: string): PaletteCommand[] {
  return [
    go(`quotes ${user}`, `Quotes of ${text}`, 'this user in the firm log', logPath(user)),
    go(`fills ${user}`, `Fills of ${text}`, 'this user, all time', fillsPath({ since: 0, until: null, user })),
  ];
}

function go(id: string, text: string, aside: string, path: string): PaletteCommand {
  return { id, group: 'Go to', text, aside, deed: { kind: 'go', path } };
}

function logPath(search: string): string {
  return `${pagePath('firm-log')}?${new URLSearchParams({ search })}`;
}
