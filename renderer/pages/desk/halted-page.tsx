import { HaltedBanner } from './halted-banner.tsx';
import { ResumePanel } from './resume-panel.tsx';
import { StillLivePanel } from './still-live-panel.tsx';

/** Halted: what that means, what can still be taken from us and until when, and how it ends. */
export function HaltedPage() {
  return (
    <>
      <HaltedBanner />
      <div className="page-body halted-page">
        <StillLivePanel />
        <ResumePanel />
      </div>
    </>
  );
}
