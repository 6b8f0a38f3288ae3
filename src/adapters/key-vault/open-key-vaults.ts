import type { KeyVault } from '../../domain/sealing/key-vault.ts';
import { awsKmsKeyVault } from './aws-kms-key-vault.ts';
import { localKeyVault, masterKeyText } from './local-key-vault.ts';
import { parseMasterKey, parseNewMasterKey } from './master-key.ts';

/** Where a master key is: in a variable, in a file, or in AWS KMS. */
export interface MasterKeySource {
  readonly key?: string | undefined;
  readonly file?: string | undefined;
  readonly kms?: string | undefined;
}

/** The vault of the master key of now, and that of the one before while it is being replaced. */
export interface OpenKeyVaults {
  readonly vaults: [KeyVault, ...KeyVault[]];
  close(): void;
}

/** `madeIn`: the file that holds the key, made when it is not there, when `now` names none. */
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
  const isGiven = now.key ?? now.file;
  const file = now.file ?? madeIn;
  const first = now.kms
    ? await inKms(now.kms)
    : localKeyVault(parseNewMasterKey(now.key ?? masterKeyText(file, { create: isGiven === undefined })));
  const others: KeyVault[] = [];
  if (before.kms) others.push(await inKms(before.kms));
  const text = before.key ?? (before.file && masterKeyText(before.file, { create: false }));
  if (text) others.push(localKeyVault(parseMasterKey(text)));
  return { vaults: [first, ...others], close: () => toClose.forEach((each) => each.close()) };
}
