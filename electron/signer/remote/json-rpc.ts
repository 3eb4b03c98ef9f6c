import * as TypedData from 'ox/TypedData';
import { parseTransaction } from 'viem';
import { z } from 'zod';
import type { RemoteSignerConfig } from '../../contract/remote-signer.ts';
import type { Hex } from '../../protocol/address.ts';
import type { TypedData as Whole } from '../../protocol/signable.ts';
import type { Ask, Rs } from './ask.ts';

const MOST_CHARACTERS = 64 * 1_024;

const answerSchema = z.looseObject({
  result: z.unknown().optional(),
  error: z.looseObject({ message: z.string() }).nullish(),
});
const signatureSchema = z.string().regex(/^0x[0-9a-fA-F]{130}$/, 'is no signature of 65 bytes');
const bytesSchema = z.string().regex(/^0x([0-9a-fA-F]{2})+$/, 'is no transaction') as z.ZodType<Hex>;
const transactionSchema = z.union([bytesSchema, z.looseObject({ raw: bytesSchema })]);

/** A signer that speaks JSON-RPC, such as Web3Signer, Clef, or a node that holds keys. */
export function jsonRpc({ url, method, address }: Extract<RemoteSignerConfig, { kind: 'json-rpc' }>): Ask {
  const isClef = method === 'account_signTypedData';
  let id = 0;
  const call = async (name: string, params: unknown[], signal: AbortSignal): Promise<unknown> => {
    id += 1;
    const body = JSON.stringify({ jsonrpc: '2.0', id, method: name, params });
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'error', signal });
    const text = await bounded(response);
    let answer: z.infer<typeof answerSchema>;
    try {
      answer = answerSchema.parse(JSON.parse(text));
    } catch {
      throw new Error(`it answered with HTTP ${response.status}, and no JSON-RPC`);
    }
    if (answer.error != null) throw new Error(answer.error.message);
    return answer.result;
  };
  return {
    ready: async () => {},
    async sign(signable, signal) {
      const whole = signable.whole();
      if ('transaction' in whole) {
        const name = isClef ? 'account_signTransaction' : 'eth_signTransaction';
        const given = transactionSchema.parse(await call(name, [whole.transaction], signal));
        const { r, s } = parseTransaction(typeof given === 'string' ? given : given.raw) as { r?: Hex; s?: Hex };
        if (r === undefined || s === undefined) throw new Error('the transaction came back unsigned');
        return { r: BigInt(r), s: BigInt(s) };
      }
      const text = typedDataText(whole.typedData);
      return numbersOf(signatureSchema.parse(await call(method, [address, isClef ? JSON.parse(text) : text], signal)));
    },
  };
}

function numbersOf(signature: string): Rs {
  return { r: BigInt(signature.slice(0, 66)), s: BigInt(`0x${signature.slice(66, 130)}`) };
}

/** As `eth_signTypedData_v4` takes it: with the type of its domain, and numbers as decimal digits. */
function typedDataText({ domain, types, primaryType, message }: Whole): string {
  const EIP712Domain = TypedData.extractEip712DomainTypes(domain as TypedData.Domain);
  return JSON.stringify({ domain, types: { EIP712Domain, ...types }, primaryType, message }, (_key, value: unknown) =>
    typeof value === 'bigint' ? `${value}` : value,
  );
}

async function bounded(response: Response): Promise<string> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > MOST_CHARACTERS) throw new Error('its answer has no end');
  }
  return text;
}
