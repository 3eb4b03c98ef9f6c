import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ElectronApplication } from '@playwright/test';
import { processCommand } from '../../electron/practice/chain/folder-node.ts';
import { descendantsOf } from '../desk/descendants.ts';
import { PATIENCE } from '../how-long.ts';
import { type Desktop, expect, nextWindow, noElectron, openNewDesktop, test } from './desktop-test.ts';
import { haltDesk, makerdesk, statusOf } from './makerdesk.ts';
import { noticesOf } from './notices.ts';

// Those that end their app or their desk have one of their own. They come last: one after the other in one worker, the
// other would have nothing left to do.
test.describe.configure({ mode: 'parallel' });

/** What a human at the machine would do: a key event of the X server, wherever the focus is. */
const pressHaltKeys = () => promisify(execFile)('xdotool', ['key', 'ctrl+shift+h']);

const stateOf = async ({ folder }: Desktop) => (await statusOf(folder)).state;
const untilLive = ({ page }: Desktop) => expect(page.getByText('LIVE', { exact: true }).first()).toBeVisible();
const windowsOf = (app: ElectronApplication) =>
  app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length);
/** Closes every window, and waits until it is gone. */
const closeWindows = async (app: ElectronApplication) => {
  await app.evaluate(({ BrowserWindow }) => {
    for (const window of BrowserWindow.getAllWindows()) window.close();
  });
  await expect.poll(() => windowsOf(app)).toBe(0);
  await expect.poll(() => app.windows().length).toBe(0);
};

/** Answers every question of the app with its first or its second button, and keeps what it asked. */
const answerQuestions = (app: ElectronApplication, button: 0 | 1) =>
  app.evaluate(({ dialog }, response) => {
    const questions: string[] = [];
    Object.assign(globalThis, { questions });
    dialog.showMessageBox = async (...given: unknown[]) => {
      const { message } = given.at(-1) as { message: string };
      questions.push(message);
      return { response, checkboxChecked: false };
    };
  }, button);
const questionsOf = (app: ElectronApplication) =>
  app.evaluate(() => (globalThis as unknown as { questions: string[] }).questions);

/** From now on the tray's tooltip and menu are kept, so that they can be read and clicked. No panel shows them here. */
const watchTray = (app: ElectronApplication) =>
  app.evaluate(({ Tray }) => {
    const { setContextMenu, setToolTip } = Tray.prototype;
    Tray.prototype.setContextMenu = function (menu) {
      Object.assign(globalThis, { trayMenu: menu });
      setContextMenu.call(this, menu);
    };
    Tray.prototype.setToolTip = function (text) {
      Object.assign(globalThis, { trayText: text });
      setToolTip.call(this, text);
    };
  });
const trayText = (app: ElectronApplication) =>
  app.evaluate(() => (globalThis as unknown as { trayText?: string }).trayText);
const clickTray = (app: ElectronApplication, id: string) =>
  app.evaluate((_electron, item) => {
    (globalThis as unknown as { trayMenu: Electron.Menu }).trayMenu.getMenuItemById(item)?.click();
  }, id);

const startAgain = async ({ executablePath, args }: Desktop) => {
  const second = spawn(executablePath, args, { stdio: 'ignore' });
  await once(second, 'exit');
};

