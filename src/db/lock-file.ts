import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const held = new Set<string>();
/** A process that was killed may take this long to be gone. */
const patienceMs = 2_000;

/**
 * Takes the data folder for this process; two processes on one PGlite folder lose rows. Throws with the other's pid
 * when it is taken. A lock whose process is gone is taken over. Returns how to give it back.
 */
export async function lockFolder(folder: string): Promise<() => void> {
  makeFolder(folder);
  const path = join(folder, 'lock');
  const deadline = performance.now() + patienceMs;
  for (;;) {
    if (take(path)) {
      held.add(path);
      return () => {
        held.delete(path);
        rmSync(path, { force: true });
      };
    }
    const holder = holderOf(path);
    if (!held.has(path) && !holder.isRunning) rmSync(path, { force: true });
    else if (performance.now() > deadline) {
      throw new Error(
        `${folder} is in use by process ${holder.pid}: stop that one, or set PRESAGE_DATA_DIR to another folder. ` +
          `If no Presage runs there, remove ${path}.`,
      );
    } else await pause(100);
  }
}

function take(path: string): boolean {
  try {
    const file = openSync(path, 'wx', 0o600);
    writeSync(file, `${process.pid} ${birthOf(process.pid)}\n`);
    closeSync(file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw cannotWrite(dirname(path), error);
  }
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw cannotWrite(folder, error);
  }
}

function cannotWrite(folder: string, cause: unknown): Error {
  const { code, message } = cause as NodeJS.ErrnoException;
  const reason = code === 'EEXIST' ? 'it is a file, and no folder' : message;
  return new Error(`${folder} cannot be written: ${reason}. Mend that, or set PRESAGE_DATA_DIR to another folder.`, {
    cause,
  });
}

/** Another process may have the pid by now (in a container, every run has): then its birth differs. */
function holderOf(path: string): { pid: number; isRunning: boolean } {
  try {
    const [pid, birth] = readFileSync(path, 'utf8').trim().split(' ');
    const now = birthOf(Number(pid));
    return { pid: Number(pid), isRunning: now !== undefined && now === birth };
  } catch {
    return { pid: NaN, isRunning: false };
  }
}

/** When a process began, in ticks, where /proc tells; else `running`. Undefined: there is none, or a dead one. */
function birthOf(pid: number): string | undefined {
  if (!(pid > 0)) return undefined;
  try {
    // The name before the last bracket may hold anything.
    const [state, ...fields] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
    return state === 'Z' || state === 'X' ? undefined : fields[18];
  } catch {
    return process.platform === 'linux' ? undefined : answers(pid);
  }
}

function answers(pid: number): string | undefined {
  try {
    process.kill(pid, 0);
    return 'running';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' ? 'running' : undefined;
  }
}
