-- Sessions as their person sees them.
ALTER TABLE sessions
  ADD COLUMN device text,
  ADD COLUMN ip text,
  ADD COLUMN location text,
  -- Of the browser it was opened in, the hash of its cookie.
  ADD COLUMN browser text,
  -- When it was opened, or last restored by its cookie.
  ADD COLUMN last_used_at timestamptz,
  -- When the person last proved who they are: at the sign-in, or by a fresh code since.
  ADD COLUMN proven_at timestamptz,
  -- Whether its cookie carries the __Secure- prefix: one without does not restore it then.
  ADD COLUMN secured boolean NOT NULL DEFAULT false;
UPDATE sessions SET
  last_used_at = expires_at - interval '7 days',
  proven_at = created_at,
  expires_at = least(expires_at, created_at + interval '90 days');
ALTER TABLE sessions
  ALTER COLUMN last_used_at SET NOT NULL,
  ALTER COLUMN proven_at SET NOT NULL;

-- One code for each browser that asks for an address, and in the row of no browser ('') the newest of
-- them, for callers without a browser's cookie. A row without a code only counts tries.
ALTER TABLE sign_in_codes
  ADD COLUMN browser text NOT NULL DEFAULT '',
  ALTER COLUMN code_hash DROP NOT NULL,
  DROP CONSTRAINT sign_in_codes_pkey,
  ADD PRIMARY KEY (email, browser);

-- Browsers from which a person has signed in, by the hash of their cookie.
CREATE TABLE known_browsers (
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  browser text NOT NULL,
  signed_in_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, browser)
);
CREATE INDEX known_browsers_age ON known_browsers (signed_in_at);

ALTER TABLE api_keys
  ADD COLUMN read_only boolean NOT NULL DEFAULT false,
  ADD COLUMN expires_at timestamptz;

-- What happened to the safety of an account, for its person.
CREATE TABLE security_events (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  kind text NOT NULL,
  ip text,
  device text,
  created_at timestamptz NOT NULL
);
CREATE INDEX security_events_newest ON security_events (user_id, created_at DESC, id DESC);
CREATE INDEX security_events_age ON security_events (created_at);
