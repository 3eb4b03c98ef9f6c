import './practice.css';
import { Waiting } from '../../components/empty.tsx';
import { EmptyPage } from '../../components/empty-page.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { DrillPanel } from './drill-panel.tsx';
import { FaultsPanel } from './faults-panel.tsx';
import { OtherSidePanel } from './other-side-panel.tsx';
import { SpeedPanel } from './speed-panel.tsx';
import { TakersPanel } from './takers-panel.tsx';
import { usePractice } from './use-practice.ts';

/** The practice market: what may go wrong on purpose, how fast takers ask, and how long a person takes to halt. */
export function PracticePage() {
  const { state, none, set } = usePractice();
  if (none) {
    return (
      <EmptyPage name="Practice" title="This desk is no practice desk">
        It trades with a real service, and nothing here may break it on purpose. To practise, start a desk of its own in
        another folder: <span className="mono nowrap">makerdesk practice</span>.
      </EmptyPage>
    );
  }
  return (
    <>
      <PageHead name="Practice">
        <span className="quiet">a whole counterparty on this machine; no money, real clocks</span>
      </PageHead>
      {state === null && <Waiting rows={8} />}
      {state !== null && (
        <div className="page-body practice-page">
          <FaultsPanel faults={state.faults} onState={set} />
          <div className="practice-side">
            <SpeedPanel speed={state.speed} onState={set} />
            <DrillPanel faults={state.faults} />
          </div>
          <OtherSidePanel service={state.service} />
          <TakersPanel takers={state.takers} />
        </div>
      )}
    </>
  );
}
