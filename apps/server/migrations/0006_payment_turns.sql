-- Whose plan is being bought, changed or ended at this moment, and by which call: of all servers on
-- one database only one at a time asks the provider for it. A turn that a kill left behind ends by itself.
CREATE TABLE payment_turns (
  user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  holder uuid NOT NULL,
  ends_at timestamptz NOT NULL
);

-- A buyer may be done while the money is still on its way, for days.
ALTER TABLE checkouts DROP CONSTRAINT checkouts_status_check;
ALTER TABLE checkouts ADD CONSTRAINT checkouts_status_check
  CHECK (status IN ('open', 'processing', 'paid', 'unpaid', 'expired'));
-- When the provider is asked by itself how the checkout stands; the longer it is open, the less often.
ALTER TABLE checkouts ADD COLUMN next_look_at timestamptz NOT NULL DEFAULT now();
DROP INDEX checkouts_open;
CREATE INDEX checkouts_to_look_at ON checkouts (next_look_at)
  WHERE status IN ('open', 'processing', 'unpaid');
CREATE INDEX checkouts_ended ON checkouts (created_at) WHERE status IN ('paid', 'expired');
