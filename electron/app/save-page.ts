import { writeFile } from 'node:fs/promises';
import { BrowserWindow, dialog, type WebContents } from 'electron';
import type { PagePdfQuestion, SavedPage } from '../contract/page-pdf.ts';
import { systemFault } from '../protocol/system-fault.ts';

/**
 * Writes a page as it would be printed, on the paper that its own style names, into a file that a person chooses by the system's dialog. The
 * page learns where that was, and names no path itself. Resolves to null where nobody chose one.
 */
export async function savePage(
  page: WebContents,
  { suggested }: Pick<PagePdfQuestion, 'suggested'>,
): Promise<SavedPage | null> {
  const window = BrowserWindow.fromWebContents(page);
  if (window === null) return null;
  const filters = [{ name: 'PDF', extensions: ['pdf'] }];
  const { canceled, filePath } = await dialog.showSaveDialog(window, { defaultPath: suggested, filters });
  if (canceled || filePath === '') return null;
  try {
    await writeFile(filePath, await page.printToPDF({ preferCSSPageSize: true }), { mode: 0o600 });
    return { path: filePath, fault: null };
  } catch (error) {
    return { path: filePath, fault: systemFault(error) ?? 'it could not be printed' };
  }
}
