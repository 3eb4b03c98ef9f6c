/**
 * Who may import whom, as DESIGN.md draws the house: imports run downwards only, and rooms of one row do not know each
 * other. The first row is the top.
 */
const ROWS = [
  ['main.ts', 'preload.ts', 'desk-process.ts', 'practice-process.ts', 'cli.ts'],
  ['app', 'commands'],
  ['desk'],
  ['surface', 'hedge'],
  ['quoting'],
  ['guard'],
  ['book', 'chain', 'fleet'],
  ['journal', 'signer', 'service'],
  ['contract'],
  ['protocol', 'time'],
];

/** The other side of the wire: it shares the wire with the desk and nothing else. It runs in a process of its own, whose door alone knows it. */
const PRACTICE = 'practice';
const PRACTICE_DOOR = 'practice-process.ts';

/** The rooms that may speak to Electron; everything else runs without it. */
const ELECTRON_ROOMS = ['main.ts', 'preload.ts', 'app'];

/** Node modules that are neither clock, randomness nor I/O, for the room that has none of these. */
const PURE_NODE_MODULES = ['node:crypto'];

/**
 * The journal from the inside: doors (what the rest of the desk and the threads call), the list of domains and what must know
 * them, the domains, each a folder with a slice of the facts, and below them an engine that knows no kind of event. What lies in
 * journal/ itself and is not named here is the engine.
 */
const JOURNAL_ROWS = [
  ['doors'],
  ['list of domains'],
  ['people', 'results', 'protections', 'approvals'],
  ['hedges'],
  ['fills'],
  ['quotes'],
  ['book', 'trading', 'desk', 'archive', 'seals'],
  ['events'],
  ['engine'],
];
/** They hand the list to the engine, and know no domain themselves. */
const JOURNAL_DOORS = [
  'append-queue.ts',
  'archiving.ts',
  'journal-thread.ts',
  'journal.ts',
  'queries.ts',
  'reader-messages.ts',
  'reader-task.ts',
  'reader-thread.ts',
  'reader.ts',
  'put-back.ts',
  'followed-journal.ts',
  'rebuild-tables.ts',
  'verify.ts',
  'writer-messages.ts',
  'writer-thread.ts',
];
/** The one static list of domains: their slices, and the union of their events. */
const JOURNAL_LIST = ['events.ts', 'slices.ts'];

const rowOf = (room) => ROWS.findIndex((row) => row.includes(room));

/** The room of a file of the main side: its folder in electron/, or its own name for a door. */
function roomOf(path) {
  return path.startsWith('electron/') ? path.split('/')[1] : null;
}

/**
 * Why `from` may not import `to`, or null. Both are paths from the project's folder; `to` is the name of a package
 * where it is none of our files. `isType` is true for what leaves no trace in the running program.
 */
export function faultOfImport(from, to, isType) {
  if (!from.startsWith('electron/') && !from.startsWith('renderer/')) return null;
  if (to.startsWith('test/')) return 'the program does not import its tests';
  if (to.startsWith('resources/') && !to.endsWith('.json')) return 'only data is imported from resources/';
  if (from.startsWith('renderer/')) return faultOfRenderer(to, isType);
  const room = roomOf(from);
  if (!isOurs(to)) return faultOfPackage(room, to);
  if (to.startsWith('renderer/')) return 'the main side does not know the renderer';
  const other = roomOf(to);
  if (other === 'journal' && room === 'journal') return faultInJournal(from, to);
  if (other === null || other === room) return null;
  if (room === PRACTICE)
    return ['protocol', 'time'].includes(other) ? null : 'practice/ imports protocol/ and time/ only';
  if (rowOf(room) < 0) return `${room} is no room that the rules know`;
  if (room === 'preload.ts') return other === 'contract' ? null : 'the preload knows the contract only';
  if (other === PRACTICE) return room === PRACTICE_DOOR ? null : `only ${PRACTICE_DOOR} knows practice/`;
  return rowOf(other) > rowOf(room) ? null : `imports run downwards: ${room} may not import ${other}`;
}

function faultInJournal(from, to) {
  const [room, other] = [from, to].map(partOfJournal);
  if (room === other) return null;
  if (room === 'doors' && other !== 'list of domains' && other !== 'engine') {
    return `the doors of the journal know its list of domains, and not ${other}`;
  }
  const row = (part) => JOURNAL_ROWS.findIndex((parts) => parts.includes(part));
  return row(other) > row(room) ? null : `inside the journal imports run downwards: ${room} may not import ${other}`;
}

/** Of which part of the journal a file is; the events of all domains stand together. */
function partOfJournal(path) {
  const [, , part, file] = path.split('/');
  if (file === 'events.ts') return 'events';
  if (file !== undefined) return part;
  if (JOURNAL_DOORS.includes(part)) return 'doors';
  return JOURNAL_LIST.includes(part) ? 'list of domains' : 'engine';
}

function faultOfRenderer(to, isType) {
  if (to === 'electron') return 'the renderer runs without Electron';
  if (!to.startsWith('electron/') || to.startsWith('electron/contract/')) return null;
  if (isType && to.startsWith('electron/protocol/')) return null;
  return 'the renderer imports electron/contract/ only, and types of electron/protocol/';
}

function faultOfPackage(room, name) {
  if (name === 'electron' && !ELECTRON_ROOMS.includes(room)) return `only ${ELECTRON_ROOMS.join(', ')} import electron`;
  if (room === 'preload.ts' && name !== 'electron') return 'the preload requires nothing but electron';
  if (room === 'protocol' && name.startsWith('node:') && !PURE_NODE_MODULES.includes(name)) {
    return 'protocol/ is pure: no clock, no randomness, no I/O';
  }
  return null;
}

function isOurs(path) {
  return path.includes('/') && /^(electron|renderer|resources|test)\//.test(path);
}
