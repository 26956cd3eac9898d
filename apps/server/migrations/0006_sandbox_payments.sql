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
