import { createTestClient, encodeFunctionData, http, keccak256, maxUint256, type PublicClient } from 'viem';
import type { Address, Hex } from '../protocol/address.ts';
import { CONTRACT_MAKER, EXECUTOR, SETTLEMENT, TEST_TOKEN } from './artifacts.ts';
import { type Deployment, deployMarket } from './deployment.ts';
import type { MarketFile } from './market-file.ts';
import type { PracticeLog } from './practice-log.ts';
import { openSender, type Sender } from './sender.ts';

const BLOCK_TIME_SECONDS = 1;
const ETHER_EACH = 10_000n * 10n ** 18n;

/** Which version of the contracts a deployment was made with. */
const CODE_HASH = keccak256(
  `0x${[SETTLEMENT, EXECUTOR, TEST_TOKEN, CONTRACT_MAKER].map(({ bytecode }) => bytecode.slice(2)).join('')}`,
);

/**
 * Gives the market's contracts, deploying them when this chain has not all of them in this version. A chain that has not is begun anew: the bank's nonces then start at zero, so the
 * contracts come to the addresses that the desk's configuration already names.
 */
export async function prepareChain(rpcUrl: string, market: MarketFile, domainName: string, log: PracticeLog) {
  const { bank, maker, user } = market.privateKeys;
  const sender = openSender(rpcUrl, bank);
  const control = createTestClient({ mode: 'anvil', transport: http(rpcUrl) });
  let deployed = market.deployed;
  if (deployed === null || deployed.codeHash !== CODE_HASH || !(await allThere(sender.client, deployed.contracts))) {
    if (deployed !== null) log.warn('the practice contracts are not on this chain: a new chain begins');
    await control.request({ method: 'anvil_reset', params: [] });
    await control.setAutomine(true);
    const owners = [openSender(rpcUrl, maker), openSender(rpcUrl, user)] as const;
    for (const { address } of [sender, ...owners]) await control.setBalance({ address, value: ETHER_EACH });
    const contracts = await deployMarket(sender, { domainName, owner: owners[0].address });
    await approveAll(contracts, ...owners);
    deployed = { codeHash: CODE_HASH, contracts };
    log.info(
      `practice contracts deployed: settlement ${contracts.rfqContract}, execution contract ${contracts.executor}`,
    );
  }
  return { sender, deployed };
}

/** From now on there is a block a second, instead of one for every transaction at once. */
export async function beginBlocks(rpcUrl: string): Promise<void> {
  const control = createTestClient({ mode: 'anvil', transport: http(rpcUrl) });
  await control.setIntervalMining({ interval: BLOCK_TIME_SECONDS });
}

async function allThere(client: PublicClient, contracts: Deployment): Promise<boolean> {
  const codes = await Promise.all(Object.values(contracts).map((address) => client.getCode({ address })));
  return codes.every((code) => code !== undefined && code !== '0x');
}

/** Once per chain: what ops or a drill takes back later stays taken back. */
async function approveAll(contracts: Deployment, maker: Sender, user: Sender): Promise<void> {
  const { rfqContract, executor, contractMaker } = contracts;
  for (const token of [contracts.weth, contracts.usdc]) {
    const data = encodeFunctionData({
      abi: CONTRACT_MAKER.abi,
      functionName: 'execute',
      args: [token, approval(rfqContract)],
    });
    const sent = [
      await maker.send({ to: token, data: approval(rfqContract) }),
      await maker.send({ to: contractMaker, data }),
      await user.send({ to: token, data: approval(executor) }),
    ];
    await Promise.all(sent.map((hash) => maker.mined(hash)));
  }
}

function approval(spender: Address): Hex {
  return encodeFunctionData({ abi: TEST_TOKEN.abi, functionName: 'approve', args: [spender, maxUint256] });
}
