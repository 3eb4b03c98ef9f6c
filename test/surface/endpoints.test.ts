import { once } from 'node:events';
import net from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { REFUSALS } from '../../electron/contract/refusal.ts';
import { aGrid, FakeChain } from './fake-chain.ts';
import { call } from './http-client.ts';
import { surfaceOf } from './open-surface.ts';

describe('the endpoints of the surface', () => {
  it.each(['tokens', 'pairs', 'prices', 'blacklist'] as const)('answer GET /%s with that one key', async (key) => {
    const { port, chain } = await surfaceOf();
    const reply = await call(port, 'GET', `/31337/${key}`);
    expect(reply.status).toBe(200);
    expect(reply.headers['content-type']).toBe('application/json');
    expect(reply.json).toEqual({ [key]: chain.grid[key] });
  });

  it('serve every chain under its base path, also the empty one', async () => {
    const chains = [new FakeChain(1, ''), new FakeChain(10, '/10'), new FakeChain(100, '/deep/100')];
    for (const chain of chains) chain.grid = aGrid({ blacklist: [`0x${String(chain.chainId).padStart(40, '0')}`] });
    const { port } = await surfaceOf(chains);
    for (const { basePath, grid } of chains) {
      expect((await call(port, 'GET', `${basePath}/blacklist`)).json).toEqual({ blacklist: grid.blacklist });
    }
  });

  it('serve the grid of this moment', async () => {
    const { port, chain } = await surfaceOf();
    const prices = { 'WETH/USDC': {} };
    chain.grid = aGrid({ prices });
    expect((await call(port, 'GET', '/31337/prices')).json).toEqual({ prices });
  });

  it('carry names in any script', async () => {
    const { port, chain } = await surfaceOf();
    const tokens = { ...chain.grid.tokens };
    const weth = tokens.WETH;
    if (weth !== undefined) tokens.WETH = { ...weth, name: 'Ether, 以太币 "wrapped" \u2028' };
    chain.grid = aGrid({ tokens });
    expect((await call(port, 'GET', '/31337/tokens')).json).toEqual({ tokens });
  });

  it('tolerate query strings', async () => {
    const { port, chain } = await surfaceOf();
    const reply = await call(port, 'GET', '/31337/prices?a=1&b[]=%20&%zz');
    expect(reply.json).toEqual({ prices: chain.grid.prices });
  });

  it('answer /prices with the reason while the chain is closed, and the other three as ever', async () => {
    const { port, chain } = await surfaceOf();
    chain.grid = aGrid({ closed: 'halted' });
    const reply = await call(port, 'GET', '/31337/prices');
    expect([reply.status, reply.json]).toEqual([503, { error: REFUSALS.halted.sentence, code: 'halted' }]);
    for (const key of ['tokens', 'pairs', 'blacklist']) {
      expect((await call(port, 'GET', `/31337/${key}`)).status).toBe(200);
    }
  });

  it('change with the configuration: chains come and go', async () => {
    const chains = [new FakeChain(1, '/1')];
    const { port, surface } = await surfaceOf(chains, { chains: () => [...chains] });
    chains.splice(0, 1, new FakeChain(10, '/10'));
    surface.refresh(null);
    expect((await call(port, 'GET', '/1/prices')).status).toBe(404);
    expect((await call(port, 'GET', '/10/prices')).status).toBe(200);
  });

  it('tell of every request for them: which, when, whose, and how it ended', async () => {
    const { port, chain, beats } = await surfaceOf(undefined, { now: () => 1_790_000_000_000 });
    await call(port, 'GET', '/31337/prices');
    await call(port, 'GET', '/31337/nowhere');
    chain.grid = aGrid({ closed: 'draining' });
    await call(port, 'GET', '/31337/prices');
    await call(port, 'POST', '/31337/firm', { body: '{}' });
    const beat = { chainId: 31337, at: 1_790_000_000_000, by: null, skewMs: null };
    expect(beats).toEqual([
      { ...beat, endpoint: 'prices', status: 200 },
      { ...beat, endpoint: 'prices', status: 503 },
      { ...beat, endpoint: 'firm', status: 200 },
    ]);
  });

  it('are not disturbed by a listener that fails', async () => {
    const { port, warnings } = await surfaceOf(undefined, {
      onHeartbeat: () => {
        throw new Error('no room for it');
      },
    });
    expect((await call(port, 'GET', '/31337/prices')).status).toBe(200);
    expect(warnings).toHaveLength(1);
  });

  it('answer with an error when what they serve fails', async () => {
    const { port, chain } = await surfaceOf();
    chain.served = () => {
      throw new Error('broken');
    };
    const reply = await call(port, 'GET', '/31337/prices');
    expect([reply.status, reply.json]).toEqual([503, { error: REFUSALS.internal.sentence, code: 'internal' }]);
  });
});

