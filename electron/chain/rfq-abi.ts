import { ORDER_FIELDS } from '../protocol/order-hash.ts';

const ORDER = { name: 'order', type: 'tuple', components: ORDER_FIELDS } as const;

/** The part of the RFQ contract that the desk reads and calls. */
export const RFQ_ABI = [
  {
    type: 'event',
    name: 'OrderFilled',
    inputs: [
      { name: 'orderHash', type: 'bytes32', indexed: true },
      { name: 'maker', type: 'address', indexed: true },
      { name: 'makerAsset', type: 'address', indexed: false },
      { name: 'makerAmount', type: 'uint256', indexed: false },
      { name: 'taker', type: 'address', indexed: true },
      { name: 'takerAsset', type: 'address', indexed: false },
      { name: 'takerAmount', type: 'uint256', indexed: false },
    ],
  },
  {
    type: 'event',
    name: 'OrderFilledNFT',
    inputs: [
      { name: 'orderHash', type: 'bytes32', indexed: true },
      { name: 'maker', type: 'address', indexed: true },
      { name: 'makerAsset', type: 'uint256', indexed: false },
      { name: 'makerAssetId', type: 'uint256', indexed: false },
      { name: 'makerAmount', type: 'uint256', indexed: false },
      { name: 'taker', type: 'address', indexed: true },
      { name: 'takerAsset', type: 'uint256', indexed: false },
      { name: 'takerAssetId', type: 'uint256', indexed: false },
      { name: 'takerAmount', type: 'uint256', indexed: false },
    ],
  },
  {
    type: 'event',
    name: 'OrderCancelled',
    inputs: [
      { name: 'orderHash', type: 'bytes32', indexed: true },
      { name: 'maker', type: 'address', indexed: true },
    ],
  },
  {
    type: 'function',
    name: 'cancelOrders',
    stateMutability: 'nonpayable',
    inputs: [{ name: 'orderHashes', type: 'bytes32[]' }],
    outputs: [],
  },
  {
    type: 'function',
    name: 'fillOrder',
    stateMutability: 'nonpayable',
    inputs: [ORDER, { name: 'signature', type: 'bytes' }],
    outputs: [],
  },
] as const;
