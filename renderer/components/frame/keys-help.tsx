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
      ['/', 'filter this page'],
      ['?', 'these keys'],
      ['Esc', 'close, innermost first'],
    ],
  },
  {
    where: 'Prices',
    keys: [
      ['← ↑ ↓ →  Tab', 'move between cells, with Shift select'],
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
      ['Space', 'hold the live tail, let it go'],
    ],
  },
];

export function KeysHelp({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keys" onClose={onClose}>
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
