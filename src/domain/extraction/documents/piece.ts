/** A stretch of a text that one person wrote or said, verbatim. */
export interface Piece {
  content: string;
  role?: string;
  name?: string;
  at?: Date;
  /** What the piece is about: the subject of a mail. */
  heading?: string;
}
