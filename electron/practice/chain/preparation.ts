import {
  createTestClient,
  encodeFunctionData,
  http,
  keccak256,
  maxUint256,
  type PublicClient,
  stringToHex,
  type TestClient,
} from 'viem';
import type { Address, Hex } from '../../protocol/address.ts';
import type { ChainFile } from '../market-file.ts';
import type { PracticeLog } from '../practice-log.ts';
import { CONTRACT_MAKER, EXECUTOR, SETTLEMENT, TEST_TOKEN } from './artifacts.ts';
import { type Deployment, deployMarket, type TokenPlan, tokenOf } from './deployment.ts';
import type { Sender } from './sender.ts';

const BLOCK_TIME_SECONDS = 1;
/** As many blocks as a reorganisation may take back. */
export const DEEPEST_REORG = 64;
const ETHER_EACH = 10_000n * 10n ** 18n;

export interface ChainPlan {
  chainId: number;
  domainName: string;
  tokens: Record<string, TokenPlan>;
}

/** Anvil's own calls: time, blocks, balances. */
export function openControl(rpcUrl: string): TestClient<'anvil'> {
  return createTestClient({ mode: 'anvil', transport: http(rpcUrl, { retryCount: 0, timeout: 30_000 }) });
}

/**
 * Gives the market's contracts, deploying them when this chain has not all of them in this version. A chain that has not is
 * begun anew: the bank's nonces then start at zero, so the contracts come to the addresses that the desk's configuration
 * already names. Every taker has ether and has approved the execution contract.
 */
export async function prepareChain(options: {
  rpcUrl: string;
  plan: ChainPlan;
  before: ChainFile | undefined;
  accounts: { bank: Sender; maker: Sender; takers: readonly Sender[] };
  log: PracticeLog;
}): Promise<ChainFile> {
  const { rpcUrl, plan, before, log } = options;
  const { bank, maker, takers } = options.accounts;
  const control = openControl(rpcUrl);
  await control.setIntervalMining({ interval: 0 }); // which leaves nobody to mine
  await control.setAutomine(true);
  let kept = before;
  const codeHash = versionOf(plan);
  if (kept === undefined || kept.codeHash !== codeHash || !(await areThere(bank.client, addressesIn(kept.contracts)))) {
    if (kept !== undefined) log.warn(`the practice contracts are not on chain ${plan.chainId}: a new chain begins`);
    await control.request({ method: 'anvil_reset', params: [] });
    await control.setAutomine(true);
    for (const { address } of [bank, maker]) await control.setBalance({ address, value: ETHER_EACH });
    const { domainName, tokens } = plan;
    const contracts = await deployMarket(bank, { domainName, owner: maker.address, tokens });
    await approveMakers(contracts, maker);
    kept = { codeHash, contracts, taken: {}, router: null, intents: null };
    log.info(
      `chain ${plan.chainId}: settlement ${contracts.rfqContract}, execution contract ${contracts.executor} deployed`,
    );
  }
  const { contracts } = kept;
  await Promise.all(takers.map((taker) => equip(taker, contracts, control)));
  return kept;
}

/** Mines as many empty blocks as a reorganisation may take back, all in the same second. */
export async function buryPreparation(rpcUrl: string): Promise<void> {
  await openControl(rpcUrl).mine({ blocks: DEEPEST_REORG, interval: 0 });
}

/** From now on there is a block a second, instead of one for every transaction at once. */
export async function beginBlocks(rpcUrl: string): Promise<void> {
  await openControl(rpcUrl).setIntervalMining({ interval: BLOCK_TIME_SECONDS });
}

/** Which version of the contracts, with which tokens. */
function versionOf({ domainName, tokens }: ChainPlan): Hex {
  const symbols = Object.values(tokens).map(({ symbol }) => symbol);
  const code = [SETTLEMENT, EXECUTOR, CONTRACT_MAKER, ...symbols.map(tokenOf)].map(({ bytecode }) => bytecode).join();
  const planned = Object.entries(tokens).map(([id, { name, symbol, decimals }]) => [id, name, symbol, decimals]);
  return keccak256(stringToHex(JSON.stringify([code, domainName, planned])));
}

/** Whether a contract stands at each of the addresses. */
export async function areThere(client: PublicClient, addresses: readonly Address[]): Promise<boolean> {
  const codes = await Promise.all(addresses.map((address) => client.getCode({ address })));
  return codes.every((code) => code !== undefined && code !== '0x');
}

function addressesIn({ tokens, ...contracts }: Deployment): Address[] {
  return [...Object.values(contracts), ...Object.values(tokens)];
}

/** Once per chain: what ops or a drill takes back later stays taken back. */
async function approveMakers({ rfqContract, contractMaker, tokens }: Deployment, maker: Sender): Promise<void> {
  const sent = await Promise.all(
    Object.values(tokens).flatMap((token) => {
      const args = [token, approval(rfqContract)];
      const data = encodeFunctionData({ abi: CONTRACT_MAKER.abi, functionName: 'execute', args });
      return [maker.send({ to: token, data: approval(rfqContract) }), maker.send({ to: contractMaker, data })];
    }),
  );
  await Promise.all(sent.map((hash) => maker.mined(hash)));
}

/** Once per taker and chain; one who has ether was equipped before. */
async function equip(taker: Sender, { executor, tokens }: Deployment, control: TestClient<'anvil'>): Promise<void> {
  const { address, client } = taker;
  if ((await client.getBalance({ address })) > 0n) return;
  await control.setBalance({ address, value: ETHER_EACH });
  const sent = await Promise.all(
    Object.values(tokens).map((token) => taker.send({ to: token, data: approval(executor) })),
  );
  await Promise.all(sent.map((hash) => taker.mined(hash)));
}

function approval(spender: Address): Hex {
  return encodeFunctionData({ abi: TEST_TOKEN.abi, functionName: 'approve', args: [spender, maxUint256] });
}
