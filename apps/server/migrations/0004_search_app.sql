-- What a person answered to the questions at the start; the questions themselves ship with the program.
CREATE TABLE questionnaire_answers (
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  question_id text NOT NULL,
  option_id text NOT NULL,
  answered_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, question_id)
);

-- Links that show one answer to whoever has them; revoking one deletes its row.
CREATE TABLE shares (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  history_id uuid NOT NULL UNIQUE REFERENCES history ON DELETE CASCADE,
  created_at timestamptz NOT NULL
);
CREATE INDEX shares_newest ON shares (user_id, created_at DESC, id DESC);

-- Deleting a question looks for those that follow up on it.
CREATE INDEX history_follows ON history (follows) WHERE follows IS NOT NULL;

-- Accounts that are gone, for a while: what is still found of them is removed without asking.
CREATE TABLE deleted_accounts (
  user_id uuid PRIMARY KEY,
  deleted_at timestamptz NOT NULL
);
