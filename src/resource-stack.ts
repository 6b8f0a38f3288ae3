/** Resources that were opened, to be closed in reverse order, since later ones may use earlier ones. */
export class ResourceStack {
  readonly #ends: (() => unknown)[] = [];

  onClose(end: () => unknown): void {
    this.#ends.push(end);
  }

  /** Closes all of it, also behind an end that fails; then throws the first failure. */
  async close(): Promise<void> {
    const failures: unknown[] = [];
    for (let end = this.#ends.pop(); end; end = this.#ends.pop()) {
      try {
        await end();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length) throw failures[0];
  }
}

/** Opens several things of which none may stay open when another cannot be: a thread or a socket keeps a process alive. */
export async function openAllOrNone<T>(open: (opened: ResourceStack) => Promise<T>): Promise<T> {
  const opened = new ResourceStack();
  try {
    return await open(opened);
  } catch (error) {
    await opened.close().catch(() => undefined); // why it could not be opened is what there is to say
    throw error;
  }
}
