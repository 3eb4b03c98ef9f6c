import { randomBytes } from 'node:crypto';
import { encodeFunctionData } from 'viem';
import type { Address, Hex } from '../protocol/address.ts';
import type { Token } from '../protocol/wire.ts';
import { type ChainCheck, check, checkFailed } from './chain-check.ts';
import { ERC20_ABI } from './erc20-abi.ts';
import { INSANE_BALANCE } from './holdings.ts';
import { bytesSchema } from './node-answers.ts';
import { type NodeAnswer, type NodeCall, type NodeClient, resultOf } from './node-client.ts';
import { isReverted } from './node-fault.ts';

export interface CheckedTokens {
  /** By token ID. */
  tokens: Readonly<Record<string, Pick<Token, 'address' | 'decimals'>>>;
  /** Whose balances the orders are signed for; null where that is not known yet. */
  maker?: Address | null;
}

const CALLS_PER_TOKEN = 4;

/**
 * That each token has code, answers the decimals that amounts are computed with (PROTOCOL 2.6: they must be correct), and
 * balances that can be. A token that fails says nothing about the others. All of them are asked in one round trip; where
 * that gets no answer each is asked by itself, for one contract may be why.
 */
export async function checkTokens(node: NodeClient, { tokens, maker }: CheckedTokens): Promise<ChainCheck[]> {
  const entries = Object.entries(tokens);
  const nobody = nobodyAtAll();
  const callsOf = (address: Address) => tokenCalls(address, maker ?? nobody, nobody);
  const together = await node.ask(entries.flatMap(([, { address }]) => callsOf(address))).catch(() => null);
  return Promise.all(
    entries.map(([id, token], index) =>
      check(
        `token ${id}`,
        async () => {
          const from = index * CALLS_PER_TOKEN;
          const answers = together?.slice(from, from + CALLS_PER_TOKEN) ?? (await node.ask(callsOf(token.address)));
          return judge(node, id, token, answers);
        },
        { kind: 'token', tokenId: id },
      ),
    ),
  );
}

function tokenCalls(to: Address, maker: Address, nobody: Address): NodeCall[] {
  const balanceOf = (account: Address) =>
    encodeFunctionData({ abi: ERC20_ABI, functionName: 'balanceOf', args: [account] });
  const call = (data: Hex): NodeCall => ({ method: 'eth_call', params: [{ to, data }, 'latest'] });
  return [
    { method: 'eth_getCode', params: [to, 'latest'] },
    call(encodeFunctionData({ abi: ERC20_ABI, functionName: 'decimals' })),
    call(balanceOf(maker)),
    call(balanceOf(nobody)),
  ];
}

/** An address that nobody has the key of, another each time: whoever knew it could send it some of a token, which would close that. */
function nobodyAtAll(): Address {
  return `0x${randomBytes(20).toString('hex')}`;
}

function judge(
  node: NodeClient,
  id: string,
  { address, decimals }: Pick<Token, 'address' | 'decimals'>,
  [code, said, ofMaker, ofNobody]: readonly NodeAnswer[],
): string {
  if (resultOf(node, 'eth_getCode', code, bytesSchema) === '0x') {
    throw checkFailed(`There is no contract at the address of ${id}, ${address}.`, 'Correct the address of the token.');
  }
  const onChain = wordOf(node, said);
  if (onChain === null) {
    throw checkFailed(
      `The contract of ${id}, ${address}, does not say its decimals.`,
      'See that its address is right.',
    );
  }
  if (onChain !== BigInt(decimals)) {
    throw checkFailed(
      `${id} has ${onChain} decimals on chain, but it is listed with ${decimals}.`,
      'Correct the decimals: every amount of it is wrong until then.',
    );
  }
  const [held, foreign] = [wordOf(node, ofMaker), wordOf(node, ofNobody)];
  if (held === null || foreign === null) {
    throw checkFailed(`The contract of ${id}, ${address}, does not say balances.`, 'See that its address is right.');
  }
  if (held >= INSANE_BALANCE || foreign !== 0n) {
    throw checkFailed(
      `The contract of ${id}, ${address}, tells balances that cannot be: ${held >= INSANE_BALANCE ? held : foreign} raw units of ${held >= INSANE_BALANCE ? 'the maker' : 'an address that nobody has'}.`,
      'See that its address is right; a token like this cannot be traded.',
    );
  }
  return `${id} has ${decimals} decimals.`;
}

/** The word a contract answered, or null when it answers with none. Throws when the node refused the call. */
function wordOf(node: NodeClient, answer: NodeAnswer | undefined): bigint | null {
  if (answer?.ok === false && isReverted(answer.error)) return null;
  const data = resultOf(node, 'eth_call', answer, bytesSchema);
  return data.length < 66 ? null : BigInt(data.slice(0, 66));
}
