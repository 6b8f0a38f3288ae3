/** A message of a conversation with a model. */
export interface ModelMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

/** The number of tokens that the provider reports. */
export interface TokenUsage {
  readonly input: number;
  readonly output: number;
}

/** Options of a call to a model: its deadline, and where to report the tokens that it took. */
export interface ModelCallOptions {
  readonly signal: AbortSignal;
  readonly used: (usage: TokenUsage) => void;
}

/** A language model that answers in JSON. */
export interface LanguageModel {
  readonly model: string;
  /**
   * The answer's text, meant to be JSON of the schema: servers differ in how far they hold models to it, so it has to
   * be checked. The most likely words, so that the same question gets the same answer as far as the server can. `used`
   * is told of every answer, useful or not. Throws `unavailable` when none comes in time.
   */
  answer(
    messages: readonly ModelMessage[],
    options: ModelCallOptions & {
      /** JSON schema of the answer, an object. */
      schema: object;
    },
  ): Promise<string>;
}
