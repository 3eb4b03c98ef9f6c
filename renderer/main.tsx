import { followNumberForm } from './state/number-form.ts';
import { followTimeZone } from './state/time-zone.ts';
import '@fontsource-variable/inter/wght.css';
import '@fontsource/jetbrains-mono/latin-400.css';
import './styles/tokens.css';
import './styles/base.css';
import { createTanstackQueryUtils } from '@orpc/tanstack-query';
import { notifyManager, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { App } from './components/frame/app.tsx';
import { openAlerts } from './state/alerts.ts';
import { openConnection } from './state/connection.ts';
import { ConsoleProvider } from './state/console.tsx';
import { elsewhereIn, shareToken, takeConsoleAddress } from './state/console-address.ts';
import { openDeskStore } from './state/desk-store.ts';
import { openDrill } from './state/drill.ts';
import { openHalt } from './state/halt.ts';
import { listenForHaltKey } from './state/halt-key.ts';
import { oneOfAll } from './state/one-of-all.ts';
import { followOwnAlerts } from './state/own-alerts.ts';
import { followTheme } from './state/theme.ts';
import { openToasts } from './state/toasts.ts';
import { tellAnswers } from './state/told-answers.ts';
import { desktopLines, socketTransport } from './state/transport.ts';
import { tellWholeText } from './state/whole-text.ts';

followTheme(window);
followNumberForm(window);
followTimeZone(window);
followOwnAlerts(window);
tellWholeText();
const address = takeConsoleAddress(window);
shareToken(window);
const { transport, app, entrance } =
  address.kind === 'port'
    ? desktopLines(window)
    : { transport: socketTransport(address.url, address.token), app: null, entrance: null };
/** The desk elsewhere that the app shows here; its files and its entrance are not of this computer. */
const elsewhere = app === null ? null : elsewhereIn(window.location.search);
const connection = openConnection(transport);
const desk = openDeskStore(connection);
const toasts = openToasts(() => !document.hidden, desk.now);
const alerts = openAlerts(connection, desk, toasts, oneOfAll('makerdesk.alerts', navigator.locks));
const drill = openDrill(connection, desk, toasts);
const halt = openHalt(connection, desk, toasts, app);
listenForHaltKey(window, halt.now);
const queries = createTanstackQueryUtils(connection.client);

// The desk is on the same machine or one line away: a failed read is shown, not tried again behind the screen's back.
const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: false, staleTime: 2_000, networkMode: 'always' },
    mutations: { networkMode: 'always' },
  },
});
/** A window that is covered has no frames: so long an answer waits for one. Milliseconds. */
const FRAME_IS_LATE_MS = 50;
// What several answers change is drawn once, with the next frame.
notifyManager.setScheduler((tell) => {
  const once = () => {
    cancelAnimationFrame(frame);
    clearTimeout(late);
    tell();
  };
  const frame = requestAnimationFrame(once);
  const late = setTimeout(once, FRAME_IS_LATE_MS);
});
let epoch = connection.line().epoch;
connection.subscribe(() => {
  const line = connection.line();
  if (line.state !== 'connected' || line.epoch === epoch) return;
  epoch = line.epoch;
  void queryClient.invalidateQueries();
});
tellAnswers(connection, desk, toasts, () => void queryClient.invalidateQueries());

const place = document.getElementById('console');
if (place === null) throw new Error('index.html has no place for the console.');
createRoot(place).render(
  <QueryClientProvider client={queryClient}>
    <ConsoleProvider
      value={{
        connection,
        desk,
        halt,
        toasts,
        alerts,
        drill,
        queries,
        inApp: app !== null && elsewhere === null,
        chooseFile: elsewhere === null ? (app?.chooseFile ?? null) : null,
        savePage: app?.savePage ?? null,
        entrance: elsewhere === null ? entrance : null,
        elsewhere,
        showDesks: app?.showDesks ?? null,
      }}
    >
      <App />
    </ConsoleProvider>
  </QueryClientProvider>,
);
