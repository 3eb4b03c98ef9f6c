import { Note } from './note.tsx';

/** Archives that a journal names and that are not there, or not as they were written. */
export function MissingArchives({ files }: { files: readonly string[] }) {
  if (files.length === 0) return null;
  return (
    <Note
      level="look"
      title={
        files.length === 1
          ? 'An archive is missing or was changed.'
          : `${files.length} archives are missing or were changed.`
      }
    >
      The quotes in {files.slice(0, 3).join(', ')}
      {files.length > 3 && ` and ${files.length - 3} more`} cannot all be read. Copy the files as they were written into
      the folder “archive” beside journal.db: from then on they are there again.
    </Note>
  );
}
