import { implement } from '@orpc/server';
import { RPCHandler } from '@orpc/server/message-port';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { PORT_MESSAGE } from '../../electron/contract/console-port.ts';
import { entranceContract } from '../../electron/contract/entrance.ts';
import { FILE_CHOICE } from '../../electron/contract/file-choice.ts';
import { PAGE_PDF } from '../../electron/contract/page-pdf.ts';
import { openConnection } from '../../renderer/state/connection.ts';
import { NotConnected } from '../../renderer/state/no-line.ts';
import { refusalOf } from '../../renderer/state/refusal-of.ts';
import { type ConsoleLink, desktopLines, type LineEvents, type Transport } from '../../renderer/state/transport.ts';

/** A transport whose lines the test opens and breaks. */
function lines() {
  const opened: (LineEvents & { closed: boolean })[] = [];
  const transport: Transport = (events) => {
    const line = { ...events, closed: false };
    opened.push(line);
    return () => {
      line.closed = true;
    };
  };
  const link = (answer: () => Promise<unknown>) => ({ call: answer }) as unknown as ConsoleLink;
  return { transport, opened, link };
}

describe('the connection', () => {
  test('refuses calls without a line, with an error that says so', async () => {
    const { transport } = lines();
    const connection = openConnection(transport);
    await expect(connection.client.trading.status()).rejects.toBeInstanceOf(NotConnected);
    expect(refusalOf(new NotConnected())).toMatchObject({ code: 'not_connected' });
    expect(connection.line().state).toBe('connecting');
  });

  test('opens another line when one is lost, and calls go over the new one', async () => {
    const { transport, opened, link } = lines();
    const connection = openConnection(transport);
    opened[0]?.ready(link(() => Promise.resolve('first')));
    connection.heard(1);
    expect(connection.line()).toMatchObject({ state: 'connected', epoch: 1 });
    expect(await connection.client.trading.status()).toBe('first');
    opened[0]?.lost('gone');
    expect(connection.line()).toMatchObject({ state: 'lost', why: 'gone' });
    await expect(connection.client.trading.status()).rejects.toBeInstanceOf(NotConnected);
    await vi.waitFor(() => expect(opened).toHaveLength(2));
    opened[1]?.ready(link(() => Promise.resolve('second')));
    connection.heard(2);
    expect(connection.line()).toMatchObject({ state: 'connected', epoch: 2, why: null });
    expect(await connection.client.trading.status()).toBe('second');
  });

  test('says in which record the desk stands, over a break too, until another one is heard', async () => {
    const { transport, opened, link } = lines();
    const connection = openConnection(transport);
    opened[0]?.ready(link(() => Promise.resolve()));
    connection.heard(1, 'one');
    connection.heard(1);
    expect(connection.line().record).toBe('one');
    opened[0]?.lost('gone');
    await vi.waitFor(() => expect(opened).toHaveLength(2));
    opened[1]?.ready(link(() => Promise.resolve()));
    expect(connection.line().record).toBe('one');
    connection.heard(2, 'other');
    expect(connection.line().record).toBe('other');
  });

  test('keeps when the desk was last heard over a break, so that figures can be dated', () => {
    const { transport, opened, link } = lines();
    let now = 1_000;
    const connection = openConnection(transport, () => now);
    opened[0]?.ready(link(() => Promise.resolve()));
    expect(connection.line().heardAt).toBeNull();
    now = 5_000;
    connection.heard(1);
    opened[0]?.lost('gone');
    now = 9_000;
    connection.heard(1);
    expect(connection.line().heardAt).toBe(5_000);
  });

  test('is not connected by a port that is open: only what the desk itself says makes it so', async () => {
    const { transport, opened, link } = lines();
    let now = 1_000;
    const connection = openConnection(transport, () => now);
    opened[0]?.ready(link(() => Promise.resolve('sent')));
    connection.heard(1);
    opened[0]?.lost('gone');
    await vi.waitFor(() => expect(opened).toHaveLength(2));
    now = 60_000;
    opened[1]?.ready(link(() => Promise.resolve('sent')));
    expect(connection.line()).toMatchObject({ state: 'lost', open: true, heardAt: 1_000 });
    // What is asked goes out all the same: a desk that wakes up answers it.
    expect(await connection.client.trading.status()).toBe('sent');
    connection.heard(2);
    expect(connection.line()).toMatchObject({ state: 'connected', heardAt: 60_000, why: null });
  });

  test('a command given between two lines goes out once the desk has spoken on the next one, and is asked for again where that is lost too', async () => {
    const { transport, opened, link } = lines();
    const connection = openConnection(transport);
    const record = crypto.randomUUID();
    opened[0]?.ready(link(() => Promise.resolve()));
    connection.heard(1, record);
    opened[0]?.lost('gone');
    await vi.waitFor(() => expect(opened).toHaveLength(2));
    const given = connection.client.blacklist.add({ address: `0x${'aa'.repeat(20)}` });
    const sent: unknown[] = [];
    const answering = (answer: Promise<unknown>) => {
      const call = (_path: unknown, _input: unknown, { context }: { context: unknown }) => {
        sent.push(context);
        return answer;
      };
      return link(call as never);
    };
    const never = new Promise<never>(() => {});
    opened[1]?.ready(answering(never));
    await Promise.resolve();
    expect(sent).toEqual([]);
    connection.heard(2, record);
    await vi.waitFor(() => expect(sent).toHaveLength(1));
    opened[1]?.lost('gone again');
    await vi.waitFor(() => expect(opened).toHaveLength(3));
    opened[2]?.ready(answering(Promise.resolve({ durable: true })));
    connection.heard(3, record);
    expect(await given).toEqual({ durable: true });
    const idOf = (context: unknown) => (context as { command: string }).command.split(' ')[1];
    expect(sent.map(idOf)).toEqual([idOf(sent[0]), idOf(sent[0])]);
  });

  test('gives up a line that stopped answering, once, and not for what is said of an older one', async () => {
    const { transport, opened, link } = lines();
    const connection = openConnection(transport);
    opened[0]?.ready(link(() => Promise.resolve()));
    connection.heard(1);
    connection.drop(0, 'an older line');
    expect(connection.line().state).toBe('connected');
    connection.drop(1, 'silent');
    connection.drop(1, 'silent');
    opened[0]?.lost('closed');
    expect(opened[0]?.closed).toBe(true);
    expect(connection.line()).toMatchObject({ state: 'lost', why: 'silent' });
    await vi.waitFor(() => expect(opened).toHaveLength(2));
    expect(connection.line().epoch).toBe(2);
  });
});

