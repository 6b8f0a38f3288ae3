import { randomUUID } from 'node:crypto';
import {
  linkSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const held = new Set<string>();
/** A process that was killed may take this long to be gone. */
const timeoutMs = 2_000;
/** How often a process shows that it lives, and how long one may not have before it is taken for dead. */
const [showEveryMs, silentMs] = [1_000, 5_000];

/** The process that holds the lock of a data folder, as far as this process can see it. */
interface Holder {
  readonly pid: number;
  /** The content of the file. */
  readonly text: string;
  readonly state: 'runs' | 'shows itself' | 'gone';
}

/**
 * Takes the data folder for this process; two processes on one PGlite folder lose rows. Throws with the other's pid
 * when it is taken. A lock whose process is gone is taken over. Returns how to give it back.
 */
export async function lockFolder(folder: string): Promise<() => void> {
  makeFolder(folder);
  const path = join(folder, 'lock');
  const began = performance.now();
  while (!take(path)) {
    const holder = holderOf(path);
    if (!holder) continue; // it was given back meanwhile
    if (holder.state === 'gone' && !held.has(path)) remove(path, holder);
    else if (performance.now() - began > (holder.state === 'runs' ? timeoutMs : timeoutMs + silentMs)) {
      throw new Error(
        `${folder} is in use by process ${holder.pid}${holder.state === 'runs' ? '' : ' of another container or machine'}: ` +
          `stop that one, or set PRESAGE_DATA_DIR to another folder. If no Presage runs there, remove ${path}.`,
      );
    } else await pause(100);
  }
  held.add(path);
  const showing = setInterval(() => show(path), showEveryMs).unref();
  return () => {
    clearInterval(showing);
    held.delete(path);
    rmSync(path, { force: true });
  };
}

/** The lock comes into being with what it says: nobody finds an empty one. */
function take(path: string): boolean {
  const own = besides(path);
  try {
    writeFileSync(own, `${process.pid} ${birthOf(process.pid)} ${here()}\n`, { mode: 0o600 });
    linkSync(own, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw cannotWrite(dirname(path), error);
  } finally {
    rmSync(own, { force: true });
  }
}

/** Removes the lock of a process that is gone. Another may have done so, and taken the folder since: then it stays. */
function remove(path: string, gone: Holder): void {
  const moved = besides(path);
  try {
    renameSync(path, moved);
    if (readFileSync(moved, 'utf8') !== gone.text) linkSync(moved, path);
  } catch {} // somebody else was faster
  rmSync(moved, { force: true });
}

const besides = (path: string) => `${path}.${randomUUID()}`;

function show(path: string): void {
  const now = new Date();
  try {
    utimesSync(path, now, now);
  } catch {} // it was removed by hand
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

/**
 * Another process may have the pid by now: then its birth differs. Of a process of another container or machine nothing
 * can be seen but that it goes on showing itself.
 */
function holderOf(path: string): Holder | undefined {
  try {
    const text = readFileSync(path, 'utf8');
    const [pid = '', birth, place = ''] = text.trim().split(' ');
    const isRunning = birth !== undefined && birthOf(Number(pid)) === birth;
    const isSilent = Date.now() - statSync(path).mtimeMs > silentMs;
    const state = isRunning ? 'runs' : isSilent || place === here() ? 'gone' : 'shows itself';
    return { pid: Number(pid), text, state };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Names the scope in which a pid is unique: this boot of this machine, and this namespace of processes in it. */
function here(): string {
  if (process.platform !== 'linux') return process.platform;
  try {
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}/${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return 'unknown';
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
