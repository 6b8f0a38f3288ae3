-- A client lists its instances.
CREATE INDEX "instance_client_id_created_at_i_idx" ON "instance"("client_id", "created_at", "i");
DROP INDEX "instance_client_id_idx";
