-- Links by which somebody chooses another password: each is of one user.
ALTER TABLE "dashboard_link" ADD COLUMN "user_id" UUID;

CREATE INDEX "dashboard_link_user_id_idx" ON "dashboard_link"("user_id");

ALTER TABLE "dashboard_link" ADD CONSTRAINT "dashboard_link_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "dashboard_user"("id") ON DELETE CASCADE ON UPDATE CASCADE;
