/** The roles that a row names. A caller may send any word; it is kept where the document is, sealed. */
export const speakerRoles = ['user', 'assistant', 'system', 'tool', 'other'] as const;
export type SpeakerRole = (typeof speakerRoles)[number];

/** The role of a turn as its memories' rows name it, in clear, since ranking reads it. */
export const speakerRoleOf = (role: string): SpeakerRole =>
  speakerRoles.find((existing) => existing === role) ?? 'other';
