/** Where text is written to as it comes. */
export interface TextFile {
  write(text: string): Promise<void>;
  /** Keeps what was written. */
  done(): Promise<void>;
  /** Throws away what was written. */
  drop(): Promise<void>;
}

interface Picker {
  showSaveFilePicker?: (options: { suggestedName: string }) => Promise<FileSystemFileHandle>;
}

/** Characters that are gathered before they are handed on. */
const CHUNK = 1_000_000;

/**
 * Opens a file for writing. Where the browser can, text goes straight to the disk; else the browser gathers it, outside
 * of the page's memory, and downloads it in the end. null when the person chose no file.
 */
export async function openTextFile(name: string, type: string): Promise<TextFile | null> {
  const { showSaveFilePicker } = window as Picker;
  if (showSaveFilePicker === undefined) return gatheredFile(name, type);
  try {
    const handle = await showSaveFilePicker.call(window, { suggestedName: name });
    const stream = await handle.createWritable();
    return { write: (text) => stream.write(text), done: () => stream.close(), drop: () => stream.abort() };
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return null;
    return gatheredFile(name, type);
  }
}

/** Gives the browser a small text to download at once. */
export async function saveText(name: string, type: string, text: string): Promise<void> {
  const file = gatheredFile(name, type);
  await file.write(text);
  await file.done();
}

function gatheredFile(name: string, type: string): TextFile {
  let parts: Blob[] = [];
  let pending = '';
  const flush = () => {
    if (pending !== '') parts.push(new Blob([pending], { type }));
    pending = '';
  };
  return {
    write: async (text) => {
      pending += text;
      if (pending.length > CHUNK) flush();
    },
    done: async () => {
      flush();
      const url = URL.createObjectURL(new Blob(parts, { type }));
      const link = document.createElement('a');
      link.href = url;
      link.download = name;
      link.click();
      parts = [];
      setTimeout(() => URL.revokeObjectURL(url), 60_000);
    },
    drop: async () => {
      parts = [];
      pending = '';
    },
  };
}
