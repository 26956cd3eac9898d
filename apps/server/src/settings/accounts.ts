import { refuseEmail } from '@engram/contract';
import { z } from 'zod';
import { isLoopback } from '../platform/http/hosts.ts';
import { key, list, matching, setting, url } from './setting.ts';

export const accounts = {
  adminEmails: setting(
    'ENGRAM_ADMIN_EMAILS',
    emailList(),
    'Mail addresses that get the ADMIN role, separated by commas. Others lose it when Engram starts.',
  ),
  signup: setting(
    'ENGRAM_SIGNUP',
    z.enum(['open', 'invited', 'closed']).default('open'),
    'Who may create an account: open (anyone), invited (the addresses in ENGRAM_ADMIN_EMAILS and ENGRAM_INVITED_EMAILS) or closed (nobody).',
  ),
  invitedEmails: setting(
    'ENGRAM_INVITED_EMAILS',
    emailList(),
    'Mail addresses that may create an account if ENGRAM_SIGNUP is invited, separated by commas.',
  ),
  smtpUrl: setting(
    'SMTP_URL',
    z.url({ protocol: /^smtps?$/u, error: 'must be an smtp:// or smtps:// address' }).optional(),
    "Mail server. Without it, sign-in codes are printed in the server's log.",
  ),
  smtpTls: setting(
    'ENGRAM_SMTP_TLS',
    z.enum(['require', 'optional']).default('require'),
    'Whether an smtp:// server on another machine must offer TLS (STARTTLS) with a certificate for its name. optional sends without TLS if it does not.',
  ),
  codesInLog: setting(
    'ENGRAM_CODES_IN_LOG',
    z.enum(['yes', 'no']).default('no'),
    'yes allows a server that others can reach to start without SMTP_URL and without Google. Sign-in codes are then printed in its log, and anyone who reads the log can sign in.',
  ),
  mailFrom: setting(
    'MAIL_FROM',
    matching(
      /^(?:[^<>\p{Cc}]*<[^<>\s@]+@[^<>\s@]+>|[^<>\s@]+@[^<>\s@]+)$/u,
      'must be a mail address, also as Name <address>',
    ).default('Engram <engram@localhost>'),
    'Sender of mails.',
  ),
  googleClientId: setting(
    'GOOGLE_CLIENT_ID',
    z.string().optional(),
    'Client ID of Engram at Google. With it and GOOGLE_CLIENT_SECRET, users can sign in with Google.',
  ),
  googleClientSecret: setting(
    'GOOGLE_CLIENT_SECRET',
    z.string().optional(),
    'The secret that belongs to GOOGLE_CLIENT_ID.',
  ),
  googleIssuer: setting(
    'GOOGLE_ISSUER',
    url()
      .refine((issuer) => isSecureConnection(issuer), {
        error: 'must be an https address, or an http address of this machine',
      })
      .default('https://accounts.google.com'),
    'OpenID provider behind the Google button.',
  ),
  limits: setting(
    'ENGRAM_LIMITS',
    z.enum(['enforce', 'off']).optional(),
    'Whether the limits of plans are enforced, or only shown. Default: enforced if STRIPE_SECRET_KEY is set.',
  ),
  payments: setting(
    'ENGRAM_PAYMENTS',
    z.enum(['stripe', 'sandbox', 'off']).optional(),
    'Who handles payments for plans: stripe, sandbox (no money moves) or off. Default: Stripe if its keys are set, else the sandbox. If limits are enforced and others can reach the server (HOST or ENGRAM_PUBLIC_URL), the default is off, because the sandbox gives every plan away.',
  ),
  stripeSecretKey: setting(
    'STRIPE_SECRET_KEY',
    key('sk_', 'rk_'),
    'Secret key of a Stripe account. With it and the two settings below, plans are paid for through Stripe.',
  ),
  stripePublishableKey: setting(
    'STRIPE_PUBLISHABLE_KEY',
    // It is sent to every browser, so secret keys are rejected.
    key('pk_'),
    'The public key that belongs to STRIPE_SECRET_KEY.',
  ),
  stripeWebhookSecret: setting(
    'STRIPE_WEBHOOK_SECRET',
    z.string().optional(),
    'Secret with which Stripe signs the events that it sends to /v1/stripe/webhook.',
  ),
  stripeApiBase: setting(
    'STRIPE_API_BASE',
    url().optional(),
    "Server with Stripe's API to use instead of Stripe.",
  ),
} as const;

function emailList() {
  return list().refine((emails) => emails.every((email) => refuseEmail(email) === null), {
    error: 'must be mail addresses, separated by commas',
  });
}

/** Whether a connection to an address is protected from eavesdropping and changes. */
function isSecureConnection(address: string): boolean {
  const url = URL.parse(address);
  return url?.protocol === 'https:' || (url !== null && isLoopback(url.hostname));
}
