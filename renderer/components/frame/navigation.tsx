import { BookOpen, ChartLine, CircleOff, Contrast, Keyboard, LayoutPanelTop, Tags } from 'lucide-react';
import { Link, useLocation } from 'wouter';
import { useDeskNow } from '../../state/clock.ts';
import { useDesk } from '../../state/console.tsx';
import { PAGES, type Page } from '../../state/pages.ts';
import { toggleTheme, useTheme } from '../../state/theme.ts';
import { clockText, dayText } from '../figures/times.ts';
import { LadderIcon } from './ladder-icon.tsx';

const ICONS = {
  desk: LayoutPanelTop,
  prices: LadderIcon,
  listings: Tags,
  'firm-log': BookOpen,
  fills: ChartLine,
  blacklist: CircleOff,
} as const;

export function Navigation({ onKeys }: { onKeys: () => void }) {
  const theme = useTheme();
  return (
    <nav className="navigation" aria-label="Pages">
      {PAGES.map((page) => (
        <NavigationLink key={page.id} page={page} />
      ))}
      <span className="fill" />
      <button type="button" onClick={onKeys}>
        <Keyboard aria-hidden="true" />
        <span className="text">Keys</span>
        <kbd className="aside">?</kbd>
      </button>
      <button type="button" onClick={toggleTheme} title={`Now ${theme}`}>
        <Contrast aria-hidden="true" />
        <span className="text">Theme</span>
      </button>
      <Foot />
    </nav>
  );
}

function NavigationLink({ page }: { page: Page }) {
  const [location] = useLocation();
  const here = page.path === '/' ? location === '/' : location.startsWith(page.path);
  const Icon = ICONS[page.id];
  return (
    <Link
      href={page.path}
      aria-current={here ? 'page' : undefined}
      title={`${page.name}   G ${page.letter.toUpperCase()}`}
    >
      <Icon aria-hidden="true" />
      <span className="text">{page.name}</span>
      {page.id === 'desk' && <AttentionCount />}
      {page.id === 'prices' && <DraftSign />}
    </Link>
  );
}

function AttentionCount() {
  const count = useDesk((view) => view.attention.filter(({ level }) => level !== 'note').length);
  return count === 0 ? null : <span className="aside muted">{count}</span>;
}

function DraftSign() {
  const drafted = useDesk((view) => view.pairs.some((row) => (row.draftCells ?? 0) > 0));
  return drafted ? <span className="aside draft">draft</span> : null;
}

function Foot() {
  const actor = useDesk((view) => view.actor);
  const now = useDeskNow();
  return (
    <div className="foot">
      <b className="with-mark" title="Your name in the journal">
        {actor === '' ? '—' : actor}
      </b>
      {clockText(now)} UTC · {dayText(now)}
    </div>
  );
}
