import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { type FourEyesKind, fourEyesKindSchema } from '../../electron/contract/approvals.ts';
import { sentenceText } from '../../electron/contract/journal.ts';
import { limitsSchema } from '../../electron/contract/limits.ts';
import { asOwner } from '../../electron/desk/handlers/base.ts';
import packageFile from '../../package.json' with { type: 'json' };
import { refusalOf } from '../../renderer/state/refusal-of.ts';
import { CHAIN, deskFile, folder } from '../book/fixture.ts';
import { type Asking, openForTwo, type TwoPeople } from './two-people.ts';

const HOUR = 3_600_000;
const limits = (weth: string) => limitsSchema.parse({ maxQuote: { WETH: weth } });

/** A halted desk with a chain, the user who runs it, and ada, who may do everything too. */
async function desk(kinds: readonly FourEyesKind[], at = folder(), clock = { now: Date.now() }): Promise<TwoPeople> {
  const opened = await openForTwo(at, clock);
  const owner = opened.owner();
  await owner.desk.import({ desk: deskFile() });
  await owner.limits.set({ chainId: CHAIN, limits: limits('5') });
  await owner.tokens.create({ name: 'ada', rights: 'admin' });
  await owner.tokens.create({ name: 'tara', rights: 'trade' });
  if (kinds.length > 0) await owner.approvals.set({ kinds: [...kinds], seen: [] });
  return opened;
}

/** What an operation is refused with; null where it is done. */
function codeOf(asked: Promise<unknown>): Promise<string | null> {
  return asked.then(
    () => null,
    (error: unknown) => refusalOf(error).code,
  );
}

const maxQuote = ({ rooms }: TwoPeople) => rooms.book.chain(CHAIN)?.config.limits.maxQuote.WETH;
const waiting = async (asking: Asking) => (await asking.approvals.list({})).waiting;

async function sentences(asking: Asking): Promise<string[]> {
  const told: string[] = [];
  for await (const { rows } of await asking.journal.find({ filter: {}, limit: 10 })) {
    told.push(...rows.map((row) => `${row.actor} ${sentenceText(row)}`));
  }
  return told;
}

test('a higher limit waits for a second person, who sees what was and would be, and is then set under the name of the first', async () => {
  const opened = await desk(['limits']);
  const [owner, ada] = [opened.owner(), opened.holder('ada')];
  await expect(codeOf(owner.limits.set({ chainId: CHAIN, limits: limits('8') }))).resolves.toBe('second_person_asked');
  expect(maxQuote(opened)).toBe('5');
  const [asked] = await waiting(ada);
  expect(asked).toMatchObject({
    actor: 'mara',
    token: null,
    right: 'settings',
    says: 'set the limits of Practice',
    changes: [{ about: 'Practice (31337)', what: 'WETH: at most in one quote', before: '5', after: '8', unit: 'WETH' }],
  });
  await ada.approvals.approve({ request: asked?.seq ?? 0 });
  expect(maxQuote(opened)).toBe('8');
  expect(await waiting(ada)).toEqual([]);
  expect((await sentences(ada)).slice(0, 4).reverse()).toEqual([
    'mara asked for a second person: set the limits of Practice; Practice (31337): WETH: at most in one quote 5 → 8',
    'ada approved what mara asked for: set the limits of Practice',
    'mara set limits: at most in one quote WETH 5 → 8',
    'desk carried out, asked for by mara and approved by ada: set the limits of Practice',
  ]);
});

