import { useCallback, useEffect, useState } from 'react';
import { Route, Router, Switch, useLocation } from 'wouter';
import { useHashLocation } from 'wouter/use-hash-location';
import { ApprovalsPage } from '../../pages/approvals/approvals-page.tsx';
import { BlacklistPage } from '../../pages/blacklist/blacklist-page.tsx';
import { AttentionQuestions } from '../../pages/desk/attention-question.tsx';
import { DeskPage } from '../../pages/desk/desk-page.tsx';
import { FillsPage } from '../../pages/fills/fills-page.tsx';
import { readFillBars } from '../../pages/fills/use-fill-bars.ts';
import { FirmLogPage } from '../../pages/firm-log/firm-log-page.tsx';
import { EntrancePage } from '../../pages/first-start/entrance-page.tsx';
import { FleetPage } from '../../pages/fleet/fleet-page.tsx';
import { GuidePage } from '../../pages/guide/guide-page.tsx';
import { HandoverPage } from '../../pages/handover/handover-page.tsx';
import { HedgePage } from '../../pages/hedge/hedge-page.tsx';
import { JournalPage } from '../../pages/journal/journal-page.tsx';
import { ListingsPage } from '../../pages/listings/listings-page.tsx';
import { PastPage } from '../../pages/past/past-page.tsx';
import { PracticePage } from '../../pages/practice/practice-page.tsx';
import { PricesPage } from '../../pages/prices/prices-page.tsx';
import { AllPricingPage } from '../../pages/pricing/all-pricing-page.tsx';
import { ProtectionsPage } from '../../pages/protections/protections-page.tsx';
import { ResultsPage } from '../../pages/results/results-page.tsx';
import { ServicePage } from '../../pages/service/service-page.tsx';
import { SettingsPage } from '../../pages/settings/settings-page.tsx';
import { StopsPage } from '../../pages/stops/stops-page.tsx';
import { WhatIfPage } from '../../pages/what-if/what-if-page.tsx';
import { useConsole, useDesk, useEntrance, useLine } from '../../state/console.tsx';
import { GUIDE_PATH } from '../../state/guide.ts';
import { NamesProvider } from '../../state/names.tsx';
import { useNumberForm } from '../../state/number-form.ts';
import { ALL_PRICING_PATH, STOPS_PATH } from '../../state/pages.ts';
import { useMay } from '../../state/rights.ts';
import { createKeyReader, isWriting } from '../../state/shortcuts.ts';
import { useTimeZone } from '../../state/time-zone.ts';
import { useDrain } from '../../state/use-drain.ts';
import { openWindow, useTitle } from '../../state/windows.ts';
import { Empty, Waiting } from '../empty.tsx';
import styles from './app.module.css';
import { Emergency } from './emergency.tsx';
import { HaltPlace } from './halt-button.tsx';
import { HaltOnlyPage } from './halt-only-page.tsx';
import { KeysHelp } from './keys-help.tsx';
import { Navigation } from './navigation.tsx';
import { NotConnected } from './not-connected.tsx';
import { PaletteLayer } from './palette.tsx';
import { StoryMenu } from './story-menu.tsx';
import { Strip } from './strip.tsx';
import { Toasts } from './toasts.tsx';

export function App() {
  // Times and numbers are written all over the screen: in another zone or form it is drawn anew.
  const written = `${useTimeZone()} ${useNumberForm()}`;
  return (
    <Router hook={useHashLocation}>
      <NamesProvider>
        <Frame key={written} />
      </NamesProvider>
    </Router>
  );
}

