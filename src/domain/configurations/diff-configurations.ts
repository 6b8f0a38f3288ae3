import type { CategorySetting, Configuration } from './configuration.ts';

/** A change of one setting; a part of a list is named by its own name: `categories.past-orders`. */
export interface SettingChange {
  readonly path: string;
  /** Undefined where there is none. */
  readonly from?: unknown;
  readonly to?: unknown;
  /** One line that describes the change to people. */
  readonly text: string;
}

/** The changes from one configuration to another, in the order of the settings. */
export function diffConfigurations(from: Configuration, to: Configuration): SettingChange[] {
  const [before, after] = [flat(from), flat(to)];
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((path) => {
    const [old, now] = [before.get(path), after.get(path)];
    return JSON.stringify(old) === JSON.stringify(now) ? [] : [change(path, old, now)];
  });
}

function change(path: string, from: unknown, to: unknown): SettingChange {
  if (from === undefined) return { path, to, text: `+ ${path}${shown(to)}` };
  if (to === undefined) return { path, from, text: `- ${path}${shown(from)}` };
  return { path, from, to, text: `~ ${path}${shown(from)} →${shown(to)}` };
}

/** Shows a value to people. Of an entry of a list, which its path names, it shows what else there is. */
function shown(value: unknown): string {
  if (value === true) return '';
  if (value === null) return ' none';
  if (typeof value !== 'object') return ` ${JSON.stringify(value)}`;
  const { description, examples } = value as Omit<CategorySetting, 'name'>;
  const such = examples.length ? [`such as ${examples.map((each) => JSON.stringify(each)).join(', ')}`] : [];
  const said = [...(description ? [JSON.stringify(description)] : []), ...such];
  return said.length ? ` ${said.join(', ')}` : '';
}

function flat(value: unknown, path = '', into = new Map<string, unknown>()): Map<string, unknown> {
  const at = (name: string) => (path ? `${path}.${name}` : name);
  if (Array.isArray(value)) {
    // The order of these lists means nothing, so that moving an entry is no change.
    for (const entry of value) {
      if (typeof entry === 'string') into.set(at(entry), true);
      else {
        const { name, ...rest } = entry as { name: string };
        into.set(at(name), rest);
      }
    }
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, inner] of Object.entries(value)) flat(inner, at(name), into);
  } else into.set(path, value);
  return into;
}
