import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { WebSocket } from 'ws';
import { checkForm } from '../book/checked.ts';
import { sentenceOf } from '../book/faults.ts';
import { chainIdSchema } from '../contract/names.ts';
import { priceMessageSchema, priceUpdateSchema } from '../contract/prices.ts';
import { REFUSALS, type RefusalCode } from '../contract/refusal.ts';
import { isForPrices } from '../contract/rights.ts';
import { DeskError } from '../protocol/desk-error.ts';
import { readBody } from '../surface/read-body.ts';
import { type ChannelServer, openChannelServer, targetOf } from './channel-server.ts';
import type { Rooms } from './rooms.ts';
import { namesThisMachine } from './way-in.ts';

/** Where engines push once a token for prices exists, unless --prices-port says otherwise. */
const USUAL_PORT = 8791;
/** Where that is taken it is tried again so often, milliseconds. */
const AGAIN_MS = 10_000;
/** Largest update: 1,000 pairs of some levels fit, and what is too large for a ladder can still be told so. */
const MAX_UPDATE_BYTES = 1024 * 1024;
/** An engine that reads no answers is let go when so many bytes of them wait. */
const MAX_UNREAD_BYTES = 4 * 1024 * 1024;

type Answer = { status: number; body: unknown };

type DoorRooms = Pick<Rooms, 'book' | 'credentials' | 'log'> & { tokenUses: Pick<Rooms['tokenUses'], 'used'> };

/**
 * Where engines push their prices: `PUT <url>/<chainId>`, `GET <url>/<chainId>` for whoever comes back, and a WebSocket at
 * `<url>/ws`. On loopback only, for those who have a token for prices; Host and Origin must name this machine.
 */
export class PricesDoor {
  readonly #rooms: DoorRooms;
  readonly #port: number | null;
  readonly #usual: number;
  #missed = false;
  #again: NodeJS.Timeout | undefined;
  #door: ChannelServer | null = null;
  #opening: Promise<string | null> | null = null;
  readonly #sockets = new Map<WebSocket, string>();

  /** `port`: where to listen, 0 for a free one; null: the usual one, once there is a token. */
  constructor(rooms: DoorRooms, port: number | null, usual = USUAL_PORT) {
    this.#rooms = rooms;
    this.#port = port;
    this.#usual = usual;
  }

