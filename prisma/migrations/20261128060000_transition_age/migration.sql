-- What was of use once only goes after 90 days: it is found by its age.
CREATE INDEX "transition_used_last_at_idx" ON "transition"("used", "last_at");