test('the same person approves nothing of their own, whatever their console calls them, and nobody without the right does', async () => {
  const opened = await desk(['limits']);
  await codeOf(opened.owner().limits.set({ chainId: CHAIN, limits: limits('8') }));
  const [{ seq = 0 } = {}] = await waiting(opened.owner());
  const answers = [opened.owner(), opened.owner('somebody else'), opened.holder('tara')];
  expect(await Promise.all(answers.map((one) => codeOf(one.approvals.approve({ request: seq }))))).toEqual([
    'own_approval',
    'own_approval',
    'not_allowed',
  ]);
  expect(await codeOf(opened.holder('tara').approvals.refuse({ request: seq, reason: 'no' }))).toBe('not_allowed');
  expect(await codeOf(opened.holder('ada').approvals.withdraw({ request: seq }))).toBe('own_approval');
  expect(maxQuote(opened)).toBe('5');
  await opened.owner('again another name').approvals.withdraw({ request: seq });
  expect(await codeOf(opened.holder('ada').approvals.approve({ request: seq }))).toBe('approval_over');
  expect(await codeOf(opened.holder('ada').approvals.approve({ request: 9_999 }))).toBe('unknown_approval');
});

test('a lower limit, a halt, a taker that goes and a right that is taken away wait for nobody', async () => {
  const opened = await desk(fourEyesKindSchema.options);
  const owner = opened.owner();
  await owner.limits.set({ chainId: CHAIN, limits: limits('4') });
  await owner.limits.set({
    chainId: CHAIN,
    limits: limitsSchema.parse({ maxQuote: { WETH: '4' }, quotesPerUserPerMinute: 10 }),
  });
  await owner.trading.halt({ scope: {}, reason: 'a test' });
  await owner.trading.drain({ scope: { chainId: CHAIN } });
  await owner.tokens.setRights({ name: 'ada', rights: 'look' });
  await owner.tokens.revoke({ name: 'tara' });
  await owner.settings.saveDeadMan({ minutes: 60 });
  await owner.settings.saveDeadMan({ minutes: 30 });
  await owner.settings.removeCounterparty({ domain: 'nobody' });
  expect(maxQuote(opened)).toBe('4');
  expect(await waiting(owner)).toEqual([]);
});

test('under rules that cannot be read whatever takes their place waits for a second person, be it no rule at all', async () => {
  const at = folder();
  const before = await desk(['limits'], at);
  await before.owner().trading.halt({ scope: {} });
  const file = await before.rooms.book.deskFile();
  await before.close();
  const db = new Database(join(at, 'journal.db'));
  db.exec(`UPDATE desk SET settings = json_set(settings, '$.protections', 'nonsense')`);
  db.close();
  const owner = (await openForTwo(at)).owner();
  expect(await codeOf(owner.protections.set({ protections: [], seen: [] }))).toBe('second_person_asked');
  expect(await codeOf(owner.desk.import({ desk: file }))).toBe('second_person_asked');
});

test('what takes a second person takes one to be less: less is only set once somebody else agrees', async () => {
  const opened = await desk(['limits', 'resume']);
  const [owner, ada] = [opened.owner(), opened.holder('ada')];
  await owner.approvals.set({ kinds: ['resume', 'limits', 'takers'], seen: ['limits', 'resume'] });
  expect(await codeOf(owner.approvals.set({ kinds: ['resume'], seen: ['resume', 'limits', 'takers'] }))).toBe(
    'second_person_asked',
  );
  const [asked] = await waiting(ada);
  expect(asked?.changes).toEqual([
    { about: 'Desk', what: 'Takes a second person', before: 'going live, limits, takers', after: 'going live' },
  ]);
  expect((await owner.approvals.list({})).kinds).toEqual(['resume', 'limits', 'takers']);
  await ada.approvals.approve({ request: asked?.seq ?? 0 });
  expect((await owner.approvals.list({})).kinds).toEqual(['resume']);
});

