import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What a bench finds. */
export const say = (line) => process.stdout.write(`${line}\n`);
/** How far it is; on a terminal each line takes the place of the one before. */
export const tell = (line) => process.stderr.write(process.stderr.isTTY ? `\r\u001b[K${line}` : `${line}\n`);

/** Runs a bench as a command: `run` resolves with false when a budget is broken, which ends it with 1. */
export async function command({ help, readSettings, run }) {
  try {
    const settings = readSettings(process.argv.slice(2));
    if (settings.help) say(help);
    else if (!(await run(settings))) process.exitCode = 1;
  } catch (error) {
    process.stderr.write(`\n${error.code?.startsWith('ERR_PARSE_ARGS') ? error.message : error.stack}\n`);
    process.exitCode = 1;
  }
}

/**
 * Works in a temporary folder, which is removed again unless it is to be kept. Whatever the work puts into `opened` is
 * closed, the last first, however it ends: also by a signal, and then calls under way fail meanwhile.
 */
export async function inTemporaryFolder({ name, keep }, work) {
  const folder = await mkdtemp(join(tmpdir(), `presage-${name}-`));
  const opened = [];
  const close = async () => {
    for (const end of opened.splice(0).toReversed()) await end();
    if (keep) tell(`kept: ${folder}\n`);
    else await rm(folder, { recursive: true, force: true });
  };
  const onSignal = () => void close().finally(() => process.exit(130));
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal);
  try {
    return await work(folder, opened);
  } finally {
    await close();
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
  }
}
