import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

/**
 * Reads every style of the console in `root` and who uses it, and answers, one line each, which class is used and not
 * defined, and which is defined and not used. A class of a module is written `styles.name`, so that it is found here; one
 * of `renderer/styles/` stands by its name in a `className`.
 */
export function faultsOfStyles(root) {
  const files = readdirSync(join(root, 'renderer'), { recursive: true }).map((path) =>
    posix.join('renderer', path.replaceAll('\\', '/')),
  );
  const read = (file) => readFileSync(join(root, file), 'utf8');
  const sources = files.filter((file) => /\.tsx?$/.test(file)).map((file) => ({ file, text: read(file) }));
  const modules = files.filter((file) => file.endsWith('.module.css'));
  const shared = files.filter((file) => file.startsWith('renderer/styles/') && file.endsWith('.css'));
  const global = new Set(shared.flatMap((file) => classesIn(read(file))));
  const usesOf = new Map(modules.map((module) => [module, new Set()]));
  const faults = [];
  for (const { file, text } of sources) {
    for (const [, name, path] of text.matchAll(/^import (\w+) from '(\S+\.module\.css)';$/gm)) {
      const module = posix.join(posix.dirname(file), path);
      if (new RegExp(`\\b${name}\\[`).test(text)) faults.push(`${file}: ${name}[…] hides which class it is`);
      const known = usesOf.has(module) ? classesIn(read(module)) : [];
      for (const [, used] of text.matchAll(new RegExp(`\\b${name}\\.(\\w+)`, 'g'))) {
        usesOf.get(module)?.add(used);
        if (!known.includes(used)) faults.push(`${file}: ${path} has no class ${used}`);
      }
    }
    for (const used of namesIn(text)) {
      if (!global.has(used)) faults.push(`${file}: renderer/styles/ has no class ${used}`);
    }
  }
  for (const [module, uses] of usesOf) {
    for (const name of new Set(classesIn(read(module))))
      if (!uses.has(name)) faults.push(`${module}: nobody uses ${name}`);
  }
  const words = new Set(sources.flatMap(({ text }) => text.match(/[\w-]+/g) ?? []));
  for (const name of global) if (!words.has(name)) faults.push(`renderer/styles/: nobody uses ${name}`);
  return faults;
}

/** The classes that a style sheet defines; what is meant of another one stands in `:global()`. */
function classesIn(css) {
  const own = css.replace(/\/\*[\s\S]*?\*\/|"[^"]*"|:global\([^)]*\)/g, '');
  return [...own.matchAll(/\.([a-zA-Z][\w-]*)/g)].map(([, name]) => name);
}

/** The classes that stand by their names in the `className`s of a source. */
function namesIn(text) {
  return [...text.matchAll(/className=(?:"([^"]*)"|\{`([^`]*)`\})/g)].flatMap(([, plain, template]) =>
    (plain ?? template.replace(/\$\{[^}]*\}/g, ' ')).split(/\s+/).filter((name) => /^[a-z][\w-]*$/.test(name)),
  );
}
