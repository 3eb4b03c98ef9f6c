import { ensureElectron } from './electron-binary.mjs';
import { exitLike, run as runProgram } from './processes.mjs';
import { commandOf, sentence } from './project.mjs';

/** `npm run dev`: the practice desk in Electron; the console reloads as its sources change. */
export async function run(args) {
  const electron = await ensureElectron();
  if (electron.path === null) throw sentence(`${electron.reason} "npm run dev" needs it; "npm start" goes without.`);
  const vite = [commandOf('electron-vite', 'electron-vite'), 'dev', '--', '--practice', ...args];
  exitLike(await runProgram(process.execPath, vite, { env: { ...process.env, ELECTRON_EXEC_PATH: electron.path } }));
}
