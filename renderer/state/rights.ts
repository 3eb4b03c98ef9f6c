import { RIGHTS, type Right, whoMay } from '../../electron/contract/rights.ts';
import { useDesk } from './console.tsx';

/** Whether this console may do what takes a right, as the desk said when it was opened. The desk judges every call by itself. */
export function useMay(right: Right): boolean {
  return useDesk((view) => view.may.includes(right));
}

/** Why something cannot be pressed here, and who could. */
export function useTakesText(right: Right): string {
  const people = useDesk((view) => view.people);
  return `It takes the right “${RIGHTS[right].name}”, which you do not have: ask ${whoMay(right, people)}.`;
}

/** What a console may do, in the fewest words. */
export function rightsText(may: readonly Right[]): string {
  if (may.includes('admin')) return 'admin';
  const told = (['trade', 'settings'] as const).filter((right) => may.includes(right));
  if (told.length > 0) return told.join(', ');
  return may.includes('look') ? 'may look' : 'may halt';
}
