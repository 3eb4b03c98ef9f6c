import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBrowser } from './browser.mjs';
import { ensureBuilt } from './build.mjs';
import { installDebianPackages, isDebianRoot } from './debian.mjs';
import { ensureElectron } from './electron-binary.mjs';
import { faultsOfImports } from './imports.mjs';
import { isOnPath, run as runProgram } from './processes.mjs';
import { commandOf, root, say, sentence } from './project.mjs';
import { faultsOfStyles } from './styles.mjs';
import { readPlaywrightReport, readVitestReport } from './test-reports.mjs';

/**
 * Each answers whether it passed; those that run tests also how many. `stdio` is of the programs they run, `env` is added
 * to what they find around them.
 */
const STEPS = {
  types: ({ stdio }) => tool('typescript', 'tsc', [], { stdio }),
  lint: checkStyle,
  imports: checkImports,
  unused: checkUnused,
  build: () => ensureBuilt().then(() => ({ passed: true })),
  tests: runVitest,
  e2e: runPlaywright,
};

const HEADINGS = {
  types: 'Types (tsc)',
  lint: 'Lint (biome, fields that a spread hides from the compiler, classes that are not defined or not used, words that are avoided)',
  imports: 'Directions of imports',
  unused: 'Unused code, and code that only tests reach (knip)',
  build: 'Build (electron-vite)',
  tests: 'Unit and integration tests (vitest)',
  e2e: 'End-to-end tests (Playwright: console in a browser, desktop app in Electron)',
};

/** The compiler leaves a core free half of its time: whatever is no test runs beside it. */
const COMPILER = 'types';
const TESTS = ['tests', 'e2e'];

/** `npm test` runs every step; `npm test -- NAME…` those that are named. All run, even when one has failed. */
export async function run(names) {
  const unknown = names.filter((name) => !(name in STEPS));
  if (unknown.length > 0)
    throw sentence(`There is no step ${unknown.join(', ')}. There are: ${Object.keys(STEPS).join(', ')}.`);
  await runSteps(names.length > 0 ? names : Object.keys(STEPS), { MAKERDESK_SHORT: '1' });
}

/**
 * Runs steps one after the other and says at the end what became of each. Tests fill a small machine by themselves: beside those in a
 * browser they would take as long together, and some of them ten times as long.
 */
export async function runSteps(wanted, env) {
  const compiled = wanted.includes(COMPILER) ? runBehind(COMPILER, env) : null;
  const results = [];
  for (const name of wanted) {
    if (name === COMPILER) continue;
    if (TESTS.includes(name)) await compiled;
    results.push(await runAloud(name, env));
  }
  report(compiled === null ? results : [await compiled, ...results]);
  if (results.some(({ passed }) => !passed)) process.exitCode = 1;
}

function runAloud(name, env) {
  say(`\n━━ ${HEADINGS[name]} ━━`);
  return runStep(name, { stdio: 'inherit', env });
}

/** What the step says is shown when it has ended. */
function runBehind(name, env) {
  return inTemporaryFolder(async (folder) => {
    const file = join(folder, 'said');
    const output = openSync(file, 'w');
    const result = await runStep(name, { stdio: ['ignore', output, output], env });
    closeSync(output);
    say(`\n━━ ${HEADINGS[name]} ━━\n${readFileSync(file, 'utf8')}`);
    return result;
  });
}

async function runStep(name, around) {
  const started = Date.now();
  const result = await STEPS[name](around).catch((error) => {
    say(error.sentence ?? error.stack);
    return { passed: false };
  });
  return { name, seconds: Math.round((Date.now() - started) / 1000), ...result };
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

async function tool(packageName, command, args, { stdio, env }) {
  const end = await runProgram(process.execPath, [commandOf(packageName, command), ...args], {
    stdio,
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

async function checkUnused({ stdio }) {
  const whole = await tool('knip', 'knip', [], { stdio });
  const product = await tool('knip', 'knip', ['--production'], { stdio });
  return { passed: whole.passed && product.passed };
}

async function checkStyle({ stdio }) {
  const { passed } = await tool('@biomejs/biome', 'biome', ['check'], { stdio });
  // Compiler and parser are there once everything is installed.
  const { faultsOfLiterals } = await import('./literals.mjs');
  const { faultsOfWords } = await import('./texts.mjs');
  const faults = [...faultsOfLiterals(root), ...faultsOfStyles(root), ...faultsOfWords(root)];
  for (const fault of faults) say(fault);
  return { passed: passed && faults.length === 0 };
}

function runVitest({ stdio, env }) {
  return inTemporaryFolder(async (folder) => {
    const file = join(folder, 'report.json');
    await programsForTests();
    const args = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
    const { passed } = await tool('vitest', 'vitest', args, { stdio, env });
    return { passed, ...readVitestReport(file) };
  });
}

function runPlaywright({ stdio, env: given }) {
  return inTemporaryFolder(async (folder) => {
    const file = join(folder, 'report.json');
    await ensureBuilt();
    const env = {
      ...given,
      PLAYWRIGHT_JSON_OUTPUT_FILE: file,
      ...(await browserForTests()),
      ...(await electronForTests()),
    };
    const args = ['test', '--reporter=list,json'];
    const { passed } = await tool('@playwright/test', 'playwright', args, { stdio, env });
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

/** What is shipped for a reverse proxy and for monitoring is tried with these themselves; where one cannot be had its tests are skipped, by name. */
async function programsForTests() {
  const missing = ['caddy', 'prometheus', 'nats-server'].filter((name) => !isOnPath(name));
  if (missing.length > 0 && isDebianRoot()) await installDebianPackages(missing);
}

async function inTemporaryFolder(act) {
  const folder = mkdtempSync(join(tmpdir(), 'makerdesk-test-'));
  try {
    return await act(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
