import { writeDeskPid } from '../../electron/desk/pid-file.ts';
import { takeFolderLock } from '../../electron/journal/folder-lock.ts';

const folder = process.argv[2] ?? '';
takeFolderLock(folder);
writeDeskPid(folder);
console.log('ready');
setInterval(() => {}, 60_000);
