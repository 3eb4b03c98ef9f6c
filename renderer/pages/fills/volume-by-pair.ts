/** A bar of a pair as the desk sums it: raw units of the base token. */
export interface VolumeRow {
  chainId: number;
  pair: string;
  fills: number;
  bought: string;
  sold: string;
}

export interface PairVolume {
  fills: number;
  bought: bigint;
  sold: bigint;
}

/** All bars of a pair together. */
export function volumeByPair(rows: readonly VolumeRow[]): Map<string, PairVolume> {
  const sums = new Map<string, PairVolume>();
  for (const row of rows) {
    const key = `${row.chainId}:${row.pair}`;
    const sum = sums.get(key) ?? { fills: 0, bought: 0n, sold: 0n };
    sums.set(key, {
      fills: sum.fills + row.fills,
      bought: sum.bought + BigInt(row.bought),
      sold: sum.sold + BigInt(row.sold),
    });
  }
  return sums;
}
