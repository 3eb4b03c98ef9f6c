import { memo, type ReactNode } from 'react';
import { Link } from 'wouter';
import { Button } from '../../components/button.tsx';
import { ColumnsMenu } from '../../components/columns-menu.tsx';
import { PageBody, PageHead } from '../../components/page-head.tsx';
import { useDesk } from '../../state/console.tsx';
import { pagePath, STOPS_PATH } from '../../state/pages.ts';
import { pageKeys } from '../../state/shortcuts.ts';
import { FirstStartPage } from '../first-start/first-start-page.tsx';
import { Activity } from './activity.tsx';
import { AttentionList } from './attention-list.tsx';
import { DeskFigures } from './desk-figures.tsx';
import styles from './desk-page.module.css';
import { HaltedPage } from './halted-page.tsx';
import { PairsBlotter, useBlotter } from './pairs-blotter.tsx';

/** The whole desk at a glance; while it is halted, what that means and how it ends. */
export function DeskPage() {
  const halted = useDesk((view) => view.status?.state === 'HALTED');
  const configured = useDesk((view) => view.chains.length > 0);
  const isNew = useDesk((view) => view.status?.isNew === true);
  if (!configured || isNew) return <FirstStartPage />;
  if (halted) return <HaltedPage />;
  return (
    <TradingPage>
      <AttentionList />
      <Activity />
    </TradingPage>
  );
}

/** The pairs, with the choice of their columns in the head of the page; what stands below them is drawn by itself. */
function TradingPage({ children }: { children: ReactNode }) {
  const view = useBlotter();
  return (
    <>
      <PageHead name="Desk">
        <DeskFigures />
        <span className="fill" />
        <ColumnsMenu view={view} />
        <Ways />
      </PageHead>
      <PageBody className={styles.page}>
        <PairsBlotter view={view} />
        {children}
      </PageBody>
    </>
  );
}

/** Where else a trader goes from here. It has nothing that changes, and the page is drawn anew with every price. */
const Ways = memo(function Ways() {
  return (
    <>
      <Button asChild>
        <Link href={STOPS_PATH} title="What was stopped before: when, by whom, why">
          Stops
        </Link>
      </Button>
      <Button asChild look="primary">
        <Link href={pagePath('prices')}>
          Edit prices <kbd>{pageKeys('prices')}</kbd>
        </Link>
      </Button>
    </>
  );
});
