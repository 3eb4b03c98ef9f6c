import { join } from 'node:path';
import { ensureBuilt } from './build.mjs';
import { ensureElectron } from './electron-binary.mjs';
import { exitLike, run as runProgram } from './processes.mjs';
import { root, say } from './project.mjs';

/** `npm start`: the practice desk, in the desktop app where Electron runs, else without it and in the browser. */
export async function run(args) {
  await ensureBuilt();
  const obstacle = obstacleToElectron();
  const electron = obstacle === null ? await ensureElectron() : { path: null, reason: obstacle };
  const failure = electron.path === null ? electron.reason : await runElectron(electron.path, args);
  if (failure === null) return;
  say(`${failure} So the practice desk runs without a window of its own; its console is a page for the browser.`);
  await runHeadless(args);
}

/** Why Electron cannot open a window here, in a sentence, or null. */
function obstacleToElectron() {
  if (process.platform !== 'linux') return null;
  if (!hasDisplay()) return 'There is no display here (neither DISPLAY nor WAYLAND_DISPLAY is set).';
  const root = process.getuid() === 0;
  if (root && !process.env.ELECTRON_DISABLE_SANDBOX) {
    return 'Electron has no sandbox for root (ELECTRON_DISABLE_SANDBOX=1 runs it all the same).';
  }
  return null;
}

function hasDisplay() {
  return process.platform !== 'linux' || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
}

/** Runs the app to its end. Answers null, or a sentence when it ended before it was ready. */
async function runElectron(path, args) {
  const ready = { seen: false };
  const end = await runProgram(path, [root, '--practice', ...args], {
    stdio: ['inherit', 'pipe', 'inherit'],
    started: (child) =>
      onReadyLine(child, () => {
        ready.seen = true;
      }),
  });
  if (ready.seen || end.code === 0) {
    exitLike(end);
    return null;
  }
  return `Electron ended before it was ready (${end.signal ?? `exit code ${end.code}`}).`;
}

async function runHeadless(args) {
  exitLike(
    await runProgram(process.execPath, [join(root, 'out', 'main', 'cli.js'), 'practice', ...args], {
      stdio: ['inherit', 'pipe', 'inherit'],
      started: (child) => onReadyLine(child, ({ console: url }) => void openBrowser(url)),
    }),
  );
}

/**
 * Passes the child's output on and calls `act` with its first line of JSON that says `ready`. At a terminal that line is
 * kept back: what it says stands there in words already.
 */
function onReadyLine(child, act) {
  let text = '';
  let done = false;
  child.stdout.on('data', (data) => {
    if (done || !process.stdout.isTTY) process.stdout.write(data);
    if (done) return;
    text += data;
    const lines = text.split('\n');
    text = lines.pop();
    const line = lines.find((one) => one.startsWith('{"ready":true'));
    if (line === undefined) return;
    done = true;
    act(JSON.parse(line));
  });
}

async function openBrowser(url) {
  if (!hasDisplay()) return;
  const { default: open } = await import('open');
  const opened = await open(url).catch(() => null);
  opened?.on('error', () => say('No browser could be opened; open the address of the console above yourself.'));
}
