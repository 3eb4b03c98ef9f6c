import { readdirSync, readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type AlertWay, alertWaySchema } from '../../../electron/contract/alert-ways.ts';
import { withoutUrlKeys } from '../../../electron/contract/sealed-url.ts';
import { type Answerer, answering, saying } from '../../service/http-answers.ts';
import { stopped, WELL, watched, webhook } from './alerting.ts';

const KEY = 'T0KEN-canary-4711';

/** A chat that writes down what it is told, then answers. */
async function chat(answer: Answerer = saying('ok', 200, 'text/plain')) {
  const posts: { text: string; key: string }[] = [];
  const server = await answering((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { text } = JSON.parse(Buffer.concat(chunks).toString());
      posts.push({ text, key: String(request.headers['idempotency-key']) });
      answer(request, response);
    });
  });
  return { posts, url: `${server.url}/services/${KEY}` };
}

async function withChat(answer?: Answerer, tryMs?: number) {
  const { posts, url } = await chat(answer);
  const desk = await watched(tryMs === undefined ? {} : { tryMs });
  await desk.ways.save(webhook('chat', url), null, { actor: 'mara' });
  return { ...desk, posts, url };
}

test('a chat is told once that something stopped, in words that can call nobody and hide no link, and once that it is over', async () => {
  const { desk, posts, look } = await withChat();
  const wicked = { ...stopped('node 1'), title: '<!channel> <http://evil.example|the node>', detail: 'a & b' };
  desk.view = { ...WELL, attention: [wicked, stopped('to look at', 'look')] };
  await vi.waitFor(() => expect(posts).toHaveLength(1));
  await look(20);
  expect(posts).toHaveLength(1);
  expect(posts[0]?.text).toContain('STOPPED: &lt;!channel&gt; &lt;http://evil.example|the node&gt;');
  expect(posts[0]?.text).toContain('a &amp; b');
  desk.view = WELL;
  await vi.waitFor(() => expect(posts).toHaveLength(2));
  expect(posts[1]?.text).toMatch(/^\*Over: /);
});

