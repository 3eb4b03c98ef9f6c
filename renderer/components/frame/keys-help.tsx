import { PAGES } from '../../state/pages.ts';
import { Dialog } from '../dialog.tsx';

const LETTERS = PAGES.map((page) => page.letter.toUpperCase()).join(' ');

const KEYS: readonly { where: string; keys: readonly (readonly [string, string])[] }[] = [
  {
    where: 'Everywhere',
    keys: [
      ['Ctrl Shift H', 'halt everything'],
      ['Ctrl Shift D', 'drain: no grid, 10 s more quotes, then halted'],
      [`G, then ${LETTERS}`, PAGES.map((page) => page.name).join(', ')],
      ['Ctrl K', 'search every action, pair and page'],
      ['/', 'filter this page'],
      ['?', 'these keys'],
      ['Esc', 'close, innermost first'],
    ],
  },
  {
    where: 'Prices',
    keys: [
      ['← ↑ ↓ →  Tab', 'move between cells, with Shift select'],
      ['Home  End', 'first, last cell of the row; with Ctrl of the ladder'],
      ['Ctrl A', 'select the whole ladder'],
      ['/', 'find a pair'],
      ['0–9  F2  Enter', 'type over, edit, take and go down'],
      ['+5  -2bp  *1.25', 'typed into a cell: change its own value'],
      ['[  ]', 'one basis point down, up; with Shift ten'],
      ['Ins  Del', 'add a level, remove the selected ones'],
      ['Ctrl C  V  Z  Y', 'copy and paste a range, undo, redo'],
      ['Ctrl Enter', 'publish'],
      ['Esc Esc', 'discard the draft'],
      ['Alt 1…9', 'pair'],
    ],
  },
  {
    where: 'Firm log',
    keys: [
      ['J  K', 'next, previous row'],
      ['Enter', 'open the row'],
      ['X', 'X-ray of the row, close it'],
      ['C', 'copy the bundle of the open row'],
      ['Space', 'hold the live tail, let it go'],
    ],
  },
  {
    where: 'Hedge',
    keys: [
      ['J  K', 'next, previous unhedged fill; Space chooses it'],
      ['/', 'the amount'],
      ['Alt 1…6', 'way: market, intent, limit, TWAP, handler, productive'],
      ['Ctrl Enter', 'do what the button says'],
    ],
  },
  {
    where: 'Fills, on a handle of the time bar',
    keys: [
      ['←  →', 'one bar; with Shift or Page keys ten'],
      ['Home  End', 'to the begin, to now'],
      ['Esc', 'all of it again'],
    ],
  },
];

export function KeysHelp({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keys" onClose={onClose} className="keys-dialog">
      {KEYS.map(({ where, keys }) => (
        <section key={where} className="keys">
          <h3 className="label">{where}</h3>
          <dl>
            {keys.map(([key, does]) => (
              <div key={key}>
                <dt>
                  <kbd>{key}</kbd>
                </dt>
                <dd className="muted">{does}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </Dialog>
  );
}
