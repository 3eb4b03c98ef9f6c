import {
  Activity,
  AppWindow,
  ArrowLeftRight,
  BookOpen,
  ChartColumn,
  ChartLine,
  CircleOff,
  Contrast,
  FileText,
  FlaskConical,
  History,
  Keyboard,
  LayoutPanelTop,
  Network,
  Search,
  Server,
  Shield,
  SlidersHorizontal,
  Split,
  Tags,
  UsersRound,
} from 'lucide-react';
import type { SVGProps } from 'react';
import { Link, useLocation } from 'wouter';
import { lostOf } from '../../../electron/contract/fleet.ts';
import { useAutoCounts } from '../../state/auto-hedge.ts';
import { useDeskNow } from '../../state/clock.ts';
import { useConsole, useDesk } from '../../state/console.tsx';
import { PAGES, type Page, pagePath, STOPS_PATH } from '../../state/pages.ts';
import { rightsText } from '../../state/rights.ts';
import { ariaKeys, keysText, pageKeys } from '../../state/shortcuts.ts';
import { toggleTheme, useTheme } from '../../state/theme.ts';
import { zoneName } from '../../state/time-zone.ts';
import { openWindow } from '../../state/windows.ts';
import { clockText, dayText } from '../figures/times.ts';
import { Key } from '../key.tsx';
import styles from './navigation.module.css';

const ICONS = {
  desk: LayoutPanelTop,
  prices: LadderIcon,
  listings: Tags,
  'firm-log': BookOpen,
  fills: ChartLine,
  results: ChartColumn,
  handover: FileText,
  journal: History,
  'what-if': Split,
  blacklist: CircleOff,
  hedge: ArrowLeftRight,
  protections: Shield,
  approvals: UsersRound,
  fleet: Network,
  service: Activity,
  practice: FlaskConical,
  settings: SlidersHorizontal,
} as const;

const GROUPS = ['trade', 'run'] as const;
const OF_DESK = [pagePath('desk'), STOPS_PATH];

/** `isShut`: there is no desk to show yet, so its pages lead nowhere. */
export function Navigation(props: { onSearch: () => void; onKeys: () => void; isShut: boolean }) {
  const { onSearch, onKeys, isShut } = props;
  const theme = useTheme();
  const { showDesks } = useConsole();
  // Before the desk has spoken everything is where it will be for most.
  const mayLook = useDesk((view) => view.status === null || view.may.includes('look'));
  const isAlone = useDesk((view) => view.fleet === null);
  const isShown = ({ id }: Page) => id === 'desk' || (mayLook && (id !== 'fleet' || !isAlone));
  return (
    <nav className={styles.navigation} aria-label="Pages">
      {GROUPS.map((group) => (
        <div key={group} className={styles.group} inert={isShut}>
          {PAGES.filter((page) => page.group === group && isShown(page)).map((page) => (
            <NavigationLink key={page.id} page={page} />
          ))}
        </div>
      ))}
      <span className="fill" />
      <button
        type="button"
        onClick={onSearch}
        disabled={isShut}
        title={`Search every action and pair   ${keysText('search')}`}
        aria-keyshortcuts={ariaKeys('search')}
      >
        <Search aria-hidden="true" />
        <span className={styles.text}>Search</span>
        <Key of="search" className={styles.aside} />
      </button>
      <button
        type="button"
        onClick={onKeys}
        title={`The keys   ${keysText('keys')}`}
        aria-keyshortcuts={ariaKeys('keys')}
      >
        <Keyboard aria-hidden="true" />
        <span className={styles.text}>Keys</span>
        <Key of="keys" className={styles.aside} />
      </button>
      <button
        type="button"
        onClick={openWindow}
        disabled={isShut}
        title={`This page in one more window   ${keysText('window')}`}
        aria-keyshortcuts={ariaKeys('window')}
      >
        <AppWindow aria-hidden="true" />
        <span className={styles.text}>New window</span>
      </button>
      {showDesks !== null && (
        <button type="button" onClick={showDesks} title="The desks elsewhere, and one HALT ALL">
          <Server aria-hidden="true" />
          <span className={styles.text}>Desks…</span>
        </button>
      )}
      <button type="button" onClick={toggleTheme} title={theme === 'system' ? 'As the system has it' : `Now ${theme}`}>
        <Contrast aria-hidden="true" />
        <span className={styles.text}>Theme</span>
      </button>
      <Foot />
    </nav>
  );
}

function NavigationLink({ page }: { page: Page }) {
  const [location] = useLocation();
  const here = page.path === '/' ? OF_DESK.includes(location) : location.startsWith(page.path);
  const Icon = ICONS[page.id];
  return (
    <Link href={page.path} aria-current={here ? 'page' : undefined} title={`${page.name}   ${pageKeys(page.id)}`}>
      <Icon aria-hidden="true" />
      <span className={styles.text}>{page.name}</span>
      {page.id === 'desk' && <AttentionCount />}
      {page.id === 'prices' && <DraftSign />}
      {page.id === 'hedge' && <AutoSign />}
      {page.id === 'protections' && <TripCount />}
      {page.id === 'approvals' && <WaitingCount />}
      {page.id === 'fleet' && <LostCount />}
    </Link>
  );
}

function AttentionCount() {
  const count = useDesk((view) => view.attention.filter(({ level }) => level !== 'note').length);
  return count === 0 ? null : <span className={`${styles.aside} ${styles.count} muted`}>{count}</span>;
}

/** How much waits for a second person. */
function WaitingCount() {
  const count = useDesk((view) => view.approvals.waiting.length);
  return count === 0 ? null : <span className={`${styles.aside} ${styles.count} attn`}>{count}</span>;
}

/** Surfaces that should serve and do not, and standbys that are not heard: LIVE does not say so. */
function LostCount() {
  const count = useDesk(({ fleet }) => (fleet === null ? 0 : lostOf(fleet)));
  return count === 0 ? null : <span className={`${styles.aside} ${styles.count} attn`}>{count}</span>;
}

function DraftSign() {
  const drafted = useDesk((view) => view.pairs.some((row) => (row.draftCells ?? 0) > 0));
  return drafted ? <span className={`${styles.aside} draft`}>draft</span> : null;
}

/** What places hedges without a person is said on every page. */
function AutoSign() {
  const { on, dry } = useAutoCounts();
  if (on > 0) return <span className={`${styles.aside} ok`}>auto</span>;
  return dry > 0 ? <span className={`${styles.aside} muted`}>dry run</span> : null;
}

/** What a protection has frozen. */
function TripCount() {
  const count = useDesk((view) => view.attention.filter(({ code }) => code.startsWith('protection ')).length);
  return count === 0 ? null : <span className={`${styles.aside} ${styles.count} stop strong`}>{count}</span>;
}

function Foot() {
  const actor = useDesk((view) => view.actor);
  const may = useDesk((view) => view.may);
  const now = useDeskNow();
  return (
    <div className={styles.foot}>
      <b className="with-mark" title="Your name in the journal">
        {actor === '' ? '—' : actor}
      </b>
      {actor !== '' && !may.includes('admin') && (
        <span className={styles.may} title="What you may do here; HALT always">
          {rightsText(may)}
        </span>
      )}
      {clockText(now)} {zoneName(now)} · {dayText(now)}
    </div>
  );
}

/** A ladder of prices: rungs of different length on both sides of a pole. */
function LadderIcon(props: SVGProps<SVGSVGElement>) {
  return (
    <svg
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      aria-hidden="true"
      {...props}
    >
      <path d="M12 3v18M8 6h4M5 12h7M7 18h5M12 9h4M12 15h7" />
    </svg>
  );
}
