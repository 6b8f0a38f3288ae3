// Makes `npx presage` run this build: npm links the commands of what is installed, and not those of the project itself.
import { chmodSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';

const command = new URL('../dist/cli/presage.js', import.meta.url);
const link = new URL('../node_modules/.bin/presage', import.meta.url);
chmodSync(command, 0o755);
mkdirSync(new URL('.', link), { recursive: true });
rmSync(link, { force: true });
symlinkSync('../../dist/cli/presage.js', link);
