import { type Abi, encodeAbiParameters, encodeEventTopics } from 'viem';
import { RFQ_ABI } from '../../electron/chain/rfq-abi.ts';
import type { Address, Hex } from '../../electron/protocol/address.ts';
import { USDC, USER, WETH } from '../book/fixture.ts';
import { hashOf } from '../journal/sample-events.ts';

/** A fill of one raw unit as a node tells it. */
export function dustLog(of: {
  index: number;
  orderHash: Hex;
  contract: Address;
  maker: Address;
  blockNumber: number;
  blockHash: string;
}) {
  const abi: Abi = RFQ_ABI;
  const args = { orderHash: of.orderHash, maker: of.maker, taker: USER };
  const moved = ['address', 'uint256', 'address', 'uint256'].map((type) => ({ type }));
  return {
    address: of.contract,
    topics: encodeEventTopics({ abi, eventName: 'OrderFilled', args }),
    data: encodeAbiParameters(moved, [WETH, 1n, USDC, 1n]),
    blockHash: of.blockHash,
    blockNumber: `0x${of.blockNumber.toString(16)}`,
    transactionHash: hashOf('t'),
    logIndex: `0x${of.index.toString(16)}`,
  };
}