test('nobody gives themselves a second person: a token that could approve waits for one, and goes to whoever approves it', async () => {
  const opened = await desk(['limits']);
  const [owner, ada] = [opened.owner(), opened.holder('ada')];
  expect(await codeOf(owner.tokens.create({ name: 'mara-too', rights: 'settings' }))).toBe('second_person_asked');
  expect(await codeOf(owner.tokens.setRights({ name: 'tara', rights: 'admin' }))).toBe('second_person_asked');
  expect(await codeOf(owner.tokens.create({ name: 'night', rights: 'halt' }))).toBe(null);
  expect(await codeOf(owner.tokens.create({ name: 'engine', rights: 'prices' }))).toBe(null);
  expect(opened.rooms.credentials.tokens().map(({ name, rights }) => `${name} ${rights}`)).toEqual([
    'ada admin',
    'tara trade',
    'night halt',
    'engine prices',
  ]);
  const [create] = await waiting(ada);
  const { answer } = await ada.approvals.approve({ request: create?.seq ?? 0 });
  expect(answer).toMatchObject({ token: expect.stringMatching(/^[\w-]{43}$/) });
  expect(opened.rooms.credentials.tokens()).toContainEqual(
    expect.objectContaining({ name: 'mara-too', rights: 'settings', by: 'mara' }),
  );
});

test('four eyes are not set where there is one pair of them', async () => {
  const opened = await openForTwo(folder());
  const owner = opened.owner();
  expect(await codeOf(owner.approvals.set({ kinds: ['resume'], seen: [] }))).toBe('no_second_person');
  await owner.tokens.create({ name: 'tara', rights: 'trade,settings' });
  expect(await codeOf(owner.approvals.set({ kinds: ['resume'], seen: [] }))).toBe('no_second_person');
  await owner.tokens.setRights({ name: 'tara', rights: 'admin' });
  expect(await codeOf(owner.approvals.set({ kinds: ['resume'], seen: ['limits'] }))).toBe('changed_meanwhile');
  expect(await codeOf(owner.approvals.set({ kinds: ['resume'], seen: [] }))).toBe(null);
});

test('what it was about has changed: it is not done, and says so', async () => {
  const opened = await desk(['limits']);
  const [owner, ada] = [opened.owner(), opened.holder('ada')];
  await codeOf(owner.limits.set({ chainId: CHAIN, limits: limits('8') }));
  const [asked] = await waiting(ada);
  await ada.limits.set({ chainId: CHAIN, limits: limits('2') });
  expect(await codeOf(ada.approvals.approve({ request: asked?.seq ?? 0 }))).toBe('changed_meanwhile');
  expect(maxQuote(opened)).toBe('2');
  expect((await ada.approvals.list({})).past[0]).toMatchObject({
    seq: asked?.seq,
    ended: { how: 'changed', why: null },
  });
});

test('what was asked for before an update that puts it otherwise is not done, and the update is named; what it puts the same way is done', async () => {
  const opened = await desk(['limits']);
  const { approvals } = opened.rooms;
  const [owner, ada] = [opened.owner(), opened.holder('ada')];
  /** Has it wait as an earlier version of the program left it. */
  const askedBefore = async (changes: { mark?: string }) => {
    await codeOf(owner.limits.set({ chainId: CHAIN, limits: limits('8') }));
    const [own] = approvals.waiting();
    if (own === undefined) throw new Error('nothing waits');
    const { operation, kinds, right, says, more, mark } = own;
    const asked = { operation, kinds, right, says, changes: own.changes, more, mark, version: '0.0.9', ...changes };
    const given = approvals.given(own) ?? '';
    await owner.approvals.withdraw({ request: own.seq });
    return (await approvals.ask({ ...asked, given }, asOwner('mara'))).seq;
  };
  const other = await askedBefore({ mark: 'ab'.repeat(32) });
  const refused = await ada.approvals.approve({ request: other }).catch(refusalOf);
  const update = `Makerdesk was updated meanwhile, from 0.0.9 to ${packageFile.version}, and may only put it in other words`;
  expect(refused).toMatchObject({ code: 'changed_meanwhile', remedy: expect.stringContaining(`${update}. `) });
  expect(maxQuote(opened)).toBe('5');
  const [ended] = (await ada.approvals.list({})).past;
  expect(ended).toMatchObject({ seq: other, ended: { how: 'changed', why: update } });
  expect((await sentences(ada))[0]).toBe(`desk dropped set the limits of Practice, which mara asked for: “${update}”`);
  await ada.approvals.approve({ request: await askedBefore({}) });
  expect(maxQuote(opened)).toBe('8');
});

