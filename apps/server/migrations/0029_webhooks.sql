-- Addresses to which events are sent. Their secrets are derived from secret_id and the server's secret.
CREATE TABLE webhooks (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  url text NOT NULL,
  events text[] NOT NULL,
  description text,
  state text NOT NULL CHECK (state IN ('active', 'paused', 'gone', 'failing')),
  secret_id uuid NOT NULL,
  previous_secret_id uuid,
  rotated_at timestamptz,
  failing_since timestamptz,
  created_at timestamptz NOT NULL
);
CREATE INDEX webhooks_newest ON webhooks (user_id, created_at DESC, id DESC);

CREATE TABLE webhook_deliveries (
  id uuid PRIMARY KEY,
  webhook_id uuid NOT NULL REFERENCES webhooks ON DELETE CASCADE,
  type text NOT NULL,
  data jsonb NOT NULL,
  state text NOT NULL CHECK (state IN ('waiting', 'delivered', 'failed')),
  attempts integer NOT NULL DEFAULT 0,
  attempted_at timestamptz,
  status integer,
  error text,
  next_attempt_at timestamptz,
  created_at timestamptz NOT NULL
);
CREATE INDEX webhook_deliveries_newest ON webhook_deliveries (webhook_id, created_at DESC, id DESC);
