import { Empty } from '../../components/empty.tsx';
import { PageBody, PageHead } from '../../components/page-head.tsx';
import { Panel } from '../../components/panel.tsx';
import { Scroll } from '../../components/scroll.tsx';
import { useDesk } from '../../state/console.tsx';
import styles from './approvals-page.module.css';
import { FourEyesPanel } from './four-eyes-panel.tsx';
import { PastApprovals } from './past-approvals.tsx';
import { WaitingApproval } from './waiting-approval.tsx';

/** Four eyes: what waits for a second person, with what it would change; what became of it; and what takes one. */
export function ApprovalsPage() {
  const { kinds, waiting } = useDesk((view) => view.approvals);
  return (
    <>
      <PageHead name="Approvals" />
      <PageBody className={styles.page}>
        <Panel
          name="Waiting for a second person"
          className={styles.waiting}
          aside="each for an hour; ends if what it is about changes"
        >
          <Scroll>
            {waiting.length === 0 && (
              <Empty title="Nothing waits">
                {kinds.length === 0
                  ? 'Nothing takes a second person on this desk. What does is set under “Takes a second person”.'
                  : 'What takes a second person stands here with what it would change, until somebody else says yes or no.'}
              </Empty>
            )}
            {waiting.length > 0 && (
              <ul className={styles.list}>
                {waiting.map((approval) => (
                  <WaitingApproval key={approval.seq} approval={approval} />
                ))}
              </ul>
            )}
          </Scroll>
        </Panel>
        <FourEyesPanel />
        <PastApprovals />
      </PageBody>
    </>
  );
}
