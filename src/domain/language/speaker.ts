const ofMachines = /^(?:assistant|system|tool|bot|ai|agent|function)$/iu;

/** Whether people say it, whatever else their role is called: what machines say asks for nothing, and is nobody's own. */
export const isHumanRole = ({ role }: { readonly role: string }): boolean => !ofMachines.test(role);
