-- The question that this one follows up on.
ALTER TABLE history
  ADD COLUMN follows uuid REFERENCES history ON DELETE SET NULL;

-- An answer as it was spoken; made when somebody first listens to it.
CREATE TABLE history_audio (
  history_id uuid PRIMARY KEY REFERENCES history ON DELETE CASCADE,
  -- Of the answer's text and the voice: another text or voice is spoken anew.
  spoken_hash text NOT NULL,
  mp3 bytea NOT NULL,
  created_at timestamptz NOT NULL
);

-- What each file speaks of, for suggestions while a question is typed; the most telling first.
CREATE TABLE artifact_phrases (
  artifact_id uuid PRIMARY KEY REFERENCES artifacts ON DELETE CASCADE,
  phrases text[] NOT NULL
);