/** Ends the process of the desk the hard way, or lets it hang and wake up. */
const killDesk = ({ folder }: Desktop, signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT' = 'SIGKILL') =>
  process.kill(Number(readFileSync(join(folder, 'desk.pid'), 'utf8')), signal);

test.describe('one that runs', () => {
  test.describe.configure({ mode: 'default' });
  let desktop: Awaited<ReturnType<typeof openNewDesktop>>;
  test.beforeAll(async () => {
    test.skip(noElectron !== null, noElectron ?? '');
    desktop = await openNewDesktop();
    await watchTray(desktop.app);
    // It may have said LIVE before it was watched, and says nothing anew until that changes.
    await untilLive(desktop);
    await haltDesk(desktop.folder, {}, 'so that the tray is drawn');
    await expect.poll(() => trayText(desktop.app)).toBe('Makerdesk: HALTED');
  });
  test.afterAll(() => desktop?.close());
  // Whatever the test before it left: the desk is LIVE, and the window is open.
  test.beforeEach(async () => {
    const { app, folder } = desktop;
    const tray = () => trayText(app);
    const state = await stateOf(desktop);
    await expect.poll(tray).toContain(state); // it hears of it a moment later
    if (state !== 'LIVE') await makerdesk(folder, 'resume', '--reason', 'the test before it is over');
    await expect.poll(tray).toMatch(/^Makerdesk: LIVE/);
    if (app.windows().length === 0) {
      const shown = nextWindow(app);
      await clickTray(app, 'show');
      await shown;
    }
    const [page] = app.windows();
    if (page !== undefined) desktop.page = page;
  });

  test('shows the console of its desk, which trades', async () => {
    await untilLive(desktop);
    await expect(desktop.page.getByText('WETH/USDC').first()).toBeVisible();
    expect(desktop.page.url()).toMatch(/^app:\/\/makerdesk\//);
  });

  test('gives its page nothing but the port: no Node, and only its own files', async () => {
    const { page } = desktop;
    expect(page.url()).toMatch(/^app:\/\/makerdesk\/index\.html/);
    const names = ['require', 'process', 'module', 'Buffer', 'ipcRenderer', 'electron'];
    expect(await page.evaluate((all) => all.filter((name) => name in globalThis), names)).toEqual([]);
    const served = await page.evaluate(async (path) => {
      const { headers } = await fetch('/index.html');
      const outside = await fetch(path).then(({ status }) => status);
      return { policy: headers.get('content-security-policy'), outside };
    }, '/..%2f..%2fpackage.json');
    expect(served.policy).toMatch(/^default-src 'none'; script-src 'self';/);
    expect(served.outside).toBe(404);
  });

  test('runs its page in a sandbox, apart from the preload', async () => {
    const facts = await desktop.app.evaluate(({ BrowserWindow }) => {
      const [window] = BrowserWindow.getAllWindows();
      const preferences = (
        window?.webContents as { getLastWebPreferences(): Electron.WebPreferences } | undefined
      )?.getLastWebPreferences();
      const { sandbox, contextIsolation, nodeIntegration, webSecurity, webviewTag } = preferences ?? {};
      return { sandbox, contextIsolation, nodeIntegration, webSecurity, webviewTag };
    });
    expect(facts).toMatchObject({
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webSecurity: true,
      webviewTag: false,
    });
  });

  test('keeps whatever runs in its page from leaving it', async () => {
    const { app, page } = desktop;
    const tried = await page.evaluate(async () => {
      const inline = document.createElement('script');
      inline.textContent = 'window.inlineRan = true';
      document.body.append(inline);
      const frame = document.createElement('iframe');
      frame.src = 'https://example.com/';
      document.body.append(frame);
      return {
        inline: 'inlineRan' in window,
        opened: window.open('https://example.com/') !== null,
        fetched: await fetch('https://example.com/').then(
          () => true,
          () => false,
        ),
        location: (await navigator.permissions.query({ name: 'geolocation' })).state,
        camera: (await navigator.permissions.query({ name: 'camera' })).state,
        clipboard: (await navigator.permissions.query({ name: 'clipboard-read' as PermissionName })).state,
        alerts: (await navigator.permissions.query({ name: 'notifications' })).state,
      };
    });
    const denied = { location: 'denied', camera: 'denied', clipboard: 'denied' };
    // Alerts go to the operating system: that is all a page may ask for beside the copying of text.
    expect(tried).toEqual({ inline: false, opened: false, fetched: false, ...denied, alerts: 'granted' });
    await page.evaluate(() => {
      window.location.href = 'https://example.com/';
    });
    await expect.poll(() => page.url()).toMatch(/^app:\/\/makerdesk\//);
    expect(await windowsOf(app)).toBe(1);
    await closeWindows(app); // a page that was refused to leave is no page for the next test
  });

  test('halts by the hotkey, whatever has the focus', async () => {
    test.skip(process.platform !== 'linux' || !hasXdotool(), 'xdotool, which presses real keys, is not here');
    await untilLive(desktop);
    await closeWindows(desktop.app);
    // Keys of a whole display belong to one app at a time: the app of another test holds them until its file is through.
    const hasKeys = () =>
      desktop.app.evaluate(({ globalShortcut }) => globalShortcut.isRegistered('CommandOrControl+Shift+H'));
    await expect.poll(hasKeys, { timeout: 600_000 }).toBe(true);
    await pressHaltKeys();
    await expect.poll(() => stateOf(desktop)).toBe('HALTED');
    expect((await statusOf(desktop.folder)).reason).toContain('hotkey');
  });

  test('tells a halt on every page at once and at full width, in the app too', async () => {
    await untilLive(desktop);
    await desktop.page.getByRole('link', { name: 'Firm log' }).first().click();
    await desktop.page.keyboard.press('Control+Shift+H');
    await expect(desktop.page.getByRole('heading', { name: 'HALTED' })).toBeVisible();
    await expect(desktop.page.getByText('What is still live')).toBeVisible();
    await desktop.page.getByRole('button', { name: 'Back to the page' }).click();
    await expect(desktop.page.getByLabel('Hash, user, pair or code')).toBeVisible();
    expect(await stateOf(desktop)).toBe('HALTED');
  });

  test('shows the state in the tray, and halts from there without a window', async () => {
    await closeWindows(desktop.app);
    await clickTray(desktop.app, 'halt');
    await expect.poll(() => trayText(desktop.app)).toBe('Makerdesk: HALTED');
    expect(await stateOf(desktop)).toBe('HALTED');
  });

  test('keeps the desk when the window is closed, and shows it again from the tray', async () => {
    await closeWindows(desktop.app);
    expect(await stateOf(desktop)).toBe('LIVE');
    const shown = nextWindow(desktop.app);
    await clickTray(desktop.app, 'show');
    await expect((await shown).getByText('LIVE', { exact: true }).first()).toBeVisible();
  });

  test('is one app for one desk: a second start shows the window of the first', async () => {
    await closeWindows(desktop.app);
    await startAgain(desktop);
    await expect.poll(() => windowsOf(desktop.app)).toBe(1);
  });

  test('writes the handover as a PDF of one page where a person says, and says why where it cannot', async () => {
    const { app, page, folder } = desktop;
    await untilLive(desktop);
    await page.getByRole('link', { name: 'Handover' }).first().click();
    await expect(page.getByRole('article', { name: 'Sheet' })).toBeVisible();
    /** The system's own dialog is no page: it answers as a person who chose this file would have it. */
    const saveTo = async (filePath: string) => {
      await app.evaluate(({ dialog }, path) => {
        dialog.showSaveDialog = async () => ({ canceled: path === '', filePath: path });
      }, filePath);
      await page.getByRole('button', { name: 'Save as PDF…' }).click();
    };
    const file = join(folder, 'handover.pdf');
    const told = await noticesOf(page);
    await saveTo(file);
    await expect.poll(told).toContain('Wrote the handover');
    const pdf = readFileSync(file, 'latin1');
    expect(pdf.slice(0, 5)).toBe('%PDF-');
    expect(pdf.match(/\/Type\s*\/Page[^s]/g)).toHaveLength(1);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await saveTo(join(folder, 'none', 'handover.pdf'));
    await expect.poll(told).toMatch(/The handover was not written.*there is no such file or folder/);
    await saveTo('');
    await expect(page.getByRole('button', { name: 'Save as PDF…' })).toBeEnabled();
    await page
      .getByRole('navigation', { name: 'Pages' })
      .getByRole('link', { name: /^Desk\b/ })
      .click();
  });

  test('shows any page in one more window, behind the same fences, and each of them halts', async () => {
    const { app, page } = desktop;
    await untilLive(desktop);
    await page.getByRole('link', { name: 'Firm log' }).first().click();
    const opened = nextWindow(app);
    await page.keyboard.press('Control+Shift+O');
    const second = await opened;
    await expect(second.getByLabel('Hash, user, pair or code')).toBeVisible();
    await page.getByRole('link', { name: 'Desk' }).first().click();
    await expect(second.getByLabel('Hash, user, pair or code')).toBeVisible();
    const foreign = await second.evaluate(() => [
      window.open('https://example.com/'),
      window.open('app://elsewhere/index.html#/'),
      window.open('about:blank'),
    ]);
    expect(foreign).toEqual([null, null, null]);
    expect(await windowsOf(app)).toBe(2);
    const sandboxed = await app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows().map((window) => {
        const page = window.webContents as unknown as { getLastWebPreferences(): Electron.WebPreferences };
        const { sandbox, contextIsolation, nodeIntegration } = page.getLastWebPreferences();
        return { sandbox, contextIsolation, nodeIntegration };
      }),
    );
    expect(sandboxed).toEqual(Array(2).fill({ sandbox: true, contextIsolation: true, nodeIntegration: false }));

    await second.keyboard.press('Control+Shift+H');
    for (const shown of [page, second]) await expect(shown.getByRole('heading', { name: 'HALTED' })).toBeVisible();
    expect(await stateOf(desktop)).toBe('HALTED');
    await makerdesk(desktop.folder, 'resume', '--reason', 'both windows told it');
    await untilLive(desktop);

    // Closed one after the other: the last one is where it was when it is shown again.
    await page.close();
    const placed = await app.evaluate(({ BrowserWindow }) => {
      const [window] = BrowserWindow.getAllWindows();
      window?.setBounds({ x: 40, y: 60, width: 1100, height: 720 });
      return window?.getBounds();
    });
    await closeWindows(app);
    await expect.poll(() => windowsOf(app)).toBe(0);
    const again = nextWindow(app);
    await clickTray(app, 'show');
    const shown = await again;
    await expect(shown.getByLabel('Hash, user, pair or code')).toBeVisible();
    expect(await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getBounds())).toEqual(placed);
    await shown.getByRole('link', { name: 'Desk' }).first().click();
    await closeWindows(app);
  });

  test('loads the page again when it breaks off, while the desk trades on', async () => {
    await untilLive(desktop);
    const pageProcess = () =>
      desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.getOSProcessId());
    const before = await pageProcess();
    await desktop.app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.webContents.forcefullyCrashRenderer(),
    );
    await expect.poll(async () => ![before, 0].includes(await pageProcess())).toBe(true);
    const text = () =>
      desktop.app.evaluate(({ BrowserWindow }) =>
        BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScript('document.body.innerText'),
      );
    await expect.poll(text).toContain('WETH/USDC');
    expect(await stateOf(desktop)).toBe('LIVE');
    await closeWindows(desktop.app); // nothing can be done any more with the page that broke off
  });

  test('a window that hangs costs the desk nothing, and is up to date when it comes back', async () => {
    test.skip(process.platform === 'win32', 'processes cannot be stopped and continued there');
    const { app, page, folder } = desktop;
    await untilLive(desktop);
    const pageProcess = await app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.webContents.getOSProcessId(),
    );
    if (pageProcess === undefined) throw new Error('the window has no process');
    process.kill(pageProcess, 'SIGSTOP');
    try {
      await haltDesk(folder, {}, 'while the window hangs');
      expect(await stateOf(desktop)).toBe('HALTED');
    } finally {
      process.kill(pageProcess, 'SIGCONT');
    }
    await expect(page.getByText('HALTED', { exact: true }).first()).toBeVisible();
    await makerdesk(folder, 'resume', '--reason', 'the window is back');
    await untilLive(desktop);
  });
});

