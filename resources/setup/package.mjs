import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt } from './build.mjs';
import { packDeb } from './deb.mjs';
import { ensureElectron } from './electron-binary.mjs';
import { run as runProgram } from './processes.mjs';
import { commandOf, root, say, sentence } from './project.mjs';

/** What can be made, with the system that makes it and what electron-builder is told. */
const PACKAGES = {
  deb: { platform: 'linux', args: ['--linux', 'dir'] },
  appimage: { platform: 'linux', args: ['--linux', 'AppImage'] },
  dmg: { platform: 'darwin', args: ['--mac', 'dmg'] },
  nsis: { platform: 'win32', args: ['--win', 'nsis'] },
};

const CONFIGURATION = join(root, 'resources', 'packaging', 'electron-builder.mjs');

/** `npm run package -- deb`: leaves the package in `dist/`. */
export async function run([name = '']) {
  const wanted = Object.hasOwn(PACKAGES, name) ? PACKAGES[name] : null;
  if (wanted === null) throw sentence(`There is no package "${name}". There are: ${Object.keys(PACKAGES).join(', ')}.`);
  if (wanted.platform !== process.platform) throw sentence(`${name} is made on ${wanted.platform} only.`);
  await ensureBuilt();
  const electron = await ensureElectron();
  if (electron.path === null) throw sentence(electron.reason);
  await stage(wanted.args);
  if (name === 'deb') say(await packDeb(join(root, 'dist', 'linux-unpacked')));
}

/** electron-builder puts the app together: archive, bindings of this machine, fuses; never published from here. */
async function stage(args) {
  const unpacked = join(root, 'dist', 'linux-unpacked');
  if (existsSync(unpacked)) rmSync(unpacked, { recursive: true }); // what an earlier one left would come along
  const dist = process.env.ELECTRON_OVERRIDE_DIST_PATH || join(root, 'node_modules', 'electron', 'dist');
  const given = Object.entries(process.env).filter(([, value]) => value !== ''); // a secret that is not set comes as an empty text
  const builder = commandOf('electron-builder', 'electron-builder');
  const end = await runProgram(process.execPath, [builder, ...args, '--config', CONFIGURATION, '--publish', 'never'], {
    stdio: ['ignore', 2, 2],
    env: { ...Object.fromEntries(given), MAKERDESK_ELECTRON_DIST: dist },
  });
  if (end.code !== 0) throw sentence('The app could not be put together; what electron-builder said stands above.');
}
