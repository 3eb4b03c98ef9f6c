import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isOnPath, run } from './processes.mjs';
import { readJson, root, sentence } from './project.mjs';

const ARCHITECTURES = { x64: 'amd64', arm64: 'arm64' };

/** What Electron loads of the system. */
const DEPENDS = [
  'libasound2 | libasound2t64',
  'libatspi2.0-0 | libatspi2.0-0t64',
  'libgbm1',
  'libgtk-3-0 | libgtk-3-0t64',
  'libnotify4',
  'libnss3',
  'libuuid1',
  'libxtst6',
  'xdg-utils',
];

/** Where the unit that is beside the guide for npm's package finds the command, and where this package puts it. */
const COMMAND_OF_NPM = '/opt/makerdesk/node_modules/.bin/makerdesk';
const COMMAND = '/usr/bin/makerdesk';

/** How hard xz tries, 0 to 9. At 6 it takes minutes of the processor; who only looks at what is in the package has no use for that. */
const LEVEL = process.env.MAKERDESK_DEB_LEVEL ?? '6';

const QUERY =
  'process.stdout.write(String(new (require(process.argv[1]))(":memory:").prepare("select 1 + 1").pluck().get()))';

/**
 * Makes `dist/makerdesk_VERSION_ARCHITECTURE.deb` from an app that is put together, with dpkg-deb itself: electron-builder
 * does it with a program that it downloads while it runs. Nothing in the package is run when it is installed.
 * Returns the path of the package.
 */
export async function packDeb(app) {
  if (!isOnPath('dpkg-deb')) throw sentence('A .deb is made by dpkg-deb, and there is none on this machine.');
  await checkBinding(app);
  const { version, description } = readJson('package.json');
  const architecture = ARCHITECTURES[process.arch];
  const file = join(root, 'dist', `makerdesk_${version}_${architecture}.deb`);
  const tree = mkdtempSync(join(tmpdir(), 'makerdesk-deb-'));
  try {
    chmodSync(tree, 0o755);
    layOut(tree, app);
    place(tree, 'DEBIAN/control', control({ version, description, architecture }));
    const made = `${file}.unfinished`;
    const end = await run('dpkg-deb', ['--root-owner-group', '-Zxz', `-z${LEVEL}`, '--build', tree, made], {
      stdio: ['ignore', 'ignore', 2],
    });
    if (end.code !== 0) throw sentence('dpkg-deb did not make the package; what it said stands above.');
    renameSync(made, file);
    return file;
  } finally {
    rmSync(tree, { recursive: true, force: true });
  }
}

/** A binding for another Electron ends the program that loads it: that is to be seen here. */
async function checkBinding(app) {
  const sqlite = join(app, 'resources', 'app.asar', 'node_modules', 'better-sqlite3');
  let answer = '';
  const end = await run(join(app, 'makerdesk'), ['-e', QUERY, sqlite], {
    stdio: ['ignore', 'pipe', 2],
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
    started: (child) =>
      child.stdout.on('data', (data) => {
        answer += data;
      }),
  });
  if (end.code !== 0 || answer !== '2') {
    throw sentence(
      'The SQLite binding does not run in the Electron that is there; it needs one that is compiled for it.',
    );
  }
}

function layOut(tree, app) {
  const packaging = join(root, 'resources', 'packaging');
  const lib = join(tree, 'usr', 'lib', 'makerdesk');
  mkdirSync(dirname(lib), { recursive: true });
  cpSync(app, lib, { recursive: true, verbatimSymlinks: true });
  chmodSync(join(lib, 'chrome-sandbox'), 0o4755); // where the system lets nobody make a namespace, this does
  place(tree, 'usr/bin/makerdesk', readFileSync(join(packaging, 'makerdesk')), 0o755);
  place(tree, 'usr/share/applications/makerdesk.desktop', readFileSync(join(packaging, 'makerdesk.desktop')));
  const icon = join(tree, 'usr/share/icons/hicolor/512x512/apps/makerdesk.png');
  mkdirSync(dirname(icon), { recursive: true });
  copyFileSync(join(root, 'resources', 'icons', 'makerdesk.png'), icon);
  place(tree, 'usr/share/doc/makerdesk/copyright', readFileSync(join(root, 'LICENSE')));
  place(tree, 'usr/lib/systemd/system/makerdesk.service', unit());
  // What a desk is driven, watched and led to with, to be taken as a start.
  const examples = join(tree, 'usr/share/doc/makerdesk/examples');
  for (const name of ['engines', 'deploy', 'monitoring']) {
    cpSync(join(root, 'resources', name), join(examples, name), { recursive: true });
  }
}

/** The unit of a desk without a window, for the command of this package. Installed, not enabled. */
function unit() {
  const text = readFileSync(join(root, 'resources', 'deploy', 'makerdesk.service'), 'utf8');
  if (!text.includes(COMMAND_OF_NPM)) throw sentence(`makerdesk.service does not start ${COMMAND_OF_NPM} any more.`);
  return text.replaceAll(COMMAND_OF_NPM, COMMAND);
}

function control({ version, description, architecture }) {
  return [
    'Package: makerdesk',
    `Version: ${version}`,
    `Architecture: ${architecture}`,
    'Maintainer: The Makerdesk authors <makerdesk@localhost>',
    `Depends: ${DEPENDS.join(', ')}`,
    'Section: misc',
    'Priority: optional',
    `Description: ${description}`,
    ' The desktop app, the makerdesk command for a desk without a window, and a',
    ' unit of systemd for it, which is not enabled by installing this.',
    '',
  ].join('\n');
}

function place(tree, path, content, mode = 0o644) {
  const file = join(tree, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content, { mode });
  chmodSync(file, mode);
}
