/** The kinds of speakers that are no people, by the role that a turn is said in. */
const machines: ReadonlyMap<string, 'assistant' | 'tool' | 'system'> = new Map([
  ['assistant', 'assistant'],
  ['ai', 'assistant'],
  ['agent', 'assistant'],
  ['bot', 'assistant'],
  ['tool', 'tool'],
  ['function', 'tool'],
  ['system', 'system'],
]);

/** The kind of machine that says it; undefined where people do, whatever else their role is called. */
export const machineOfRole = (role: string) => machines.get(role.toLowerCase());

/** Whether people say it. Words of machines ask for nothing, and are nobody's own. */
export const isHumanRole = ({ role }: { readonly role: string }): boolean => machineOfRole(role) === undefined;

/** Whether a machine without a name said the turn. A machine that has a name is treated as a person. */
export const isUnnamedMachine = (turn: { readonly role: string; readonly name?: string | null }): boolean =>
  !isHumanRole(turn) && !turn.name;
