import { BrowserWindow, dialog, type WebContents } from 'electron';
import type { FileQuestion } from '../contract/file-choice.ts';

/** Asks a person for a backup by the system's dialog, over the window that wants to know. Resolves to its whole path, or null. */
export async function chooseFile(
  page: WebContents,
  { way, suggested }: Pick<FileQuestion, 'way' | 'suggested'>,
): Promise<string | null> {
  const window = BrowserWindow.fromWebContents(page);
  if (window === null) return null;
  const common = {
    ...(suggested !== '' && { defaultPath: suggested }),
    filters: [
      { name: 'Backups', extensions: ['db'] },
      { name: 'All files', extensions: ['*'] },
    ],
  };
  if (way === 'save') {
    const { canceled, filePath } = await dialog.showSaveDialog(window, common);
    return canceled || filePath === '' ? null : filePath;
  }
  const { canceled, filePaths } = await dialog.showOpenDialog(window, { ...common, properties: ['openFile'] });
  return canceled ? null : (filePaths[0] ?? null);
}
