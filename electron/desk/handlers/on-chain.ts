import type { ChainBook } from '../../book/chain-book.ts';
import { approveCall, needsZeroFirst, readAllowance } from '../../chain/allowance.ts';
import { dryRun } from '../../chain/estimate-calls.ts';
import { cancelCalls, cancelledBy, type MakerCall } from '../../chain/maker-calls.ts';
import { sendCalls } from '../../chain/send-calls.ts';
import { WEI_PER_GWEI } from '../../chain/transaction-fee.ts';
import type { ChainStillLive } from '../../contract/still-live.ts';
import type { TransactionRow } from '../../contract/transactions.ts';
import { openHedgeNode } from '../../hedge/hedge-node.ts';
import type { Hedging } from '../../hedge/hedging.ts';
import { readStillLive, unreadWords } from '../../hedge/still-live.ts';
import type { Address, Hex } from '../../protocol/address.ts';
import { boundedAmount } from '../../protocol/amount.ts';
import { toRaw } from '../../protocol/decimal.ts';
import { DeskError } from '../../protocol/desk-error.ts';
import type { Signer } from '../../signer/signer.ts';
import { inTime } from '../../time/in-time.ts';
import type { ChainChecks } from '../chain-checks.ts';
import type { SignerOrNot, UnopenedKey } from '../held-signer.ts';
import type { Rooms } from '../rooms.ts';
import { whyUnproven } from '../self-check.ts';
import { os } from './base.ts';

/** The key that signs, or why there is none now. */
type KeyOrNot = SignerOrNot | UnopenedKey;

/** No emergency waits longer for whoever has the account's turn before it looks what there is, milliseconds. */
const TURN_MS = 2_000;

type OnChainRooms = Pick<Rooms, 'book' | 'guard' | 'journal' | 'credentials' | 'now' | 'accounts'>;

/** `before`: how many emergencies there had been when it was asked for. */
interface Asked {
  dry: boolean;
  actor: string;
  before: number;
}

