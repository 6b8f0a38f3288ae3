/** The text with plain letters in place of those with an accent: "été" becomes "ete". */
export const withoutAccents = (text: string): string => text.normalize('NFD').replace(/\p{Mn}/gu, '');
