const WHY: Record<string, string> = {
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'a part of its path is a file, not a folder',
  EISDIR: 'it is a folder',
  EEXIST: 'it exists already',
  EACCES: 'the user of this process may not',
  EPERM: 'the user of this process may not',
  EROFS: 'its disk can only be read',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of this user is used up',
  EMFILE: 'too many files are open',
  ENAMETOOLONG: 'its name is too long',
  ELOOP: 'its links lead in a circle',
  EIO: 'the disk does not work',
  EBUSY: 'another program uses it',
  EADDRINUSE: 'the port is taken',
  EADDRNOTAVAIL: 'this machine has no such address',
  ECONNREFUSED: 'nobody listens there',
  ECONNRESET: 'the other side broke the connection off',
  EPIPE: 'the other side broke the connection off',
  ETIMEDOUT: 'there was no answer in time',
  ENOTFOUND: 'its name is not known',
  EAI_AGAIN: 'its name could not be looked up',
  EHOSTUNREACH: 'no way leads to its machine',
  ENETUNREACH: 'no way leads to its network',
  UND_ERR_SOCKET: 'the other side broke the connection off',
  UND_ERR_CONNECT_TIMEOUT: 'there was no connection in time',
};

/** Why a call of the operating system or a connection failed, as half a sentence for a person; null where it was no such call, or an unusual one. */
export function systemFault(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return null;
  return WHY[error.code] ?? null;
}
