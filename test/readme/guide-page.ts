import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const GUIDE = fileURLToPath(new URL('../../resources/guide/', import.meta.url));

/** A page of the guide: what it names of the screen, leads to, shows, and has typed at a terminal. */
export interface GuidePage {
  file: string;
  text: string;
  /** What stands in **bold**: words of the screen, as they are. */
  words: string[];
  /** Those of them that its numbered steps have. */
  stepWords: string[];
  links: string[];
  pictures: string[];
  /** Each line of its code blocks that is no comment, without the comment behind it. */
  commands: string[];
}

/** Every page of the guide, by the names of their files. */
export function guidePages(): GuidePage[] {
  return readdirSync(GUIDE)
    .filter((file) => file.endsWith('.md'))
    .sort()
    .map((file) => guidePage(file));
}

/** Returns one page, by the name of its file; of another folder where one is named. */
export function guidePage(file: string, folder = GUIDE): GuidePage {
  const text = readFileSync(`${folder}${file}`, 'utf8');
  const prose = text.replace(/```[\s\S]*?```/g, '');
  const blocks = [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block);
  return {
    file,
    text,
    words: boldIn(prose),
    stepWords: boldIn(steps(prose)),
    links: [...prose.matchAll(/(?<!!)\[[^\]]*\]\(([^)]+)\)/g)].map(([, to = '']) => to),
    pictures: [...prose.matchAll(/!\[[^\]]+\]\(([^)]+)\)/g)].map(([, to = '']) => to),
    commands: blocks.flatMap((block) =>
      block
        .replaceAll(/\\\n\s*/g, '')
        .split('\n')
        .map((line) => line.replace(/\s+# .*$|^#[ !].*$/, '').trim())
        .filter((line) => line !== ''),
    ),
  };
}

/** Words as a pattern that means them alone. */
export function literal(words: string): string {
  return words.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** The numbered paragraphs of a page, each with the lines that are set under it. */
function steps(prose: string): string {
  return [...prose.matchAll(/^\d+\. .*(?:\n {3}.*)*/gm)].map(([step]) => step).join('\n');
}

function boldIn(prose: string): string[] {
  return [...new Set([...prose.matchAll(/\*\*([^*]+)\*\*/g)].map(([, words = '']) => words.replace(/\s+/g, ' ')))];
}