/** What of everything signed is still live, and what can be done about it: cancel it, or take the allowances away. */
export function onChainHandlers(
  rooms: OnChainRooms,
  key: () => KeyOrNot | Promise<KeyOrNot>,
  hedging: Hedging | null,
  checks: Pick<ChainChecks, 'again'>,
) {
  const { book, guard, credentials, accounts } = rooms;
  const openUrls = () => credentials.openUrls(book.chains().map(({ config }) => config));
  const chainsOf = (chainId: number | undefined): ChainBook[] => {
    const chains = book.chains().filter((chain) => chainId === undefined || chain.chainId === chainId);
    if (chains.length > 0) return chains;
    throw new DeskError(
      'unknown_chain',
      chainId === undefined ? 'This desk has no chain.' : `This desk has no chain ${chainId}.`,
    );
  };
  /** `emergenciesBefore`: how many there had been when it was asked for; without, it is one itself. */
  const run = (chain: ChainBook, calls: MakerCall[], dry: boolean, actor: string, emergenciesBefore?: number) =>
    runCalls(rooms, key, { chain, calls, dry, actor, emergenciesBefore });
  /** Sets every allowance to zero that the chains tell of now, and each that an approval on its way would give. */
  const zero = async ({ chainId, dryRun }: { chainId?: number | undefined; dryRun: boolean }, actor: string) => {
    await openUrls();
    const { chains } = await readStillLive(rooms, chainId);
    const perChain = chains.map(async (live) => {
      const chain = book.chain(live.chainId);
      if (chain === undefined) return [];
      // A chain that does not answer keeps no other from being made safe.
      if (live.block === null) return [unasked(chain, live.unknown.join(' '))];
      // What was not read is set to zero all the same, and that no signature is proven gives nobody an allowance.
      const answered = [...live.unread.map((one) => unreadWords(one, null)), guard.unprovenFault(live.chainId)];
      const open = live.unknown.filter((why) => !answered.includes(why)).map((why) => unasked(chain, why));
      return [...(await run(chain, zeroCalls(live), dryRun, actor)), ...open];
    });
    return (await Promise.all(perChain)).flat();
  };
  /** A token that changes no allowance into another gets zero first, and the amount once that is mined. */
  const allow = async (
    chain: ChainBook,
    { token, amount, dry, actor, before }: Asked & { token: { address: Address }; amount: bigint },
  ): Promise<TransactionRow[]> => {
    const { maker, signer, rfqContract } = chain.config;
    const wanted = approveCall(token.address, rfqContract, amount);
    if (!(await goesThroughZero(book, chain, token.address, amount))) {
      return run(chain, [wanted], dry, actor, amount === 0n ? undefined : before);
    }
    const zero = approveCall(token.address, rfqContract, 0n);
    if (dry || maker !== signer) return run(chain, [zero, wanted], dry, actor, before);
    const [first] = await run(chain, [zero], dry, actor, before);
    if (first?.outcome === 'confirmed') return [first, ...(await run(chain, [wanted], dry, actor, before))];
    const reason = 'It is not sent: the token takes it only once its allowance is zero.';
    const unsent = { gas: null, feeWei: null, transactionHash: null, outcome: 'failed' as const, reason };
    return [...(first === undefined ? [] : [first]), row(chain.chainId, { ...wanted, ...unsent })];
  };
  return {
    stillLive: os.onChain.stillLive.handler(({ input }) => {
      if (input.chainId !== undefined) chainsOf(input.chainId);
      return readStillLive(rooms, input.chainId);
    }),
    cancelIntents: os.onChain.cancelIntents.handler(async ({ input: { chainId, dryRun }, context: { actor } }) => {
      if (hedging === null) {
        throw new DeskError('no_hedging', 'Intent orders are cancelled by a running desk only.', {
          remedy: 'Start the desk; it comes up halted. Or set the allowances to zero, which needs no desk.',
        });
      }
      const { engine } = hedging;
      const served = chainsOf(chainId).filter(({ config }) => config.serviceUrl !== null);
      const asked = served.map((one) => engine.cancelIntents({ chainId: one.chainId, dryRun, actor }));
      return (await Promise.all(asked)).flat();
    }),
    zeroAllowances: os.onChain.zeroAllowances.handler(async ({ input, context }) => {
      const asked = chainsOf(input.chainId);
      let isLate = false;
      // Whoever has the turn now may be sending an approval, which is written down when its turn ends.
      const turns = input.dryRun
        ? []
        : asked.map(({ chainId, config }) => {
            accounts.emergencyBegins(chainId, config.maker);
            return accounts.run(chainId, config.maker, async () => {});
          });
      await inTime(Promise.all(turns), TURN_MS, () => {
        isLate = true;
      });
      const rows = await zero(input, context.actor);
      if (!isLate) return rows;
      await Promise.all(turns);
      return [...rows, ...(await zero(input, context.actor))];
    }),
    cancelOrders: os.onChain.cancelOrders.handler(async ({ input, context }) => {
      const one = input.orderHash;
      const live = chainsOf(input.chainId).map((chain) => {
        const hashes = guard.orders.liveHashes(chain.chainId) as Hex[];
        return { chain, hashes: one === undefined ? hashes : hashes.filter((hash) => hash === one) };
      });
      if (one !== undefined && live.every(({ hashes }) => hashes.length === 0)) {
        throw new DeskError('unknown_order', 'No order with this hash is live.', {
          remedy: 'It may be filled, cancelled or over: look it up in the log.',
        });
      }
      await openUrls();
      const perChain = live.map(({ chain, hashes }) => {
        return run(chain, cancelCalls(chain.config.rfqContract, hashes), input.dryRun, context.actor);
      });
      const rows = (await Promise.all(perChain)).flat();
      if (input.dryRun) for (const told of rows) told.orders = cancelledBy(told.data as Hex);
      return rows;
    }),
    setAllowance: os.onChain.setAllowance.handler(async ({ input, context }) => {
      const chains = chainsOf(input.chainId).filter((chain) => chain.tokens.has(input.tokenId));
      if (chains.length === 0) throw new DeskError('unknown_token', `${input.tokenId} is not a listed token.`);
      const before = chains.map(({ chainId, config }) => accounts.emergenciesBegun(chainId, config.maker));
      const amounts = chains.map(({ tokens }) => {
        const token = tokens.get(input.tokenId);
        return token === undefined ? 0n : allowanceOf(input.amount, token);
      });
      await openUrls();
      const allowing = chains.filter((_, index) => amounts[index] !== 0n);
      if (allowing.length > 0) await expectProven(book, checks, allowing);
      context.still?.();
      const perChain = chains.map((chain, index) => {
        const token = chain.tokens.get(input.tokenId);
        if (token === undefined) return Promise.resolve([]);
        const amount = amounts[index] ?? 0n;
        return allow(chain, { token, amount, dry: input.dryRun, actor: context.actor, before: before[index] ?? 0 });
      });
      return (await Promise.all(perChain)).flat();
    }),
  };
}

