import { once } from 'node:events';
import { userInfo } from 'node:os';
import { isContractProcedure } from '@orpc/contract';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import type { DeskConnection } from '../../electron/commands/client.ts';
import { addToken } from '../../electron/commands/token.ts';
import { consoleContract } from '../../electron/contract/console-contract.ts';
import type { Right } from '../../electron/contract/rights.ts';
import { asOwner } from '../../electron/desk/handlers/base.ts';
import { expectMay } from '../../electron/desk/may-call.ts';
import { refusalOf } from '../../renderer/state/refusal-of.ts';
import { type BrowserConsole, browserConsole } from '../hostile/browser-console.ts';
import { commandsHere } from './commands-here.ts';
import { connectionTo } from './connection.ts';
import { PASSPHRASE, type RunningDesk, startDesk, temporaryFolder } from './desk-process.ts';
import { keyIn } from './key-in.ts';

/** Every operation of the contract, with the right that stands there. */
const OPERATIONS = Object.entries(consoleContract).flatMap(([room, operations]) =>
  Object.entries(operations).map(([name, operation]) => {
    if (!isContractProcedure(operation)) throw new Error(`${room}.${name} is no operation`);
    return { name: `${room}.${name}`, right: (operation['~orpc'].meta as { right?: Right }).right };
  }),
);
const ofRight = (...rights: Right[]) =>
  OPERATIONS.flatMap(({ name, right }) => (right !== undefined && rights.includes(right) ? [name] : []));

/** All that a token that may only halt may ask for: to stop, to say why, and what a screen reads for it. */
const HALTING = ['trading.status', 'trading.halt', 'trading.drain', 'trading.explain', 'desk.watch'];
/** What takes no less than the right to settings, and to everything. */
const SETTING = [
  ...['alerts.saveWay', 'alerts.removeWay', 'alerts.testWay', 'alerts.setQuiet'],
  ...[
    'alerts.set',
    'desk.archive',
    'desk.compare',
    'desk.import',
    'fleet.takeOver',
    'hedge.pin',
    'limits.set',
    'onChain.setAllowance',
  ],
  ...['listings.heldTokens', 'listings.preview', 'listings.readToken', 'listings.removeToken', 'listings.retirePair'],
  ...['listings.savePair', 'listings.saveToken', 'protections.set', 'service.setTaker', 'trading.acceptChain'],
  ...['settings.moveSurface', 'settings.removeChain', 'settings.removeCounterparty', 'settings.saveChain'],
  'settings.saveDeadMan',
  ...['settings.saveCounterparty', 'settings.saveSurfaceNames', 'settings.setServiceKey', 'settings.tryChain'],
];
const ADMINISTERING = [
  ...['desk.backup', 'desk.seal', 'key.unlock', 'practice.start', 'settings.makeKey', 'settings.saveLockAfter'],
  ...['settings.saveRemoteSigner', 'settings.tryRemoteSigner'],
  ...['tokens.create', 'tokens.list', 'tokens.owner', 'tokens.revoke', 'tokens.setRights', 'approvals.set'],
];
/** What people who look ask for and what is kept of it: filters of their own, and where they stand. */
const KEPT_OF_LOOKERS = ['savedFilters.save', 'savedFilters.rename', 'savedFilters.remove', 'ladders.stand'];

/** What every console here calls itself. */
const CLAIMED = 'somebody-else';

const { folder, remove } = temporaryFolder();
let desk: RunningDesk;
/** The user who runs the desk, at its socket. */
let owner: DeskConnection;

beforeAll(async () => {
  await keyIn(folder);
  desk = await startDesk(folder, 'serve', ['--prices-port', '0']);
  owner = await connectionTo(folder, userInfo().username);
});
afterAll(async () => {
  await owner?.close();
  await desk?.stop();
  remove();
});

/** A console with a token of these rights, which calls itself by another name. */
async function consoleOf(name: string, rights: string): Promise<BrowserConsole & { token: string }> {
  const { token, console } = await owner.desk.tokens.create({ name, rights });
  expect(console).toBe(`${new URL(desk.ready.console).origin}/#${token}`);
  const opened = await browserConsole(console ?? '', CLAIMED);
  onTestFinished(() => opened.socket.terminate());
  return { ...opened, token };
}

/** What the desk says to an operation that is asked for without any input; null where it does not refuse. */
async function asked({ desk: client }: BrowserConsole, name: string): Promise<string | null> {
  const [room = '', operation = ''] = name.split('.');
  // By its name alone no type is known of it, and that is what is tried.
  const operations = client[room as keyof typeof client] as Record<string, (input: object) => Promise<unknown>>;
  try {
    const answer = await operations[operation]?.({});
    if (isStream(answer)) await answer.return(undefined);
    return null;
  } catch (error) {
    return refusalOf(error).code;
  }
}

function isStream(answer: unknown): answer is AsyncGenerator {
  return typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer;
}

