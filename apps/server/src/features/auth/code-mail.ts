import type { MailMessage } from '../../platform/mail/mailer.ts';

/** The mail that carries a sign-in code. */
export function codeMail(to: string, code: string, validMinutes: number): MailMessage {
  const ignore =
    'If you did not ask for it, you can ignore this mail: without the code nobody can sign in.';
  return {
    to,
    subject: `${code} is your Engram sign-in code`,
    text: [
      `Your sign-in code for Engram is ${code}`,
      `It is valid for ${validMinutes} minutes and can be used once.`,
      ignore,
    ].join('\n\n'),
    html: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Your Engram sign-in code</title>
</head>
<body style="margin:0;padding:32px 16px;background:#f4f4f6;color:#1c1c22;font-family:Inter,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif">
<table role="presentation" align="center" width="100%" cellpadding="0" cellspacing="0" style="max-width:440px;margin:0 auto;background:#ffffff;border:1px solid #e3e3e8;border-radius:10px">
<tr><td style="padding:32px 32px 0;font-size:16px;font-weight:700;color:#4c46c9">Engram</td></tr>
<tr><td style="padding:16px 32px 0;font-size:17px;line-height:1.5;color:#1c1c22">Enter this code to sign in:</td></tr>
<tr><td style="padding:16px 32px"><div style="padding:16px;border-radius:10px;background:#f1f0fe;color:#2e2a85;font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:34px;font-weight:700;letter-spacing:8px;text-align:center">${code}</div></td></tr>
<tr><td style="padding:0 32px 32px;font-size:14px;line-height:1.6;color:#5c5c68">It is valid for ${validMinutes} minutes and can be used once.<br><br>${ignore}</td></tr>
</table>
</body>
</html>
`,
  };
}
