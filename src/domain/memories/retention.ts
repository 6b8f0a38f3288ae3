const dayMs = 86_400_000;
/** These do not expire while their user is about; the sweep decides. */
const lasting = new Set(['instruction', 'identity']);

/**
 * When a memory would expire: `last access + base × (1 + log2(1 + accesses) / 4)`, at most four times the base
 * (decisions, "Retention"). The ingestion is the first access. Null: not by time alone.
 */
export function expiryOf(
  retention: { base_days: number },
  memory: { category: string; accessCount: number; lastAccess: Date },
): Date | null {
  if (lasting.has(memory.category)) return null;
  const factor = Math.min(4, 1 + Math.log2(1 + 1 + memory.accessCount) / 4);
  return new Date(memory.lastAccess.getTime() + retention.base_days * dayMs * factor);
}
