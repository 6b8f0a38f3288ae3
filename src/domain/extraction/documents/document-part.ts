/** A stretch of a text that one person wrote or said, verbatim. */
export interface DocumentPart {
  content: string;
  role?: string;
  name?: string;
  at?: Date;
  /** The heading of the piece, such as the subject of a mail. */
  heading?: string;
}
