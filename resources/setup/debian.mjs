import { existsSync } from 'node:fs';
import { run } from './processes.mjs';

/** Whether packages can be installed with apt-get here. */
export function isDebianRoot() {
  return process.platform === 'linux' && process.getuid() === 0 && existsSync('/usr/bin/apt-get');
}

/** Installs packages of Debian; answers whether that succeeded. */
export async function installDebianPackages(names) {
  const options = {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  };
  const aptGet = (...args) => run('apt-get', ['-qq', '-o', 'DPkg::Lock::Timeout=300', ...args], options);
  await aptGet('update'); // when it fails, the lists there are may do
  return (await aptGet('install', '-y', '--no-install-recommends', ...names)).code === 0;
}
