import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { installDebianPackages, isDebianRoot } from './debian.mjs';
import { say } from './project.mjs';

/** Chromium without any window of its own: the tests cost a seventh less of the processor with it. */
const SHELL = '/usr/bin/chromium-headless-shell';

const CANDIDATES = {
  linux: [
    SHELL,
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
    '/usr/bin/google-chrome-stable',
  ],
  darwin: [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  ],
  win32: ['Google\\Chrome\\Application\\chrome.exe', 'Microsoft\\Edge\\Application\\msedge.exe'].flatMap((path) =>
    [process.env.PROGRAMFILES, process.env['PROGRAMFILES(X86)']].filter(Boolean).map((folder) => join(folder, path)),
  ),
};

/** The path of a browser of Chromium's family for the tests, installed where that can be done, or null and why not. */
export async function ensureBrowser() {
  if (isDebianRoot() && !existsSync(SHELL)) {
    say('Installing chromium-headless-shell (apt-get)…');
    await installDebianPackages(['chromium-headless-shell']);
  }
  const there = findBrowser();
  if (there !== null) return { path: there };
  if (isDebianRoot()) return { path: null, reason: 'apt-get could not install chromium-headless-shell' };
  return {
    path: null,
    reason:
      'no Chromium or Chrome is installed; install one (on Debian: apt-get install chromium), or run as root on Debian and one is installed',
  };
}

function findBrowser() {
  return (CANDIDATES[process.platform] ?? []).find((path) => existsSync(path)) ?? null;
}
