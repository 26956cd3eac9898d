-- Whether a password would open the file, or more of the files in it.
ALTER TABLE artifacts ADD COLUMN needs_password boolean NOT NULL DEFAULT false;
CREATE INDEX artifacts_needing_password ON artifacts (user_id) WHERE needs_password;
UPDATE artifacts SET needs_password = true
WHERE status = 'FAILED' AND status_reason LIKE '%is password-protected.%'
  AND file_type NOT IN ('doc', 'xls', 'ppt');

-- Passwords, encrypted with a key of the server's secret. This one is deleted when its file is read.
CREATE TABLE reading_passwords (
  artifact_id uuid PRIMARY KEY REFERENCES artifacts ON DELETE CASCADE,
  encrypted bytea NOT NULL
);

-- Passwords that are tried on all files of a user.
CREATE TABLE saved_passwords (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  -- The file for which it was entered.
  file_name text NOT NULL,
  encrypted bytea NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE INDEX saved_passwords_user ON saved_passwords (user_id);
