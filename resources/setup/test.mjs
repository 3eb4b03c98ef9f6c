import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBrowser } from './browser.mjs';
import { ensureBuilt } from './build.mjs';
import { installDebianPackages, isDebianRoot } from './debian.mjs';
import { ensureElectron } from './electron-binary.mjs';
import { faultsOfImports } from './imports.mjs';
import { isOnPath, run as runProgram } from './processes.mjs';
import { commandOf, root, say, sentence } from './project.mjs';
import { readPlaywrightReport, readVitestReport } from './test-reports.mjs';

/** Each answers whether it passed; those that run tests also how many. */
const STEPS = {
  types: () => tool('typescript', 'tsc', []),
  lint: () => tool('@biomejs/biome', 'biome', ['check']),
  imports: checkImports,
  unused: () => tool('knip', 'knip', []),
  tests: runVitest,
  build: () => ensureBuilt().then(() => ({ passed: true })),
  e2e: runPlaywright,
};

const HEADINGS = {
  types: 'Types (tsc)',
  lint: 'Lint (biome)',
  imports: 'Directions of imports',
  unused: 'Unused code (knip)',
  tests: 'Unit and integration tests (vitest)',
  build: 'Build (electron-vite)',
  e2e: 'End-to-end tests (Playwright: console in a browser, desktop app in Electron)',
};

/** `npm test` runs every step; `npm test -- NAME…` those that are named. All run, even when one has failed. */
export async function run(names) {
  const unknown = names.filter((name) => !(name in STEPS));
  if (unknown.length > 0)
    throw sentence(`There is no step ${unknown.join(', ')}. There are: ${Object.keys(STEPS).join(', ')}.`);
  const results = [];
  for (const name of names.length > 0 ? names : Object.keys(STEPS)) {
    say(`\n━━ ${HEADINGS[name]} ━━`);
    const started = Date.now();
    const result = await STEPS[name]().catch((error) => {
      say(error.sentence ?? error.stack);
      return { passed: false };
    });
    results.push({ name, seconds: Math.round((Date.now() - started) / 1000), ...result });
  }
  report(results);
  if (results.some(({ passed }) => !passed)) process.exitCode = 1;
}

function report(results) {
  say('\n━━ Summary ━━');
  for (const { name, passed, seconds } of results)
    say(`${passed ? 'passed' : 'FAILED'}  ${HEADINGS[name]}, ${seconds} s`);
  for (const { failures = [] } of results) for (const failure of failures) say(`FAILED  ${failure}`);
  for (const { skips = [] } of results) for (const skip of skips) say(`SKIPPED ${skip}`);
  const tests = { passed: 0, failed: 0, skipped: 0 };
  for (const { counts } of results) for (const key of Object.keys(counts ?? {})) tests[key] += counts[key];
  const failed = results.filter(({ passed }) => !passed).length;
  say(`Steps: ${results.length - failed} passed, ${failed} failed.`);
  say(`Tests: ${tests.passed} passed, ${tests.failed} failed, ${tests.skipped} skipped.`);
}

/** Tests start hundreds of processes and threads of the same program: Node compiles each file for the first one only. */
const COMPILED = join(root, 'node_modules', '.cache', 'compiled');

async function tool(packageName, command, args, env = {}) {
  const end = await runProgram(process.execPath, [commandOf(packageName, command), ...args], {
    env: { ...process.env, NODE_COMPILE_CACHE: COMPILED, ...env },
  });
  return { passed: end.code === 0 };
}

async function checkImports() {
  const faults = faultsOfImports(root);
  for (const fault of faults) say(fault);
  if (faults.length === 0) say('Every import points downwards.');
  return { passed: faults.length === 0 };
}

function runVitest() {
  return withReport(async (file) => {
    const { passed } = await tool('vitest', 'vitest', [
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${file}`,
    ]);
    return { passed, ...readVitestReport(file) };
  });
}

function runPlaywright() {
  return withReport(async (file) => {
    await ensureBuilt();
    const env = { PLAYWRIGHT_JSON_OUTPUT_FILE: file, ...(await browserForTests()), ...(await electronForTests()) };
    const { passed } = await tool('@playwright/test', 'playwright', ['test', '--reporter=list,json'], env);
    return { passed, ...readPlaywrightReport(file) };
  });
}

async function browserForTests() {
  const { path, reason } = await ensureBrowser();
  if (path !== null) return { MAKERDESK_BROWSER: path };
  say(`No browser: ${reason}.`);
  return { MAKERDESK_NO_BROWSER: reason };
}

async function electronForTests() {
  const { path, reason } = await ensureElectron();
  if (path === null) {
    say(reason);
    return { MAKERDESK_NO_ELECTRON: reason };
  }
  const onX = process.platform === 'linux' && process.env.DISPLAY;
  if (onX && !isOnPath('xdotool') && isDebianRoot()) await installDebianPackages(['xdotool']);
  say(`Electron: ${path}`);
  return {};
}

async function withReport(act) {
  const folder = mkdtempSync(join(tmpdir(), 'makerdesk-test-'));
  try {
    return await act(join(folder, 'report.json'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