test('drains before it quits, and asks first', async ({ desktop }) => {
  await untilLive(desktop);
  await answerQuestions(desktop.app, 1);
  await desktop.app.evaluate(({ app }) => app.quit());
  await expect.poll(() => questionsOf(desktop.app)).toEqual(['Quit Makerdesk?']);
  expect(await stateOf(desktop)).toBe('LIVE');

  await answerQuestions(desktop.app, 0);
  const closed = desktop.app.waitForEvent('close', { timeout: PATIENCE });
  await desktop.app.evaluate(({ app }) => app.quit());
  await closed;
  expect(await stateOf(desktop)).toBe('HALTED');
  // It lasts for some seconds, in which a slow machine may not have looked.
  const stops = await makerdesk(desktop.folder, 'journal', '--kind', 'trading_state');
  expect(stops).toMatch(/drained the desk: .*DRAIN until .*the app quits/);
});

test('asks before it quits also where the desk does not answer, and the next start comes back halted', async ({
  desktop,
}) => {
  test.skip(process.platform === 'win32', 'processes cannot be stopped and continued there');
  const { app, folder } = desktop;
  await watchTray(app);
  await untilLive(desktop);
  await answerQuestions(app, 1);
  killDesk(desktop, 'SIGSTOP');
  await expect.poll(() => trayText(app)).toBe('Makerdesk: the desk does not answer');
  await app.evaluate(({ app: own }) => own.quit());
  await expect.poll(() => questionsOf(app)).toEqual(['Quit Makerdesk?']);
  expect(existsSync(join(folder, 'armed'))).toBe(true);

  await answerQuestions(app, 0);
  const closed = app.waitForEvent('close', { timeout: PATIENCE });
  await app.evaluate(({ app: own }) => own.quit());
  await expect.poll(() => existsSync(join(folder, 'armed'))).toBe(false);
  killDesk(desktop, 'SIGCONT'); // it wakes, and closes as it was asked to
  await closed;
  expect(await stateOf(desktop)).toBe('HALTED');
});

