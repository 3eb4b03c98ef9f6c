import { lazy, Suspense, useCallback, useEffect, useState } from 'react';
import { Route, Router, Switch } from 'wouter';
import { useHashLocation } from 'wouter/use-hash-location';
import { BlacklistPage } from '../../pages/blacklist/blacklist-page.tsx';
import { DeskPage } from '../../pages/desk/desk-page.tsx';
import { FirmLogPage } from '../../pages/firm-log/firm-log-page.tsx';
import { ListingsPage } from '../../pages/listings/listings-page.tsx';
import { PricesPage } from '../../pages/prices/prices-page.tsx';
import { useDesk, useLine } from '../../state/console.tsx';
import { useGlobalKeys } from '../../state/use-global-keys.ts';
import { Empty, Waiting } from '../empty.tsx';
import { HaltPlace } from './halt-button.tsx';
import { KeysHelp } from './keys-help.tsx';
import { Navigation } from './navigation.tsx';
import { NotConnected } from './not-connected.tsx';
import { Strip } from './strip.tsx';
import { Toasts } from './toasts.tsx';

// The chart library is most of the console's bytes: it is read when the page is opened or the screen has nothing to do.
const readFillsPage = () => import('../../pages/fills/fills-page.tsx');
const FillsPage = lazy(readFillsPage);

export function App() {
  return (
    <Router hook={useHashLocation}>
      <Frame />
    </Router>
  );
}

function Frame() {
  const [keys, setKeys] = useState(false);
  const closeKeys = useCallback(() => setKeys(false), []);
  useGlobalKeys({ onKeys: useCallback(() => setKeys((open) => !open), []) });
  const { state } = useLine();
  useEffect(() => {
    document.documentElement.dataset.line = state;
  }, [state]);
  useEffect(() => {
    const idle = requestIdleCallback(() => void readFillsPage(), { timeout: 5_000 });
    return () => cancelIdleCallback(idle);
  }, []);
  return (
    <div className="frame">
      <Strip />
      <Navigation onKeys={() => setKeys(true)} />
      <main>
        <NotConnected />
        <Pages />
      </main>
      <Toasts />
      {keys && <KeysHelp onClose={closeKeys} />}
      <HaltPlace />
    </div>
  );
}

function Pages() {
  const heard = useDesk((view) => view.status !== null);
  if (!heard) return <Waiting rows={12} />;
  return (
    <Suspense fallback={<Waiting rows={12} />}>
      <Switch>
        <Route path="/" component={DeskPage} />
        <Route path="/prices/:chainId?/:pair?" component={PricesPage} />
        <Route path="/tokens-and-pairs" component={ListingsPage} />
        <Route path="/firm-log" component={FirmLogPage} />
        <Route path="/fills" component={FillsPage} />
        <Route path="/blacklist" component={BlacklistPage} />
        <Route>
          <Empty title="There is no page at this address">Choose one at the left.</Empty>
        </Route>
      </Switch>
    </Suspense>
  );
}