  /** Listens, where it is to: with a port that was asked for, or once there is a token. Throws DeskError `port_taken` for the former. */
  async begin(): Promise<void> {
    if (this.#port !== null) await this.#listen(this.#port);
    else if (this.#rooms.credentials.tokens().some(({ rights }) => isForPrices(rights))) await this.open();
  }

  /** Its address, or null while it is shut. */
  get url(): string | null {
    if (this.#door === null) return null;
    return `http://127.0.0.1:${(this.#door.server.address() as AddressInfo).port}`;
  }

  /** On which port it should listen and cannot; null where all is well. */
  get missed(): number | null {
    return this.#missed ? this.#usual : null;
  }

  /** Listens if it does not yet, and gives its address; null where its port is taken: that is told, and tried again. */
  open(): Promise<string | null> {
    this.#opening ??= this.#listen(this.#usual).then(
      () => {
        this.#missed = false;
        return this.url;
      },
      (error: unknown) => {
        this.#opening = null;
        if (!this.#missed) this.#rooms.log.warn('no engine can push prices', { error: String(error) });
        this.#missed = true;
        clearTimeout(this.#again);
        this.#again = setTimeout(() => void this.open(), AGAIN_MS).unref();
        return null;
      },
    );
    return this.#opening;
  }

  /** Whoever came with this token is let go. */
  revoke(token: string): void {
    for (const [socket, of] of this.#sockets) {
      if (of !== token) continue;
      this.#sockets.delete(socket);
      socket.close(1008, 'The token was revoked.');
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.#again);
    await this.#door?.close();
  }

  async #listen(port: number): Promise<void> {
    if (this.#door !== null) return;
    const door = openChannelServer({
      answer: (request, response) => void this.#answer(request, response).catch(() => response.destroy()),
      path: '/ws',
      who: 'An engine',
      admit: (request) => {
        const token = namesThisMachine(request) ? this.#tokenOf(request) : null;
        return token === null ? null : { actor: token };
      },
      connect: (socket, { actor }) => this.#connect(socket, actor),
      maxMessageBytes: MAX_UPDATE_BYTES,
      log: this.#rooms.log,
    });
    await door.listen({ host: '127.0.0.1', port }).catch((cause: NodeJS.ErrnoException) => {
      const taken = cause.code === 'EADDRINUSE' ? ': it is taken' : `: ${cause.message}`;
      throw new DeskError('port_taken', `Engines cannot push prices on port ${port}${taken}.`, {
        remedy: 'Choose another with --prices-port, or 0 for a free one.',
        cause,
      });
    });
    this.#door = door;
  }

  /** With which token a request came, or null: none for prices that counts. */
  #tokenOf({ headers: { authorization = '' } }: IncomingMessage): string | null {
    const [, token] = /^Bearer ([\x21-\x7e]{1,200})$/i.exec(authorization) ?? [];
    const holder = token === undefined ? null : this.#rooms.credentials.holderOf(token);
    if (holder === null || !isForPrices(holder.rights)) return null;
    this.#rooms.tokenUses.used(holder.name);
    return holder.name;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { status, body } = await this.#answerTo(request);
    const text = JSON.stringify(body);
    response.writeHead(status, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    response.end(text);
  }

  async #answerTo(request: IncomingMessage): Promise<Answer> {
    if (!namesThisMachine(request)) return refused('misdirected', 'Prices are taken on this machine only.');
    const token = this.#tokenOf(request);
    if (token === null)
      return refused('unauthorized', 'The request has no token that counts: Authorization: Bearer TOKEN.');
    this.#door?.recognised(request);
    const [, digits] = /^\/([1-9][0-9]*)$/.exec(targetOf(request)?.pathname ?? '') ?? [];
    const chainId = chainIdSchema.safeParse(Number(digits)).data;
    if (chainId === undefined) return refused('not_found');
    const { pushed } = this.#rooms.book;
    if (request.method === 'GET') return this.#told(async () => pushed.where(token, chainId));
    if (request.method !== 'PUT') return refused('method_not_allowed');
    const bytes = await new Promise<Buffer | null>((resolve) => readBody(request, resolve, MAX_UPDATE_BYTES));
    if (this.#tokenOf(request) === null) return refused('unauthorized', 'The token was revoked.');
    if (bytes === null) return refused('body_too_large', 'The body is larger than 1 MiB.');
    const update = read(bytes);
    if (update === undefined) return refused('invalid_request', 'The body is not JSON.');
    return this.#told(async () => {
      const { value, faults } = checkForm(priceUpdateSchema, update);
      if (faults)
        throw new DeskError('invalid_request', `The update does not have the right form: ${sentenceOf(faults)}.`);
      return pushed.push(token, chainId, value);
    });
  }

  #connect(socket: WebSocket, token: string): void {
    this.#sockets.set(socket, token);
    socket.on('close', () => this.#sockets.delete(socket));
    socket.on('message', (data) => {
      if (!this.#sockets.has(socket)) return; // its token was revoked
      void this.#answerMessage(token, data as Buffer).then((answer) => {
        if (socket.bufferedAmount > MAX_UNREAD_BYTES) socket.terminate();
        else if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(answer));
      });
    });
  }

  /** Which chain and which number an answer is about is told as far as that could be read. */
  async #answerMessage(token: string, data: Buffer): Promise<unknown> {
    const message = read(data);
    if (message === undefined) return refused('invalid_request', 'The message is not JSON.').body;
    const { value, faults } = checkForm(priceMessageSchema, message);
    if (faults) {
      return refused('invalid_request', `The message does not have the right form: ${sentenceOf(faults)}.`).body;
    }
    const { chainId, ...update } = value;
    const { body } = await this.#told(async () => this.#rooms.book.pushed.push(token, chainId, update));
    return { chainId, sequence: update.sequence, ...(body as object) };
  }

  async #told(act: () => Promise<unknown>): Promise<Answer> {
    try {
      return { status: 200, body: await act() };
    } catch (error) {
      if (!(error instanceof DeskError)) {
        this.#rooms.log.error('an update of prices could not be taken', { error: String(error) });
        return refused('internal', 'The update could not be taken; the log of the desk says why.');
      }
      const said = { error: [error.message, error.remedy].filter(Boolean).join(' '), code: error.code };
      return { status: STATUSES[error.code as keyof typeof STATUSES] ?? 400, body: said };
    }
  }
}

/** Of refusals as a whole that have a status of their own. */
const STATUSES = { unknown_chain: 404, sequence_gap: 409 };

function refused(code: RefusalCode, sentence: string = REFUSALS[code].sentence): Answer {
  return { status: REFUSALS[code].status, body: { error: sentence, code } };
}

/** What JSON says, or undefined where it is none. */
function read(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}
