import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { app, BrowserWindow, dialog, type Session, session, type WebContents } from 'electron';
import { watchAttention } from './app/attention-watch.ts';
import { chooseFile } from './app/choose-file.ts';
import { CONSOLE_ORIGIN, CONSOLE_URL, DESKS_PAGE, declareConsoleScheme, serveConsole } from './app/console-scheme.ts';
import { deskLife } from './app/desk-life.ts';
import type { ListedDesk } from './app/desk-list-file.ts';
import { DesksElsewhere } from './app/desks-elsewhere.ts';
import { desksWindow } from './app/desks-window.ts';
import { elsewhereWindows } from './app/elsewhere-windows.ts';
import { HALT_KEYS, registerHotkeys } from './app/hotkeys.ts';
import { leadElsewhere } from './app/lead-elsewhere.ts';
import { setMenu } from './app/menu.ts';
import { noticeOf, noticeOfStopped, showNotice } from './app/notices.ts';
import { readOptions } from './app/options.ts';
import { originOf } from './app/origin.ts';
import { fenceIn, fenceSession } from './app/page-fences.ts';
import { consolePorts, type HandedOver, handOver, handOverPorts } from './app/port-handover.ts';
import { tell } from './app/questions.ts';
import { quitInOrder } from './app/quit.ts';
import { savePage } from './app/save-page.ts';
import { desksServer } from './app/serve-desks.ts';
import { type StateWatch, watchState } from './app/state-watch.ts';
import { systemVault } from './app/token-vault.ts';
import { openTray } from './app/tray.ts';
import { consoleWindows, pagePreferences } from './app/window.ts';
import { type AlertKind, isSilenced, USUAL_ALERTS } from './contract/alert-settings.ts';
import type { DeskSettings } from './contract/desk-settings.ts';
import { osUser } from './desk/os-user.ts';
import { readyFor } from './desk/ready-for.ts';
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
  fenceIn(pageOrigin, (from, page) => {
    if (!elsewhere.openBeside(from, page)) windows.open(page);
  });
  serveConsole(session.defaultSession, join(out, 'renderer'));
  const shown = {
    url: served ?? CONSOLE_URL,
    preload: join(out, 'preload', 'preload.cjs'),
    icon: join(icons, 'makerdesk.png'),
    crashed: (reason: string) =>
      tell('The console keeps crashing.', `The desk runs on without it (${reason}). Halt and Quit are in the tray.`),
  };
  const preferences = pagePreferences(shown.preload, session.defaultSession);
  const windows = consoleWindows({
    ...shown,
    preferences,
    title: 'Makerdesk',
    places: join(app.getPath('userData'), 'windows.json'),
  });
  const elsewhere = elsewhereWindows({
    ...shown,
    folder: app.getPath('userData'),
    prepare: (pages: Session) => {
      fenceSession(pages, pageOrigin);
      serveConsole(pages, join(out, 'renderer'));
    },
  });
  const list = desksWindow({ ...shown, url: `${pageOrigin}/${DESKS_PAGE}`, preferences });
  /** The list is read last: the keychain may ask a person first. Until then only this app's own desk is halted. */
  let desks: DesksElsewhere | null = null;
  const haltAll = () => {
    if (desks === null) void desk.halt('HALT ALL of the desktop app');
    else desks.haltAll();
  };
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
    desks?.ownChanged();
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
    ready: (ready) => console.log(JSON.stringify({ ready: true, ...readyFor(1, ready) })),
    replaced: () => {
      for (const page of windows.pages()) handOver(page, consolePorts(page, ofOwnDesk));
    },
  });
  const ofOwnDesk: HandedOver = {
    connect: desk.connect,
    enter: desk.enter,
    halt: (press) => void desk.halt('by the button of the console', { press }),
    showDesks: list.show,
    chooseFile,
    savePage,
  };
  const ofDeskElsewhere = (listed: ListedDesk): HandedOver => ({
    connect: (port) => leadElsewhere(port, listed),
    enter: null,
    halt: (press) => desks?.halt(listed.name, 'by the button of the console', press),
    showDesks: list.show,
    chooseFile: null,
    savePage,
  });
  /** What stands in front is what is meant: a desk elsewhere, all of them where it is their list, else the app's own. */
  const haltInFront = (how: string) => {
    const front = BrowserWindow.getFocusedWindow()?.webContents;
    const name = front === undefined ? null : elsewhere.deskOf(front);
    if (name !== null) desks?.halt(name, how);
    else if (front !== undefined && front === list.page()) haltAll();
    else void desk.halt(how);
  };
  const actions = { show: windows.show, showDesks: list.show, haltAll, quit: () => app.quit() };
  const tray = openTray(icons, {
    ...actions,
    halt: () => void desk.halt('from the tray'),
    lock: () => void desk.lock(),
  });
  setMenu({ ...actions, open: () => windows.open(), halt: () => haltInFront('from the menu') }, app.isPackaged);
  handOverPorts(pageOrigin, (contents: WebContents) => {
    if (windows.pages().includes(contents)) return consolePorts(contents, ofOwnDesk);
    if (desks === null) return null;
    if (contents === list.page()) return [desksServer(desks, elsewhere.show)];
    const listed = desks.find(elsewhere.deskOf(contents) ?? '');
    return listed === undefined ? null : consolePorts(contents, ofDeskElsewhere(listed));
  });
  app.on('second-instance', windows.show);
  app.on('activate', windows.show);
  app.on('window-all-closed', () => {}); // the desk stays in the tray
  quitInOrder(desk, watch, windows.keep);
  desk.start();
  windows.show();
  registerHotkeys(
    () => haltInFront('by the hotkey'),
    () =>
      tell(
        `${HALT_KEYS} belongs to another program.`,
        'Until it lets go of them they halt only while the console is in front. The tray and the button always halt.',
      ),
  );
  desks = new DesksElsewhere({
    file: join(app.getPath('userData'), 'desks-elsewhere.json'),
    vault: systemVault(),
    now: Date.now,
    own: {
      state: watch.state,
      halt: (reason) => void desk.halt(reason, { isOfAll: true }),
      haltAgain: (reason) =>
        void desk
          .client()
          ?.trading.halt({ scope: {}, reason })
          .catch(() => {}),
    },
    removed: elsewhere.close,
  });
  desks.subscribe(({ desks: rows, unread }) => tray.showElsewhere(unread === null ? rows.length : null));
}

function fail(error: unknown): void {
  dialog.showErrorBox('Makerdesk cannot start', error instanceof Error ? error.message : String(error));
  app.exit(1);
}