test('says when the process of the desk broke off, and starts another only when told to', async ({ desktop }) => {
  await watchTray(desktop.app);
  await untilLive(desktop);
  await haltDesk(desktop.folder, {}, 'before the crash');
  await answerQuestions(desktop.app, 0);
  killDesk(desktop);
  await expect.poll(() => questionsOf(desktop.app)).toEqual(['The process of the desk ended.']);
  await expect.poll(() => trayText(desktop.app)).toBe('Makerdesk: HALTED');
  await expect(desktop.page.getByText('HALTED', { exact: true }).first()).toBeVisible();

  await answerQuestions(desktop.app, 1);
  let started: number[] = [];
  const markets = () => started.filter((pid) => processCommand(pid).includes('practice-process'));
  if (process.platform === 'linux') {
    const begun = () => {
      started = descendantsOf(desktop.app.process().pid ?? 0);
      return markets();
    };
    await expect.poll(begun).toHaveLength(1);
  }
  killDesk(desktop);
  await expect.poll(() => trayText(desktop.app)).toBe('Makerdesk: the desk is not running');
  await expect.poll(markets).toEqual([]);
  await expect.poll(() => questionsOf(desktop.app)).toEqual(['The process of the desk ended.']);
});

test('says so for as long as its desk hangs; HALT then offers to end it, and asks nothing of a desk that was resumed', async ({
  desktop,
}) => {
  test.skip(process.platform === 'win32', 'processes cannot be stopped and continued there');
  const { app, page, folder } = desktop;
  await untilLive(desktop);
  await answerQuestions(app, 1);
  const banner = page.getByText('This screen has lost the desk');
  killDesk(desktop, 'SIGSTOP');
  await expect(banner).toBeVisible();
  await page.evaluate(() => {
    const seen: (string | undefined)[] = [];
    Object.assign(globalThis, { seen });
    const { documentElement: root } = document;
    new MutationObserver(() => seen.push(root.dataset.line)).observe(root, { attributeFilter: ['data-line'] });
  });
  await page.getByRole('button', { name: 'Halt all trading now' }).click();
  await expect.poll(() => questionsOf(app)).toEqual(['The desk has not acknowledged the halt.']);
  expect(existsSync(join(folder, 'armed'))).toBe(false);
  await expect(page.getByText('HALT asked')).toBeVisible();
  expect(await page.evaluate(() => (globalThis as unknown as { seen: string[] }).seen)).toEqual([]);

  // It wakes, and does what was asked of it.
  killDesk(desktop, 'SIGCONT');
  await expect.poll(() => stateOf(desktop)).toBe('HALTED');
  await expect(page.getByText('HALT asked')).toBeHidden();
  await makerdesk(folder, 'resume', '--reason', 'it wakes');
  await untilLive(desktop);
  await expect(page.getByText('HALT asked')).toBeHidden();
  await expect(banner).toBeHidden();

  await answerQuestions(app, 0);
  killDesk(desktop, 'SIGSTOP');
  await page.getByRole('button', { name: 'Halt all trading now' }).click();
  await expect
    .poll(() => questionsOf(app))
    .toEqual(['The desk has not acknowledged the halt.', 'The desk’s process is ended, and its halt is written.']);
  await expect.poll(() => stateOf(desktop).catch(() => null)).toBe('HALTED');
  await expect(page.getByRole('heading', { name: 'HALTED' }).first()).toBeVisible();
});

function hasXdotool(): boolean {
  try {
    execFileSync('xdotool', ['version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
