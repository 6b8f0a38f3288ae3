-- A row names one of five roles. The word that a caller chose instead stands in the document only, where it is sealed.
UPDATE "memory" SET "role" = 'other' WHERE "role" NOT IN ('user', 'assistant', 'system', 'tool', 'other');

-- A process of the release before this one, which may still run, writes the caller's word: it never reaches the disk.
CREATE FUNCTION "memory_role"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW."role" := 'other';
  RETURN NEW;
END $$;

CREATE TRIGGER "memory_role"
  BEFORE INSERT OR UPDATE OF "role" ON "memory" FOR EACH ROW
  WHEN (NEW."role" NOT IN ('user', 'assistant', 'system', 'tool', 'other'))
  EXECUTE FUNCTION "memory_role"();
