/** How many bytes are fetched at once. */
const POOL_BYTES = 6_144;

/**
 * Random bytes in small pieces, fetched in large ones: a call into the system for each order would cost half of what
 * hashing it does. No byte is given out twice.
 */
export function pooledRandom(randomBytes: (size: number) => Buffer): (size: number) => Buffer {
  let pool: Buffer = Buffer.alloc(0);
  return (size) => {
    if (pool.length < size) pool = randomBytes(Math.max(POOL_BYTES, size));
    const taken = pool.subarray(0, size);
    pool = pool.subarray(size);
    return taken;
  };
}
