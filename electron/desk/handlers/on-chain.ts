import type { ChainBook } from '../../book/chain-book.ts';
import { dryRun } from '../../chain/estimate-calls.ts';
import { approveCall, cancelCalls, type MakerCall } from '../../chain/maker-calls.ts';
import { sendCalls } from '../../chain/send-calls.ts';
import type { TransactionRow } from '../../contract/transactions.ts';
import type { Hex } from '../../protocol/address.ts';
import { toRaw } from '../../protocol/decimal.ts';
import { DeskError } from '../../protocol/desk-error.ts';
import { openKeystore } from '../../signer/keystore.ts';
import type { Passphrase } from '../credentials.ts';
import type { Rooms } from '../rooms.ts';
import { os } from './base.ts';

type OnChainRooms = Pick<Rooms, 'book' | 'guard' | 'journal' | 'folder' | 'now' | 'accounts'>;

/** What can still be done about signed orders: cancel them on chain, or take the allowance away. */
export function onChainHandlers(rooms: OnChainRooms, passphrase: Passphrase) {
  const { book, guard } = rooms;
  const chainsOf = (chainId: number | undefined): ChainBook[] => {
    const chains = book.chains().filter((chain) => chainId === undefined || chain.chainId === chainId);
    if (chains.length > 0) return chains;
    throw new DeskError(
      'unknown_chain',
      chainId === undefined ? 'This desk has no chain.' : `Chain ${chainId} is not one of this desk.`,
    );
  };
  const run = (chain: ChainBook, calls: MakerCall[], dry: boolean, actor: string) =>
    runCalls(rooms, passphrase, { chain, calls, dry, actor });
  return {
    cancelOrders: os.onChain.cancelOrders.handler(async ({ input, context }) => {
      const perChain = chainsOf(input.chainId).map((chain) => {
        const hashes = guard.orders.liveHashes(chain.chainId) as Hex[];
        return run(chain, cancelCalls(chain.config.rfqContract, hashes), input.dryRun, context.actor);
      });
      return (await Promise.all(perChain)).flat();
    }),
    setAllowance: os.onChain.setAllowance.handler(async ({ input, context }) => {
      const chains = chainsOf(input.chainId).filter((chain) => chain.tokens.has(input.tokenId));
      if (chains.length === 0) throw new DeskError('unknown_token', `${input.tokenId} is not a listed token.`);
      const perChain = chains.map((chain) => {
        const token = chain.tokens.get(input.tokenId);
        if (token === undefined) return Promise.resolve([]);
        const amount = toRaw(input.amount, token.decimals);
        return run(chain, [approveCall(token.address, chain.config.rfqContract, amount)], input.dryRun, context.actor);
      });
      return (await Promise.all(perChain)).flat();
    }),
  };
}

/** Sends the maker's calls; a dry run and a contract maker get them as calldata. What is sent or handed out is journaled. */
async function runCalls(
  rooms: OnChainRooms,
  passphrase: Passphrase,
  { chain, calls, dry, actor }: { chain: ChainBook; calls: MakerCall[]; dry: boolean; actor: string },
): Promise<TransactionRow[]> {
  const { chainId, config } = chain;
  const { maker, signer, rpcUrl } = config;
  if (calls.length === 0) return [];
  const journal = (
    { purpose, to, data }: MakerCall,
    transactionHash: Hex | null,
    outcome: 'sent' | 'confirmed' | 'failed' | 'calldata',
  ) =>
    rooms.journal.append({
      time: rooms.now(),
      actor,
      kind: 'transaction',
      body: { chainId, purpose, to, data, transactionHash, outcome },
    });
  if (dry || maker !== signer) {
    const estimated = await dryRun({ rpcUrl, chainId }, maker, calls);
    if (!dry) await Promise.all(calls.map((call) => journal(call, null, 'calldata')));
    return estimated.map((call) =>
      row(chainId, { ...call, transactionHash: null, reason: null, outcome: dry ? 'dry_run' : 'calldata' }),
    );
  }
  const privateKey = await openKeystore(rooms.folder, await passphrase());
  // A row that cannot be written must not keep an emergency from being answered on chain.
  const unwritten = () => {};
  const sent = await sendCalls({
    ...{ rpcUrl, chainId, maker, privateKey, calls, turns: rooms.accounts },
    onSent: (call, transactionHash) => void journal(call, transactionHash, 'sent').catch(unwritten),
  });
  await Promise.all(sent.map((call) => journal(call, call.transactionHash, call.outcome).catch(unwritten)));
  return sent.map((call) => row(chainId, call));
}

interface Told extends MakerCall {
  gas: bigint | null;
  feeWei: bigint | null;
  transactionHash: string | null;
  outcome: TransactionRow['outcome'];
  reason: string | null;
}

function row(
  chainId: number,
  { purpose, to, data, gas, feeWei, transactionHash, outcome, reason }: Told,
): TransactionRow {
  const text = (amount: bigint | null) => (amount === null ? null : String(amount));
  return { chainId, purpose, to, data, gas: text(gas), feeWei: text(feeWei), transactionHash, outcome, reason };
}
