-- Whether times are shown in the time zone of the person's device; else in the server's.
ALTER TABLE users ADD COLUMN device_time_zone boolean NOT NULL DEFAULT false;
-- Admins look for people by a part of their address, and list them by age.
CREATE INDEX users_newest ON users (created_at DESC, id DESC);

-- What can be bought, and the free plan. Filled from the program where it is empty; may be changed
-- without a release.
CREATE TABLE plans (
  name text PRIMARY KEY,
  product_id text NOT NULL,
  price_id text NOT NULL UNIQUE,
  -- US cents a period.
  amount integer NOT NULL CHECK (amount >= 0),
  billing_period text NOT NULL CHECK (billing_period IN ('weekly', 'monthly', 'quarterly', 'yearly')),
  -- Questions; a limit of 0 does not apply.
  queries_day integer NOT NULL,
  queries_week integer NOT NULL,
  queries_month integer NOT NULL,
  -- Gigabytes (10^9 bytes).
  storage integer NOT NULL,
  -- The order in which plans are listed.
  position integer NOT NULL,
  -- False for a plan that is not sold any more; who has it keeps it.
  active boolean NOT NULL DEFAULT true
);

ALTER TABLE subscriptions
  -- Who takes the money: 'sandbox' or 'stripe'; null for the free plan.
  ADD COLUMN provider text,
  ADD COLUMN provider_customer text,
  ADD COLUMN provider_subscription text,
  ADD COLUMN billing_address text,
  -- When the provider last told how the subscription stands: what it said before then is passed over.
  ADD COLUMN reported_at timestamptz;
CREATE UNIQUE INDEX subscriptions_provider ON subscriptions (provider, provider_subscription)
  WHERE provider_subscription IS NOT NULL;
CREATE INDEX subscriptions_ending ON subscriptions (ends_at) WHERE ends_at IS NOT NULL;

-- Mails about a plan that were accepted by the mail server: each is sent once, and files are only
-- deleted where both warnings of that plan's end are here.
CREATE TABLE plan_mails (
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  -- Such as 'limit:day' or 'retention:1'.
  kind text NOT NULL,
  -- What the mail is about: the first day of a window, or the moment a plan ended.
  about text NOT NULL,
  sent_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, kind, about)
);

-- Every change of a person's credits.
CREATE TABLE credit_ledger (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  change integer NOT NULL,
  balance integer NOT NULL,
  reason text NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE INDEX credit_ledger_newest ON credit_ledger (user_id, created_at DESC, id DESC);
CREATE INDEX credit_ledger_all ON credit_ledger (created_at DESC, id DESC);

-- What admins did. Whose account is gone is not named any more.
CREATE TABLE audit_log (
  id uuid PRIMARY KEY,
  actor_id uuid REFERENCES users ON DELETE SET NULL,
  action text NOT NULL,
  subject_id uuid REFERENCES users ON DELETE SET NULL,
  details text NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE INDEX audit_log_newest ON audit_log (created_at DESC, id DESC);
CREATE INDEX audit_log_actor ON audit_log (actor_id);
CREATE INDEX audit_log_subject ON audit_log (subject_id);

-- Purchases under way and done.
CREATE TABLE checkouts (
  -- The provider's id of it.
  id text PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  provider text NOT NULL,
  price_id text NOT NULL,
  -- Of a sandbox's checkout: the SHA-256 of its client secret.
  secret_hash text,
  status text NOT NULL CHECK (status IN ('open', 'paid', 'unpaid', 'expired')),
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX checkouts_user ON checkouts (user_id);
CREATE INDEX checkouts_open ON checkouts (created_at) WHERE status = 'open';

-- The provider's events that were taken in: each counts once.
CREATE TABLE payment_events (
  id text PRIMARY KEY,
  received_at timestamptz NOT NULL
);
CREATE INDEX payment_events_age ON payment_events (received_at);

CREATE TABLE invoices (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  provider text NOT NULL,
  -- The provider's id of it.
  provider_invoice text NOT NULL,
  invoice_no text NOT NULL,
  plan text NOT NULL,
  -- US cents.
  amount integer NOT NULL,
  paid_at timestamptz NOT NULL,
  billing_address text,
  -- The provider's own documents; null where the server makes them.
  invoice_url text,
  receipt_url text,
  UNIQUE (provider, provider_invoice)
);
CREATE INDEX invoices_newest ON invoices (user_id, paid_at DESC, id DESC);

-- What the sandbox knows of what was bought in it, as a payment provider would. No money moves.
CREATE TABLE sandbox_subscriptions (
  id text PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  -- The checkout it was bought by: each buys once.
  checkout_id text NOT NULL UNIQUE,
  price_id text NOT NULL,
  status text NOT NULL CHECK (status IN ('active', 'cancelled', 'ended')),
  started_at timestamptz NOT NULL,
  period_start timestamptz NOT NULL,
  period_end timestamptz NOT NULL,
  -- US cents left over from a plan that was changed, set against the next price.
  balance integer NOT NULL CHECK (balance >= 0),
  billing_address text
);
CREATE INDEX sandbox_subscriptions_user ON sandbox_subscriptions (user_id);

CREATE TABLE sandbox_invoices (
  id text PRIMARY KEY,
  subscription_id text NOT NULL REFERENCES sandbox_subscriptions ON DELETE CASCADE,
  number text NOT NULL,
  price_id text NOT NULL,
  -- US cents.
  amount integer NOT NULL,
  paid_at timestamptz NOT NULL
);
CREATE INDEX sandbox_invoices_subscription ON sandbox_invoices (subscription_id);

-- Keys of developers' programs. The key itself is not here: only its SHA-256, and what is shown of it.
CREATE TABLE api_keys (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  name text NOT NULL,
  key_hash text NOT NULL UNIQUE,
  masked text NOT NULL,
  created_at timestamptz NOT NULL,
  last_used_at timestamptz
);
CREATE UNIQUE INDEX api_keys_name ON api_keys (user_id, lower(name));
