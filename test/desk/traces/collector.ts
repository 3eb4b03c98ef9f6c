import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A span as a collector reads it. */
export interface ReadSpan {
  traceId: string;
  spanId: string;
  /** Empty for the first of a trace. */
  parentSpanId: string;
  name: string;
  /** Unix nanoseconds. */
  start: bigint;
  end: bigint;
  attributes: Record<string, string | number>;
  links: { traceId: string; spanId: string }[];
  isError: boolean;
}

export type Answering = (response: ServerResponse) => void;

export interface Collector {
  url: string;
  /** How it answers from now on. */
  answering: Answering;
  spans: ReadSpan[];
  /** Of whatever sent them. */
  resource: Record<string, string | number>;
  headers: IncomingHttpHeaders;
  /** All that came, as it came. */
  bodies: Buffer[];
  /** Requests so far, whatever became of them. */
  asked: number;
  close(): Promise<void>;
}

/** Takes what it is sent. */
const taken: Answering = (response) => response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();

/** A collector on loopback that reads OTLP over HTTP as its specification has it (protobuf), and answers as told. */
export async function openCollector(answering: Answering = taken): Promise<Collector> {
  const server = createServer((request, response) => void receive(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const collector: Collector = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answering,
    spans: [],
    resource: {},
    headers: {},
    bodies: [],
    asked: 0,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    collector.asked += 1;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    collector.headers = request.headers;
    collector.bodies.push(body);
    for (const resourceSpans of fieldsOf(body).messages(1)) {
      for (const resource of resourceSpans.messages(1)) collector.resource = attributesOf(resource, 1);
      for (const scopeSpans of resourceSpans.messages(2))
        collector.spans.push(...scopeSpans.messages(2).map((span) => spanOf(span)));
    }
    collector.answering(response);
  }
  return collector;
}

function spanOf(span: Fields): ReadSpan {
  const hex = (field: number) => span.bytes(field).toString('hex');
  return {
    traceId: hex(1),
    spanId: hex(2),
    parentSpanId: hex(4),
    name: span.bytes(5).toString(),
    start: span.fixed(7),
    end: span.fixed(8),
    attributes: attributesOf(span, 9),
    links: span
      .messages(13)
      .map((link) => ({ traceId: link.bytes(1).toString('hex'), spanId: link.bytes(2).toString('hex') })),
    isError: span.messages(15).some((status) => status.varint(3) === 2n),
  };
}

function attributesOf(message: Fields, field: number): Record<string, string | number> {
  const rows = message.messages(field).map((row): [string, string | number] => {
    const [value] = row.messages(2);
    const text = value?.bytes(1).toString() ?? '';
    return [row.bytes(1).toString(), value?.has(3) ? Number(value.varint(3)) : text];
  });
  return Object.fromEntries(rows);
}

/** The fields of a protobuf message, by their numbers. */
interface Fields {
  has(field: number): boolean;
  /** The first one, or nothing. */
  bytes(field: number): Buffer;
  messages(field: number): Fields[];
  varint(field: number): bigint;
  fixed(field: number): bigint;
}

/** Throws for what is no protobuf. */
function fieldsOf(message: Buffer): Fields {
  const found = new Map<number, (Buffer | bigint)[]>();
  let at = 0;
  const varint = () => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = message.readUInt8(at);
      at += 1;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  const take = (length: number) => {
    if (at + length > message.length) throw new Error('The message ends in the middle of a field.');
    at += length;
    return message.subarray(at - length, at);
  };
  const valueIn = (kind: bigint) => {
    if (kind === 0n) return varint();
    if (kind === 1n) return take(8).readBigUInt64LE();
    if (kind === 2n) return take(Number(varint()));
    if (kind === 5n) return BigInt(take(4).readUInt32LE());
    throw new Error(`There is no kind ${kind} of field.`);
  };
  while (at < message.length) {
    const tag = varint();
    const field = Number(tag >> 3n);
    const value = valueIn(tag & 7n);
    found.set(field, [...(found.get(field) ?? []), value]);
  }
  const buffers = (field: number) => (found.get(field) ?? []).filter((value) => typeof value !== 'bigint');
  const number = (field: number) => (found.get(field) ?? []).find((value) => typeof value === 'bigint') ?? 0n;
  return {
    has: (field) => found.has(field),
    bytes: (field) => buffers(field)[0] ?? Buffer.alloc(0),
    messages: (field) => buffers(field).map((one) => fieldsOf(one)),
    varint: number,
    fixed: number,
  };
}
