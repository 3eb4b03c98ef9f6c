// How the desktop app is packaged, for every system. `npm run package` is what reads it; `makerdesk.deb` comes from the same tree.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../setup/project.mjs';

/** The Electron that is there, and its version as it says itself: both come from `npm run package`. */
const electronDist = process.env.MAKERDESK_ELECTRON_DIST;
const electronVersion = readFileSync(join(electronDist, 'version'), 'utf8').trim().replace(/^v/, '');

/** Each system makes its own package. */
const MACHINE = `${process.platform}-${process.arch}`;

/** SQLite's binding looks for one that was compiled on purpose first, as for an older Electron; else it takes the prebuilt one. */
const COMPILED = 'node_modules/better-sqlite3/build/Release/better_sqlite3.node';
const PREBUILT = `node_modules/better-sqlite3/prebuilds/${MACHINE}.node`;
const binding = existsSync(join(root, COMPILED)) ? COMPILED : PREBUILT;

/** anvil is a program, which the system has to find as a file: beside the archive, where Node looks for packages next. */
const ANVIL = 'node_modules/@foundry-rs';

export default {
  appId: 'org.makerdesk.console',
  productName: 'Makerdesk',
  copyright: 'The Makerdesk authors',
  electronDist,
  electronVersion,
  electronLanguages: ['en-US', 'en'],
  npmRebuild: false,
  directories: { output: 'dist', buildResources: 'resources/icons' },
  files: [
    'package.json',
    'out/{main,preload,renderer}/**',
    'resources/icons/*.png',
    '!**/*.{md,map,ts,gyp}',
    '!node_modules/{@foundry-rs,node-linux-*,node-darwin-*,node-bin-*,node-win-*}/**',
    '!**/node-addon-api/**',
    '!node_modules/hash-wasm/{src,.vscode,dist/lib}/**',
    '!node_modules/hash-wasm/dist/{*.min.js,index.esm.js}',
    '!node_modules/better-sqlite3/{deps,src,build,prebuilds}/**',
    binding,
    '!node_modules/secp256k1/{src,prebuilds}/**',
    `node_modules/secp256k1/prebuilds/${MACHINE}/*`,
  ],
  extraResources: [{ from: ANVIL, to: ANVIL, filter: ['anvil-*/package.json', 'anvil-*/bin/*', 'anvil-*/LICENSE*'] }],
  asar: { smartUnpack: false },
  asarUnpack: ['**/*.node'],
  // Electron takes a folder `app` before the archive: a runtime that brings one would start that instead.
  afterExtract: ({ appOutDir }) => rmSync(join(appOutDir, 'resources', 'app'), { recursive: true, force: true }),
  electronFuses: {
    // On: the practice market is a child of the desk's own process, where Electron has no other way to start one, and the
    // `makerdesk` command of the package is the same program run as Node. So whoever may run programs as this user may also run
    // this one with code of their own, as they could any Node.
    runAsNode: true,
    // Off: the environment loads no code into it, also not where it runs as Node; the app takes no debugger of Node.
    enableNodeOptionsEnvironmentVariable: false,
    enableNodeCliInspectArguments: false,
    // On: only the archive is run, and where Electron checks it (macOS, Windows; on Linux it has no check), only unchanged.
    onlyLoadAppFromAsar: true,
    enableEmbeddedAsarIntegrityValidation: true,
    // Off: the console is no file:// page, so such pages get nothing.
    grantFileProtocolExtraPrivileges: false,
    // Off: the app keeps no cookies, and one snapshot does for all processes.
    enableCookieEncryption: false,
    loadBrowserProcessSpecificV8Snapshot: false,
  },
  // Nothing here looks for updates or installs them.
  publish: null,
  linux: {
    target: ['AppImage'],
    executableName: 'makerdesk',
    category: 'Office',
    icon: 'resources/icons/makerdesk.png',
  },
  // Signed where CSC_LINK and CSC_KEY_PASSWORD are set, and notarized where APPLE_ID, APPLE_APP_SPECIFIC_PASSWORD and APPLE_TEAM_ID are.
  mac: {
    target: ['dmg'],
    category: 'public.app-category.finance',
    icon: 'resources/icons/makerdesk.png',
    hardenedRuntime: true,
    notarize: Boolean(process.env.APPLE_TEAM_ID),
  },
  // Signed where WIN_CSC_LINK and WIN_CSC_KEY_PASSWORD are set.
  win: { target: ['nsis'], icon: 'resources/icons/makerdesk.png' },
  nsis: { oneClick: false, perMachine: false, deleteAppDataOnUninstall: false },
};
