// The door of every npm script. It keeps to syntax that old versions of Node can read, so that a Node that is too old
// gets a sentence instead of a syntax error; everything else is imported once the version is known.

const tasks = {
  start: () => import('./start.mjs'),
  test: () => import('./test.mjs'),
  'test:long': () => import('./test-long.mjs'),
  'test:whole': () => import('./test-whole.mjs'),
  'test:soak': () => import('./test-soak.mjs'),
  build: () => import('./build.mjs'),
  dev: () => import('./dev.mjs'),
  makerdesk: () => import('./makerdesk.mjs'),
  bench: () => import('./bench.mjs'),
  package: () => import('./package.mjs'),
};

const name = process.argv[2];
const version = process.versions.node.split('.').map(Number);

if (version[0] < 16) {
  console.error(
    `Makerdesk needs Node 20 or newer; this is ${process.versions.node}. Install one from https://nodejs.org.`,
  );
  process.exitCode = 1;
} else if (!Object.keys(tasks).includes(name)) {
  console.error(`There is no script "${name}". There are: ${Object.keys(tasks).join(', ')}.`);
  process.exitCode = 1;
} else {
  import('./prepare.mjs')
    .then(({ prepare }) => prepare(name, process.argv.slice(3)))
    .then((ready) => (ready ? tasks[name]().then((task) => task.run(process.argv.slice(3))) : undefined))
    .catch((error) => {
      console.error(error.sentence || error);
      process.exitCode = 1;
    });
}
