/** Judges how much a request needs a memory, which shares no word with it more often than not. */
export interface RelevanceModel {
  /**
   * For each text the probability, 0 to 1, that whoever answers the request has to know it: of ten at .8, eight are
   * needed. Null where the model cannot be used.
   */
  needs(request: string, texts: readonly string[]): Promise<readonly number[] | null>;
}