/**
 * Nothing is allowed to a contract of which it is not proven that it is the RFQ contract, for the maker of this desk, on this
 * chain: whoever it is of could take it. Throws DeskError `not_proven`, and `desk_changed` where these chains are not as they were given
 * any more once that is known.
 */
async function expectProven(
  book: Pick<Rooms['book'], 'chain'>,
  checks: Pick<ChainChecks, 'again'>,
  chains: readonly ChainBook[],
): Promise<void> {
  const found = await checks.again(chains.map(({ chainId }) => chainId));
  for (const { chainId, config } of chains) {
    const now = book.chain(chainId)?.config;
    if (now?.rfqContract === config.rfqContract && now.maker === config.maker && now.signer === config.signer) continue;
    throw new DeskError('desk_changed', `Somebody changed ${config.name} (${chainId}) while this was checked.`, {
      remedy: 'Nothing was sent. Look at what it is now, and do this again.',
    });
  }
  const against = chains.flatMap(({ chainId, config }) =>
    whyUnproven(found.get(chainId) ?? []).map((sentence) => `${config.name} (${chainId}): ${sentence}`),
  );
  if (against.length === 0) return;
  throw new DeskError('not_proven', `It is not proven who could take tokens with this. ${against.join(' ')}`, {
    remedy:
      'Nothing was sent. Correct the chain under Settings, or in the desk file, until "makerdesk check" passes it; an allowance of 0 is always taken.',
  });
}

/** False where the chain cannot be asked: the call itself then says why. */
async function goesThroughZero(
  { seals }: Pick<Rooms['book'], 'seals'>,
  { chainId, config }: ChainBook,
  token: Address,
  amount: bigint,
): Promise<boolean> {
  const { rpcUrl, maker, rfqContract } = config;
  if (amount === 0n) return false;
  const chain = openHedgeNode(seals.whole(rpcUrl), chainId);
  try {
    const allowance = await readAllowance(chain, token, maker, rfqContract);
    return allowance > 0n && (await needsZeroFirst(chain, token, maker, rfqContract, amount));
  } catch {
    return false;
  } finally {
    chain.node.close();
  }
}

function allowanceOf(text: string, { symbol, decimals }: { symbol: string; decimals: number }): bigint {
  const amount = toRaw(text, decimals);
  if (amount < 2n ** 256n) return amount;
  throw new DeskError('amount_too_large', `No contract can be allowed that much ${symbol}: it does not fit 256 bits.`, {
    remedy: 'Give an amount in token units, such as 250000.',
  });
}

/**
 * What takes every allowance away, also one of which the chain did not say whether there is any, and one that an approval would give which
 * is not mined yet. A token's own permit that is out
 * would give it back: it is used up first, by ourselves, and its allowance is set to zero behind it.
 */
function zeroCalls({ permits, allowances, unread, approvals, transactions }: ChainStillLive): MakerCall[] {
  const out = permits.filter(({ kind }) => kind === 'eip2612');
  const hedges = transactions.flatMap(({ src: token, spender }) => (spender === undefined ? [] : [{ token, spender }]));
  const given = [...out, ...allowances, ...unread, ...approvals, ...hedges].map(({ token, spender }) => ({
    token,
    spender,
  }));
  const each = new Map(given.map((one) => [`${one.token.address} ${one.spender}`, one]));
  return [
    ...out.map(({ token, spender, call }) => {
      const purpose = `use up the permit of ${token.symbol} for ${spender}`;
      return { purpose, to: token.address, data: call as Hex };
    }),
    ...[...each.values()].map(({ token, spender }) =>
      approveCall(token.address, spender, 0n, `${token.symbol}: ${spender} may take nothing any more`),
    ),
  ];
}

