// `npm run prepare`, which npm runs after it installed a checkout, and before each `npx presage` in one: generates, compiles
// and links the command. For `npx` what was made stays, since a service may be running from it.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const isMade = existsSync(new URL('../dist/cli/presage.js', import.meta.url));
if (isMade && process.env.npm_command === 'exec') process.exit(0);

const isOnWindows = process.platform === 'win32';
for (const [command, ...args] of [
  ['npm', 'run', 'generate'],
  ['npm', 'run', 'build'],
  ['node', 'scripts/link-command.mjs'],
]) {
  const { status } = spawnSync(command, args, { stdio: 'inherit', shell: isOnWindows });
  if (status !== 0) process.exit(status ?? 1);
}
