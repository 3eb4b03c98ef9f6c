import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

// Plain JavaScript, which runs before anything is installed; the type check does not look into it.
const { faultsOfStyles } = await import(new URL('../../resources/setup/styles.mjs', import.meta.url).href);

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'makerdesk-styles-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** What the check says about a button with these styles, written with these classes. */
function faultsOf(button: string, css = '.wide { width: 20px }', base = '.quiet { color: grey }'): string[] {
  const files = {
    'renderer/pages/button.tsx': `import styles from './button.module.css';\nexport const Button = () => ${button};`,
    'renderer/pages/button.module.css': css,
    'renderer/styles/base.css': base,
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return faultsOfStyles(root);
}

const used = `<i className={\`\${styles.wide} quiet\`} />`;

test('classes that are defined and used are right, in modules and in the styles of all', () => {
  expect(faultsOf(used)).toEqual([]);
  const css = '/* .old */ .wide:hover :global(.elsewhere) { content: ".no"; opacity: 0.5 }';
  expect(faultsOf(used, css)).toEqual([]);
});

test.each([
  [
    'a class that its module does not define',
    '<i className={styles.wide}><b className={styles.high} /></i>',
    /no class high/,
  ],
  [
    'a class that the styles of all do not define',
    '<i className={styles.wide}><b className="loud" /></i>',
    /no class loud/,
  ],
  ['such a class in a template', `<i className={\`loud \${styles.wide}\`} />`, /no class loud/],
  ['a class that is not named in full', `<i className={\`\${styles.wide} \${styles[look]}\`} />`, /hides/],
])('%s is refused', (_name, button, fault) => {
  expect(faultsOf(`${button} ?? 'quiet'`)).toEqual([expect.stringMatching(fault)]);
});

test('a class that nobody uses is refused, in modules and in the styles of all', () => {
  expect(faultsOf(used, '.wide { } @media print { .high { } }')).toEqual([expect.stringMatching(/nobody uses high/)]);
  expect(faultsOf(used, '.wide { }', '.quiet { } .loud { }')).toEqual([expect.stringMatching(/nobody uses loud/)]);
});
