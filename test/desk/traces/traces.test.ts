import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { DeskFile } from '../../../electron/contract/desk-file.ts';
import { wantedTraces } from '../../../electron/desk/traces/wanted.ts';
import { startTestChain, type TestChain } from '../../chain-fixture.ts';
import { armedFolder, deskFileFor } from '../desk-on-chain.ts';
import { CLI, type RunningDesk, runCommand, startDesk, temporaryFolder } from '../desk-process.ts';
import { signedFirmRequest, takerClient } from '../taker-client.ts';
import { type Answering, type Collector, openCollector, type ReadSpan } from './collector.ts';

const ETHER = 10n ** 18n;
const AMOUNT = { makerAmount: `${ETHER / 1_000n}` };
/** The steps of a signed quote; each begins where the one before ends. */
const STEPS = ['receive', 'decide', 'sign', 'commit', 'release'];

let chain: TestChain;
let file: DeskFile;
let folder: { folder: string; remove(): void };

beforeAll(async () => {
  chain = await startTestChain({ blockTimeSeconds: 1 });
  file = deskFileFor(chain);
  folder = await armedFolder(chain, file);
});
afterAll(async () => {
  folder?.remove();
  await chain?.close();
});

/** A desk that trades, with these variables; it sends what it has without waiting for more. */
async function started(environment: Record<string, string>, args: string[] = []): Promise<RunningDesk> {
  const soon = { OTEL_BSP_SCHEDULE_DELAY: '200' };
  const running = await startDesk(folder.folder, 'serve', args, [CLI], { ...soon, ...environment });
  const { get } = takerClient(running.ready.surface, file);
  await vi.waitFor(async () => expect((await get('/prices')).status).toBe(200));
  return running;
}

/** The same, ended with the test. */
async function desk(environment: Record<string, string>, args: string[] = []): Promise<RunningDesk> {
  const running = await started(environment, args);
  onTestFinished(async () => void (await running.stop()));
  return running;
}

async function collector(): Promise<Collector> {
  const opened = await openCollector();
  onTestFinished(() => opened.close());
  return opened;
}

const client = (running: RunningDesk) => takerClient(running.ready.surface, file);
const rootsIn = ({ spans }: Collector) => spans.filter(({ name }) => name === 'POST /firm');
const childrenOf = ({ spans }: Collector, root: ReadSpan) =>
  spans.filter(({ traceId, parentSpanId }) => traceId === root.traceId && parentSpanId === root.spanId);

/** The first span of the trace of one request, once the collector has it. */
async function rootIn(one: Collector, whose: (root: ReadSpan) => boolean): Promise<ReadSpan> {
  return vi.waitFor(() => {
    const root = rootsIn(one).find(whose);
    if (root === undefined) throw new Error('It has not come yet.');
    return root;
  });
}

async function lostOf(running: RunningDesk): Promise<number> {
  const text = await (await fetch(`${running.ready.metrics}/metrics`)).text();
  return Number(/^makerdesk_trace_spans_total\{outcome="lost"\} (\d+)$/m.exec(text)?.[1] ?? 0);
}

const linesOf = (running: RunningDesk, line: string) => running.stderr().split(`"${line}`).length - 1;

