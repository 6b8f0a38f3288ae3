// Deletes what this machine cannot run from an installation, to save space: native libraries of other platforms in
// onnxruntime-node, and query compilers of other databases in @prisma/client. Optional, and run by hand or in a Dockerfile:
//   node scripts/prune-binaries.mjs [node_modules]
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';

const modules = process.argv[2] ?? 'node_modules';
const platform = join(process.platform, process.arch) + sep;

const libraries = prune(join(modules, 'onnxruntime-node/bin/napi-v6'), (path) => path.startsWith(platform));
const compilers = prune(
  join(modules, '@prisma/client/runtime'),
  (path) => !path.startsWith('query_compiler_') || path.includes('.postgresql.'),
);
console.log(`${Math.round((libraries + compilers) / 2 ** 20)} MiB deleted of ${modules}`);

/** The bytes that were deleted. Where nothing would be left, the package is laid out otherwise than it was: nothing is deleted. */
function prune(folder, isNeeded) {
  const files = readdirSync(folder, { recursive: true }).filter((path) => statSync(join(folder, path)).isFile());
  if (!files.some(isNeeded))
    throw new Error(`${folder} holds nothing for this platform: is it laid out differently now?`);
  return files
    .filter((path) => !isNeeded(path))
    .map((path) => {
      const { size } = statSync(join(folder, path));
      rmSync(join(folder, path));
      return size;
    })
    .reduce((sum, size) => sum + size, 0);
}
