-- What is changed of a client belongs to no instance: its audit rows name the client.
ALTER TABLE "audit" ADD COLUMN "client_id" TEXT;
CREATE INDEX "audit_client_id_at_idx" ON "audit"("client_id", "at");

-- What is sealed of no instance: audit rows of clients, and what administrators repeat.
CREATE TABLE "service_key" (
    "id" TEXT NOT NULL,
    "data_key" BYTEA NOT NULL,
    "master_key_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "service_key_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "client_created_at_id_idx" ON "client"("created_at", "id");
