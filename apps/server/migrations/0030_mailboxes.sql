-- IMAP folders whose messages become files. The password is encrypted; null if ENGRAM_MAIL_IN has it.
CREATE TABLE mailboxes (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  host text NOT NULL,
  port integer NOT NULL,
  security text NOT NULL CHECK (security IN ('tls', 'starttls', 'none')),
  username text NOT NULL,
  password bytea,
  folder text NOT NULL,
  after_storing text NOT NULL CHECK (after_storing IN ('leave', 'read', 'move')),
  move_to text,
  paused boolean NOT NULL DEFAULT false,
  checked_at timestamptz,
  error text,
  failures integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  UNIQUE (user_id, host, port, username, folder)
);

-- Messages that were read. The highest UID is the position from which the next check goes on.
CREATE TABLE mailbox_messages (
  mailbox_id uuid NOT NULL REFERENCES mailboxes ON DELETE CASCADE,
  uid_validity bigint NOT NULL,
  uid bigint NOT NULL,
  -- SHA-256 of what identifies the message after the server has given it another UID.
  fingerprint bytea NOT NULL,
  -- Whether nothing is left to be done in the mailbox.
  marked boolean NOT NULL,
  -- Why it was not stored.
  skipped text,
  subject text,
  sent_at timestamptz,
  PRIMARY KEY (mailbox_id, uid_validity, uid)
);
CREATE INDEX mailbox_messages_fingerprint ON mailbox_messages (mailbox_id, fingerprint);
CREATE INDEX mailbox_messages_unmarked ON mailbox_messages (mailbox_id) WHERE NOT marked;
