import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hashTypedData, serializeTransaction, type TransactionSerializable } from 'viem';
import { privateKeyToAccount, sign } from 'viem/accounts';
import type { Hex } from '../../electron/protocol/address.ts';
import { listenAgain } from '../listen-again.ts';

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

export type Asked = { method: string; params: unknown[] };

/** A signer elsewhere that speaks JSON-RPC and hashes by itself, with what can go wrong. */
export interface SigningServer {
  readonly url: string;
  readonly asked: Asked[];
  /** How it answers from now on; it signs well until told otherwise. */
  behaviour: Behaviour;
  /** How many questions wait for an answer that never comes. */
  readonly held: number;
  /** Answers what was held, well. */
  letGo(): void;
  close(): Promise<void>;
  /** Listens again at the same place. */
  reopen(): Promise<void>;
}

type Behaviour =
  | 'well'
  | 'high s'
  | 'v of 0 or 1'
  | 'another key'
  | 'another message'
  | 'holds'
  | 'refuses'
  | 'garbage'
  | 'endless'
  | 'elsewhere'
  | 'short'
  | 'zeros';

/** Opens one on loopback that has the key. */
export async function openSigningServer(privateKey: Hex): Promise<SigningServer> {
  const account = privateKeyToAccount(privateKey);
  const asked: Asked[] = [];
  const waiting: (() => void)[] = [];
  const server = createServer(async (request, response) => {
    const { id, method, params } = JSON.parse(await bodyOf(request));
    asked.push({ method, params });
    const { behaviour } = opened;
    const answer = (given: object) => response.end(JSON.stringify({ jsonrpc: '2.0', id, ...given }));
    if (behaviour === 'garbage') return void response.end('<html>504 Gateway Time-out</html>');
    if (behaviour === 'elsewhere') return void response.writeHead(307, { location: '/else' }).end();
    if (behaviour === 'refuses') return void answer({ error: { code: -32000, message: 'the account is locked' } });
    if (behaviour === 'endless') {
      const more = setInterval(() => response.write('x'.repeat(65_536)), 1);
      return void response.on('close', () => clearInterval(more));
    }
    const key = behaviour === 'another key' ? (`0x${'07'.repeat(32)}` as const) : privateKey;
    const given = await signed({ method, params }, { behaviour, key });
    if (behaviour !== 'holds') return void answer({ result: given });
    waiting.push(() => answer({ result: given }));
  });
  await listenAgain(server, 0);
  const { port } = server.address() as AddressInfo;
  const opened: SigningServer = {
    url: `http://127.0.0.1:${port}`,
    asked,
    behaviour: 'well',
    get held() {
      return waiting.length;
    },
    letGo: () => {
      for (const go of waiting.splice(0)) go();
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
    reopen: () => listenAgain(server, port),
  };
  return opened;

  async function signed({ method, params }: Asked, { behaviour, key }: { behaviour: Behaviour; key: Hex }) {
    if (behaviour === 'short') return '0x1234';
    if (behaviour === 'zeros') return `0x${'00'.repeat(65)}`;
    if (method.endsWith('signTransaction')) {
      const raw = await privateKeyToAccount(key).signTransaction(transactionOf(params[0] as Record<string, Hex>));
      return method.startsWith('account') ? { raw, tx: {} } : raw;
    }
    const [by, data] = params as [string, string | object];
    if (by !== account.address.toLowerCase()) throw new Error(`asked for ${by}`);
    const typed = typeof data === 'string' ? JSON.parse(data) : data;
    if (behaviour === 'another message') typed.domain = { ...typed.domain, name: 'another' };
    const hash = hashTypedData(typed);
    const { r, s, yParity } = await sign({ hash, privateKey: key });
    const v = 27 + Number(yParity);
    if (behaviour === 'high s') return hexOf(r, ORDER - BigInt(s), v === 27 ? 28 : 27);
    return hexOf(r, BigInt(s), behaviour === 'v of 0 or 1' ? v - 27 : v);
  }
}

function hexOf(r: Hex, s: bigint, v: number): Hex {
  return `0x${BigInt(r).toString(16).padStart(64, '0')}${s.toString(16).padStart(64, '0')}${v.toString(16).padStart(2, '0')}`;
}

/** What JSON-RPC writes as hex, as viem takes it. */
function transactionOf({ from: _, to, data, ...quantities }: Record<string, Hex>): TransactionSerializable {
  const numbers = Object.fromEntries(Object.entries(quantities).map(([name, hex]) => [name, BigInt(hex ?? 0)]));
  const { chainId, nonce, ...rest } = numbers;
  const transaction = { to, data, ...rest, chainId: Number(chainId), nonce: Number(nonce) } as TransactionSerializable;
  serializeTransaction(transaction);
  return transaction;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
