import { takeFolderLock } from '../../electron/journal/folder-lock.ts';

takeFolderLock(process.argv[2] ?? '');
console.log('ready');
setInterval(() => {}, 60_000);
