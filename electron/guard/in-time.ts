import type { After } from './after.ts';

/** Whether something came about within so many milliseconds: false when it failed or takes longer. */
export async function inTime(happening: Promise<boolean>, milliseconds: number, after: After): Promise<boolean> {
  let cancel = () => {};
  const tooLate = new Promise<false>((resolve) => {
    cancel = after(milliseconds, () => resolve(false));
  });
  const happened = await Promise.race([happening.catch(() => false), tooLate]);
  cancel();
  return happened;
}
