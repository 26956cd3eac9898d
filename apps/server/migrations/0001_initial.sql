CREATE TABLE users (
  id uuid PRIMARY KEY,
  email text NOT NULL,
  name text,
  alt_email text,
  phone text,
  role text NOT NULL DEFAULT 'USER' CHECK (role IN ('USER', 'ADMIN')),
  country text,
  profile_image bytea,
  ip text,
  device text,
  location text,
  agreed_terms_at timestamptz,
  questionnaire_answered_at timestamptz,
  created_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX users_email ON users (lower(email));

CREATE TABLE sign_in_codes (
  email text PRIMARY KEY,
  code_hash text NOT NULL,
  tries integer NOT NULL DEFAULT 0,
  expires_at timestamptz NOT NULL
);

CREATE TABLE sessions (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  refresh_hash text NOT NULL UNIQUE,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX sessions_user ON sessions (user_id);
CREATE INDEX sessions_expiry ON sessions (expires_at);

-- Attempts counted against a limit, by a key such as 'code:address:<hash>'.
CREATE TABLE attempts (
  key text NOT NULL,
  at timestamptz NOT NULL
);
CREATE INDEX attempts_key ON attempts (key, at);
CREATE INDEX attempts_at ON attempts (at);

CREATE TABLE subscriptions (
  user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  plan text NOT NULL,
  status text NOT NULL CHECK (status IN ('Active', 'Cancelled', 'Expired')),
  credit integer NOT NULL DEFAULT 0,
  ends_at timestamptz
);

-- Questions asked on each UTC day: kept apart from the history, which a person may delete.
CREATE TABLE query_counts (
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  day date NOT NULL,
  queries integer NOT NULL,
  PRIMARY KEY (user_id, day)
);

CREATE TABLE keywords (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  keyword text NOT NULL,
  is_active boolean NOT NULL DEFAULT true,
  is_default boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX keywords_name ON keywords (user_id, lower(keyword));

CREATE TABLE artifacts (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  group_id uuid NOT NULL,
  file_name text NOT NULL,
  file_type text NOT NULL,
  media_type text NOT NULL,
  size bigint NOT NULL,
  sha256 text NOT NULL,
  source text NOT NULL,
  device text,
  keywords text[] NOT NULL DEFAULT '{}',
  archived boolean NOT NULL DEFAULT false,
  status text NOT NULL CHECK (status IN ('PENDING', 'PROCESSING', 'FAILED', 'SUCCESS')),
  status_reason text,
  progress integer NOT NULL DEFAULT 0,
  indexed boolean NOT NULL DEFAULT false,
  -- Counts up with each reading of the file, so that a late result of an earlier one is dropped.
  revision integer NOT NULL DEFAULT 1,
  title text,
  language text,
  preview text,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  UNIQUE (user_id, sha256)
);
CREATE INDEX artifacts_newest ON artifacts (user_id, created_at DESC, id DESC);
CREATE INDEX artifacts_unfinished ON artifacts (user_id) WHERE status IN ('PENDING', 'PROCESSING');
CREATE INDEX artifacts_archived ON artifacts (user_id) WHERE archived;
CREATE INDEX artifacts_keywords ON artifacts USING gin (keywords);

-- A file's text in parts, so that a long one is never moved as a whole.
CREATE TABLE artifact_texts (
  artifact_id uuid NOT NULL REFERENCES artifacts ON DELETE CASCADE,
  part integer NOT NULL,
  text text NOT NULL,
  -- Those that start in this part, with offsets in the whole text.
  segments jsonb NOT NULL,
  PRIMARY KEY (artifact_id, part)
);

CREATE TABLE history (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  question text NOT NULL,
  answer text NOT NULL,
  grounded boolean NOT NULL,
  notice text,
  citations jsonb NOT NULL DEFAULT '[]',
  recommendations jsonb NOT NULL DEFAULT '[]',
  related jsonb NOT NULL DEFAULT '[]',
  keywords text[] NOT NULL DEFAULT '{}',
  latitude double precision,
  longitude double precision,
  ip text,
  device text,
  bookmarked boolean NOT NULL DEFAULT false,
  archived boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL
);
CREATE INDEX history_newest ON history (user_id, created_at DESC, id DESC);
CREATE INDEX history_citations ON history USING gin (citations jsonb_path_ops);
