-- What follows a paid plan, and what is left over of earlier ones.
ALTER TABLE subscriptions
  -- The plan that begins when this one ends; null where it goes on, or only ends.
  ADD COLUMN next_plan text,
  -- How long that plan runs at the least; null where it is paid when it begins.
  ADD COLUMN next_ends_at timestamptz,
  -- US cents that the provider holds for the person and sets against the next payment.
  ADD COLUMN balance integer NOT NULL DEFAULT 0;

-- The subscription that is changed once the checkout is done; null where one is bought.
ALTER TABLE checkouts ADD COLUMN changes text;

-- What a turn does at the provider, so that a kill in the middle leaves nothing half done.
ALTER TABLE payment_turns ADD COLUMN work jsonb;

-- US cents that people have left over in the sandbox: they outlive a subscription, as at Stripe.
CREATE TABLE sandbox_balances (
  user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  cents integer NOT NULL CHECK (cents >= 0)
);
INSERT INTO sandbox_balances
  SELECT user_id, sum(balance) FROM sandbox_subscriptions GROUP BY user_id HAVING sum(balance) > 0;
UPDATE subscriptions SET balance = cents FROM sandbox_balances
  WHERE sandbox_balances.user_id = subscriptions.user_id AND provider = 'sandbox';
ALTER TABLE sandbox_subscriptions
  DROP COLUMN balance,
  -- What begins when the period ends.
  ADD COLUMN next_price_id text;
