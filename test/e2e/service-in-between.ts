import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { haltDesk, makerdesk } from './makerdesk.ts';
import type { PracticeDesk } from './practice-desk.ts';

/** What a service may say instead of an answer; `well` passes on what the practice service says. */
export type Answers = 'well' | 'a web page' | 'half an answer' | 'nothing';

/** A service between a desk and its practice service, which can be made to answer badly. */
export interface ServiceInBetween {
  answers: Answers;
  stop(): Promise<void>;
}

const NO_HEADERS_OF = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'accept-encoding']);

/** Puts a service in between: the desk asks it from now on. The desk is halted for the change and trades again after it. */
export async function serviceInBetween(desk: PracticeDesk): Promise<ServiceInBetween> {
  const server = createServer((asked, answer) => {
    void answerIt(service.answers, desk.service, asked, answer).catch(() => answer.destroy());
  });
  const service: ServiceInBetween = {
    answers: 'well',
    async stop() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const file = join(desk.folder, 'in-between.json');
  await makerdesk(desk.folder, 'export', file, '--with-secrets');
  const known = JSON.parse(readFileSync(file, 'utf8')) as { chains: { serviceUrl: string }[] };
  for (const chain of known.chains) chain.serviceUrl = url;
  writeFileSync(file, JSON.stringify(known));
  await haltDesk(desk.folder, {}, 'another service');
  await makerdesk(desk.folder, 'import', file);
  await makerdesk(desk.folder, 'resume', '--reason', 'it asks another service');
  return service;
}

async function answerIt(how: Answers, behind: string, asked: IncomingMessage, answer: ServerResponse): Promise<void> {
  if (how === 'nothing') {
    asked.socket.destroy();
    return;
  }
  if (how === 'a web page') {
    answer.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><html><h1>Back soon</h1></html>');
    return;
  }
  const sent: Buffer[] = [];
  for await (const chunk of asked) sent.push(chunk as Buffer);
  const headers = Object.entries(asked.headers).filter(([name]) => !NO_HEADERS_OF.has(name)) as [string, string][];
  const got = await fetch(behind + asked.url, {
    method: asked.method ?? 'GET',
    headers,
    ...(sent.length > 0 && { body: Buffer.concat(sent) }),
  });
  const body = Buffer.from(await got.arrayBuffer());
  answer.writeHead(got.status, { 'content-type': got.headers.get('content-type') ?? 'application/json' });
  answer.end(how === 'half an answer' ? body.subarray(0, Math.ceil(body.length / 2)) : body);
}
