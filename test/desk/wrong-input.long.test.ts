import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCommand } from './desk-process.ts';

/** What a library or Node would say, and no desk. */
const OF_A_MACHINE =
  /Invalid input|[Vv]alidation failed|expected .*received|Too (big|small):|[Zz]od|o?ORPC|\bE[A-Z]{4,}\b|Syntax[Ee]rror|Unexpected token|\[object|\bNaN\b|undefined|\.(ts|js):\d+|its log says why|error of its own/;

const ADDRESS = `0x${'ab'.repeat(20)}`;

/** Wrong in one way each: what was typed, and a part of the sentence that must name it. */
const WRONG: [args: string[], says: RegExp][] = [
  [['import', 'nope.json'], /nope\.json cannot be read: there is no such file/],
  [['import', 'FOLDER'], /cannot be read: it is a folder/],
  [['import', 'half.json'], /is not JSON: .*(ends too early|line 1, column)/],
  [['import', 'empty.json'], /is not JSON: it is empty/],
  [['import', 'list.json'], /has a fault/],
  [['import', 'odd.json'], /chains\[0\]\.chainId: must be a whole number/],
  [['desks', 'list', 'absent.json'], /The list of desks .*absent\.json cannot be read: there is no such file/],
  [['desks', 'halt'], /missing required argument 'file'/],
  [['approvals', 'approve', 'nonsense'], /The number cannot be “nonsense”.*whole number/s],
  [['approvals', 'refuse', '3'], /Refusing needs a reason.*--reason/s],
  [['desk-file', '--tokens', ADDRESS], /missing required argument 'network'/],
  [['desk-file', 'Ethereum'], /--tokens/],
  [['desk-file', 'Atlantis', '--tokens', ADDRESS], /There is no preset for the network “Atlantis”.*Ethereum/s],
  [['desk-file', 'Ethereum', '--tokens', '0x12'], /--tokens cannot be “0x12”/],
  [['desk-file', 'Ethereum', '--tokens', ADDRESS, '--mid', 'high'], /The amount “high”/],
  [['desk-file', 'Ethereum', '--tokens', ADDRESS, '--liquidity-usd', 'much'], /--liquidity-usd cannot be “much”/],
  [['desk-file', 'Ethereum', '--tokens', ADDRESS, '--pair', 'A/B'], /A pair takes all of --pair, --mid/],
  [['desk-file', 'Ethereum', '--tokens', ADDRESS, '--node', 'nowhere'], /not the address of a node/],
  [['desk-file', 'Ethereum', '--tokens', ADDRESS], /address of the node.*Give it with --node URL.*MAKERDESK_NODE/s],
  [['export', 'no/such/folder/x.json'], /could not be written to .*there is no such file or folder/],
  [['key', 'import', '--keystore', 'nope.json'], /nope\.json/],
  [['key', 'import', '--keystore', 'list.json'], /list\.json|keystore/],
  [['key', 'address'], /key/],
  [['counterparty-keys', 'set', 'nobody.example'], /no access key of nobody\.example.*MAKERDESK_ACCESS_KEY/s],
  [['counterparty-keys', 'add', 'nobody.example'], /no access key of nobody\.example.*MAKERDESK_ACCESS_KEY/s],
  [['counterparty-keys', 'end-earlier', 'nobody.example'], /nobody\.example is no counterparty of this desk/],
  [['counterparty-keys', 'list', 'more'], /argument/],
  [['service-key', 'set', '--chain', 'abc'], /--chain cannot be “abc”/],
  [['service-key', 'remove', '--chain', '7'], /[Cc]hain 7/],
  [['token', 'new', 'alpha'], /--rights/],
  [['console'], /No desk runs here that serves a console/],
  [['console', 'please'], /too many arguments/],
  [['token', 'new', 'two words', '--rights', 'prices'], /letters, digits/],
  [['token', 'new', 'alpha', '--rights', 'everything'], /look, trade, halt, settings, admin, prices/],
  [['token', 'new', 'alpha', '--rights', 'trade,trade'], /joined by commas/],
  [['token', 'set', 'nobody'], /--rights/],
  [['token', 'set', 'nobody', '--rights', 'look'], /There is no token nobody/],
  [['token', 'revoke', 'nobody'], /There is no token nobody/],
  [['halt', '--chain', 'abc'], /--chain cannot be “abc”/],
  [['halt', '--chain', '999'], /999/],
  [['halt', '--side', 'left'], /--side needs its pair/],
  [['halt', '--pair', 'A/B', '--side', 'left'], /--side must be one of bids, asks/],
  [['halt', '--pair', 'A/B', '--side', 'bids'], /A\/B is not a pair of chain 31337/],
  [['--practice', 'halt'], /--data names one folder and --practice another: nothing was done.*practice/s],
  [['drain', '--seconds', '0'], /--seconds cannot be “0”/],
  [['drain', '--seconds', '1e3'], /--seconds cannot be “1e3”/],
  [['resume', '--reason', 'x', '--side', 'bids'], /--side needs its pair/],
  [['resume', '--reason', ' '], /reason/],
  [['resume', '--reason', 'x'.repeat(501)], /reason: must have at most 500 characters/],
  [['status', '--chain', '5x'], /--chain cannot be “5x”/],
  [['check', '--chain', 'abc'], /--chain cannot be “abc”/],
  [['check', '--chain', '99'], /This desk has no chain 99/],
  [['stops', '--limit', '-3'], /--limit cannot be “-3”/],
  [['log', '--since', 'yesterday'], /--since cannot be “yesterday”/],
  [['log', '--user', '0x12'], /--user cannot be “0x12”/],
  [['log', '--format', 'xml'], /json, csv/],
  [['log', '--pair', 'x'.repeat(65)], /pair: must have at most 64 characters/],
  [['journal', '--kind', 'moon_phase'], /“moon_phase” is no kind of event.*Give one of these: .*limits_set/s],
  [['journal', '--since', 'yesterday'], /--since cannot be “yesterday”/],
  [['journal', '--limit', '0'], /--limit cannot be “0”/],
  [['journal', '--chain', 'abc'], /--chain cannot be “abc”/],
  [['journal', '--pair', 'x'.repeat(65)], /pair: must have at most 64 characters/],
  [['journal', '--json', '--csv'], /'--json' cannot be used with option '--csv'/],
  [['journal', '--people', '--actor', 'mara'], /'--people' cannot be used with option '--actor/],
  [['at', 'noon'], /a time such as/],
  [['at', '999999'], /999999/],
  [['at', '2999-01-01'], /is still to come/],
  [['diff', '1'], /missing required argument 'to'/],
  [['diff', '1', 'noon'], /a time such as/],
  [['fills', '--since', 'yesterday'], /--since cannot be “yesterday”/],
  [['positions', '--chain', 'abc'], /--chain cannot be “abc”/],
  [['handover', '--date', '2026-02-30'], /There is no such day/],
  [['handover', '--date', '2999-01-01'], /2999-01-01 has not begun in UTC/],
  [['handover', '--zone', 'Mars/Base'], /There is no such time zone/],
  [['handover', '--format', 'pdf'], /pdf/],
  [['handover', '--format', 'json', '--pdf', 'x.pdf'], /'--pdf <file>' cannot be used with option '--format/],
  [
    ['handover', '--pdf', '/no/such/folder/x.pdf'],
    /could not be written to \/no\/such\/folder\/x\.pdf: there is no such file/,
  ],
  [['results', '--chain', 'abc'], /--chain cannot be “abc”/],
  [['results', '--from', 'yesterday'], /--from cannot be “yesterday”/],
  [['results', '--from', '2026-11-20T00:00:00Z', '--to', '2026-11-19T00:00:00Z'], /--from is not before --to/],
  [['hedges', '--limit', '0'], /--limit cannot be “0”/],
  [['hedge-by-hand', 'enter', '--for', '4080 USDC', '--where', 'x'], /Say what was sold or what was bought/],
  [
    ['hedge-by-hand', 'enter', '--sold', 'WETH', '--for', '1 USDC', '--where', 'x'],
    /--sold needs an amount and a token/,
  ],
  [['hedge-by-hand', 'enter', '--sold', '1,5 WETH', '--for', '1 USDC', '--where', 'x'], /1\.5 or 15\?/],
  [['hedge-by-hand', 'enter', '--for', '1 USDC', '--where', 'x', '--at', 'noon'], /--at cannot be “noon”/],
  [['hedge-by-hand', 'enter', '--for', '1 USDC', '--where', 'x', '--fills', '1,x'], /--fills cannot be “x”/],
  [['hedge-by-hand', 'correct', '5', '--gave', '1', '--got', '2'], /--reason/],
  [['hedge-by-hand', 'correct', '5', '--at', 'noon', '--reason', 'x'], /--at cannot be “noon”/],
  [['hedge-by-hand', 'strike-out', 'x', '--reason', 'x'], /The hedge cannot be “x”/],
  [['hedge-by-hand', 'strike-out', '5', '--reason', 'x'], /Start the desk/],
  [['alerts', 'this'], /too many arguments/],
  [['alert-ways', 'test', 'chat'], /There is no way chat for alerts/],
  [['message', 'two\nlines'], /one line/],
  [['message', 'x'.repeat(501)], /500/],
  [['message', 'hello'], /No desk runs here/],
  [['alert-ways', 'webhook', 'chat'], /MAKERDESK_ALERT_URL/],
  [['alert-ways', 'quiet', '25:00', '07:00'], /22:00/],
  [['alert-ways', 'take', 'node 1'], /No desk runs here/],
  [['alert-ways', 'webhook', 'chat', '--kinds', 'all'], /There is no kind of alert “all”/],
  [['alert-ways', 'command', '--after', 'soon'], /--after cannot be “soon”/],
  [['alert-ways', 'command'], /This desk runs no program for alerts/],
  [['protections', 'this'], /too many arguments/],
  [['protections', '--standing', 'please'], /too many arguments/],
  [['here', 'and', 'there'], /too many arguments/],
  [['reset-protection', 'flow'], /needs a reason/],
  [['reset-protection', 'flow', '--reason', 'x'], /This desk has no protection called flow/],
  [['reset-protection', 'flow', '--only', ADDRESS, '--reason', 'x'], /Nothing of “0x/],
  [['reset-protection', 'two words', '--reason', 'x'], /rule: must be 1 to 40 letters/],
  [['blacklist', 'add', '0x12'], /The address cannot be “0x12”/],
  [['blacklist', 'add', ADDRESS, '--until', 'noon'], /--until cannot be “noon”/],
  [['blacklist', 'remove', ADDRESS, '--chain', '1.5'], /--chain cannot be “1\.5”/],
  [['takers', '--chain', 'abc'], /--chain cannot be “abc”/],
  [['takers', 'list', '--chain', '99'], /[Cc]hain 99/],
  [['takers', 'add', '0x12', '--reason', 'x'], /The address cannot be “0x12”/],
  [['takers', 'add', ADDRESS], /needs a reason/],
  [['takers', 'remove', '0x12'], /The address cannot be “0x12”/],
  [['cancel-orders', '--chain', '0x1'], /--chain cannot be “0x1”/],
  [['cancel-orders', '--chain', '99'], /This desk has no chain 99/],
  [['cancel-intents', '--chain', 'abc'], /--chain cannot be “abc”/],
  [['zero-allowances', '--chain', 'abc'], /--chain cannot be “abc”/],
  [['allowance', 'USDC', 'unlimited'], /The amount “unlimited” must be a plain decimal number/],
  [['allowance', 'USDC', '-5'], /The amount “-5” must not be negative/],
  [['allowance', 'USDC', '1,5'], /The amount “1,5” has a comma: 1\.5 or 15\?/],
  [['allowance', 'USDC', '9'.repeat(80)], /No contract can be allowed that much/],
  [['allowance', 'NOPE', '1'], /NOPE is not a listed token/],
  [['nft-order', '0x1'], /The order hash cannot be “0x1”/],
  [['nft-order', '--give', '250 USDC'], /needs --give, --get, --to and --until/],
  [['nft-order', '--give', 'my ape'], /The amount “my”/],
  [['nft-order', '--give', '0x12#7'], /--give cannot be “0x12#7”/],
  [['nft-order', '--get', `${ADDRESS}#${'9'.repeat(80)}`], /--get cannot be/],
  [['nft-order', '--get', '1,5 USDC'], /The amount “1,5” has a comma: 1\.5 or 15\?/],
  [['nft-order', '--to', '0x12'], /--to cannot be “0x12”/],
  [['nft-order', '--until', 'noon'], /--until cannot be “noon”/],
  [['nft-order', '--chain', 'abc'], /--chain cannot be “abc”/],
  [['nft-order', `0x${'1'.repeat(64)}`], /signed by a running desk only/],
  [['cancel-orders', '--order', '0x1'], /The order hash cannot be “0x1”/],
  [['cancel-orders', '--order', `0x${'1'.repeat(64)}`], /No order with this hash is live/],
  [['names', 'this'], /too many arguments/],
  [['names', 'user', '0x12', 'Anna'], /The address cannot be “0x12”/],
  [['names', 'counterparty', 'x'.repeat(300), 'Anna'], /must have at most/],
  [['order', '0x1'], /The order hash cannot be “0x1”/],
  [['accept-chain', '--chain', 'abc', '--reason', 'x'], /--chain cannot be “abc”/],
  [['accept-chain', '--chain', '99', '--reason', 'x'], /This desk has no chain 99/],
  [['accept-chain'], /needs a reason/],
  [['accept-reference'], /needs --pair and --mid/],
  [['accept-reference', '--pair', 'A/B', '--mid', 'high'], /The amount “high”/],
  [['accept-reference', '--pair', 'A/B', '--mid', '5', '--chain', 'abc'], /--chain cannot be “abc”/],
  [['acknowledge', 'abc', '--reason', 'x'], /The alarm cannot be “abc”/],
  [['acknowledge', '7'], /needs a reason/],
  [['acknowledge', '7', '--reason', 'x'], /No alarm 7 stands/],
  [['backup', 'no/such/folder/x.db'], /could not be written/],
  [['archive'], /--before/],
  [['archive', '--before', 'noon'], /--before cannot be “noon”/],
  [['take-over'], /--pair/],
  [['take-over', '--pair', 'A/B', '--chain', 'abc'], /--chain cannot be “abc”/],
  [['give-back', '--pair', 'A/B'], /A\/B/],
  [['formula', 'this'], /unknown command|too many arguments/],
  [['formula', '--pair', 'x'.repeat(65)], /pair: must have at most 64 characters/],
  [['formula', 'try', 'nope.json', '--pair', 'DAI/USDC'], /nope\.json cannot be read: there is no such file/],
  [['formula', 'set', 'list.json', '--pair', 'DAI/USDC'], /The formula has a fault/],
  [['formula', 'set', 'formula.json'], /--pair/],
  [['formula', 'set', 'formula.json', '--pair', 'A/B'], /A\/B/],
  [
    ['formula', 'set', 'formula.json', '--pair', 'DAI/USDC'],
    /no reference that the formula of DAI\/USDC could begin with/,
  ],
  [['formula', 'remove', '--pair', 'DAI/USDC', '--chain', '99'], /99|no formula/],
  [['practice', '--seed', 'x'], /--seed cannot be “x”/],
  [['practice', '--mode', 'kind'], /strict, spec/],
  [['practice', '--surfaces', '0'], /--surfaces cannot be “0”/],
  [['practice', '--surfaces', '10'], /a number from 1 to 9/],
  [['practice', 'fault', 'node-down', 'maybe'], /on or off/],
  [['practice', 'fault', 'reorg', 'on', '--depth', '65'], /--depth cannot be “65”/],
  [['practice', 'speed', 'fast'], /The speed cannot be “fast”/],
  [['serve', '--surface-port', '70000'], /--surface-port cannot be “70000”/],
  [['serve', '--log', 'loud'], /text, json/],
  [['serve', '--fleet', 'http://127.0.0.1/desk'], /no address of a fleet/],
  [['serve', '--fleet', 'nats://me:secret@127.0.0.1/desk'], /has no password in it/],
  [['serve', '--fleet', 'nats://127.0.0.1:1/desk'], /does not take the connection/],
  [['serve', '--fleet-credentials', 'no.creds'], /no fleet is named/],
  [['serve', '--fleet', 'nats://127.0.0.1:1/desk', '--fleet-credentials', 'no.creds'], /no\.creds cannot be read/],
  [['serve', '--fleet', 'nats://127.0.0.1:1/desk', '--fleet-credentials', 'half.json'], /Every user of this machine/],
  [['serve', '--fleet', 'nats://127.0.0.1:1/desk', '--fleet-credentials', 'private.json'], /neither a user’s JWT/],
  [['serve', '--fleet', 'tls://127.0.0.1:1/desk', '--fleet-ca', 'half.json'], /no certificate of an authority/],
  [['serve', '--name', 'my desk'], /letters, digits/],
  [['standby'], /--fleet/],
  [['standby', '--fleet', 'nats://127.0.0.1:1/desk', '--take-over-after', '1'], /--take-over-after cannot be “1”/],
  [['standby', '--fleet', 'nats://127.0.0.1:1/desk'], /does not take the connection/],
  [['surface'], /--fleet/],
  [['surface', '--fleet', 'nats://127.0.0.1:1/desk', '--surface-port', 'x'], /--surface-port/],
  [['surface', '--fleet', 'nats://127.0.0.1:1/desk'], /does not take the connection/],
  [['fleet', 'off', '--fleet', 'nats://127.0.0.1:1/desk'], /missing required argument/],
  [['fleet', 'drain', 'tokyo'], /--fleet/],
  [['fleet', 'on', 'tokyo', '--fleet', 'nats://127.0.0.1:1/desk'], /does not take the connection/],
  [['fleet', 'status'], /--fleet/],
  [['fleet', 'status', '--fleet', 'nats://127.0.0.1:1/desk'], /does not take the connection/],
  [['fleet', 'take-over', '--fleet', 'nats://127.0.0.1:1/desk'], /missing required argument/],
  [['fleet', 'take-over', 'second', '--fleet', 'nats://127.0.0.1:1/desk'], /does not take the connection/],
  [['verify', 'this'], /too many arguments/],
  [['verify', '--seal', 'no.json'], /no\.json/],
  [['verify', '--seal', 'half.json'], /half\.json/],
  [['seal', 'this'], /too many arguments/],
  [['seal'], /key/],
  [['lock', 'this'], /too many arguments/],
  [['lock'], /not running|no desk/i],
  [['unlock', 'this'], /too many arguments/],
  [['unlock'], /not running|no desk/i],
  [['formula', 'list', '--chain', 'abc'], /--chain cannot be “abc”/],
  [['formula', 'try', 'half.json', '--pair', 'DAI/USDC'], /is not JSON/],
  [['formula', 'set', 'odd.json', '--pair', 'DAI/USDC'], /is not a known field/],
  [['formula', 'set', 'no.json', '--pair', 'DAI/USDC'], /cannot be read/],
  [['formula', 'set', 'odd.json'], /--pair/],
  [['formula', 'remove', '--pair', 'DAI/USDC'], /DAI\/USDC has no formula/],
  [['rebuild', 'this'], /too many arguments/],
  [['replay', 'this'], /too many arguments/],
  [['replay', '--since', 'noon'], /a time such as/],
  [['replay', '--since', '2026-11-02', '--until', '2026-11-01'], /--since is after --until/],
  [['what-if'], /--since/],
  [['what-if', '--since', 'noon', '--until', '2026-11-01'], /a time such as/],
  [['what-if', '--since', '2026-11-02', '--until', '2026-11-01'], /--since is after --until/],
  [['what-if', '--since', '2026-11-01', '--until', '2026-11-02', '--settings', 'no.json'], /cannot be read/],
  [['what-if', '--since', '2026-11-01', '--until', '2026-11-02', '--settings', 'half.json'], /is not JSON/],
  [['what-if', '--since', '2026-11-01', '--until', '2026-11-02', '--settings', 'odd.json'], /is not a known field/],
  [['frobnicate'], /unknown command/],
];

/** Commands that cannot be given anything wrong. */
const TAKES_NOTHING = ['help'];

describe.concurrent('a command that is given something wrong says so in words, and exits 1', () => {
  let folder = '';
  let copies = 0;
  const file = (name: string) => join(folder, name);
  const runIn = (desk: string, args: string[]) => runCommand(file(desk), args, { MAKERDESK_SERVICE_KEY: 'a key' });
  /** On a copy of the desk, for one command at a time has its folder. */
  const copyOfDesk = () => {
    copies += 1;
    cpSync(file('desk'), file(`copy-${copies}`), { recursive: true });
    return `copy-${copies}`;
  };

  /** What stands in the journal of a desk that nobody has open. */
  const journaled = (desk: string) => {
    const db = new Database(join(file(desk), 'journal.db'), { readonly: true });
    const kinds = db.prepare<[], string>('SELECT kind FROM journal ORDER BY seq').pluck().all();
    db.close();
    return kinds;
  };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'makerdesk-'));
    writeFileSync(file('private.json'), '{', { mode: 0o600 });
    writeFileSync(file('half.json'), '{"version": 1, "chains": [');
    writeFileSync(file('empty.json'), ' \n');
    writeFileSync(file('list.json'), '[]');
    writeFileSync(file('odd.json'), JSON.stringify({ version: 1, chains: [{ chainId: 1.5 }] }));
    const side = { size: '1', levels: 1, stepBps: '1' };
    writeFileSync(file('formula.json'), JSON.stringify({ spreadBps: '1', tick: '0.0001', bids: side, asks: side }));
    const token = (symbol: string, byte: string) => ({
      symbol,
      name: symbol,
      address: `0x${byte.repeat(20)}`,
      decimals: 6,
      type: 'ERC20',
    });
    const chain = {
      chainId: 31337,
      name: 'Test',
      basePath: '/31337',
      rpcUrl: 'http://127.0.0.1:1',
      rfqContract: `0x${'c1'.repeat(20)}`,
      domainName: 'TEST RFQ',
      maker: ADDRESS,
      signer: ADDRESS,
      tokens: { USDC: token('USDC', '01'), DAI: token('DAI', '02') },
      pairs: { 'DAI/USDC': { base: 'DAI', quote: 'USDC', liquidityUSD: 1 } },
    };
    writeFileSync(file('desk.json'), JSON.stringify({ version: 1, chains: [chain], counterparties: [] }));
    const imported = await runIn('desk', ['import', file('desk.json')]);
    expect(imported.code, imported.stderr).toBe(0);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  for (const [args, says] of WRONG) {
    test(args.map((part) => (part.length > 60 ? `${part.slice(0, 10)}…` : part)).join(' '), async () => {
      const typed = args.map((part) => (part === 'FOLDER' ? folder : part.endsWith('.json') ? file(part) : part));
      const desk = copyOfDesk();
      const before = journaled(desk);
      const { code, stdout, stderr } = await runIn(desk, typed);
      expect({ code, stdout }, stderr).toEqual({ code: 1, stdout: '' });
      expect(stderr).toMatch(says);
      expect(stderr).not.toMatch(OF_A_MACHINE);
      expect(journaled(desk)).toEqual(before);
    });
  }

  test('a desk that is not there is neither made nor exported', async () => {
    const absent = join(folder, 'absent');
    for (const args of [['export'], ['status'], ['halt'], ['log']]) {
      const { code, stderr } = await runCommand(absent, args);
      expect(code).toBe(1);
      expect(stderr).toContain(`There is no desk in ${absent}`);
    }
    expect((await runCommand(folder, ['export'])).stderr).toContain('There is no desk in');
  });

  /** What is done where no desk is, although there is a folder: the desk that is meant may be trading in another. */
  const STOPS = [['halt'], ['halt', '--force'], ['drain'], ['blacklist', 'add', ADDRESS], ['resume', '--reason', 'x']];

  for (const args of [...STOPS, ['status'], ['token', 'list'], ['seal']]) {
    test(`${args.join(' ')} in a folder that has no desk in it changes nothing there, and says so`, async () => {
      const beside = mkdtempSync(join(folder, 'beside-')); // as the default folder of who practises, whose real desk is elsewhere
      mkdirSync(join(beside, 'practice'));
      const fleets = mkdtempSync(join(folder, 'fleets-'));
      writeFileSync(join(fleets, 'fleet.json'), JSON.stringify({ fleet: 'nats://127.0.0.1:1/desk', follows: false }));
      for (const place of [beside, fleets]) {
        const before = readdirSync(place);
        const { code, stdout, stderr } = await runCommand(place, args);
        expect({ code, stdout }, stderr).toEqual({ code: 1, stdout: '' });
        expect(stderr).toContain(`There is no desk in ${place}`);
        expect(readdirSync(place)).toEqual(before);
      }
    });
  }

  test('what is stopped in the folder of a desk that does not run says that no desk runs, and stops its next start', async () => {
    const desk = copyOfDesk();
    for (const args of [['halt'], ['drain'], ['blacklist', 'add', ADDRESS]]) {
      const { code, stdout, stderr } = await runIn(desk, args);
      expect([code, JSON.parse(stdout)], stderr).toMatchObject([0, { durable: true, running: false }]);
      expect(stderr).toContain(`No desk runs in ${file(desk)}: this counts for its next start`);
      expect(stderr).not.toContain('FLEET');
    }
    expect(JSON.parse((await runIn(desk, ['status', '--json'])).stdout)).toMatchObject({ state: 'HALTED' });
  });

  test('a desk of a fleet that does not run is halted for its next start, and others of the fleet may be trading: exit 1', async () => {
    const desk = copyOfDesk();
    writeFileSync(join(file(desk), 'fleet.json'), JSON.stringify({ fleet: 'nats://127.0.0.1:1/desk', follows: false }));
    for (const args of [['halt'], ['drain'], ['blacklist', 'add', ADDRESS]]) {
      const { code, stdout, stderr } = await runIn(desk, args);
      expect([code, JSON.parse(stdout)], stderr).toMatchObject([1, { durable: true, running: false }]);
      expect(stderr).toMatch(/OTHER DESKS OF ITS FLEET MAY BE TRADING/);
    }
  });

  test('status says that no desk runs', async () => {
    const desk = copyOfDesk();
    const { code, stdout } = await runIn(desk, ['status']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^No desk runs in /);
    expect(JSON.parse((await runIn(desk, ['status', '--json'])).stdout)).toMatchObject({
      running: false,
      state: 'HALTED',
    });
  });

  test('every command there is stands in the list above', async () => {
    const { stdout } = await runIn('desk', ['--help']);
    const commands = [...stdout.slice(stdout.indexOf('Commands:')).matchAll(/^ {2}([a-z-]+)/gm)].map(
      ([, name]) => name,
    );
    expect(commands.length).toBeGreaterThan(15);
    const walked = new Set(WRONG.map(([[name]]) => name));
    expect(commands.filter((name) => name && !walked.has(name) && !TAKES_NOTHING.includes(name))).toEqual([]);
  });
});
