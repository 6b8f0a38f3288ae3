-- An instance lists the documents of a user, newest first. A table a migration, since each holds its locks to its end.
CREATE INDEX "document_i_owner_no_id_idx" ON "document"("i", "owner_no", "id");
DROP INDEX "document_i_owner_no_idx";