describe('POST /firm', () => {
  it('hands on the bytes of the body as they came, with their time and sender', async () => {
    const { port, chain } = await surfaceOf(undefined, { now: () => 1_790_000_000_000, monotonic: () => 12.5 });
    const body = ' {"a":\t"ü"}\r\n';
    const reply = await call(port, 'POST', '/31337/firm', { body });
    expect([reply.status, reply.text]).toEqual([200, '{"order":{}}']);
    const [input] = chain.firmRequests;
    expect(input?.body.toString('utf8')).toBe(body);
    expect(input).toMatchObject({ chainId: 31337, counterparty: null, receivedAt: 1_790_000_000_000 });
    expect(input?.receivedMonotonic).toBe(12.5);
  });

  it('hands on no more of what the caller calls its trace than a trace is long', async () => {
    const { port, chain } = await surfaceOf();
    await call(port, 'POST', '/31337/firm', { body: '{}', headers: { traceparent: 'a'.repeat(2_000) } });
    expect(chain.firmRequests[0]?.traceparent).toHaveLength(512);
  });

  it('takes a body of 64 KiB in pieces', async () => {
    const { port, chain } = await surfaceOf();
    const body = 'x'.repeat(64 * 1024);
    expect(
      (await call(port, 'POST', '/31337/firm', { body, headers: { 'Transfer-Encoding': 'chunked' } })).status,
    ).toBe(200);
    expect(chain.firmRequests[0]?.body.length).toBe(body.length);
  });

  it('answers with the status and text it is given, whenever that comes', async () => {
    const { port, chain } = await surfaceOf();
    chain.answerFirm = (_input, respond) => {
      setImmediate(() => respond({ status: 422, body: '{"error":"No.","code":"quote_limit"}' }));
    };
    const reply = await call(port, 'POST', '/31337/firm', { body: '{}' });
    expect([reply.status, reply.json]).toEqual([422, { error: 'No.', code: 'quote_limit' }]);
    expect(reply.headers['content-type']).toBe('application/json');
  });

  it('has the answer on its way to the socket when respond returns', async () => {
    const { port, chain } = await surfaceOf();
    let sent = '';
    chain.answerFirm = (_input, respond) => {
      respond({ status: 200, body: '{"order":{}}' });
      sent = 'yes';
      for (const end = Date.now() + 30; Date.now() < end; ); // nothing else gets a turn
    };
    const reply = await call(port, 'POST', '/31337/firm', { body: '{}' });
    expect([reply.text, sent]).toEqual(['{"order":{}}', 'yes']);
  });

  it('is decided only when those before it on its connection are answered, so that no order waits behind them while a stop comes', async () => {
    const { port, chain } = await surfaceOf();
    const answers: (() => void)[] = [];
    chain.answerFirm = ({ body }, respond) => {
      answers.push(() => respond({ status: 200, body: body.toString() }));
    };
    const socket = net.connect(port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    let heard = '';
    socket.on('data', (data) => {
      heard += data.toString();
    });
    const ask = (body: string) =>
      `POST /31337/firm HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    socket.write(ask('{"order":1}') + ask('{"order":2}') + ask('{"order":3}'));
    await expect.poll(() => chain.firmRequests.length).toBe(1);
    await call(port, 'GET', '/31337/prices'); // all of them have come by now
    for (let order = 1; order <= 3; order += 1) {
      expect([chain.firmRequests.length, answers.length]).toEqual([order, order]);
      answers.at(-1)?.();
      await expect.poll(() => heard).toContain(`{"order":${order}}`);
      if (order < 3) await expect.poll(() => answers.length).toBe(order + 1);
    }
  });

  it('waits at the other end where many wait before it on its connection, however many are sent, and each is answered in its turn', async () => {
    const { port, chain } = await surfaceOf();
    const answers: (() => void)[] = [];
    chain.answerFirm = ({ body }, respond) => {
      const { order } = JSON.parse(body.toString());
      answers.push(() => respond({ status: 200, body: JSON.stringify({ order }) }));
    };
    const socket = net.connect(port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    let heard = '';
    socket.on('data', (data) => {
      heard += data.toString();
    });
    const padding = ' '.repeat(60_000);
    let sent = 0;
    const sending = (async () => {
      for (; sent < 400; sent += 1) {
        const body = `{"order":${sent}}${padding}`;
        const head = `POST /31337/firm HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${body.length}`;
        if (!socket.write(`${head}\r\n\r\n${body}`)) await once(socket, 'drain');
      }
    })();
    const looks: number[] = [];
    const standsStill = () => looks.push(sent) > 5 && looks.slice(-6).every((look) => look === sent);
    await expect.poll(standsStill, { interval: 100 }).toBe(true);
    expect([chain.firmRequests.length, sent < 400]).toEqual([1, true]);
    chain.answerFirm = ({ body }, respond) =>
      respond({ status: 200, body: JSON.stringify(JSON.parse(body.toString())) });
    answers[0]?.();
    const orders = () => [...heard.matchAll(/\{"order":(\d+)\}/g)].map(([, order]) => Number(order));
    await sending;
    await expect.poll(() => orders().length).toBe(400);
    expect(orders()).toEqual(Array.from({ length: 400 }, (_, order) => order));
  });

  it('is quoted in every state of the chain: refusing is not for the surface to decide', async () => {
    const { port, chain } = await surfaceOf();
    chain.grid = aGrid({ closed: 'draining' });
    expect((await call(port, 'POST', '/31337/firm', { body: '{}' })).status).toBe(200);
  });

  it('survives a client that leaves before the answer', async () => {
    const { port, chain, surface } = await surfaceOf();
    let late: () => void = () => {};
    const asked = new Promise<void>((resolve) => {
      chain.answerFirm = (_input, respond) => {
        late = () => respond({ status: 200, body: '{}' });
        resolve();
      };
    });
    const client = net.connect(port, '127.0.0.1');
    client.write('POST /31337/firm HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}');
    await asked;
    client.resetAndDestroy();
    await once(client, 'close');
    late();
    expect((await call(surface.port, 'GET', '/31337/prices')).status).toBe(200);
  });
});