describe('a desk that is told of a collector', () => {
  let one: Collector;
  let running: RunningDesk;
  beforeAll(async () => {
    one = await openCollector();
    running = await started({
      OTEL_EXPORTER_OTLP_ENDPOINT: one.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-team=quotes',
    });
  });
  afterAll(async () => {
    await running?.stop();
    await one?.close();
  });
  beforeEach(() => {
    one.spans.length = 0;
  });

  test('traces a signed quote from its arrival to its answer, and says neither its signature nor a key', async () => {
    const { json } = await client(running).firm('asks', AMOUNT);
    expect(json.order).toBeDefined();
    const root = await rootIn(one, ({ attributes }) => attributes['makerdesk.code'] === 'signed');
    const [row] = JSON.parse((await runCommand(folder.folder, ['log', '--format', 'json'])).stdout).slice(-1);
    expect(root.attributes).toEqual({
      'http.request.method': 'POST',
      'http.response.status_code': 200,
      'makerdesk.chain': chain.chainId,
      'makerdesk.counterparty': 'test',
      'makerdesk.pair': 'WETH/USDC',
      'makerdesk.side': 'asks',
      'makerdesk.order_hash': row.orderHash,
      'makerdesk.quote': row.seq,
      'makerdesk.code': 'signed',
    });
    expect([root.parentSpanId, root.links, root.isError]).toEqual(['', [], false]);
    const steps = childrenOf(one, root);
    expect(steps.map(({ name }) => name)).toEqual(STEPS);
    const moments = [root.start, ...steps.map(({ end }) => end)];
    expect(steps.map(({ start }) => start)).toEqual(moments.slice(0, -1));
    expect(moments.at(-1)).toBe(root.end);
    expect(moments).toEqual([...moments].sort((a, b) => Number(a - b)));
    expect(one.resource).toMatchObject({ 'service.name': 'makerdesk' });
    expect(one.headers['x-team']).toBe('quotes');
    const sent = Buffer.concat(one.bodies).toString('latin1');
    const [counterparty] = file.counterparties;
    for (const secret of [json.order?.signature, counterparty?.accessKey, counterparty?.secretKey]) {
      expect(secret).toBeTypeOf('string');
      expect(sent).not.toContain(String(secret).replace(/^0x/, ''));
    }
  });

  test('traces a refusal as far as it came, and no request that nobody signed', async () => {
    const stranger = takerClient(running.ready.surface, { ...file, counterparties: [] });
    expect((await stranger.firm('asks', AMOUNT)).status).toBe(401);
    const { json } = await client(running).firm('asks', { makerAmount: `${10n ** 9n * ETHER}` });
    const root = await rootIn(one, () => true);
    expect(root.attributes).toMatchObject({ 'makerdesk.code': json.code, 'makerdesk.pair': 'WETH/USDC' });
    expect(root.attributes).not.toHaveProperty('makerdesk.order_hash');
    expect(childrenOf(one, root).map(({ name }) => name)).toEqual(['receive', 'decide']);
    expect(rootsIn(one)).toHaveLength(1);
  });

  test('links to the trace of who asked, and to nothing where that is no trace; the trace itself is always its own', async () => {
    const theirs = 'a'.repeat(32);
    const span = 'b'.repeat(16);
    const given = [
      `00-${theirs}-${span}-00`,
      `00-${theirs}-${span}`,
      `00-${'0'.repeat(32)}-${span}-01`,
      '\u00ff'.repeat(99),
    ];
    for (const traceparent of given) await askWith(running, `traceparent: ${traceparent}`);
    await vi.waitFor(() => expect(rootsIn(one)).toHaveLength(given.length));
    const links = rootsIn(one).map((root) => root.links);
    expect(links).toEqual([[{ traceId: theirs, spanId: span }], [], [], []]);
    for (const { traceId, parentSpanId } of rootsIn(one))
      expect([traceId === theirs, parentSpanId]).toEqual([false, '']);
  });
});

