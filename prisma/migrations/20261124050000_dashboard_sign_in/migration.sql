-- Who signs in to the dashboard, what they may do there, and the browsers that are signed in.
CREATE TABLE "dashboard_user" (
    "id" UUID NOT NULL,
    "email_hash" BYTEA NOT NULL,
    "email" BYTEA NOT NULL,
    "password_hash" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "dashboard_user_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "dashboard_membership" (
    "user_id" UUID NOT NULL,
    "client_id" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "dashboard_membership_pkey" PRIMARY KEY ("user_id","client_id")
);

CREATE TABLE "dashboard_session" (
    "id" UUID NOT NULL,
    "hash" BYTEA NOT NULL,
    "user_id" UUID,
    "admin_token_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "dashboard_session_pkey" PRIMARY KEY ("id")
);

-- Links that open the dashboard once, and invitations.
CREATE TABLE "dashboard_link" (
    "id" UUID NOT NULL,
    "hash" BYTEA NOT NULL,
    "admin_token_id" UUID,
    "client_id" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "email" BYTEA,
    "created_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "dashboard_link_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "dashboard_user_email_hash_key" ON "dashboard_user"("email_hash");
CREATE INDEX "dashboard_membership_client_id_created_at_user_id_idx" ON "dashboard_membership"("client_id", "created_at", "user_id");
CREATE UNIQUE INDEX "dashboard_session_hash_key" ON "dashboard_session"("hash");
CREATE INDEX "dashboard_session_user_id_idx" ON "dashboard_session"("user_id");
CREATE INDEX "dashboard_session_admin_token_id_idx" ON "dashboard_session"("admin_token_id");
CREATE INDEX "dashboard_session_expires_at_idx" ON "dashboard_session"("expires_at");
CREATE UNIQUE INDEX "dashboard_link_hash_key" ON "dashboard_link"("hash");
CREATE INDEX "dashboard_link_admin_token_id_idx" ON "dashboard_link"("admin_token_id");
CREATE INDEX "dashboard_link_client_id_created_at_id_idx" ON "dashboard_link"("client_id", "created_at", "id");
CREATE INDEX "dashboard_link_expires_at_idx" ON "dashboard_link"("expires_at");

ALTER TABLE "dashboard_membership" ADD CONSTRAINT "dashboard_membership_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "dashboard_user"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "dashboard_session" ADD CONSTRAINT "dashboard_session_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "dashboard_user"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "dashboard_session" ADD CONSTRAINT "dashboard_session_admin_token_id_fkey" FOREIGN KEY ("admin_token_id") REFERENCES "admin_token"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "dashboard_link" ADD CONSTRAINT "dashboard_link_admin_token_id_fkey" FOREIGN KEY ("admin_token_id") REFERENCES "admin_token"("id") ON DELETE CASCADE ON UPDATE CASCADE;
