import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type MailServer, startMailServer } from '../../../tests/mail-server.test-setup.ts';
import { readMail } from '../../../tests/read-mail.test-setup.ts';
import { describeAccounts } from '../../auth/tests/accounts.test-setup.ts';
import { createPlanMails, type PlanMails } from '../plan-mails.ts';

const ADA = 'ada@example.org';

// The clock is fixed at Wednesday, March 4, 2026.
describeAccounts('warnings of limits', (accounts) => {
  let mail: MailServer;
  let userId: string;
  beforeAll(async () => {
    mail = await startMailServer();
  });
  afterAll(() => mail.close());
  beforeEach(async () => {
    mail.mails.length = 0;
    mail.refused.clear();
    await accounts.server.signIn(ADA);
    userId = String((await accounts.rows('users'))[0]?.['id']);
  });

  const serve = (env: Record<string, string> = {}) =>
    accounts.restart({ SMTP_URL: mail.url, ENGRAM_LIMITS: 'enforce', ...env });
  const ask = async (times: number) => {
    for (let n = 0; n < times; n += 1) {
      await accounts.server.services.subscription.countQuery(userId);
      await accounts.server.background.drain();
    }
  };
  const kinds = async () =>
    (await accounts.rows('plan_mails')).map(({ kind, about }) => `${kind} ${about}`).toSorted();
  const change = (assignments: string) =>
    accounts.database.pool.query(`UPDATE subscriptions SET ${assignments}`);

  test('are mailed once per window, when a question begins its last fifth', async () => {
    await serve({ ENGRAM_PUBLIC_URL: 'https://engram.example.org/' });
    await ask(12);
    expect(mail.mails).toEqual([]);
    await ask(3);
    expect(mail.mails.map(({ to }) => to)).toEqual([ADA]);
    expect(await kinds()).toEqual(['limit:day 2026-03-04']);
    const { headers, text } = readMail(mail.mails[0]?.text ?? '');
    expect(headers.get('subject')).toBe('You have used most of your Engram questions');
    expect(text).toContain('Starter(Free)');
    expect(text).toContain('Today: 13 of 15 questions');
    expect(text).toContain('Today resets: Thursday, March 5, 2026, 00:00 UTC');
    expect(text).toContain('Choose a plan: https://engram.example.org/pricing');

    accounts.server.set('2026-03-05T00:00:00.000Z');
    await ask(13);
    expect(mail.mails).toHaveLength(2);
    expect(await kinds()).toEqual(['limit:day 2026-03-04', 'limit:day 2026-03-05']);
  });

  test('cover several windows and the credits in one mail', async () => {
    await serve();
    await change(`credit = 7`);
    const counted = `INSERT INTO query_counts VALUES ($1, '2026-03-03', 72)`;
    await accounts.database.pool.query(counted, [userId]);
    await ask(13);
    expect(mail.mails).toHaveLength(1);
    const { text } = readMail(mail.mails[0]?.text ?? '');
    expect(text).toContain('Today: 13 of 15 questions');
    expect(text).toContain('This week: 85 of 105 questions');
    expect(text).toContain('one of your 7 credits');
    expect(text).toContain('open Pricing');
    expect(await kinds()).toEqual(['limit:day 2026-03-04', 'limit:week 2026-03-02']);
  });

  test('are sent with the next question if the mail server refused them', async () => {
    await serve();
    mail.refused.add(ADA);
    await ask(13);
    expect(await kinds()).toEqual([]);
    expect(accounts.server.warnings).toEqual(['a mail about a limit was not sent']);
    mail.refused.clear();
    await ask(1);
    expect(mail.mails).toHaveLength(1);
    expect(readMail(mail.mails[0]?.text ?? '').text).toContain('Today: 14 of 15 questions');
  });

  test('are sent once for concurrent questions', async () => {
    await serve();
    await ask(11);
    const { countQuery } = accounts.server.services.subscription;
    await Promise.all(Array.from({ length: 4 }, () => countQuery(userId)));
    await accounts.server.background.drain();
    expect(mail.mails).toHaveLength(1);
  });

  test('are sent by one of two servers, or by the other if that one was killed', async () => {
    const sent: string[] = [];
    let time = Date.parse('2026-03-04T12:00:00Z');
    const neverSent = Promise.withResolvers<never>();
    const server = (name: string, send = async () => void sent.push(name)) =>
      createPlanMails(
        { database: accounts.database, emailOf: async () => ADA },
        { send, describe: () => ({ name: 'mail', on: true, detail: '' }) },
        () => new Date(time),
      );
    const warn = (mails: PlanMails, about: string) =>
      mails.send(userId, [{ kind: 'limit:day', about }], (to) => ({
        to,
        subject: '',
        text: '',
        html: '',
      }));
    const [first, second] = [server('first'), server('second')];
    await Promise.all([warn(first, '2026-03-04'), warn(second, '2026-03-04')]);
    expect(sent).toHaveLength(1);

    const killed = Promise.withResolvers<void>();
    const third = server('third', () => {
      killed.resolve();
      return neverSent.promise;
    });
    void warn(third, '2026-03-05');
    await killed.promise;
    await warn(second, '2026-03-05');
    expect([sent.length, await second.about(userId, '2026-03-05')]).toEqual([1, []]);
    time += 10 * 60_000;
    await warn(second, '2026-03-05');
    expect(sent).toHaveLength(2);
    expect(await first.about(userId, '2026-03-05')).toHaveLength(1);
  });

  test('are not sent without limits or without a mail server', async () => {
    await serve({ ENGRAM_LIMITS: 'off' });
    await ask(15);
    await serve({ SMTP_URL: '' });
    await accounts.database.pool.query('DELETE FROM query_counts');
    await ask(15);
    expect(mail.mails).toEqual([]);
    expect(accounts.server.mails).toEqual([]);
    expect(await kinds()).toEqual([]);
  });
});
