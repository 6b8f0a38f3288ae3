/** The source of a pattern that matches exactly this text. */
export const literalSource = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`);

/** The source of a pattern of whole words in any language; the boundary `\b` knows English letters only. */
export const wholeWordSource = (words: string): string => String.raw`(?<!\p{L})(?:${words})(?!\p{L})`;
