/**
 * The source of a pattern with the flag `m`: fenced code, from its marks to the next ones or the end of the text.
 * Tildes open it at the head of a line alone: elsewhere they are a flourish ("so cute~~~").
 */
export const codeBlockSource = '```[^]*?(?:```|(?![^]))|^ {0,3}~~~[^]*?(?:^ {0,3}~~~|(?![^]))';
