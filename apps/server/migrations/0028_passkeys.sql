-- Passkeys (WebAuthn credentials) with which users sign in.
CREATE TABLE passkeys (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  name text NOT NULL,
  -- The authenticator's ID of the credential in base64url, unique among all users.
  credential_id text NOT NULL UNIQUE,
  -- In COSE.
  public_key bytea NOT NULL,
  -- How often it has signed, as its authenticator says. 0 if that does not count.
  counter bigint NOT NULL,
  created_at timestamptz NOT NULL,
  last_used_at timestamptz
);
CREATE INDEX passkeys_user ON passkeys (user_id);

-- Challenges that a passkey has answered, until they expire. Each works once.
CREATE TABLE used_challenges (
  challenge_hash text PRIMARY KEY,
  expires_at timestamptz NOT NULL
);
CREATE INDEX used_challenges_age ON used_challenges (expires_at);
