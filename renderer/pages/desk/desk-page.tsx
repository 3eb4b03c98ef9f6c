import './desk.css';
import { Link } from 'wouter';
import { PageHead } from '../../components/page-head.tsx';
import { useDesk } from '../../state/console.tsx';
import { pagePath, STOPS_PATH } from '../../state/pages.ts';
import { pageKeys } from '../../state/shortcuts.ts';
import { SetupPage } from '../setup/setup-page.tsx';
import { Activity } from './activity.tsx';
import { AttentionList } from './attention-list.tsx';
import { DeskFigures } from './desk-figures.tsx';
import { HaltedPage } from './halted-page.tsx';
import { PairsBlotter } from './pairs-blotter.tsx';

/** The whole desk at a glance; while it is halted, what that means and how it ends. */
export function DeskPage() {
  const halted = useDesk((view) => view.status?.state === 'HALTED');
  const configured = useDesk((view) => view.chains.length > 0);
  if (!configured) return <SetupPage />;
  if (halted) return <HaltedPage />;
  return (
    <>
      <PageHead name="Desk">
        <DeskFigures />
        <span className="fill" />
        <Link href={STOPS_PATH} className="button plain" title="What was stopped before: when, by whom, why">
          Stops
        </Link>
        <Link href={pagePath('prices')} className="button is-primary plain">
          Edit prices <kbd>{pageKeys('prices')}</kbd>
        </Link>
      </PageHead>
      <div className="page-body desk-page">
        <PairsBlotter />
        <AttentionList />
        <Activity />
      </div>
    </>
  );
}
