import { readdirSync, readFileSync } from 'node:fs';

/** Resident memory of processes and what they started, in MB; shared pages are counted once, by their share. Linux only. */
export function memoryTable(processes) {
  const parents = parentsOf();
  const lines = processes.map(({ name, pid }) => {
    const family = parents ? familyOf(parents, pid) : [];
    const kilobytes = family.reduce((sum, each) => sum + residentOf(each), 0);
    return `  ${name}: ${family.length ? `${Math.round(kilobytes / 1024)} MB` : 'not known here'}`;
  });
  return `resident memory at the end\n${lines.join('\n')}`;
}

function familyOf(parents, pid) {
  const children = [...parents].filter(([, parent]) => parent === pid).flatMap(([child]) => familyOf(parents, child));
  return [pid, ...children];
}

function parentsOf() {
  try {
    const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    return new Map(pids.map((pid) => [Number(pid), numberOf(`/proc/${pid}/status`, /^PPid:\s+(\d+)/m)]));
  } catch {
    return null;
  }
}

const residentOf = (pid) => numberOf(`/proc/${pid}/smaps_rollup`, /^Pss:\s+(\d+)/m);

/** 0 of a process that has ended meanwhile. */
function numberOf(file, pattern) {
  try {
    return Number(pattern.exec(readFileSync(file, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
