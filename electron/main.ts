import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { app, dialog } from 'electron';
import { watchAttention } from './app/attention-watch.ts';
import { chooseFile } from './app/choose-file.ts';
import { CONSOLE_ORIGIN, CONSOLE_URL, declareConsoleScheme, serveConsole } from './app/console-scheme.ts';
import { deskLife } from './app/desk-life.ts';
import { fenceIn } from './app/fences.ts';
import { HALT_KEYS, registerHotkeys } from './app/hotkeys.ts';
import { setMenu } from './app/menu.ts';
import { noticeOf, noticeOfStopped, showNotice } from './app/notices.ts';
import { readOptions } from './app/options.ts';
import { originOf } from './app/origin.ts';
import { handOverPort, handOverPorts } from './app/port-handover.ts';
import { tell } from './app/questions.ts';
import { quitInOrder } from './app/quit.ts';
import { type StateWatch, watchState } from './app/state-watch.ts';
import { openTray } from './app/tray.ts';
import { consoleWindows } from './app/window.ts';
import { type AlertKind, isSilenced, USUAL_ALERTS } from './contract/alert-settings.ts';
import type { DeskSettings } from './contract/desk-settings.ts';
import { osUser } from './desk/os-user.ts';
import { takeSecret } from './desk/taken-secret.ts';

const out = join(import.meta.dirname, '..');
const icons = join(app.getAppPath(), 'resources', 'icons');

/** The development server of `npm run dev`, never of a packaged app. */
const served = app.isPackaged ? undefined : process.env.ELECTRON_RENDERER_URL;
const pageOrigin = served === undefined ? CONSOLE_ORIGIN : originOf(served);

// Everything that waits for the app to be ready hangs on a promise: a top-level await would hold up what it waits for.
try {
  const settings = readOptions(process.argv.slice(1), process.env);
  const passphrase = takeSecret(process.env, 'MAKERDESK_PASSPHRASE');
  keepProfileOf(settings.folder);
  declareConsoleScheme();
  if (app.requestSingleInstanceLock()) app.whenReady().then(() => open(settings, passphrase), fail);
  else app.quit();
} catch (error) {
  fail(error);
}

/** One app for each desk's folder: Chromium's profile, and with it the lock of the single instance, follow the folder. */
function keepProfileOf(folder: string): void {
  if (app.commandLine.hasSwitch('user-data-dir')) return;
  const name = createHash('sha256').update(folder).digest('hex').slice(0, 12);
  app.setPath('userData', join(app.getPath('appData'), 'Makerdesk', name));
}

function open(settings: DeskSettings, passphrase: string | undefined): void {
  fenceIn(pageOrigin, (page) => windows.open(page));
  serveConsole(join(out, 'renderer'));
  const windows = consoleWindows({
    url: served ?? CONSOLE_URL,
    preload: join(out, 'preload', 'preload.cjs'),
    icon: join(icons, 'makerdesk.png'),
    places: join(app.getPath('userData'), 'windows.json'),
    crashed: (reason) =>
      tell(
        'The console keeps breaking off.',
        `The desk runs on without it (${reason}). Halt and Quit are in the tray.`,
      ),
  });
  // A window tells what trips by itself, as it is set there; the app tells it where no window is open.
  let alerts = USUAL_ALERTS;
  const tellWithoutWindow = (kind: AlertKind, notice: ReturnType<typeof noticeOf>) => {
    const wanted = alerts[kind].desktop && !isSilenced(alerts[kind], Date.now());
    if (notice !== null && wanted && windows.pages().length === 0) showNotice(notice, windows.show);
  };
  const attention = watchAttention(({ rows, news, alerts: said }) => {
    alerts = said;
    tray.showStopped(rows.map(({ title }) => title));
    tellWithoutWindow('stop', noticeOfStopped(news));
  });
  const state = watchState((next, isBack) => {
    tray.show(next);
    tellWithoutWindow(next === 'HALTED' || next === 'DRAIN' ? 'halt' : 'line', noticeOf(next, isBack));
  });
  const watch: StateWatch = {
    ...state,
    follow: (client) => {
      state.follow(client);
      attention.follow(client);
    },
  };
  const desk = deskLife({
    file: join(out, 'main', 'desk-process.js'),
    settings,
    passphrase,
    actor: osUser(),
    watch,
    ready: (ready) => console.log(JSON.stringify({ ready: true, ...ready })),
    replaced: () => {
      for (const page of windows.pages()) handOverPort(page, handedOver);
    },
  });
  const handedOver = {
    connect: desk.connect,
    enter: desk.enter,
    halt: () => void desk.halt('by the button of the console'),
    chooseFile,
  };
  const actions = { show: windows.show, quit: () => app.quit() };
  const tray = openTray(icons, {
    ...actions,
    halt: () => void desk.halt('from the tray'),
    lock: () => void desk.lock(),
  });
  setMenu({ ...actions, open: () => windows.open(), halt: () => void desk.halt('from the menu') }, app.isPackaged);
  handOverPorts({
    pageOrigin,
    isWindow: (contents) => windows.pages().includes(contents),
    ...handedOver,
  });
  app.on('second-instance', windows.show);
  app.on('activate', windows.show);
  app.on('window-all-closed', () => {}); // the desk stays in the tray
  quitInOrder(desk, watch, windows.keep);
  desk.start();
  windows.show();
  registerHotkeys(
    () => void desk.halt('by the hotkey'),
    () =>
      tell(
        `${HALT_KEYS} belongs to another program.`,
        'Until it lets go of them they halt only while the console is in front. The tray and the button always halt.',
      ),
  );
}

function fail(error: unknown): void {
  dialog.showErrorBox('Makerdesk cannot start', error instanceof Error ? error.message : String(error));
  app.exit(1);
}
