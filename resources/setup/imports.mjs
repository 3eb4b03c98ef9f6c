import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { parseSync } from 'vite';
import { faultOfImport } from './import-rules.mjs';

const FOLDERS = ['electron', 'renderer', 'test'];

/**
 * Reads every import of the project in `root` and answers what is against the rules, one line each: directions, cycles,
 * barrels, and imports that lead nowhere.
 */
export function faultsOfImports(root) {
  const files = FOLDERS.filter((folder) => existsSync(join(root, folder))).flatMap((folder) => sourcesIn(root, folder));
  const faults = [];
  const graph = new Map();
  for (const file of files) {
    const source = read(join(root, file));
    if (source.isBarrel) faults.push(`${file}: it only hands on what others export; import from where it is made`);
    const targets = source.imports.map(({ name, isType }) => ({ to: targetOf(file, name), isType }));
    for (const { to, isType } of targets) {
      const fault = leadsNowhere(root, to) ?? faultOfImport(file, to, isType);
      if (fault !== null) faults.push(`${file} → ${to}: ${fault}`);
    }
    graph.set(
      file,
      targets
        .filter(({ to, isType }) => files.includes(to) && !(isType && file.startsWith('test/')))
        .map(({ to }) => to),
    );
  }
  return [...faults, ...cyclesIn(graph).map((cycle) => `${cycle.join(' → ')}: a circle of imports`)];
}

function sourcesIn(root, folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return sourcesIn(root, path);
    return /\.tsx?$/.test(entry.name) && !entry.name.endsWith('.d.ts') ? [path] : [];
  });
}

/** What a file imports, wherever in it. */
function read(path) {
  const text = readFileSync(path, 'utf8');
  const { module, program, errors } = parseSync(path, text);
  if (errors.length > 0) return { imports: [], isBarrel: false }; // the type check names these
  const imports = module.staticImports.map(({ moduleRequest, entries, start }) => ({
    name: moduleRequest.value,
    isType: text.startsWith('import type', start) || (entries.length > 0 && entries.every((entry) => entry.isType)),
  }));
  const reExports = module.staticExports.flatMap(({ entries }) => entries).filter((entry) => entry.moduleRequest);
  for (const { moduleRequest, isType } of reExports) imports.push({ name: moduleRequest.value, isType });
  imports.push(...importsInside(program.body));
  const isBarrel = program.body.length > 0 && program.body.every((statement) => isReExport(statement));
  return { imports, isBarrel };
}

/** What is imported in the middle of code: by an expression, or by a type that names its module. */
function importsInside(node) {
  if (typeof node !== 'object' || node === null) return [];
  const deeper = Object.values(node).flatMap((part) => importsInside(part));
  const isType = node.type === 'TSImportType';
  if (!isType && node.type !== 'ImportExpression') return deeper;
  return typeof node.source?.value === 'string' ? [...deeper, { name: node.source.value, isType }] : deeper;
}

function isReExport({ type, source }) {
  return type === 'ExportAllDeclaration' || (type === 'ExportNamedDeclaration' && source !== null);
}

function targetOf(file, name) {
  return name.startsWith('.') ? posix.normalize(posix.join(posix.dirname(file), name.split('?')[0])) : name;
}

function leadsNowhere(root, to) {
  const isFile = /^(electron|renderer|resources|test)\//.test(to) && dirname(to) !== '.';
  return isFile && !existsSync(join(root, to)) ? 'there is no such file' : null;
}

/** Circles, of types as well but among tests. One for each file on which a walk comes back to where it has been. */
function cyclesIn(graph) {
  const cycles = [];
  const done = new Set();
  const walk = (file, path) => {
    const met = path.indexOf(file);
    if (met >= 0) cycles.push([...path.slice(met), file]);
    if (met >= 0 || done.has(file)) return;
    for (const next of graph.get(file) ?? []) walk(next, [...path, file]);
    done.add(file);
  };
  for (const file of graph.keys()) walk(file, []);
  return cycles;
}
