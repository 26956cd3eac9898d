import { Agent, request } from 'node:http';
import { once } from 'node:events';
import { parentPort, Worker, workerData } from 'node:worker_threads';

/** One question to ask over HTTP. */
export interface AskedQuestion {
  text: string;
  keywords?: string[];
  /** Whether the answer is to be streamed, and explained at its end; else it comes whole. */
  streamed?: boolean;
}

/** What came back, and when, in milliseconds from the first byte sent. */
export interface MeasuredAnswer {
  status: number;
  ms: number;
  firstEventMs: number;
  body: string;
}

interface Target {
  url: string;
  token: string;
}

const agent = new Agent({ keepAlive: true });

function ask({ url, token }: Target, question: AskedQuestion): Promise<MeasuredAnswer> {
  const { streamed = false, ...rest } = question;
  const { promise, resolve, reject } = Promise.withResolvers<MeasuredAnswer>();
  const begin = performance.now();
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    accept: streamed ? 'text/event-stream' : 'application/json',
  };
  const call = request(`${url}/search`, { method: 'POST', agent, headers }, (response) => {
    let firstEventMs = 0;
    let body = '';
    response.setEncoding('utf8');
    response.on('data', (part: string) => {
      firstEventMs ||= performance.now() - begin;
      body += part;
    });
    response.on('end', () => {
      resolve({
        status: response.statusCode ?? 0,
        ms: performance.now() - begin,
        firstEventMs,
        body,
      });
    });
    response.on('error', reject);
  });
  call.on('error', reject);
  call.end(JSON.stringify({ ...rest, audio: false, explain: streamed }));
  return promise;
}

/** Asks one question after the other in a thread of its own, so that asking is no part of the times. */
export function startAsker(target: Target) {
  const worker = new Worker(import.meta.filename, { workerData: target });
  return {
    async ask(question: AskedQuestion): Promise<MeasuredAnswer> {
      worker.postMessage(question, []);
      const [answer] = (await once(worker, 'message')) as [MeasuredAnswer];
      if (answer.status !== 200) throw new Error(`The question failed: ${answer.body}`);
      return answer;
    },
    close: () => worker.terminate(),
  };
}

export type Asker = ReturnType<typeof startAsker>;

parentPort?.on('message', (question: AskedQuestion) => {
  void ask(workerData as Target, question).then((answer) => parentPort?.postMessage(answer, []));
});