test('every operation of the contract says which right it takes, and those of most weight and least are named here', () => {
  expect(OPERATIONS.length).toBeGreaterThan(100);
  expect(OPERATIONS.filter(({ right }) => right === undefined)).toEqual([]);
  expect(ofRight('halt').toSorted()).toEqual(HALTING.toSorted());
  expect(ofRight('settings').toSorted()).toEqual(SETTING.toSorted());
  expect(ofRight('admin').toSorted()).toEqual(ADMINISTERING.toSorted());
});

test('an operation for which no right stands is for nobody, not even for the user who runs the desk', () => {
  const judge = (right: Right | undefined) => expectMay(right, asOwner('mara'), () => []);
  expect(() => judge(undefined)).toThrow('Nobody may do this');
  expect(() => judge('admin')).not.toThrow();
});

test('a token that may only halt can halt, and nothing else of the whole contract', async () => {
  const halter = await consoleOf('night-watch', 'halt');
  const answers = await Promise.all(OPERATIONS.map(async ({ name }) => ({ name, code: await asked(halter, name) })));
  expect(answers.filter(({ code }) => code !== 'not_allowed').map(({ name }) => name)).toEqual(
    OPERATIONS.flatMap(({ name }) => (HALTING.includes(name) ? [name] : [])),
  );
  const { durable, status } = await halter.desk.trading.halt({ scope: {}, reason: 'I saw something' });
  expect([durable, status.state, status.actor]).toEqual([true, 'HALTED', 'night-watch']);
});

/** What else each right lets somebody do, as the handbook says it, and not as the desk works it out. */
const COVERS: Record<Right, Right[]> = {
  halt: ['halt'],
  look: ['halt', 'look'],
  trade: ['halt', 'look', 'trade'],
  settings: ['halt', 'look', 'settings'],
  admin: ['halt', 'look', 'trade', 'settings', 'admin'],
};

test.each(Object.entries(COVERS))(
  'of the whole contract a token for “%s” is heard in what it covers: %j',
  async (right, covers) => {
    const person = await consoleOf(`only-${right}`, right);
    const answers = await Promise.all(OPERATIONS.map(async ({ name }) => ({ name, code: await asked(person, name) })));
    const heard = answers.filter(({ code }) => code !== 'not_allowed').map(({ name }) => name);
    expect(heard.toSorted()).toEqual(ofRight(...covers).toSorted());
    // To lock the key takes no input, so that was done.
    if (heard.includes('key.lock')) await owner.desk.key.unlock({ passphrase: PASSPHRASE });
  },
);

test('what takes no more than to look changes nothing of the desk', () => {
  const CHANGES =
    /\.(set|save|add|remove|rename|edit|discard|publish|reset|create|revoke|import|place|sign|send)([A-Z]|$)/;
  const changing = ofRight('look', 'halt').filter((name) => CHANGES.test(name));
  expect(changing.filter((name) => !KEPT_OF_LOOKERS.includes(name))).toEqual([]);
});

test.each([
  ['trade', ['look', 'trade', 'halt']],
  ['settings', ['look', 'halt', 'settings']],
  ['trade,settings', ['look', 'trade', 'halt', 'settings']],
  ['admin', ['look', 'trade', 'halt', 'settings', 'admin']],
])('a token for %s is told what its console may do', async (rights, may) => {
  const { desk: client } = await consoleOf(`has-${rights.replace(',', '-')}`, rights);
  for await (const update of await client.desk.watch()) {
    expect(update).toMatchObject({ actor: `has-${rights.replace(',', '-')}`, may });
    break;
  }
});

test('who is refused is told which right it takes and who has it', async () => {
  for (const { name } of await owner.desk.tokens.list()) await owner.desk.tokens.revoke({ name });
  await consoleOf('tara', 'trade');
  const { desk: client } = await consoleOf('lars', 'look');
  const refused: unknown = await client.trading.resume({ scope: {}, reason: 'let me' }).catch((error) => error);
  expect(refusalOf(refused)).toMatchObject({
    code: 'not_allowed',
    sentence: 'lars may not do this: it takes the right “trade”.',
    remedy: `Ask tara, or ${userInfo().username}, who runs the desk.`,
  });
});

test('what a person does stands in the journal under the name of their token, whatever their console calls them', async () => {
  const { desk: client } = await consoleOf('mallory', 'admin');
  await client.trading.halt({ scope: {}, reason: 'in the name of another' });
  await client.names.set({ of: 'user', id: `0x${'11'.repeat(20)}`, name: 'A taker' });
  await client.blacklist.add({ address: `0x${'22'.repeat(20)}`, reason: 'a test' }).catch(() => {});
  await client.tokens.create({ name: 'an-engine', rights: 'prices' });
  await client.tokens.revoke({ name: 'an-engine' });
  const kindsOf = async (name: string) => {
    const kinds: string[] = [];
    const found = await client.journal.find({ filter: { actor: { name } }, limit: 50 });
    for await (const { rows, done } of found) {
      kinds.push(...rows.map(({ kind }) => kind));
      if (done) break;
    }
    return kinds;
  };
  expect(await kindsOf('mallory')).toEqual(expect.arrayContaining(['name_given', 'token_made', 'token_revoked']));
  expect(await kindsOf(CLAIMED)).toEqual([]);
});

