-- Links to several files as one zip, which any server may be asked for.
CREATE TABLE zip_links (
  -- SHA-256 of what stands in the link.
  token_hash text PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  artifact_ids uuid[] NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX zip_links_newest ON zip_links (user_id, expires_at DESC);
CREATE INDEX zip_links_age ON zip_links (expires_at);

-- Which server sends a mail about a plan: it claims the row first.
ALTER TABLE plan_mails ADD COLUMN claimed_at timestamptz NOT NULL DEFAULT now();
ALTER TABLE plan_mails ALTER COLUMN sent_at DROP NOT NULL;

-- How often a device asks whether it was let in.
ALTER TABLE oauth_records ADD COLUMN polled_at timestamptz;
ALTER TABLE oauth_records ADD COLUMN poll_seconds integer;
