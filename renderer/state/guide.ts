/** Where the guide is read on the screen. */
export const GUIDE_PATH = '/guide';

const TEXTS = import.meta.glob<string>('../../resources/guide/*.md', { query: '?raw', import: 'default', eager: true });

/** The pages of the guide, one a task; the one that leads to all others has no name. */
export const GUIDE: readonly { file: string; name: string; path: string; title: string; text: string }[] =
  Object.entries(TEXTS).map(([path, text]) => {
    const file = path.slice(path.lastIndexOf('/') + 1);
    const name = file === 'README.md' ? '' : file.replace('.md', '');
    const title = /^# (.+)$/m.exec(text)?.[1] ?? file;
    return { file, name, path: name === '' ? GUIDE_PATH : `${GUIDE_PATH}/${name}`, title, text };
  });
