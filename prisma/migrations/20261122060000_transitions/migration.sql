-- Which memories were of use when something was said, by the keyed hashes of its words.
CREATE TABLE "transition" (
    "i" BIGINT NOT NULL,
    "owner_no" INTEGER NOT NULL,
    "context" BIGINT NOT NULL,
    "memory_id" UUID NOT NULL,
    "used" INTEGER NOT NULL,
    "last_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "transition_pkey" PRIMARY KEY ("i","owner_no","context","memory_id")
);

CREATE INDEX "transition_i_memory_id_idx" ON "transition"("i", "memory_id");

-- What always holds is looked up by type.
CREATE INDEX "memory_i_owner_no_type_valid_from_idx" ON "memory"("i", "owner_no", "type", "valid_from");

-- Whoever removes a memory or an owner removes what was learned with it.
ALTER TABLE "transition" ADD CONSTRAINT "transition_i_memory_id_fkey" FOREIGN KEY ("i", "memory_id") REFERENCES "memory"("i", "id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "transition" ADD CONSTRAINT "transition_i_owner_no_fkey" FOREIGN KEY ("i", "owner_no") REFERENCES "owner"("i", "owner_no") ON DELETE CASCADE ON UPDATE CASCADE;