test('a test says what the other side answered, and what went wrong without the key of the address', async () => {
  const { ways, url } = await withChat(saying(`no_team for ${KEY}`, 404, 'text/plain'));
  expect(await ways.test('chat', 'mara')).toEqual({ ok: false, answered: 'it answered 404: no_team for …' });
  const well = await chat();
  await ways.save(webhook('chat', well.url), null, { actor: 'mara' });
  expect(await ways.test('chat', 'mara')).toEqual({ ok: true, answered: 'it answered 200: ok' });
  expect(well.posts[0]?.text).toContain('mara tries whether alerts arrive');
  await ways.save(webhook('chat', url.replace(/:\d+\//, ':1/')), null, { actor: 'mara' });
  expect(await ways.test('chat', 'mara')).toMatchObject({
    ok: false,
    answered: expect.stringMatching(/listens|bad port/),
  });
});

test('an address is sealed: nothing that is written down, told or logged has its key, and it is used after a restart', async () => {
  const { desk, ways, journal, folder, url, close, posts, credentials } = await withChat(saying(`${KEY} is off`, 500));
  desk.view = { ...WELL, attention: [stopped('node 1')] };
  await vi.waitFor(() => expect(desk.said.at(-1)).toMatch(/^an alert could not be told \{/));
  expect(posts.length).toBeGreaterThanOrEqual(3);
  expect(new Set(posts.map(({ key }) => key)).size).toBe(1); // who was told twice can see that it is the same
  expect(withoutUrlKeys(desk.said.join('\n'))).not.toContain(KEY);
  expect(JSON.stringify([ways.list(), ways.state('chat'), ways.attention()])).not.toContain(KEY);
  expect(credentials.secrets()).toContain(KEY);
  await close();
  await journal.close();
  for (const file of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!file.isFile()) continue;
    expect(readFileSync(join(file.parentPath, file.name), 'latin1'), file.name).not.toContain(KEY);
  }
  const again = await watched({ folder });
  const before = posts.length;
  expect(await again.ways.test('chat', 'mara')).toMatchObject({ ok: false });
  expect(posts).toHaveLength(before + 1);
  const [sealed] = again.ways.list() as [Extract<AlertWay, { how: 'webhook' }>];
  // Who has only what is shown can change what is told, and not lead it elsewhere.
  await again.ways.save({ ...sealed, kinds: ['halt'] }, null, { actor: 'mara' });
  const elsewhere = { ...sealed, url: sealed.url.replace(new URL(url).origin, 'https://evil.example') };
  await expect(again.ways.save(elsewhere, null, { actor: 'mara' })).rejects.toMatchObject({ code: 'no_way_secret' });
});

test.for<[string, Answerer, RegExp]>([
  ['answers 500', saying('broken', 500), /500: broken/],
  [
    'sends it elsewhere',
    (_request, response) => void response.writeHead(307, { location: 'http://127.0.0.1:9/other' }).end(),
    /307: no other address is followed/,
  ],
  ['never answers', () => {}, /longer than 0.2 s/],
  ['breaks off', (request) => void request.socket.destroy(), /broke the connection off|other side closed/],
])('a chat that %s is tried less and less often, and it is said on the screen alone', async ([what, answer, fault]) => {
  const { desk, ways, posts } = await withChat(answer, what === 'never answers' ? 200 : undefined);
  desk.view = { ...WELL, attention: [stopped('node 1')] };
  await vi.waitFor(() => expect(ways.state('chat').fault).toMatch(fault));
  // What is said of a way is told on none: a chat that is gone does not tell of itself.
  desk.view = { ...WELL, attention: [...desk.view.attention, ...ways.attention()] };
  const { looks } = desk;
  await vi.waitFor(() => expect(desk.looks).toBeGreaterThan(looks + 10));
  expect(new Set(posts.map(({ key }) => key)).size).toBeLessThanOrEqual(1);
  expect(ways.state('chat').waiting).toBe(1);
});

test('what could not be told is told once the chat is back, what began before what is over', async () => {
  let isBack = false;
  const { desk, ways, posts, look } = await withChat((request, response) =>
    (isBack ? saying('ok', 200, 'text/plain') : saying('away', 503))(request, response),
  );
  desk.view = { ...WELL, attention: [stopped('node 1'), stopped('node 2')] };
  await vi.waitFor(() => expect(ways.state('chat').fault).toMatch(/503/));
  desk.view = { ...WELL, attention: [stopped('node 2')] };
  await look(20);
  posts.length = 0;
  isBack = true;
  await vi.waitFor(() => expect(ways.state('chat')).toMatchObject({ waiting: 0, fault: null }));
  const taken = posts.map(({ text }) => `${/^\*Over/.test(text) ? 'over' : 'raised'} ${/node \d/.exec(text)?.[0]}`);
  const first = taken.filter((word, index) => taken.indexOf(word) === index);
  expect(first.filter((word) => word.endsWith('node 1'))).toEqual(['raised node 1', 'over node 1']);
  expect(first.filter((word) => word.endsWith('node 2'))).toEqual(['raised node 2']);
});

test('an alert that is never taken holds up no other', async () => {
  const { desk, ways, posts } = await withChat((request, response) =>
    (posts.at(-1)?.text.includes('node 1') ? saying('no', 400) : saying('ok', 200, 'text/plain'))(request, response),
  );
  desk.view = { ...WELL, attention: [stopped('node 1'), stopped('node 2')] };
  await vi.waitFor(() => expect(posts.some(({ text }) => text.includes('node 2'))).toBe(true));
  await vi.waitFor(() => expect(ways.state('chat').fault).toMatch(/400/));
});

test('a chat that took an alert and then talks without an end has been told', async () => {
  const { ways } = await withChat((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/plain' });
    const talk = () => void (response.destroyed || response.write('a'.repeat(16_384), () => setImmediate(talk)));
    talk();
  });
  expect(await ways.test('chat', 'mara')).toMatchObject({
    ok: true,
    answered: expect.stringMatching(/^it answered 200/),
  });
});

test('what is no HTTP at all is a fault in words', async () => {
  const server = createServer(
    (socket) =>
      void socket
        .on('error', () => {})
        .resume()
        .end('\x00\x01 garbage\r\n\r\n'),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const { ways } = await watched();
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/x`;
  await ways.save(webhook('chat', url), null, { actor: 'mara' });
  expect(await ways.test('chat', 'mara')).toMatchObject({ ok: false, answered: expect.stringMatching(/./) });
});

test('an address that others could read, or that has a user in it, is refused', () => {
  const isTaken = (url: string) => alertWaySchema.safeParse(webhook('chat', url)).success;
  expect(isTaken('https://hooks.chat.example/services/x')).toBe(true);
  expect(isTaken('http://127.0.0.1:9000/x')).toBe(true);
  for (const url of ['http://hooks.chat.example/x', 'https://a:b@hooks.chat.example/x', 'ftp://127.0.0.1/x', 'x'])
    expect(isTaken(url), url).toBe(false);
});
