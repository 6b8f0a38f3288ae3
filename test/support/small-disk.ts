import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';

/** A disk for one program: mounted where only it and what it starts look, so that none is left behind. */
interface SmallDisk {
  readonly folder: string;
  readonly mib: number;
  /** Owns the disk, and runs the program. */
  readonly user: number;
}

/** Only Linux can, and there only who may mount. */
export const canMount = process.platform === 'linux' && spawnSync('unshare', ['--mount', 'true']).status === 0;

if (!canMount) {
  // oxlint-disable-next-line no-console -- what is left out is said aloud
  console.warn('its tests of a disk that is full are NOT run here: they mount a small one, which takes root on Linux');
}

/** The command that runs `command` with `folder` on a disk of its own; the process is the same one all the way. */
export function onSmallDisk({ folder, mib, user }: SmallDisk, command: readonly string[]): [string, ...string[]] {
  const options = `size=${mib}m,uid=${user},gid=${user},mode=700`;
  const script = `mkdir -p "$0" && mount -t tmpfs -o ${options} tmpfs "$0" && exec setpriv --reuid=${user} --regid=${user} --clear-groups "$@"`;
  return ['unshare', '--mount', 'sh', '-c', script, folder, ...command];
}

/** A disk that outlives the programs on it, such as a service that is started again. */
export interface HeldDisk {
  /** The command that runs another one where the disk is. */
  within(command: readonly string[]): [string, ...string[]];
  /** Where this process finds a path on the disk. */
  seenFromHere(path: string): string;
  remove(): Promise<void>;
}

/** Mounts the disk where only a program that sleeps looks, and those that are run `within` it. */
export async function holdSmallDisk({ folder, mib }: Pick<SmallDisk, 'folder' | 'mib'>): Promise<HeldDisk> {
  const holding = ['sh', '-c', 'echo held && exec sleep infinity'];
  const [command, ...words] = onSmallDisk({ folder, mib, user: process.getuid!() }, holding);
  const holder = spawn(command, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(holder.stdout, 'data');
  return {
    within: (program) => ['nsenter', `--target=${holder.pid}`, '--mount', `--wdns=${process.cwd()}`, ...program],
    seenFromHere: (path) => `/proc/${holder.pid}/root${path}`,
    async remove() {
      const gone = once(holder, 'close');
      holder.kill();
      await gone;
    },
  };
}