/** A port as browsers have it: the end that closes it is told nothing. */
class SilentPort extends EventTarget {
  readonly sent: unknown[] = [];
  start(): void {}
  close(): void {}
  postMessage(message: unknown): void {
    this.sent.push(message);
  }
}

test('what was asked over a port is not waited for any more once its line is given up', async () => {
  const page = Object.assign(new EventTarget(), { postMessage: () => {}, location: { origin: 'app://makerdesk' } });
  const connection = openConnection(desktopLines(page as unknown as Window).transport);
  const [desk, app, door] = [new SilentPort(), new SilentPort(), new SilentPort()];
  const handedIn = { source: page, data: { kind: PORT_MESSAGE }, ports: [desk, app, door] };
  page.dispatchEvent(Object.assign(new Event('message'), handedIn));
  door.dispatchEvent(new Event('close')); // no entrance: the desk itself is spoken to
  connection.heard(1);
  const asked = connection.client.settings.makeKey();
  await vi.waitFor(() => expect(desk.sent).not.toEqual([]));
  connection.drop(connection.line().epoch, 'The desk does not answer any more.');
  await expect(asked).rejects.toThrow();
});

test('a file that a person chose by the system’s dialog is told to whoever asked, none to those whose app is gone', async () => {
  const page = Object.assign(new EventTarget(), { postMessage: () => {}, location: { origin: 'app://makerdesk' } });
  const { app } = desktopLines(page as unknown as Window);
  const handIn = (port: SilentPort) => {
    const handedIn = { source: page, data: { kind: PORT_MESSAGE }, ports: [new SilentPort(), port, new SilentPort()] };
    page.dispatchEvent(Object.assign(new Event('message'), handedIn));
  };
  expect(await app.chooseFile('open', '')).toBeNull();
  const port = new SilentPort();
  handIn(port);
  const [first, second] = [app.chooseFile('save', '/mnt/b.db'), app.chooseFile('open', '')];
  expect(port.sent).toEqual([
    { kind: FILE_CHOICE, ask: 1, way: 'save', suggested: '/mnt/b.db' },
    { kind: FILE_CHOICE, ask: 2, way: 'open', suggested: '' },
  ]);
  const say = (data: unknown) => port.dispatchEvent(Object.assign(new Event('message'), { data }));
  say({ kind: FILE_CHOICE, ask: 2, path: '/mnt/other.db' });
  say({ kind: 'something else' });
  expect(await second).toBe('/mnt/other.db');
  handIn(new SilentPort());
  expect(await first).toBeNull();
});

