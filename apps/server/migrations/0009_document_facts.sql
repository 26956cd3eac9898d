-- What each file says of itself: a file read before has none until it is read again.
CREATE TABLE artifact_facts (
  artifact_id uuid PRIMARY KEY REFERENCES artifacts ON DELETE CASCADE,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  -- 'invoice', 'letter' …; null where it does not say.
  kind text,
  title text,
  -- What follows with the place in the text that says it: {"value", "start", "end"}.
  date jsonb,
  parties jsonb NOT NULL,
  version text,
  -- Numbers of policies, contracts and accounts that it names.
  codes text[] NOT NULL,
  replaces jsonb
);
CREATE INDEX artifact_facts_user ON artifact_facts (user_id);
