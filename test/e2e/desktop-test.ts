import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { _electron, test as base, type ElectronApplication, expect, type Page } from '@playwright/test';
import { removeFolder } from '../desk/desk-process.ts';
import { PATIENCE } from '../how-long.ts';
import { placeMarket } from './practice-desk.ts';
import { projectRoot } from './project-root.ts';

/** A running desktop app on a practice desk of its own. */
export interface Desktop {
  app: ElectronApplication;
  /** The page of its first window, which shows the console. */
  page: Page;
  /** The desk's folder. */
  folder: string;
  /** Where its binary is and how it was started, to start it a second time. */
  executablePath: string;
  args: string[];
}

const executablePath = electronPath();
export const noElectron = reasonAgainstElectron();
if (noElectron !== null) console.warn(`SKIPPED: the desktop app itself was NOT tested: ${noElectron}`);

/** Tests of the desktop app in a real Electron. Each gets an app of its own; with `firstStart` on an empty real desk. */
export const test = base.extend<{ hasElectron: boolean; firstStart: boolean; desktop: Desktop }>({
  firstStart: [false, { option: true }],
  hasElectron: [
    async ({ playwright: _ }, use, info) => {
      info.skip(noElectron !== null, noElectron ?? '');
      await use(true);
    },
    { auto: true },
  ],
  desktop: async ({ firstStart }, use) => {
    const { close, ...desktop } = await openNewDesktop(firstStart);
    try {
      await use(desktop);
    } finally {
      await close();
    }
  },
});

/** Starts the app in a folder of its own that goes away when it is closed; on a practice desk, or on an empty real one. */
export async function openNewDesktop(firstStart = false): Promise<Desktop & { close(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'makerdesk-e2e-'));
  const ports = ['--surface-port', '0', '--service-port', '0', '--rpc-port', '0'];
  const remove = () => removeFolder(folder);
  try {
    if (!firstStart) placeMarket(folder);
    const opened = firstStart
      ? await openDesktop(folder, ports, { passphrase: 'of a first start' })
      : await openDesktop(folder, ['--practice', ...ports]);
    return { ...opened, close: () => opened.close().finally(remove) };
  } catch (error) {
    remove();
    throw error;
  }
}

/** Of the environment of whoever runs the tests, what a program needs to be shown at all. */
const SHOWN = ['DISPLAY', 'XAUTHORITY', 'WAYLAND_DISPLAY', 'XDG_RUNTIME_DIR', 'PATH', 'LANG'];

/** The folder of the desk of somebody who says nothing of it, where their home is this one; on Linux. */
export function folderAtHome(home: string): string {
  return join(home, '.local', 'share', 'makerdesk');
}

/**
 * Starts the app on the desk of a folder. With a `home` it is started as by a click: no folder is named, and nothing is in the
 * environment but the home and the screen. Without a `profile` it has one of its own, which goes away when it is closed.
 * `authorities`: a file of certificates that it trusts beside the usual ones.
 */
export async function openDesktop(
  folder: string,
  switches: readonly string[],
  {
    passphrase,
    profile: kept,
    home,
    authorities,
  }: { passphrase?: string; profile?: string; home?: string; authorities?: string } = {},
): Promise<Desktop & { close(): Promise<void> }> {
  const profile = kept ?? mkdtempSync(join(tmpdir(), 'makerdesk-profile-'));
  const asRoot = process.platform === 'linux' && process.getuid?.() === 0; // Chromium has no sandbox for root
  const shown = Object.entries(process.env).filter(([name]) => home === undefined || SHOWN.includes(name));
  const env = Object.fromEntries(shown) as Record<string, string>;
  if (home !== undefined) env.HOME = home;
  if (passphrase !== undefined) env.MAKERDESK_PASSPHRASE = passphrase;
  if (authorities !== undefined) env.NODE_EXTRA_CA_CERTS = authorities;
  const args = [
    ...(asRoot ? ['--no-sandbox'] : []),
    `--user-data-dir=${profile}`,
    projectRoot,
    ...(home === undefined ? ['--data', folder] : []),
    ...switches,
  ];
  const app = await _electron.launch({ executablePath, args, env, chromiumSandbox: !asRoot });
  const child = app.process();
  const close = async () => {
    await endWithoutAsking(child);
    if (kept === undefined) removeFolder(profile);
  };
  try {
    app.context().setDefaultTimeout(PATIENCE);
    return { app, page: await app.firstWindow({ timeout: PATIENCE }), folder, executablePath, args, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The next window that the app opens. */
export function nextWindow(app: ElectronApplication): Promise<Page> {
  return app.waitForEvent('window', { timeout: PATIENCE });
}

/** The `electron` package knows where its binary is, and fetches it where that was not done yet. */
function electronPath(): string {
  if (process.env.MAKERDESK_NO_ELECTRON !== undefined) return '';
  try {
    return createRequire(import.meta.url)('electron');
  } catch {
    return '';
  }
}

function reasonAgainstElectron(): string | null {
  if (!existsSync(executablePath)) return process.env.MAKERDESK_NO_ELECTRON ?? 'there is no Electron binary here';
  if (process.platform === 'linux' && !process.env.DISPLAY) return 'there is no display here (DISPLAY is not set)';
  return null;
}

/** A signal closes the desk and the app without a question. */
async function endWithoutAsking(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  await gone;
}

export { expect };
