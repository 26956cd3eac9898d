-- Devices that keep folders in step.
CREATE TABLE devices (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  -- What it was let in with: the device goes with it. Null where it calls with an API key.
  connection_id uuid REFERENCES connections ON DELETE CASCADE,
  name text NOT NULL,
  platform text NOT NULL,
  version text NOT NULL,
  -- What it last said of its folders; null while it has said nothing.
  report jsonb,
  paused boolean NOT NULL DEFAULT false,
  sync_asked_at timestamptz,
  created_at timestamptz NOT NULL,
  last_seen_at timestamptz NOT NULL
);
CREATE INDEX devices_of_user ON devices (user_id);
CREATE INDEX devices_of_connection ON devices (connection_id);

ALTER TABLE artifacts
  -- Where the file stands in the folder that it came from, that folder's name first.
  ADD COLUMN path text,
  -- When the file itself was last changed.
  ADD COLUMN modified_at timestamptz,
  ADD COLUMN device_id uuid REFERENCES devices ON DELETE SET NULL,
  -- The file that goes when this one is ready.
  ADD COLUMN replaces uuid REFERENCES artifacts ON DELETE SET NULL;
CREATE INDEX artifacts_of_device ON artifacts (device_id) WHERE device_id IS NOT NULL;
CREATE INDEX artifacts_replacing ON artifacts (replaces) WHERE replaces IS NOT NULL;

-- Bytes that a device had sent and that the person deleted: they are not taken from a folder again.
-- Of the bytes a keyed hash of their SHA-256 is kept, which says nothing to who reads the table.
CREATE TABLE deleted_contents (
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  content text NOT NULL,
  deleted_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, content)
);
