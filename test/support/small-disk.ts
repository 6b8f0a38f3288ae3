import { spawnSync } from 'node:child_process';

/** A disk for one program: mounted where only it and what it starts look, so that none is left behind. */
interface SmallDisk {
  readonly folder: string;
  readonly mib: number;
  /** Owns the disk, and runs the program. */
  readonly user: number;
}

/** Only Linux can, and there only who may mount. */
export const hasSmallDisks = process.platform === 'linux' && spawnSync('unshare', ['--mount', 'true']).status === 0;

if (!hasSmallDisks) {
  // oxlint-disable-next-line no-console -- what is left out is said aloud
  console.warn('its tests of a disk that is full are NOT run here: they mount a small one, which takes root on Linux');
}

/** The command that runs `command` with `folder` on a disk of its own; the process is the same one all the way. */
export function onSmallDisk({ folder, mib, user }: SmallDisk, command: readonly string[]): [string, ...string[]] {
  const options = `size=${mib}m,uid=${user},gid=${user},mode=700`;
  const script = `mkdir -p "$0" && mount -t tmpfs -o ${options} tmpfs "$0" && exec setpriv --reuid=${user} --regid=${user} --clear-groups "$@"`;
  return ['unshare', '--mount', 'sh', '-c', script, folder, ...command];
}