function unasked({ chainId, config }: ChainBook, reason: string): TransactionRow {
  const purpose = `set the allowances on ${config.name} to 0`;
  const nothing = { to: config.rfqContract, data: '0x', gas: null, feeWei: null, transactionHash: null };
  return { chainId, purpose, ...nothing, outcome: 'failed', reason };
}

/** Sends the maker's calls; a dry run and a contract maker get them as calldata. What is sent or handed out is journaled. */
async function runCalls(
  rooms: OnChainRooms,
  key: () => KeyOrNot | Promise<KeyOrNot>,
  {
    chain,
    calls,
    dry,
    actor,
    emergenciesBefore,
  }: { chain: ChainBook; calls: MakerCall[]; dry: boolean; actor: string; emergenciesBefore: number | undefined },
): Promise<TransactionRow[]> {
  const { chainId, config } = chain;
  const { maker } = config;
  const nodes = rooms.book.seals.nodes(config);
  if (calls.length === 0) return [];
  const journal = (
    { purpose, to, data }: MakerCall,
    transactionHash: Hex | null,
    outcome: 'sent' | 'confirmed' | 'failed' | 'calldata',
    { paidWei = null, nonce }: { paidWei?: bigint | null; nonce?: number } = {},
  ) =>
    rooms.journal.append({
      time: rooms.now(),
      actor,
      kind: 'transaction',
      body: {
        chainId,
        purpose,
        to,
        data,
        transactionHash,
        outcome,
        feeWei: paidWei === null ? undefined : boundedAmount(paidWei),
        nonce,
      },
    });
  const urgent = emergenciesBefore === undefined;
  if (dry || maker !== config.signer) {
    const estimated = await dryRun({ ...nodes, chainId }, maker, calls, urgent);
    if (!dry) await Promise.all(calls.map((call) => journal(call, null, 'calldata')));
    return estimated.map((call) =>
      row(chainId, { ...call, transactionHash: null, reason: null, outcome: dry ? 'dry_run' : 'calldata' }),
    );
  }
  const signer = await openKey(key);
  // A row that cannot be written must not keep an emergency from being answered on chain.
  const unwritten = () => {};
  const sent = await sendCalls({
    ...nodes,
    chainId,
    maker,
    signer,
    calls,
    headMaxAgeSeconds: config.headMaxAgeSeconds,
    mostPerGas: BigInt(config.hedgeMostGwei) * WEI_PER_GWEI,
    turns: rooms.accounts,
    urgent,
    emergenciesBefore,
    onSent: async (call, transactionHash, nonce) => {
      await journal(call, transactionHash, 'sent', { nonce }).catch(unwritten);
    },
  });
  await Promise.all(sent.map((call) => journal(call, call.transactionHash, call.outcome, call).catch(unwritten)));
  return sent.map((call) => row(chainId, call));
}

/** Throws the DeskError that says why there is none that could sign. */
async function openKey(key: () => KeyOrNot | Promise<KeyOrNot>): Promise<Signer> {
  const held = await key();
  if ('signer' in held) return held.signer;
  throw held.fault;
}

interface Told extends MakerCall {
  gas: bigint | null;
  feeWei: bigint | null;
  transactionHash: string | null;
  outcome: TransactionRow['outcome'];
  reason: string | null;
  overtaken?: true;
}

function row(chainId: number, { purpose, to, data, gas, feeWei, ...ended }: Told): TransactionRow {
  const { transactionHash, outcome, reason, overtaken } = ended;
  const text = (amount: bigint | null) => (amount === null ? null : boundedAmount(amount));
  return {
    chainId,
    purpose,
    to,
    data,
    gas: text(gas),
    feeWei: text(feeWei),
    transactionHash,
    outcome,
    reason,
    overtaken,
  };
}
