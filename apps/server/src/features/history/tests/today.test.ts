import { search, todaysHistory } from '@engram/contract';
import { expect, test } from 'vitest';
import { useTestApp } from '../../../tests/use-app.test-setup.ts';

const HOUR = 3_600_000;

// 0:30 in Berlin. In Los Angeles, the previous day lasts until 9:00 in Berlin.
const engram = useTestApp({ startAt: new Date('2026-11-19T23:30:00Z') });

test("today begins at midnight in the caller's time zone, or in the server's by default", async () => {
  const ann = await engram.signIn('ann@example.org');
  const todayIn = async (timeZone?: string) => {
    const { data } = await ann.client.call(todaysHistory, { query: { timeZone } });
    return data.map(({ searchText }) => searchText);
  };
  await ann.client.call(search, { body: { text: 'One?' } });
  engram.advance(9 * HOUR);
  await ann.client.call(search, { body: { text: 'Two?' } });
  expect(await todayIn()).toEqual(['Two?']);
  expect(await todayIn('Europe/Berlin')).toEqual(['Two?', 'One?']);
  await expect(todayIn('Mars/Olympus_Mons')).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining('This is not the name of a time zone.') as string,
  });
});
