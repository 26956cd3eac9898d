-- Programs and assistants that a person has let in (OAuth). What they were given hangs on the row:
-- deleting it ends their codes and tokens at once.
CREATE TABLE connections (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  -- The program: an id that this server gave it, or the address of its own metadata.
  client_id text NOT NULL,
  name text NOT NULL,
  -- Its host, or the scheme of its redirects; null for one that has neither.
  address text,
  -- Whether the program is known to be the address's own.
  verified boolean NOT NULL,
  kind text NOT NULL,
  scopes text[] NOT NULL,
  created_at timestamptz NOT NULL,
  last_used_at timestamptz
);
CREATE INDEX connections_newest ON connections (user_id, created_at DESC, id DESC);
CREATE INDEX connections_of_client ON connections (client_id);

-- Programs that registered themselves (RFC 7591).
CREATE TABLE oauth_clients (
  id text PRIMARY KEY,
  metadata jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  -- When somebody last let it in; null while nobody has.
  connected_at timestamptz
);
CREATE INDEX oauth_clients_age ON oauth_clients (created_at);

-- What the authorization server keeps for a while: requests, codes, tokens. Of codes and tokens the
-- SHA-256 is the id, and their value is nowhere in the row.
CREATE TABLE oauth_records (
  kind text NOT NULL,
  id text NOT NULL,
  payload jsonb NOT NULL,
  connection_id uuid REFERENCES connections ON DELETE CASCADE,
  user_id uuid REFERENCES users ON DELETE CASCADE,
  -- Keyed hash of what a person types to let a device in.
  user_code text,
  consumed_at timestamptz,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (kind, id)
);
CREATE INDEX oauth_records_of_connection ON oauth_records (connection_id);
CREATE INDEX oauth_records_of_user ON oauth_records (user_id);
CREATE INDEX oauth_records_age ON oauth_records (expires_at);
CREATE UNIQUE INDEX oauth_records_user_code ON oauth_records (user_code) WHERE user_code IS NOT NULL;
