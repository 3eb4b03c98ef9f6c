import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { installDebianPackages, isDebianRoot } from './debian.mjs';
import { say } from './project.mjs';

const CANDIDATES = {
  linux: ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome', '/usr/bin/google-chrome-stable'],
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
  const there = findBrowser();
  if (there !== null) return { path: there };
  if (isDebianRoot()) {
    say('Installing chromium (apt-get)…');
    await installDebianPackages(['chromium']);
    const installed = findBrowser();
    if (installed !== null) return { path: installed };
    return { path: null, reason: 'apt-get could not install chromium' };
  }
  return {
    path: null,
    reason:
      'no Chromium or Chrome is installed; install one (on Debian: apt-get install chromium), or run as root on Debian and it is installed',
  };
}

function findBrowser() {
  return (CANDIDATES[process.platform] ?? []).find((path) => existsSync(path)) ?? null;
}