test('a revoked token counts no more, at once: its console is cut off in the middle of what it was told', async () => {
  const { desk: client, socket, token } = await consoleOf('leaver', 'trade');
  const told = client.desk.watch();
  const stream = (await told)[Symbol.asyncIterator]();
  expect((await stream.next()).value).toMatchObject({ actor: 'leaver' });
  const closed = new Promise((resolve) => socket.once('close', resolve));
  const cutOff = (async () => {
    for (let next = await stream.next(); !next.done; next = await stream.next());
  })().catch(() => {});
  await owner.desk.tokens.revoke({ name: 'leaver' });
  await Promise.all([closed, cutOff]);
  await expect(browserConsole(`${new URL(desk.ready.console).origin}/#${token}`)).rejects.toThrow('401');
  expect((await owner.desk.tokens.list()).map(({ name }) => name)).not.toContain('leaver');
});

test('whose rights are set anew may do what they say from then on, and their console begins anew', async () => {
  const { socket, token } = await consoleOf('rita', 'settings');
  const closed = once(socket, 'close');
  await owner.desk.tokens.setRights({ name: 'rita', rights: 'trade' });
  await closed;
  const again = await browserConsole(`${new URL(desk.ready.console).origin}/#${token}`);
  onTestFinished(() => again.socket.terminate());
  for await (const update of await again.desk.desk.watch()) {
    expect(update).toMatchObject({ actor: 'rita', may: ['look', 'trade', 'halt'] });
    expect(update.people).toContainEqual({ name: 'rita', may: ['look', 'trade', 'halt'] });
    break;
  }
  expect(await asked(again, 'limits.set')).toBe('not_allowed');
  await expect(owner.desk.tokens.setRights({ name: 'nobody', rights: 'trade' })).rejects.toThrow('no token nobody');
});

test('nobody is called as the program, the user who runs the desk, or somebody else is', async () => {
  await consoleOf('Nora', 'look');
  const codeOf = (name: string) =>
    owner.desk.tokens.create({ name, rights: 'look' }).then(
      () => null,
      (error: unknown) => refusalOf(error).code,
    );
  for (const name of ['desk', 'Chain', userInfo().username])
    expect([name, await codeOf(name)]).toEqual([name, 'name_taken']);
  for (const name of ['nora', 'NORA']) expect([name, await codeOf(name)]).toEqual([name, 'token_exists']);
});

test('the list says what a token is for, who made it, and when it was last used', async () => {
  await consoleOf('ulla', 'look,halt');
  const { stdout } = await commandsHere(addToken)(folder, ['token', 'list', '--json']);
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT/);
  const told = { name: 'ulla', rights: 'look,halt', since: time, by: userInfo().username, lastUsedAt: time };
  expect(JSON.parse(stdout)).toContainEqual(told);
});

test('a console is a WebSocket and nothing else: over HTTP no operation is answered, whoever asks', async () => {
  const { token, console } = await owner.desk.tokens.create({ name: 'over-http', rights: 'admin' });
  const { origin } = new URL(console ?? '');
  const headers = { authorization: `Bearer ${token}` };
  for (const { name } of OPERATIONS) {
    for (const path of [`/rpc/${name.replace('.', '/')}`, `/${name.replace('.', '/')}`]) {
      const read = await fetch(`${origin}${path}?token=${token}`, { headers });
      const written = await fetch(`${origin}${path}?token=${token}`, { method: 'POST', headers, body: '{"json":{}}' });
      expect([name, read.status, written.status]).toEqual([name, 404, 405]);
    }
  }
});

test('a token for prices opens no console, and that of a person pushes no prices, by HTTP or WebSocket', async () => {
  const engine = await owner.desk.tokens.create({ name: 'engine', rights: 'prices' });
  const { token } = await consoleOf('petra', 'admin');
  expect(engine.console).toBeUndefined();
  await expect(browserConsole(`${new URL(desk.ready.console).origin}/#${engine.token}`)).rejects.toThrow('401');
  const statusWith = async (given: string) =>
    (await fetch(`${engine.prices}/1`, { headers: { authorization: `Bearer ${given}` } })).status;
  expect([await statusWith(token), await statusWith(engine.token)]).toEqual([401, 404]);
  const pushing = new WebSocket(`${engine.prices?.replace('http', 'ws')}/ws`, {
    headers: { authorization: `Bearer ${token}` },
  });
  await expect(once(pushing, 'open')).rejects.toThrow('401');
});
