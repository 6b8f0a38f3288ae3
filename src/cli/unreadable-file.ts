const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'you may not read it',
};

/** Tells why a file that was named cannot be read. */
export const unreadable = (file: string, error: NodeJS.ErrnoException): Error =>
  new Error(`${file} cannot be read: ${reasons[error.code ?? ''] ?? error.code}`, { cause: error });
