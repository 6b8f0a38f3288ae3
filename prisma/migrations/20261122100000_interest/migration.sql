-- Raised with every change of an instance's keys, state or configuration.
ALTER TABLE "instance" ADD COLUMN "revision" BIGINT NOT NULL DEFAULT 0;

-- Processes that show memories, alive until their lease ends.
CREATE TABLE "process" (
    "id" UUID NOT NULL,
    "lease_until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "process_pkey" PRIMARY KEY ("id")
);

-- What they show: memories of an owner, and with number 0 anything of the instance.
CREATE TABLE "interest" (
    "i" BIGINT NOT NULL,
    "owner_no" INTEGER NOT NULL,
    "process_id" UUID NOT NULL,
    "applied_revision" BIGINT NOT NULL,

    CONSTRAINT "interest_pkey" PRIMARY KEY ("i","owner_no","process_id")
);

CREATE INDEX "interest_process_id_idx" ON "interest"("process_id");

ALTER TABLE "interest" ADD CONSTRAINT "interest_process_id_fkey" FOREIGN KEY ("process_id") REFERENCES "process"("id") ON DELETE CASCADE ON UPDATE CASCADE;