function Frame() {
  const [over, setOver] = useState<'keys' | 'search' | null>(null);
  const close = useCallback(() => setOver(null), []);
  const onKeys = useCallback(() => setOver((now) => (now === 'keys' ? null : 'keys')), []);
  const onSearch = useCallback(() => setOver((now) => (now === 'search' ? null : 'search')), []);
  useGlobalKeys({ onKeys, onSearch });
  useTitle();
  const { state } = useLine();
  const entrance = useEntrance();
  const isShut = entrance !== null;
  const { elsewhere } = useConsole();
  useEffect(() => {
    document.documentElement.dataset.line = isShut ? 'connecting' : state;
  }, [state, isShut]);
  useEffect(() => {
    const idle = requestIdleCallback(() => void readFillBars().catch(() => {}), { timeout: 5_000 });
    return () => cancelIdleCallback(idle);
  }, []);
  return (
    <div className={styles.frame} data-elsewhere={elsewhere === null ? undefined : ''}>
      <Strip />
      {elsewhere !== null && (
        <p className={styles.elsewhere} role="note">
          <b>{elsewhere}</b> a desk elsewhere: what is done in this window is done there
        </p>
      )}
      <Navigation onSearch={onSearch} onKeys={onKeys} isShut={isShut} />
      <main>
        {entrance === null ? (
          <>
            <NotConnected />
            <Emergency />
            <div className={styles.page}>
              <Pages />
            </div>
          </>
        ) : (
          <div className={styles.page}>
            <EntrancePage view={entrance} />
          </div>
        )}
      </main>
      <Toasts />
      <AttentionQuestions />
      {over === 'keys' && <KeysHelp onClose={close} />}
      <PaletteLayer open={over === 'search'} onKeys={onKeys} onClose={close} />
      <StoryMenu />
      <HaltPlace />
    </div>
  );
}

function Pages() {
  const heard = useDesk((view) => view.status !== null);
  const mayLook = useMay('look');
  if (!heard) return <Waiting rows={12} />;
  if (!mayLook) return <HaltOnlyPage />;
  return (
    <Switch>
      <Route path="/" component={DeskPage} />
      <Route path={ALL_PRICING_PATH} component={AllPricingPage} />
      <Route path="/prices/:chainId?/:pair?/:view?" component={PricesPage} />
      <Route path="/tokens-and-pairs/:chainId?/:tokenId?" component={ListingsPage} />
      <Route path="/firm-log" component={FirmLogPage} />
      <Route path="/fills" component={FillsPage} />
      <Route path="/results" component={ResultsPage} />
      <Route path="/handover/:date?" component={HandoverPage} />
      <Route path="/journal" component={JournalPage} />
      <Route path="/journal/at/:at/:to?" component={PastPage} />
      <Route path="/what-if" component={WhatIfPage} />
      <Route path="/blacklist" component={BlacklistPage} />
      <Route path="/hedge/:chainId?/:pair?" component={HedgePage} />
      <Route path="/protections" component={ProtectionsPage} />
      <Route path="/approvals" component={ApprovalsPage} />
      <Route path="/fleet" component={FleetPage} />
      <Route path="/service" component={ServicePage} />
      <Route path="/practice" component={PracticePage} />
      <Route path="/settings/:section?" component={SettingsPage} />
      <Route path={STOPS_PATH} component={StopsPage} />
      <Route path={`${GUIDE_PATH}/:name?`} component={GuidePage} />
      <Route>
        <Empty title="There is no page at this address">Choose one at the left.</Empty>
      </Route>
    </Switch>
  );
}

/** Listens before any dialog or field does. The keys of the halt are heard earlier still (listenForHaltKey). */
function useGlobalKeys({ onKeys, onSearch }: { onKeys: () => void; onSearch: () => void }): void {
  const drain = useDrain();
  const [, navigate] = useLocation();
  useEffect(() => {
    const read = createKeyReader();
    const onKeyDown = (event: KeyboardEvent) => {
      const { key, code, ctrlKey, metaKey, shiftKey, altKey, repeat } = event;
      const writing = isWriting(event.target);
      const meant = read({ key, code, ctrlKey, metaKey, shiftKey, altKey, repeat, writing }, event.timeStamp);
      if (meant === null) return;
      if (meant.kind === 'drain') drain({});
      else if (meant.kind === 'go') navigate(meant.path);
      else if (meant.kind === 'search') onSearch();
      else if (meant.kind === 'window') openWindow();
      else onKeys();
      event.preventDefault();
      event.stopPropagation();
    };
    window.addEventListener('keydown', onKeyDown, { capture: true });
    return () => window.removeEventListener('keydown', onKeyDown, { capture: true });
  }, [drain, navigate, onKeys, onSearch]);
}
