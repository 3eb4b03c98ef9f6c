import { readdirSync, readFileSync } from 'node:fs';
import { keccak256, toBytes, toEventSelector, toFunctionSelector } from 'viem';
import { expect, test } from 'vitest';
import { SETTLEMENT } from '../../../electron/practice/chain/artifacts.ts';
import { compileContracts } from '../../../resources/contracts/compile.mjs';

const ORDER = '(uint256,uint128,address,address,address,address,uint256,uint256)';
const NFT = '(uint256,uint128,uint256,uint256,uint256,uint256,address,address,uint256,uint256)';
const INFO = `(${ORDER},bytes,uint256,bytes,bytes)`;

test('the built artifacts are what the sources compile to', () => {
  const folder = new URL('../../../resources/contracts/built/', import.meta.url);
  const built = Object.fromEntries(
    readdirSync(folder).map((name) => [
      name.replace('.json', ''),
      JSON.parse(readFileSync(new URL(name, folder), 'utf8')),
    ]),
  );
  expect(built).toEqual(compileContracts());
});

test('the settlement has the functions of the real one, by selector', () => {
  const selectors = SETTLEMENT.abi.flatMap((item) => (item.type === 'function' ? [toFunctionSelector(item)] : []));
  const expected = [
    `fillOrder(${ORDER},bytes)`,
    `fillOrderWithTarget(${ORDER},bytes,address)`,
    `partialFillOrder(${ORDER},bytes,uint256)`,
    `partialFillOrderWithTarget(${ORDER},bytes,uint256,address)`,
    `partialFillOrderWithTargetPermit(${ORDER},bytes,uint256,address,bytes,bytes)`,
    `fillOrderNFT(${NFT},bytes)`,
    `fillOrderWithTargetNFT(${NFT},bytes,address)`,
    `partialFillOrderNFT(${NFT},bytes,uint256)`,
    `partialFillOrderWithTargetNFT(${NFT},bytes,uint256,address)`,
    `partialFillOrderWithTargetPermitNFT(${NFT},bytes,uint256,address,bytes,bytes)`,
    `batchFillOrderWithTarget(${INFO}[],address)`,
    `tryBatchFillOrderTakerAmount(${INFO}[],uint256,address)`,
    `tryBatchFillOrderMakerAmount(${INFO}[],uint256,address)`,
    'cancelOrder(bytes32)',
    'cancelOrders(bytes32[])',
    'remaining(address,bytes32)',
    'getRemainingOrderBalance(address,bytes32[])',
  ].map((signature) => keccak256(toBytes(signature)).slice(0, 10));
  expect(selectors.sort()).toEqual(expected.sort());
  const published = ['0xbbbc2372', '0x3c3694ab', '0xb28ace5f', '0x30201ad3', '0xf6c1b371'];
  expect(selectors).toEqual(expect.arrayContaining(published));
});

test('the settlement’s events have the topics of the real one', () => {
  const topics = SETTLEMENT.abi.flatMap((item) => (item.type === 'event' ? [toEventSelector(item)] : []));
  const expected = [
    'OrderFilled(bytes32,address,address,uint256,address,address,uint256)',
    'OrderFilledNFT(bytes32,address,uint256,uint256,uint256,address,uint256,uint256,uint256)',
    'OrderCancelled(bytes32,address)',
  ].map((signature) => keccak256(toBytes(signature)));
  expect(topics.sort()).toEqual(expected.sort());
});
