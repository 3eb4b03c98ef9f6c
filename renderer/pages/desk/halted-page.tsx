import { HaltedBanner } from './halted-banner.tsx';
import { ResumePanel } from './resume-panel.tsx';
import { ServiceForecast } from './service-forecast.tsx';
import { StillLivePanel } from './still-live-panel.tsx';
import { WhoKnows } from './who-knows.tsx';

/** Halted: what that means, what can still be taken from us and until when, who knows, and how it ends. */
export function HaltedPage({ onBack }: { onBack?: () => void }) {
  return (
    <>
      <HaltedBanner onBack={onBack} />
      <div className="page-body halted-page">
        <StillLivePanel />
        <div className="halted-side">
          <ServiceForecast />
          <WhoKnows />
          <ResumePanel />
        </div>
      </div>
    </>
  );
}