test('after an hour nobody approves it any more', async () => {
  const clock = { now: Date.now() };
  const opened = await desk(['limits'], folder(), clock);
  const ada = opened.holder('ada');
  await codeOf(opened.owner().limits.set({ chainId: CHAIN, limits: limits('8') }));
  const [asked] = await waiting(ada);
  expect(asked?.until).toBe(clock.now + HOUR);
  clock.now += HOUR;
  expect(await codeOf(ada.approvals.approve({ request: asked?.seq ?? 0 }))).toBe('approval_over');
  expect((await ada.approvals.list({})).past[0]).toMatchObject({ ended: { how: 'expired' } });
  expect(maxQuote(opened)).toBe('5');
});

test('what waits is there after a restart, with what was given, of which no secret stands in the journal', async () => {
  const at = folder();
  const opened = await desk(['keys'], at);
  const secretKey = 'a secret that nobody wrote down';
  const counterparty = { domain: 'second', accessKey: 'its key', secretKey, signedPath: 'full' } as const;
  expect(await codeOf(opened.owner().settings.saveCounterparty({ counterparty }))).toBe('second_person_asked');
  await opened.close();
  const again = await openForTwo(at);
  const ada = again.holder('ada');
  const [asked] = await waiting(ada);
  expect(JSON.stringify(asked)).not.toContain(secretKey);
  expect(asked?.changes).toContainEqual({
    about: 'Counterparty second',
    what: 'Counterparty',
    before: null,
    after: 'may ask',
  });
  await ada.approvals.approve({ request: asked?.seq ?? 0 });
  const saved = again.rooms.credentials.counterparties(again.rooms.book.desk().counterparties).get('second');
  expect(saved?.secretKey).toBe(secretKey);
});

test('another access key alone takes a second person, by itself and in a desk file', async () => {
  const opened = await desk(['keys']);
  const [owner, ada] = [opened.owner(), opened.holder('ada')];
  const party = {
    domain: 'second',
    accessKey: 'its key',
    secretKey: 'its secret number 1',
    signedPath: 'full',
  } as const;
  await codeOf(owner.settings.saveCounterparty({ counterparty: party }));
  const [first] = await waiting(ada);
  await ada.approvals.approve({ request: first?.seq ?? 0 });
  const renewed = { ...party, accessKey: 'another key' };
  expect(await codeOf(owner.settings.saveCounterparty({ counterparty: renewed }))).toBe('second_person_asked');
  const [asked] = await waiting(ada);
  expect(asked?.changes.map(({ what }) => what)).toEqual(['Access key, by its fingerprint']);
  await owner.trading.halt({ scope: {} });
  const { counterparties, ...file } = await opened.rooms.book.deskFile();
  const others = counterparties.filter(({ domain }) => domain !== 'second');
  const imported = owner.desk.import({ desk: { ...file, counterparties: [...others, renewed] } });
  expect(await codeOf(imported)).toBe('second_person_asked');
});

test('whoever asked and was revoked since has asked for nothing', async () => {
  const opened = await desk(['limits']);
  await opened.owner().tokens.revoke({ name: 'tara' });
  const [owner, ada] = [opened.owner(), opened.holder('ada')];
  await codeOf(ada.limits.set({ chainId: CHAIN, limits: limits('8') }));
  const [asked] = await waiting(owner);
  await owner.tokens.revoke({ name: 'ada' });
  expect(await waiting(owner)).toEqual([]);
  expect(await codeOf(owner.approvals.approve({ request: asked?.seq ?? 0 }))).toBe('approval_over');
});
