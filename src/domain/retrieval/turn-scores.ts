/** One number a turn (the best of its memories), and what stands around a turn in its document; 0 where unknown. */
export class TurnScores {
  readonly #documents = new Map<string, Map<number, number>>();

  add(documentId: string, turn: number, score: number): void {
    let turns = this.#documents.get(documentId);
    if (!turns) this.#documents.set(documentId, (turns = new Map()));
    turns.set(turn, Math.max(turns.get(turn) ?? 0, score));
  }

  at(documentId: string, turn: number): number {
    return this.#documents.get(documentId)?.get(turn) ?? 0;
  }

  /** The sum over the turn and its neighbours to `reach` on either side. */
  window(documentId: string, turn: number, reach: number): number {
    const turns = this.#documents.get(documentId);
    let sum = 0;
    if (turns) for (let at = turn - reach; at <= turn + reach; at++) sum += turns.get(at) ?? 0;
    return sum;
  }

  /** Of each document, the mean of its best `count` turns: a long document must not win by its length. */
  sessions(count: number): Map<string, number> {
    const means = new Map<string, number>();
    for (const [documentId, turns] of this.#documents) {
      const best = [...turns.values()].toSorted((one, other) => other - one).slice(0, count);
      means.set(documentId, best.reduce((sum, score) => sum + score, 0) / count);
    }
    return means;
  }
}
