import type { KeyVault } from '../../domain/sealing/key-vault.ts';
import { awsKmsKeyVault } from './aws-kms-key-vault.ts';
import { localKeyVault } from './local-key-vault.ts';
import { readMasterKeyFile, readOrMakeMasterKeyFile, type MasterKeyFile } from './master-key-file.ts';
import { parseMasterKey, parseNewMasterKey } from './master-key.ts';

/** The location of a master key: a variable, a file, or AWS KMS. */
export interface MasterKeySource {
  readonly key?: string | undefined;
  readonly file?: string | undefined;
  readonly kms?: string | undefined;
}

/** The vault of the master key of now, and that of the one before while it is being replaced. */
export interface OpenKeyVaults {
  readonly vaults: [KeyVault, ...KeyVault[]];
  /** The file of a master key that was made up, to be kept once it is known that the data needs no other. */
  readonly made: MasterKeyFile | null;
  close(): void;
}

/** `madeIn`: the file that holds the key when `now` names none; where it is not there, one is made up for it. */
export async function openKeyVaults(sources: {
  now: MasterKeySource;
  before: MasterKeySource;
  madeIn: string;
}): Promise<OpenKeyVaults> {
  const { now, before, madeIn } = sources;
  const toClose: { close(): void }[] = [];
  const inKms = async (key: string) => {
    const vault = await awsKmsKeyVault(key);
    toClose.push(vault);
    return vault;
  };
  const own = now.kms || now.key || now.file ? null : readOrMakeMasterKeyFile(madeIn);
  const others: KeyVault[] = [];
  const first = now.kms ? await inKms(now.kms) : localKeyVault(newMasterKey(now, own));
  if (before.kms) others.push(await inKms(before.kms));
  if (before.key) others.push(localKeyVault(parseMasterKey(before.key)));
  if (before.file) others.push(localKeyVault(inFile(readMasterKeyFile(before.file), parseMasterKey)));
  return {
    vaults: [first, ...others],
    made: own?.isNew ? own : null,
    close: () => toClose.forEach((each) => each.close()),
  };
}

function newMasterKey({ key, file }: MasterKeySource, own: MasterKeyFile | null): Buffer {
  return key ? parseNewMasterKey(key) : inFile(own ?? readMasterKeyFile(file!), parseNewMasterKey);
}

function inFile({ path, text }: MasterKeyFile, parse: (text: string) => Buffer): Buffer {
  try {
    return parse(text);
  } catch (cause) {
    throw new Error(`the master key file ${path} cannot be used: ${(cause as Error).message}`, { cause });
  }
}
