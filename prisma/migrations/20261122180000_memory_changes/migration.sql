-- The order in which an owner's memories came and changed, so that what is kept of them in memory is kept up with them.
-- Whoever writes memories holds their owner: what is committed later has the higher number.
ALTER TABLE "memory" ADD COLUMN "change" BIGSERIAL NOT NULL;

CREATE INDEX "memory_i_owner_no_change_idx" ON "memory"("i", "owner_no", "change");

-- Whatever a search reads of a row; a column that is written counts as changed. `memory_changed` is the only one of its
-- kind: no statement can forget the number.
CREATE FUNCTION "memory_changed"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW."change" := nextval('memory_change_seq');
  RETURN NEW;
END $$;

CREATE TRIGGER "memory_changed"
  BEFORE UPDATE OF "type", "status", "content", "valid_from", "valid_until", "document_id", "turn", "passage", "role", "speaker"
  ON "memory" FOR EACH ROW EXECUTE FUNCTION "memory_changed"();