test('a page that the app wrote into a file is told where, or why not; of an app that is gone nothing is waited for', async () => {
  const page = Object.assign(new EventTarget(), { postMessage: () => {}, location: { origin: 'app://makerdesk' } });
  const { app } = desktopLines(page as unknown as Window);
  const handIn = (port: SilentPort) => {
    const handedIn = { source: page, data: { kind: PORT_MESSAGE }, ports: [new SilentPort(), port, new SilentPort()] };
    page.dispatchEvent(Object.assign(new Event('message'), handedIn));
  };
  expect(await app.savePage('a.pdf')).toBeNull();
  const port = new SilentPort();
  handIn(port);
  const [first, second] = [app.savePage('a.pdf'), app.savePage('b.pdf')];
  expect(port.sent).toEqual([
    { kind: PAGE_PDF, ask: 1, suggested: 'a.pdf' },
    { kind: PAGE_PDF, ask: 2, suggested: 'b.pdf' },
  ]);
  const saved = { path: '/mnt/b.pdf', fault: 'the disk is full' };
  port.dispatchEvent(Object.assign(new Event('message'), { data: { kind: PAGE_PDF, ask: 2, saved } }));
  expect(await second).toEqual(saved);
  handIn(new SilentPort());
  expect(await first).toBeNull();
});

/** A page to whose entrance lines are handed in, each answered by what the test puts behind it. */
function pageWithEntrance() {
  const asked: unknown[] = [];
  const page = Object.assign(new EventTarget(), {
    postMessage: (message: unknown) => void asked.push(message),
    location: { origin: 'app://makerdesk' },
  });
  const { entrance, transport } = desktopLines(page as unknown as Window);
  const handIn = (): { door: NodePort; desk: SilentPort } => {
    const { port1: door, port2 } = new MessageChannel();
    onTestFinished(() => door.close());
    const desk = new SilentPort();
    const handedIn = { source: page, data: { kind: PORT_MESSAGE }, ports: [desk, new SilentPort(), port2] };
    page.dispatchEvent(Object.assign(new Event('message'), handedIn));
    return { door, desk };
  };
  return { asked, entrance, transport, handIn };
}
type NodePort = MessageChannel['port1'];

/** Answers as the entrance of a desk that is open; a key is taken in when `taken` says so. */
function serveEntrance(door: NodePort, taken: Promise<void> = Promise.resolve()): void {
  const os = implement(entranceContract);
  const watch = os.watch.handler(async function* () {
    yield { stage: 'open' as const };
    await new Promise(() => {});
  });
  const importKey = os.importKey.handler(async () => {
    await taken;
    return { address: `0x${'1'.repeat(40)}` as const };
  });
  new RPCHandler({ watch, importKey }).upgrade(door);
  door.start();
}

test('what the entrance was asked is answered, also where another line was handed in meanwhile', async () => {
  const { entrance, handIn } = pageWithEntrance();
  let take: () => void = () => {};
  const taken = new Promise<void>((resolve) => {
    take = resolve;
  });
  serveEntrance(handIn().door, taken);
  await vi.waitFor(() => expect(entrance.view()).toEqual({ stage: 'open' }));
  const asked = entrance.client.importKey({ keystore: '{}', passphrase: 'test only' });
  serveEntrance(handIn().door);
  await vi.waitFor(() => expect(entrance.isShut()).toBe(false));
  take();
  expect(await asked).toEqual({ address: `0x${'1'.repeat(40)}` });
});

test('a line to the entrance that has said nothing yet is waited for: no other is asked for in its place', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { asked, entrance, transport, handIn } = pageWithEntrance();
  const connection = openConnection(transport);
  const { door } = handIn();
  expect(entrance.isShut()).toBe(true);
  connection.drop(connection.line().epoch, 'The desk does not answer.');
  await vi.advanceTimersByTimeAsync(10_000);
  expect(asked).toEqual([]);
  vi.useRealTimers();
  serveEntrance(door);
  await vi.waitFor(() => expect(connection.line().open).toBe(true));
});
