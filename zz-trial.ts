import { setTimeout as sleep } from 'node:timers/promises';
import { readFileSync, readdirSync } from 'node:fs';
import { createClient } from '@engram/client';
import { addMailbox, listArtifacts, listMailboxes, searchReady, search } from '@engram/contract';
import { connectToImap, messageOf, testImapUrl } from './apps/server/src/features/mailbox/tests/imap-server.test-setup.ts';
import { signIn, startEngram } from './tests/e2e/engram.ts';
const N = Number(process.argv[2] ?? 10000);
const imap = await connectToImap(testImapUrl ?? '');
const folder = await imap.createFolder();
const t0 = Date.now();
for (let n = 0; n < N; n += 1) await imap.append(folder, messageOf({ subject: `Message ${n}`, text: `The stone of message ${n} is kept in yard ${n % 97}.`, ...(n % 5 === 0 ? { attachment: `Its code is QX${7000 + n}. ${'Slate and granite. '.repeat(100)}` } : {}) }));
console.log('appended', Date.now() - t0);
const engram = await startEngram({ ENGRAM_FETCH_ALLOW: '127.0.0.1', ENGRAM_LLM: 'none', ENGRAM_RATE_LIMITS: 'off', ENGRAM_LOG_LEVEL: 'warn', ...(process.argv[3] ? JSON.parse(process.argv[3]) : {}) });
try {
  const token = await signIn(engram, 'ada@example.org');
  const client = createClient({ baseUrl: `${engram.url}/v1`, token: () => token });
  const begin = Date.now();
  await client.call(addMailbox, { body: { ...imap.account, folder, afterStoring: 'leave' } });
  let peak = 0; let last = 0; let lastStored=-1;
  for (;;) {
    await sleep(1000);
    const rss = Number(/VmRSS:\s+(\d+)/u.exec(readFileSync(`/proc/${engram.pid()}/status`, 'utf8'))?.[1]) / 1024;
    peak = Math.max(peak, rss);
    const t = performance.now();
    const { data } = await client.call(listMailboxes, {});
    const list = performance.now() - t;
    const box = data[0]!;
    if (Date.now() - last > 20000) { last = Date.now(); console.log(Math.round((Date.now() - begin) / 1000), 's stored', box.stored, 'skipped', box.skipped, 'checking', box.checking, 'error', box.error, 'rss', Math.round(rss), 'list ms', Math.round(list)); 
      if (process.argv[4] && box.stored === lastStored && !box.checking) break; lastStored = box.stored; }
    if (box.stored >= N) break;
  }
  console.log('stored after', (Date.now() - begin) / 1000, 'peak rss', Math.round(peak));
  while (!(await client.call(searchReady, {})).data) await sleep(1000);
  console.log('searchable after', (Date.now() - begin) / 1000);
  const t = performance.now();
  const { data } = await client.call(search, { body: { text: 'What is the code of message 5000?' } as never });
  console.log('asked', Math.round(performance.now() - t), JSON.stringify(data.answers));
  const { data: files } = await client.call(listArtifacts, { query: { pageSize: 1 } as never });
  console.log('files', files.length);
} finally { await engram.close(); await imap.close(); }
