import { z } from 'zod';
import type { Journal } from '../journal/journal.ts';
import type { KnownBlock } from './forks.ts';
import { hashSchema } from './node-answers.ts';

/** What the desk remembers of a chain from one run to the next. It may lag behind the journal, never run ahead of it. */
export interface ChainMemory {
  /** Rows of the journal up to this one tell of a chain that is gone. */
  afterSeq: number;
  /** The block the watch began at: what happened up to it is not the desk's. */
  since: number;
  /** Ascending; the last one is the newest block whose events are in the journal. */
  blocks: readonly KnownBlock[];
  /** The time of that newest block, Unix seconds; a memory from before, or of a branch that was left, does not say. */
  newestTime?: number | undefined;
}

const storedSchema = z.object({
  afterSeq: z.int(),
  since: z.int(),
  blocks: z.array(z.tuple([z.int(), hashSchema])).min(1),
  newestTime: z.int().optional(),
});

const keyOf = (chainId: number) => `chain-memory:${chainId}`;

/** Null when this chain was never watched. */
export async function loadMemory(journal: Pick<Journal, 'read'>, chainId: number): Promise<ChainMemory | null> {
  const stored = storedSchema.safeParse(await journal.read.setting(keyOf(chainId)));
  if (!stored.success) return null;
  const { blocks, ...rest } = stored.data;
  return { ...rest, blocks: blocks.map(([number, hash]) => ({ number, hash })) };
}

/** Resolves once it is durable. */
export async function saveMemory(journal: Journal, chainId: number, memory: ChainMemory): Promise<void> {
  const blocks = memory.blocks.map(({ number, hash }) => [number, hash]);
  await journal.put({ table: 'settings', key: keyOf(chainId), value: { ...memory, blocks } });
}
