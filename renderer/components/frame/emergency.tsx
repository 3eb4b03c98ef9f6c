import { useLayoutEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { HaltedPage } from '../../pages/desk/halted-page.tsx';
import { useDesk } from '../../state/console.tsx';
import { useHaltPhase } from '../../state/halt.ts';
import { AskedBar } from './asked-bar.tsx';
import { DrainBar } from './drain-bar.tsx';
import { HaltedBar } from './halted-bar.tsx';

/**
 * A halt is told on every page at once and at full width. Halted while another page was open, it lies over that page,
 * which keeps what was typed; a page opened while halted has a bar instead, and the Desk page is the emergency itself.
 */
export function Emergency() {
  const state = useDesk((view) => view.status?.state ?? null);
  const configured = useDesk((view) => view.chains.length > 0);
  const phase = useHaltPhase();
  const [location] = useLocation();
  const [over, setOver] = useState(false);
  const before = useRef(state);
  const place = useRef(location);
  useLayoutEffect(() => {
    const moved = place.current !== location;
    const halted = state === 'HALTED' && before.current !== null && before.current !== 'HALTED';
    [before.current, place.current] = [state, location];
    if (moved || state !== 'HALTED') setOver(false);
    else if (halted) setOver(true);
  }, [state, location]);
  if (phase !== 'idle' && state !== 'HALTED') return <AskedBar phase={phase} />;
  if (state === 'DRAIN') return <DrainBar />;
  if (state !== 'HALTED' || !configured || location === '/') return null;
  if (!over) return <HaltedBar onOpen={() => setOver(true)} />;
  return (
    <div className="emergency">
      <HaltedPage onBack={() => setOver(false)} />
    </div>
  );
}