test('a collector that takes no traces costs no quote: what is lost is counted, and said once', async () => {
  const one = await collector();
  const running = await desk(
    { OTEL_EXPORTER_OTLP_TIMEOUT: '5000', OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${one.url}/v1/traces` },
    ['--metrics-port', '0', '--log', 'json'],
  );
  const ask = async () => expect((await client(running).firm('asks', AMOUNT)).json.order).toBeDefined();
  let lost = 0;
  const losesOne = async () => {
    await ask();
    lost += 1 + STEPS.length;
    await vi.waitFor(async () => expect(await lostOf(running)).toBe(lost));
  };
  const answers: Answering[] = [
    () => {}, // never
    (response) => response.writeHead(400).end('no'),
    (response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
    (response) => response.destroy(),
  ];
  for (const answering of answers) {
    one.answering = answering;
    const { asked } = one;
    await losesOne();
    await losesOne();
    expect(one.asked).toBeGreaterThan(asked);
  }
  // One that answers nonsense has them, by what HTTP says.
  one.answering = (response) => response.writeHead(200).end(Buffer.alloc(100_000, 0xff));
  one.spans.length = 0;
  await ask();
  await vi.waitFor(() => expect(rootsIn(one)).toHaveLength(1));
  expect(await lostOf(running)).toBe(lost);
  one.answering = (response) => response.writeHead(503, { 'retry-after': '3600' }).end();
  await losesOne();
  await one.close();
  await losesOne();
  expect(linesOf(running, 'traces are lost')).toBe(1);
});

test.each([
  ['of no collector', false, {}],
  ['of one, and to send it nothing', false, { OTEL_TRACES_EXPORTER: 'none' }],
  ['of one, and by the standard sampler to trace nothing', true, { OTEL_TRACES_SAMPLER: 'always_off' }],
] as const)(
  'a desk that is told %s sends nothing; whether it loads anything of OpenTelemetry is %s',
  async (name, loads, more) => {
    const one = await collector();
    const told = mkdtempSync(join(tmpdir(), 'loaded-'));
    onTestFinished(() => rmSync(told, { recursive: true, force: true }));
    const environment: Record<string, string> = { ...more, NODE_V8_COVERAGE: told };
    if (name !== 'of no collector') environment.OTEL_EXPORTER_OTLP_ENDPOINT = one.url;
    const running = await desk(environment, ['--metrics-port', '0']);
    expect((await client(running).firm('asks', AMOUNT)).status).toBe(200);
    expect(await running.stop()).toBe(0); // which sends what is left
    expect(one.asked).toBe(0);
    const loaded = readdirSync(told).flatMap((report) => filesIn(join(told, report)));
    expect(loaded.length).toBeGreaterThan(5);
    expect(loaded.some((path) => readFileSync(path, 'utf8').includes('OTLPExporterError'))).toBe(loads);
  },
);

const KEYED = {
  OTEL_EXPORTER_OTLP_ENDPOINT: 'http://a:key-of-ours@collector.example:4318',
  OTEL_EXPORTER_OTLP_HEADERS: 'k=v',
};

test.each([
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: '127.0.0.1:4318' }, /OTEL_EXPORTER_OTLP_ENDPOINT is no address/],
  [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'file:///tmp/x' }, /OTEL_EXPORTER_OTLP_TRACES_ENDPOINT is no address/],
  [{ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, /OTEL_EXPORTER_OTLP_PROTOCOL is not http\/protobuf/],
  [{ OTEL_TRACES_EXPORTER: 'zipkin' }, /OTEL_TRACES_EXPORTER is neither otlp nor none/],
  [{ OTEL_TRACES_SAMPLER: 'often' }, /OTEL_TRACES_SAMPLER is none of always_on/],
  [{ OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '10%' }, /OTEL_TRACES_SAMPLER_ARG is no share/],
  [KEYED, /neither https nor on this machine/],
])('%j is refused, and it is said what is wrong', (wrong, says) => {
  const given = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318', ...wrong };
  expect(() => wantedTraces(given)).toThrow(says);
});

test('a desk does not start with what is refused, and says how to go without, and no key', async () => {
  const own = temporaryFolder();
  onTestFinished(own.remove);
  const { code, stdout, stderr } = await runCommand(own.folder, ['serve', '--surface-port', '0'], KEYED);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/neither https nor on this machine/);
  expect(stderr).toContain('OTEL_TRACES_EXPORTER=none');
  expect(stderr).not.toContain('key-of-ours');
});

/** The files of ours that a process had loaded, as it said at its end. */
function filesIn(report: string): string[] {
  const { result } = JSON.parse(readFileSync(report, 'utf8')) as { result: { url: string }[] };
  return result.flatMap(({ url }) => (url.startsWith('file:') ? [fileURLToPath(url)] : []));
}

/** Asks for a quote with one more line in the head of the request. */
async function askWith(running: RunningDesk, line: string): Promise<void> {
  const { hostname, port } = new URL(running.ready.surface);
  const socket = connect(Number(port), hostname);
  const answered = new Promise<string>((resolve, reject) => {
    socket.once('data', (chunk) => resolve(chunk.toString()));
    socket.once('error', reject);
  });
  socket.write(signedFirmRequest(file, 'asks', AMOUNT).replace('\r\n', `\r\n${line}\r\n`), 'latin1');
  expect(await answered).toMatch(/^HTTP\/1\.1 200 /);
  socket.destroy();
}
