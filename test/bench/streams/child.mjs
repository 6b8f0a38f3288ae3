// A process that does as it is told: one command, one answer, over the channel that `fork` opens.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/**
 * Starts `module` of this folder, with these flags of Node. `ask` rejects with what the command threw, and when the
 * process is gone.
 */
export function startChild(module, execArgv = []) {
  const child = fork(fileURLToPath(new URL(module, import.meta.url)), { serialization: 'advanced', execArgv });
  const waiting = new Map();
  let asked = 0;
  child.on('message', ({ id, result, error }) => {
    const { resolve, reject } = waiting.get(id);
    waiting.delete(id);
    if (error) reject(new Error(error));
    else resolve(result);
  });
  const gone = once(child, 'exit');
  child.once('exit', () => {
    for (const { reject } of waiting.values()) reject(new Error(`${module} is gone`));
    waiting.clear();
  });
  return {
    pid: child.pid,
    ask: (command, input) =>
      new Promise((resolve, reject) => {
        if (!child.connected) return reject(new Error(`${module} is gone`));
        asked += 1;
        waiting.set(asked, { resolve, reject });
        child.send({ id: asked, command, input });
      }),
    /** Without a word to anybody: what it had open is cut off. */
    async kill() {
      child.kill('SIGKILL');
      await gone;
    },
  };
}

/** In the child: answers what it is asked for. */
export function answer(commands) {
  process.on('message', ({ id, command, input }) => {
    Promise.resolve()
      .then(() => commands[command](input))
      .then(
        (result) => process.send({ id, result }),
        (error) => process.send({ id, error: error.stack }),
      );
  });
  process.on('disconnect', () => process.exit());
}
