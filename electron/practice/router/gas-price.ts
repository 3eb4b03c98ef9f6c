import type { RouterChain } from './router-chain.ts';

/** The gas price fields of a transaction in wei (PROTOCOL 12.3): `asked` counts where it is given, else the node's suggestion. */
export async function gasPriceFields(
  { chain: { client } }: RouterChain,
  { eip1559, asked }: { eip1559: boolean; asked: string | undefined },
): Promise<{ gasPrice: string } | { maxFeePerGas: string; maxPriorityFeePerGas: string }> {
  if (!eip1559) return { gasPrice: asked ?? `${await client.getGasPrice()}` };
  const { maxFeePerGas, maxPriorityFeePerGas } = await client.estimateFeesPerGas();
  const most = asked === undefined ? maxFeePerGas : BigInt(asked);
  const tip = maxPriorityFeePerGas < most ? maxPriorityFeePerGas : most;
  return { maxFeePerGas: `${most}`, maxPriorityFeePerGas: `${tip}` };
}
