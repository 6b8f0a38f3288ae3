-- Who said what a memory says: user, assistant, tool, document or import. Evidence has its own, since several may say the same.
ALTER TABLE "document" ADD COLUMN "provenance" TEXT;
ALTER TABLE "memory" ADD COLUMN "provenance" TEXT;
ALTER TABLE "memory_evidence" ADD COLUMN "provenance" TEXT;

-- Documents of everybody (WORLD) are what an administrator imported.
UPDATE "document" SET "provenance" = 'import' FROM "owner" o
WHERE o."i" = "document"."i" AND o."owner_no" = "document"."owner_no" AND o."level" = 'WORLD';

-- What `provenanceOf` says of a turn, as far as the rows of the release before this one tell.
CREATE FUNCTION "provenance_of"(instance BIGINT, document_uuid UUID, speaker_role TEXT) RETURNS TEXT
LANGUAGE sql STABLE AS $$
  SELECT coalesce(
    (SELECT CASE WHEN d."provenance" IS NOT NULL THEN d."provenance"
       WHEN d."type" IN ('email', 'document', 'markdown') THEN 'document' END
     FROM "document" d WHERE d."i" = instance AND d."id" = document_uuid),
    CASE speaker_role WHEN 'assistant' THEN 'assistant' WHEN 'tool' THEN 'tool' WHEN 'system' THEN 'document' ELSE 'user' END)
$$;

UPDATE "memory" SET "provenance" = "provenance_of"("i", "document_id", "role");
UPDATE "memory_evidence" e SET "provenance" = "provenance_of"(e."i", e."document_id",
  (SELECT m."role" FROM "memory" m WHERE m."i" = e."i" AND m."id" = e."memory_id"));

-- A process of the release before this one, which may still run, says nothing of it. It writes evidence together with its
-- memory, whose role is not known yet then: that is taken for the user's.
CREATE FUNCTION "memory_provenance"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW."provenance" := "provenance_of"(NEW."i", NEW."document_id", NEW."role");
  RETURN NEW;
END $$;

CREATE FUNCTION "evidence_provenance"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW."provenance" := "provenance_of"(NEW."i", NEW."document_id",
    (SELECT m."role" FROM "memory" m WHERE m."i" = NEW."i" AND m."id" = NEW."memory_id"));
  RETURN NEW;
END $$;

CREATE TRIGGER "memory_provenance" BEFORE INSERT ON "memory" FOR EACH ROW
  WHEN (NEW."provenance" IS NULL) EXECUTE FUNCTION "memory_provenance"();
CREATE TRIGGER "evidence_provenance" BEFORE INSERT ON "memory_evidence" FOR EACH ROW
  WHEN (NEW."provenance" IS NULL) EXECUTE FUNCTION "evidence_provenance"();

ALTER TABLE "memory" ALTER COLUMN "provenance" SET NOT NULL;
ALTER TABLE "memory_evidence" ALTER COLUMN "provenance" SET NOT NULL;

-- Searches filter by it: rows that are kept in memory are read anew when it changes.
DROP TRIGGER "memory_changed" ON "memory";
CREATE TRIGGER "memory_changed"
  BEFORE UPDATE OF "type", "status", "content", "valid_from", "valid_until", "document_id", "turn", "passage", "role",
    "speaker", "provenance"
  ON "memory" FOR EACH ROW EXECUTE FUNCTION "memory_changed"();
