import { Command } from 'cmdk';
import { ArrowRight, Search, Zap } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import type { Scope } from '../../../electron/contract/trading.ts';
import { RepriceDialog } from '../../pages/prices/reprice-dialog.tsx';
import { useClient, useConsole } from '../../state/console.tsx';
import { useNames } from '../../state/names.tsx';
import {
  markedParts,
  type PaletteCommand,
  type PaletteDeed,
  paletteCommands,
  searchCommands,
} from '../../state/palette-commands.ts';
import { refusalOf } from '../../state/refusal-of.ts';
import { keysText } from '../../state/shortcuts.ts';
import { toggleTheme } from '../../state/theme.ts';
import { typedCommands } from '../../state/typed-commands.ts';
import { useDrain } from '../../state/use-drain.ts';
import { openWindow } from '../../state/windows.ts';
import { Dialog } from '../dialog.tsx';
import { Key } from '../key.tsx';
import { ResumeDialog } from '../resume-dialog.tsx';
import styles from './palette.module.css';

const ICONS = { Actions: Zap, 'Go to': ArrowRight, Figures: ArrowRight } as const;

/** Every action and every pair by a few letters. It shows the desk as it was when it was opened: no line moves meanwhile. */
export function Palette({ onDo, onClose }: { onDo: (deed: PaletteDeed) => void; onClose: () => void }) {
  const { desk } = useConsole();
  const names = useNames();
  const [search, setSearch] = useState('');
  const commands = useMemo(() => paletteCommands(desk.view()), [desk]);
  const groups = useMemo(() => {
    const typed = typedCommands(desk.view(), search, names);
    const found = searchCommands(commands, search);
    const [first] = typed;
    return first === undefined ? found : [{ group: 'As typed', commands: typed } as const, ...found];
  }, [desk, commands, search, names]);
  return (
    <Dialog title="Search" hideTitle onClose={onClose} className={styles.palette}>
      <Command shouldFilter={false} label="Every action and every pair" loop>
        <div className={styles.field}>
          <Search aria-hidden="true" />
          <Command.Input
            autoFocus
            value={search}
            onValueChange={setSearch}
            placeholder="An action, a pair, a user, a hash, WETH +5bp"
            aria-label="Search actions, pairs and pages"
          />
          <Key of="close" />
        </div>
        <Command.List label="Found">
          {groups.length === 0 && <p className={styles.none}>Nothing is called that. Try a pair, a page or “halt”.</p>}
          {groups.map(({ group, commands: found }) => (
            <Command.Group key={group} heading={group}>
              {found.map((command) => (
                <Line key={command.id} command={command} search={search} onDo={onDo} />
              ))}
            </Command.Group>
          ))}
        </Command.List>
        <div className={styles.foot}>
          <span>
            <kbd>↑</kbd> <kbd>↓</kbd> choose
          </span>
          <span>
            <kbd>Enter</kbd> do it
          </span>
          <span className="fill" />
          <span>
            <b>{keysText('halt')}</b> halts, from here too
          </span>
        </div>
      </Command>
    </Dialog>
  );
}

function Line(props: { command: PaletteCommand; search: string; onDo: (deed: PaletteDeed) => void }) {
  const { command, search, onDo } = props;
  const Icon = ICONS[command.group];
  return (
    <Command.Item value={command.id} onSelect={() => onDo(command.deed)}>
      <Icon aria-hidden="true" />
      <span className={styles.text}>
        {markedParts(command.text, search).map(({ part, marked, at }) =>
          marked ? <mark key={at}>{part}</mark> : <span key={at}>{part}</span>,
        )}
      </span>
      <span className={styles.aside}>{command.aside}</span>
      {command.keys !== undefined && <kbd>{command.keys}</kbd>}
    </Command.Item>
  );
}

/** The palette, and the question that a start from it asks. */
export function PaletteLayer({ open, onKeys, onClose }: { open: boolean; onKeys: () => void; onClose: () => void }) {
  const { halt, toasts } = useConsole();
  const client = useClient();
  const [, navigate] = useLocation();
  const drain = useDrain();
  const [starting, setStarting] = useState<{ scope: Scope; what: string } | null>(null);

  const [repricing, setRepricing] = useState<string | null>(null);

  const stop = (scope: Scope) => {
    if (scope.chainId === undefined) return halt.now();
    halt.scope(scope).catch(halt.notStopped);
  };
  const lock = () => {
    client.key.lock().catch((error: unknown) => {
      const { sentence, remedy } = refusalOf(error);
      toasts.show({ level: 'stop', title: `Not locked: ${sentence}`, detail: remedy });
    });
  };
  const perform = (deed: PaletteDeed) => {
    onClose();
    if (deed.kind === 'go') navigate(deed.path);
    else if (deed.kind === 'halt') stop(deed.scope);
    else if (deed.kind === 'drain') drain(deed.scope);
    else if (deed.kind === 'resume') setStarting(deed);
    else if (deed.kind === 'reprice') setRepricing(deed.text);
    else if (deed.kind === 'lock') lock();
    else if (deed.kind === 'theme') toggleTheme();
    else if (deed.kind === 'window') openWindow();
    else onKeys();
  };
  return (
    <>
      {open && <Palette onDo={perform} onClose={onClose} />}
      {repricing !== null && <RepriceDialog text={repricing} onClose={() => setRepricing(null)} />}
      {starting !== null && <ResumeDialog {...starting} onClose={() => setStarting(null)} />}
    </>
  );
}
