-- Whoever watches an instance asks which of its owners changed since, where notices of other processes may have been lost.
CREATE INDEX "memory_i_change_idx" ON "memory"("i", "change");
